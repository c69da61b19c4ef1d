import type { Context } from "../.notochord/notochord.d.ts";
import { type Item, readItems } from "../lib/list.ts";

export default async function readList(_input: unknown, ctx: Context): Promise<Item[]> {
  return await readItems(ctx);
}
