/** Language primitives as they were before any gem code ran: a gem that changes a prototype changes nothing here. */

const { apply } = Reflect;

function free<Self, Arguments extends unknown[], Result>(
  method: (this: Self, ...given: Arguments) => Result,
): (self: Self, ...given: Arguments) => Result {
  return (self, ...given) => apply(method, self, given) as Result;
}

export const { freeze, create, hasOwn, defineProperty, keys } = Object;
export const { parse, stringify } = JSON;
export const { isArray } = Array;
export const { isSafeInteger, isFinite } = Number;
export const Bytes = Uint8Array;
export const Failure = Error;
export const Text = String;
export const Numeric = Number;
export const Big = BigInt;
export const makePromise = Promise;

const textEncoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
const { encode: encodeMethod } = TextEncoder.prototype;
const { decode: decodeMethod } = TextDecoder.prototype;

export const encodeText = (text: string): Uint8Array<ArrayBuffer> => apply(encodeMethod, textEncoder, [text]);
export const decodeText = (bytes: Uint8Array): string => apply(decodeMethod, lenientDecoder, [bytes]);
/** Throws TypeError when the bytes are no UTF-8. */
export const decodeStrictly = (bytes: Uint8Array): string => apply(decodeMethod, strictDecoder, [bytes]);

// deno-lint-ignore no-explicit-any -- the base class of typed arrays has no name of its own
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as any;
export const setBytes: (target: Uint8Array, source: Uint8Array, offset?: number) => void = free(typedArray.set);
export const subarray: (bytes: Uint8Array, from: number, to?: number) => Uint8Array<ArrayBuffer> = free(
  typedArray.subarray,
);

export const slice: (text: string, from: number, to?: number) => string = free(String.prototype.slice);
export const charCodeAt: (text: string, index: number) => number = free(String.prototype.charCodeAt);
export const split: (text: string, separator: string) => string[] = free(
  String.prototype.split as (this: string, separator: string) => string[],
);
export const toLowerCase: (text: string) => string = free(String.prototype.toLowerCase);
export const isWellFormed: (text: string) => boolean = free(String.prototype.isWellFormed);
