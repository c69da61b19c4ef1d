import type { SopContext } from "../.notochord/notochord.d.ts";

/** What is called is written out: the user sees it on the gem's page, and nothing else may be called. */
export default async function morning(input: { limit: number }, ctx: SopContext) {
  const { open } = await ctx.call<{ open: string[] }>("tool.tasks", {});
  const before = Number((await ctx.call("storage.kv.get", { key: "open yesterday" })) ?? 0);
  await ctx.call("storage.kv.set", { key: "open yesterday", value: String(open.length) });
  return { open: open.length, more: open.length - before, many: open.length > input.limit };
}
