/** Content on its way out and in: as JSON beside the request, which no size of a frame's own JSON bounds. */

import {
  decodeText,
  encodeText,
  isArray,
  isFinite,
  isWellFormed,
  parse,
  stringify,
} from "../../hardening/primitives.ts";
import type { Answer } from "../../router/requests.ts";
import { hostError } from "../../runtime/failures.ts";

/** Return the JSON of a record, a patch or an entry. Throws E_INPUT_INVALID for what no record can be. */
export function contentJson(name: string, value: unknown): string {
  if (typeof value !== "object" || value === null || isArray(value)) {
    throw hostError("E_INPUT_INVALID", `${name} must be an object`);
  }
  try {
    const json = stringify(value, refuseOdd) as string | undefined;
    if (json !== undefined) return json;
  } catch (thrown) {
    if (thrown instanceof TypeError) throw hostError("E_INPUT_INVALID", `${name} is not JSON: ${thrown.message}`);
    throw thrown;
  }
  throw hostError("E_INPUT_INVALID", `${name} is not JSON`);
}

export function encodeContent(name: string, value: unknown): Uint8Array {
  return encodeText(contentJson(name, value));
}

export function encodeMarkdown(value: unknown): Uint8Array {
  if (typeof value !== "string") throw hostError("E_INPUT_INVALID", "markdown must be a string");
  if (!isWellFormed(value)) throw hostError("E_INPUT_INVALID", "markdown has half a character (a lone surrogate)");
  return encodeText(value);
}

/** Return what came beside an answer. */
export function contentOf(answer: Answer): unknown {
  return parse(decodeText(answer.attachment));
}

/** JSON would leave these out or turn them into null: nothing is converted without a word. */
function refuseOdd(_: string, value: unknown): unknown {
  if (typeof value === "number" && !isFinite(value)) throw hostError("E_INPUT_INVALID", "a number must be finite");
  if (typeof value === "function" || typeof value === "symbol") {
    throw hostError("E_INPUT_INVALID", `a ${typeof value} is not JSON`);
  }
  return value;
}
