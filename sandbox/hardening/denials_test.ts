import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { newOnly, subject } from "./denials.ts";

Deno.test("a refusal of the runtime is told by one word, and what a gem made up by another", () => {
  strictEqual(subject('Requires read access to "/etc/hostname", run again with the --allow-read flag'), "read");
  for (const made of ["Requires mischief access", "read", "", "Requires", "Requires __proto__ access", {}, undefined]) {
    strictEqual(subject(made), "something");
  }
});

Deno.test("each thing is told once for each call, for any number of calls", () => {
  const told: string[] = [];
  let call = 1;
  const report = newOnly(() => call, (number, what) => void told.push(`${number} ${what}`));
  for (call = 1; call <= 2_000; call++) {
    report("read");
    report("read");
  }
  deepStrictEqual(told.slice(0, 2), ["1 read", "2 read"]);
  strictEqual(told.length, 2_000);
});
