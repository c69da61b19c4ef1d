import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { MAX_ERROR_CHARACTERS } from "../protocol/limits.ts";
import { hostError, tell } from "./failures.ts";

Deno.test("an error of the program begins with its code and carries it", () => {
  const error = hostError("E_NOT_FOUND", "there is none") as Error & { code: string };
  strictEqual(error.message, "E_NOT_FOUND: there is none");
  strictEqual(error.code, "E_NOT_FOUND");
});

Deno.test("anything can be thrown", () => {
  deepStrictEqual(tell(new TypeError("wrong")), { name: "TypeError", message: "wrong" });
  deepStrictEqual(tell("just text"), { name: "", message: "just text" });
  for (const thrown of [null, undefined, 3, Symbol("s"), {}]) strictEqual(typeof tell(thrown).message, "string");
});

Deno.test("a message without end is cut, and one that cannot be read is not read", () => {
  strictEqual(tell(new Error("x".repeat(100_000))).message.length, MAX_ERROR_CHARACTERS);
  const hostile = Object.defineProperty({}, "message", {
    get(): never {
      throw new Error("no");
    },
  });
  match(tell(hostile).message, /cannot be shown/);
});
