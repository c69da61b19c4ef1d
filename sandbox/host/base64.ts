/** Base64 between bytes and text, with the runtime's own methods as they were before gem code ran. */

import { hostError } from "../runtime/failures.ts";

interface Base64Bytes {
  toBase64(): string;
}

const { apply } = Reflect;
const { fromBase64: decode } = Uint8Array as unknown as { fromBase64(text: string): Uint8Array };
const { toBase64: encode } = Uint8Array.prototype as unknown as Base64Bytes;

export function toBase64(bytes: Uint8Array): string {
  return apply(encode, bytes, []);
}

/** Throws E_INPUT_INVALID. */
export function fromBase64(text: string): Uint8Array {
  try {
    return apply(decode, Uint8Array, [text]);
  } catch {
    throw hostError("E_INPUT_INVALID", "content is not base64");
  }
}
