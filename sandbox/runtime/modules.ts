/** Loads a gem's module. The address is never written in code: what is, is loaded without asking for any right. */

import { create } from "../hardening/primitives.ts";

export type Tool = (input: unknown, ctx: object) => unknown;

const loaded: Record<string, Tool> = create(null);

/** Return the default export of the module at `url`. Throws what loading throws, and TypeError for no function. */
export async function load(url: string): Promise<Tool> {
  const known = loaded[url];
  if (known) return known;
  const module = await import(url);
  const tool = module.default;
  if (typeof tool !== "function") throw new TypeError("the module's default export is no function");
  return loaded[url] = tool;
}
