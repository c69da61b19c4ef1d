/** Takes a document out of the register. */

import type { Context } from "../lib/context.ts";
import { forget, paperWith } from "../lib/register.ts";

export default async function forgetPaper(input: { readonly paper: string }, ctx: Context): Promise<unknown> {
  const record = await paperWith(ctx, input.paper);
  await forget(ctx, record);
  return { forgotten: record.data.file };
}
