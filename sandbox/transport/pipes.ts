/** The two pipes to the program: frames in from standard input, frames out to standard output. */

import { Bytes, decodeText, parse, setBytes, subarray } from "../hardening/primitives.ts";
import { encodeHead, HEAD_BYTES, lengthAt } from "../protocol/frames.ts";
import type { GuestMessage, HostMessage } from "../protocol/messages.ts";

export type Read = (into: Uint8Array) => Promise<number | null>;
export type Write = (bytes: Uint8Array) => number;

export interface Received {
  readonly message: HostMessage;
  readonly attachment: Uint8Array;
}

const CHUNK_BYTES = 65_536;
const COPIED_BYTES = 16_384;

/** Takes frames from a stream of bytes; small frames that arrive together cost one read. */
export class Inbox {
  readonly #read: Read;
  readonly #chunk = new Bytes(CHUNK_BYTES);
  #from = 0;
  #to = 0;

  constructor(read: Read) {
    this.#read = read;
  }

  /** Return the next frame, or null when the program has closed the pipe. */
  async next(): Promise<Received | null> {
    const head = await this.#take(HEAD_BYTES);
    if (head === null) return null;
    const messageBytes = lengthAt(head, 0);
    const attachmentBytes = lengthAt(head, 4);
    const json = await this.#take(messageBytes);
    const attachment = json && await this.#take(attachmentBytes);
    return json && attachment && { message: parse(decodeText(json)), attachment };
  }

  async #take(count: number): Promise<Uint8Array | null> {
    const taken = new Bytes(count);
    let filled = 0;
    while (filled < count) {
      if (this.#from === this.#to && count - filled >= CHUNK_BYTES) {
        // Much is read where it belongs, as much at once as the pipe holds.
        const read = await this.#read(subarray(taken, filled));
        if (read === null) return null;
        filled += read;
        continue;
      }
      if (this.#from === this.#to && !await this.#refill()) return null;
      const end = this.#to - this.#from < count - filled ? this.#to : this.#from + count - filled;
      setBytes(taken, subarray(this.#chunk, this.#from, end), filled);
      filled += end - this.#from;
      this.#from = end;
    }
    return taken;
  }

  async #refill(): Promise<boolean> {
    const count = await this.#read(this.#chunk);
    this.#from = 0;
    this.#to = count ?? 0;
    return count !== null;
  }
}

export type Send = (message: GuestMessage, attachment?: Uint8Array) => void;

/** Return what writes a whole frame before it returns. It throws RangeError beyond the limits. */
export function outbox(write: Write): Send {
  const writeAll = (bytes: Uint8Array): void => {
    let written = 0;
    while (written < bytes.length) written += write(written ? subarray(bytes, written) : bytes);
  };
  return (message, attachment) => {
    if (attachment && attachment.length <= COPIED_BYTES) {
      // In one piece, so that the program is not woken twice for one frame.
      const frame = encodeHead(message, attachment.length, attachment.length);
      setBytes(frame, attachment, frame.length - attachment.length);
      writeAll(frame);
      return;
    }
    writeAll(encodeHead(message, attachment ? attachment.length : 0));
    if (attachment) writeAll(attachment);
  };
}
