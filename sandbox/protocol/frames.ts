/** Frames: `[u32 length of the JSON][u32 length of the attachment][JSON][raw bytes]`, little endian. */

import { Bytes, encodeText, setBytes, stringify } from "../hardening/primitives.ts";
import { MAX_ATTACHMENT_BYTES, MAX_MESSAGE_BYTES } from "./limits.ts";

export const HEAD_BYTES = 8;

/**
 * Return the head and the JSON of a frame, and `room` empty bytes after them; the attachment follows as it is. Throws
 * RangeError beyond the limits.
 */
export function encodeHead(message: object, attachmentBytes: number, room = 0): Uint8Array {
  const json = encodeText(stringify(bare(message)));
  if (json.length > MAX_MESSAGE_BYTES || attachmentBytes > MAX_ATTACHMENT_BYTES) {
    throw new RangeError("too much for one request");
  }
  const frame = new Bytes(HEAD_BYTES + json.length + room);
  putLength(frame, 0, json.length);
  putLength(frame, 4, attachmentBytes);
  setBytes(frame, json, HEAD_BYTES);
  return frame;
}

/** Return the length that stands at `offset`. */
export function lengthAt(head: Uint8Array, offset: number): number {
  return (head[offset]! | (head[offset + 1]! << 8) | (head[offset + 2]! << 16) | (head[offset + 3]! << 24)) >>> 0;
}

/** Return the same fields without a prototype, where a `toJSON` would be looked up. */
export function bare<Fields extends object>(fields: Fields): Fields {
  return { __proto__: null, ...fields } as Fields;
}

function putLength(frame: Uint8Array, offset: number, length: number): void {
  for (let index = 0; index < 4; index++) frame[offset + index] = (length >>> (8 * index)) & 0xff;
}
