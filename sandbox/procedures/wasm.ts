/**
 * Runs a `.wasm` tool: bytes that import nothing, so that there is nothing that they could reach. Arguments go in and
 * the value comes out as UTF-8 JSON in the module's own memory.
 */

import { Bytes, decodeStrictly, encodeText, parse, setBytes, stringify } from "../hardening/primitives.ts";
import type { Wasm } from "../host/wasm.ts";
import { MAX_RESULT_CHARACTERS } from "../protocol/limits.ts";
import { TooLarge } from "../runtime/results.ts";

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly alloc: (size: number) => number;
  readonly run: (address: number, length: number) => bigint;
}

const FAILED = 0x8000_0000n;
const MOST_BYTES_A_CHARACTER = 4;

export default async function run(input: unknown, ctx: object): Promise<unknown> {
  const module = new WebAssembly.Module(await (ctx as { wasm: Wasm }).wasm.code());
  if (WebAssembly.Module.imports(module).length) throw new TypeError("a .wasm tool imports nothing");
  const { memory, alloc, run } = checked(new WebAssembly.Instance(module).exports);
  const given = encodeText(stringify(input));
  const address = alloc(given.length) >>> 0;
  setBytes(within(memory, address, given.length), given);
  const packed = run(address, given.length);
  if (typeof packed !== "bigint") throw new TypeError("run gives no 64-bit integer");
  const length = Number(packed & (FAILED - 1n));
  const text = read(memory, Number((packed >> 32n) & 0xffff_ffffn), length);
  if (packed & FAILED) throw new Error(text);
  return parse(text);
}

function checked(exports: WebAssembly.Exports): Exports {
  const { memory, alloc, run } = exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof alloc !== "function" || typeof run !== "function") {
    throw new TypeError("a .wasm tool exports memory, alloc and run");
  }
  return { memory, alloc, run } as unknown as Exports;
}

function read(memory: WebAssembly.Memory, address: number, length: number): string {
  if (length > MAX_RESULT_CHARACTERS * MOST_BYTES_A_CHARACTER) throw new TooLarge("the value is too large");
  try {
    return decodeStrictly(within(memory, address, length));
  } catch (error) {
    if (error instanceof TypeError) throw new TypeError("run gave what is not UTF-8 text");
    throw error;
  }
}

/** Return a part of the memory. Throws RangeError for what lies outside. */
function within(memory: WebAssembly.Memory, address: number, length: number): Uint8Array {
  if (address + length > memory.buffer.byteLength) throw new RangeError("an address outside of the module's memory");
  return new Bytes(memory.buffer, address, length);
}
