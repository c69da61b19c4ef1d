/** Checks of what a gem passes to `ctx`, so that a slip is told where it was made. */

import { hostError } from "../runtime/failures.ts";

/** Return the value if it is a text. Throws E_INPUT_INVALID. */
export function text(name: string, value: unknown): string {
  if (typeof value !== "string") throw hostError("E_INPUT_INVALID", `${name} must be a string`);
  return value;
}

/** Return an option of `options`, undefined if there is none. Throws E_INPUT_INVALID. */
export function option<Key extends string>(options: unknown, key: Key): unknown {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== "object") throw hostError("E_INPUT_INVALID", "options must be an object");
  return (options as Record<Key, unknown>)[key] ?? undefined;
}
