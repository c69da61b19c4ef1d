/** Lists the register, for the page and the agent. */

import type { Context } from "../lib/context.ts";
import { papersOf } from "../lib/register.ts";
import { shown } from "../lib/shown.ts";

const PAGE = 100;

export default async function listPapers(input: { readonly after?: string }, ctx: Context): Promise<unknown> {
  const newest = papersOf(ctx).orderBy("read", "desc").limit(PAGE);
  const page = await (input.after ? newest.startAfter(input.after) : newest).get();
  return { papers: page.items.map(shown), ...(page.nextCursor ? { next: page.nextCursor } : {}) };
}
