/** What a tool returned, as JSON that the program accepts. */

import { charCodeAt, stringify } from "../hardening/primitives.ts";
import { MAX_RESULT_CHARACTERS, MAX_RESULT_DEPTH } from "../protocol/limits.ts";

/** A value whose JSON is longer than the limit. */
export class TooLarge extends Error {}

/**
 * Return the value's JSON; what JSON has no word for (nothing, a function) is null. Throws TooLarge, TypeError for
 * values nested too deeply, and whatever the value's own `toJSON` throws.
 */
export function resultJson(value: unknown): string {
  const json = (stringify(value) as string | undefined) ?? "null";
  if (json.length > MAX_RESULT_CHARACTERS && characters(json) > MAX_RESULT_CHARACTERS) {
    throw new TooLarge("the value is too large");
  }
  if (json.length > MAX_RESULT_DEPTH * 2 && depth(json) >= MAX_RESULT_DEPTH) {
    throw new TypeError(`the value is nested more than ${MAX_RESULT_DEPTH} levels deep`);
  }
  return json;
}

/** Return the number of characters of a text; one outside the basic plane counts once. */
function characters(text: string): number {
  if (text.length > 2 * MAX_RESULT_CHARACTERS) return text.length;
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    if ((charCodeAt(text, index) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

function depth(json: string): number {
  let open = 0, deepest = 0, inText = false;
  for (let index = 0; index < json.length; index++) {
    const code = charCodeAt(json, index);
    if (code === 0x22) inText = !inText;
    else if (inText) index += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) deepest = ++open > deepest ? open : deepest;
    else if (code === 0x5d || code === 0x7d) open--;
  }
  return deepest;
}
