/** Lists the open issues and pull requests of the user. */

import type { Context } from "../lib/context.ts";
import { ask } from "../lib/github.ts";
import { issuesOf } from "../lib/issues.ts";

const PAGE = 50;

export default async function myIssues(
  input: { readonly which?: string; readonly page?: number },
  ctx: Context,
): Promise<unknown> {
  const page = input.page ?? 1;
  const query = new URLSearchParams({
    filter: input.which ?? "assigned",
    state: "open",
    sort: "updated",
    per_page: String(PAGE),
    page: String(page),
  });
  const issues = issuesOf(await ask(ctx, `/issues?${query}`, "required"));
  return { issues, ...(issues.length === PAGE ? { next: page + 1 } : {}) };
}
