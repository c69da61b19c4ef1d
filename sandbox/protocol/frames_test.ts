import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { Inbox, outbox } from "../transport/pipes.ts";
import { encodeHead } from "./frames.ts";
import { MAX_ATTACHMENT_BYTES, MAX_MESSAGE_BYTES } from "./limits.ts";
import type { GuestMessage } from "./messages.ts";

interface Sample {
  readonly name: string;
  readonly message: Record<string, unknown>;
  readonly attachment: string;
  readonly bytes: string;
}

const contract = JSON.parse(
  Deno.readTextFileSync(new URL("../../tests/contracts/guest_frames.json", import.meta.url)),
) as { readonly frames: readonly Sample[] };

function bytesOf(hexadecimal: string): Uint8Array {
  return Uint8Array.fromHex(hexadecimal);
}

/** A stream that gives out at most `step` bytes at a time. */
function streamOf(bytes: Uint8Array, step: number): (into: Uint8Array) => Promise<number | null> {
  let from = 0;
  return (into) => {
    if (from === bytes.length) return Promise.resolve(null);
    const part = bytes.subarray(from, from + Math.min(step, into.length));
    into.set(part);
    from += part.length;
    return Promise.resolve(part.length);
  };
}

for (const { name, message, attachment, bytes } of contract.frames) {
  Deno.test(`a frame is written as the contract says: ${name}`, () => {
    const written: number[] = [];
    outbox((part) => {
      written.push(...part);
      return part.length;
    })(message as unknown as GuestMessage, bytesOf(attachment));
    strictEqual(Uint8Array.from(written).toHex(), bytes);
  });

  Deno.test(`a frame is read as the contract says, however it is cut: ${name}`, async () => {
    for (const step of [1, 3, 1000]) {
      const inbox = new Inbox(streamOf(bytesOf(bytes + bytes), step));
      for (let count = 0; count < 2; count++) {
        const received = await inbox.next();
        deepStrictEqual(received?.message, message as unknown);
        strictEqual(received?.attachment.toHex(), attachment);
      }
      strictEqual(await inbox.next(), null);
    }
  });
}

Deno.test("a pipe that closes in the middle of a frame ends the guest", async () => {
  strictEqual(await new Inbox(streamOf(bytesOf("08000000030000007b22"), 4)).next(), null);
});

Deno.test("a write that takes a part of the bytes is continued", () => {
  const written: number[] = [];
  outbox((part) => {
    written.push(part[0]!);
    return 1;
  })({ type: "ready" });
  strictEqual(new TextDecoder().decode(Uint8Array.from(written).subarray(8)), '{"type":"ready"}');
});

Deno.test("what is beyond the limits is refused before it is sent", () => {
  throws(() => encodeHead({ text: "x".repeat(MAX_MESSAGE_BYTES) }, 0), RangeError);
  throws(() => encodeHead({}, MAX_ATTACHMENT_BYTES + 1), RangeError);
});
