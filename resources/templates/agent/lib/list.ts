import type { Context } from "../.notochord/notochord.d.ts";

export interface Item {
  readonly item: string;
  readonly amount?: string;
}

const KEY = "list";

export async function readItems(ctx: Context): Promise<Item[]> {
  return JSON.parse((await ctx.storage.kv.get(KEY)) ?? "[]") as Item[];
}

export async function writeItems(ctx: Context, items: readonly Item[]): Promise<void> {
  await ctx.storage.kv.set(KEY, JSON.stringify(items));
}
