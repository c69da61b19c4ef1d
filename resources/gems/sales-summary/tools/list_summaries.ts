/** Returns what was summed up, for the page. */

import type { Context } from "../lib/context.ts";
import { latest } from "../lib/kept.ts";

export default async function listSummaries(_input: unknown, ctx: Context): Promise<unknown> {
  const summaries = await latest(ctx.data);
  return summaries.map(({ months, ...rest }) => ({
    ...rest,
    months: months.map((entry) => {
      const [month, total] = entry.split(" ");
      return { month, total };
    }),
  }));
}
