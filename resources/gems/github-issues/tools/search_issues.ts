/** Searches issues and pull requests. */

import type { Context } from "../lib/context.ts";
import { ask } from "../lib/github.ts";
import { issuesOf, objectOf } from "../lib/issues.ts";

export default async function searchIssues(input: { readonly query: string }, ctx: Context): Promise<unknown> {
  const kind = /(?:^|\s)(?:is|type):(?:issue|pr|pull-request)\b/.test(input.query);
  const queries = kind ? [input.query] : [`${input.query} is:issue`, `${input.query} is:pr`];
  let total = 0;
  const issues = [];
  for (const query of queries) {
    const parameters = new URLSearchParams({ q: query, per_page: "30" });
    const answer = objectOf(await ask(ctx, `/search/issues?${parameters}`, "if there"));
    total += Number(answer.total_count) || 0;
    issues.push(...issuesOf(answer.items));
  }
  return { total, issues: issues.slice(0, 60) };
}
