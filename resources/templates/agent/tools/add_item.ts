import type { Context } from "../.notochord/notochord.d.ts";
import { type Item, readItems, writeItems } from "../lib/list.ts";

export default async function addItem(input: { item: string; amount?: string }, ctx: Context): Promise<Item[]> {
  const items = await readItems(ctx);
  items.push({ item: input.item, ...(input.amount === undefined ? {} : { amount: input.amount }) });
  await writeItems(ctx, items);
  return items;
}
