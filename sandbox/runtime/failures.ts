/** Errors: those that the program reports to a gem, and what is told of those that a gem throws. */

import { defineProperty, Failure, slice, Text } from "../hardening/primitives.ts";
import { MAX_ERROR_CHARACTERS } from "../protocol/limits.ts";

/** Return an Error with a code; its message begins with that code. */
export function hostError(code: string, message: string): Error {
  return withCode(code, `${code}: ${message}`);
}

/** Return an Error with a code and a message that begins with it already. */
export function withCode(code: string, message: string): Error {
  const error = new Failure(message);
  defineProperty(error, "code", { __proto__: null, value: code, enumerable: true } as PropertyDescriptor);
  return error;
}

export interface Told {
  readonly name: string;
  readonly message: string;
}

/** Return name and message of anything that was thrown; a getter that throws or a text without end changes nothing. */
export function tell(thrown: unknown): Told {
  try {
    const { name, message } = (thrown ?? {}) as { name?: unknown; message?: unknown };
    const told = typeof message === "string" ? message : Text(thrown);
    return { name: typeof name === "string" ? slice(name, 0, 80) : "", message: slice(told, 0, MAX_ERROR_CHARACTERS) };
  } catch {
    return { name: "", message: "the tool threw something that cannot be shown" };
  }
}
