import { strictEqual, throws } from "node:assert/strict";
import { MAX_RESULT_CHARACTERS } from "../protocol/limits.ts";
import { resultJson, TooLarge } from "./results.ts";

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

Deno.test("what JSON has no word for is null", () => {
  for (const value of [undefined, () => 1, Symbol("s"), NaN, Infinity]) strictEqual(resultJson(value), "null");
});

Deno.test("a value of exactly the limit passes, one character more does not", () => {
  const longest = "x".repeat(MAX_RESULT_CHARACTERS - 2);
  strictEqual(resultJson(longest).length, MAX_RESULT_CHARACTERS);
  throws(() => resultJson(longest + "x"), TooLarge);
});

Deno.test("a character outside the basic plane counts once", () => {
  const longest = "😀".repeat(MAX_RESULT_CHARACTERS - 2);
  strictEqual([...resultJson(longest)].length, MAX_RESULT_CHARACTERS);
  throws(() => resultJson(longest + "x"), TooLarge);
});

Deno.test("a value nested too deeply is refused, brackets in texts do not count", () => {
  strictEqual(resultJson(nested(199)).length, 399);
  throws(() => resultJson(nested(200)), /nested/);
  strictEqual(resultJson(["[".repeat(500) + '\\"' + "{".repeat(500)]).length > 1000, true);
});

Deno.test("what the value's own toJSON throws is thrown", () => {
  throws(() =>
    resultJson({
      toJSON(): never {
        throw new Error("mine");
      },
    }), /mine/);
});
