/** Returns one issue or pull request with its comments. */

import type { Context } from "../lib/context.ts";
import { ask } from "../lib/github.ts";
import { authorOf, issueOf, objectOf, textOf } from "../lib/issues.ts";
import { issueNamed } from "../lib/names.ts";

const MOST_TEXT = 20_000;
const MOST_COMMENT = 4_000;

export default async function readIssue(input: { readonly issue: string }, ctx: Context): Promise<unknown> {
  const { repository, number } = issueNamed(input.issue);
  const place = `/repos/${repository}/issues/${number}`;
  const found = await ask(ctx, place, "if there");
  const issue = issueOf(found);
  const answer = issue.comments > 0 ? await ask(ctx, `${place}/comments?per_page=100`, "if there") : [];
  const said = (Array.isArray(answer) ? answer : []).map((comment) => ({
    author: authorOf(comment),
    at: textOf(objectOf(comment).created_at, 40),
    text: textOf(objectOf(comment).body, MOST_COMMENT),
  }));
  return { ...issue, text: textOf(objectOf(found).body, MOST_TEXT), said, left: Math.max(0, issue.comments - said.length) };
}
