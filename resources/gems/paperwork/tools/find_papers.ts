/** Finds documents of the register by words. */

import type { Context } from "../lib/context.ts";
import { papersOf, search } from "../lib/register.ts";
import { shown } from "../lib/shown.ts";

const MOST_WORDS = 16;

export default async function findPapers(
  input: { readonly words: string; readonly limit?: number },
  ctx: Context,
): Promise<unknown> {
  const words = input.words.split(/\s+/).filter((word) => word !== "").slice(0, MOST_WORDS);
  if (words.length === 0) throw new Error("give at least one word to look for");
  const hits = await search(ctx, words, input.limit ?? 20);
  if (hits.length === 0) return [];
  const { items } = await papersOf(ctx).where("row", "in", hits.map(({ row }) => row)).get();
  const records = new Map(items.map((record) => [record.data.row, record]));
  return hits.flatMap(({ row, excerpt }) => {
    const record = records.get(row);
    return record ? [{ ...shown(record), excerpt }] : [];
  });
}
