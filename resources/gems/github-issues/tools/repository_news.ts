/** Lists what changed in a repository since the last look, which is remembered. */

import type { Context } from "../lib/context.ts";
import { ask } from "../lib/github.ts";
import { issuesOf } from "../lib/issues.ts";
import { repositoryNamed } from "../lib/names.ts";

const PAGE = 100;
const FIRST_DAYS = 7;
const DAY = 86_400_000;

export default async function repositoryNews(
  input: { readonly repository: string; readonly days?: number },
  ctx: Context,
): Promise<unknown> {
  const repository = repositoryNamed(input.repository);
  const key = `looked:${repository.toLowerCase()}`;
  const now = Date.now();
  const before = input.days === undefined ? Number(await ctx.storage.kv.get(key)) : 0;
  const since = before > 0 ? before : now - (input.days ?? FIRST_DAYS) * DAY;
  const query = new URLSearchParams({
    state: "all",
    sort: "updated",
    direction: "asc",
    since: new Date(since).toISOString(),
    per_page: String(PAGE),
  });
  const issues = issuesOf(await ask(ctx, `/repos/${repository}/issues?${query}`, "if there"));
  const more = issues.length === PAGE;
  // With more to come, the next look goes on where this one ended; what changed at that very moment is told again.
  const seen = more ? Date.parse(issues.at(-1)!.updated) || since : now;
  if (input.days === undefined) await ctx.storage.kv.set(key, String(seen));
  return { repository, since: new Date(since).toISOString(), issues, more };
}
