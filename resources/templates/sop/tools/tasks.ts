import type { Context } from "../.notochord/notochord.d.ts";

const KEY = "tasks";

export default async function tasks(input: { add?: string }, ctx: Context): Promise<{ open: string[] }> {
  const open = JSON.parse((await ctx.storage.kv.get(KEY)) ?? "[]") as string[];
  if (input.add !== undefined) {
    open.push(input.add);
    await ctx.storage.kv.set(KEY, JSON.stringify(open));
  }
  return { open };
}
