/** Loads a gem's module. The address is never written in code: what is, is loaded without asking for any right. */

import { create } from "../hardening/primitives.ts";

export type Tool = (input: unknown, ctx: object) => unknown;

type Own = () => Promise<{ default: Tool }>;

/** What this program itself runs, loaded when it is asked for; no module of a gem has such an address. */
const PROCEDURES: Record<string, Own> = {
  __proto__: null,
  "notochord:migration": () => import("../procedures/migration.ts"),
  "notochord:wasm": () => import("../procedures/wasm.ts"),
} as unknown as Record<string, Own>;

const loaded: Record<string, Tool> = create(null);

/** Return the default export of the module at `url`. Throws what loading throws, and TypeError for no function. */
export async function load(url: string): Promise<Tool> {
  const known = loaded[url];
  if (known) return known;
  const own = PROCEDURES[url];
  const module = own ? await own() : await import(url);
  const tool = module.default;
  if (typeof tool !== "function") throw new TypeError("the module's default export is not a function");
  return loaded[url] = tool;
}
