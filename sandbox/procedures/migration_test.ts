import { deepStrictEqual, rejects } from "node:assert/strict";
import type { MigratedRecord, Migration } from "../host/migration.ts";
import migrate from "./migration.ts";

async function play(source: string, records: MigratedRecord[], steps = ["v1_to_v2"], typed = false): Promise<string[]> {
  const put: string[] = [];
  const batches = [records, []];
  const migration: Migration = {
    next: () => Promise.resolve(batches.shift() ?? []),
    put: (lines) => Promise.resolve(void put.push(...lines)),
  };
  await migrate({ source, typed, steps }, { migration });
  return put;
}

const ONE = [{ id: "a", json: '{"n":1}' }];

Deno.test("each record goes through all steps and comes back under its id", async () => {
  const source = `export const v1_to_v2 = (data) => ({ n: data.n + 1 });
    export function v2_to_v3(data, { id }) { return { ...data, id }; }`;
  const records = [...ONE, { id: "b", json: '{"n":5}' }];
  deepStrictEqual(await play(source, records, ["v1_to_v2", "v2_to_v3"]), ['a {"n":2,"id":"a"}', 'b {"n":6,"id":"b"}']);
});

Deno.test("types are taken away", async () => {
  const source = "export const v1_to_v2 = (data: { n: number }): { n: number } => ({ n: -data.n });";
  deepStrictEqual(await play(source, ONE, ["v1_to_v2"], true), ['a {"n":-1}']);
});

Deno.test("a step sees the language and nothing else", async () => {
  const names = [
    "Deno",
    "process",
    "require",
    "fetch",
    "console",
    "setTimeout",
    "performance",
    "crypto",
    "Intl",
    "Temporal",
    "SharedArrayBuffer",
    "Atomics",
    "WebAssembly",
    "WeakRef",
    "FinalizationRegistry",
    "queueMicrotask",
  ]; // deno-fmt-ignore
  const reach = "(0, data.constructor.constructor)('return typeof Deno + typeof process')()";
  const source = `export const v1_to_v2 = (data) => ({
    seen: ${JSON.stringify(names)}.filter((name) => name in globalThis),
    reached: ${reach},
    thrown: (() => { try { null.x } catch (e) { return e.constructor.constructor('return typeof Deno')() } })(),
    global: Object.getPrototypeOf(globalThis)?.constructor?.constructor?.('return typeof Deno')() ?? 'undefined',
  });`;
  const expected = { seen: [], reached: "undefinedundefined", thrown: "undefined", global: "undefined" };
  deepStrictEqual(await play(source, ONE), [`a ${JSON.stringify(expected)}`]);
});

Deno.test("what one record leaves behind does not reach the program's own primitives", async () => {
  const source = `export const v1_to_v2 = (data) => {
    JSON.stringify = () => 'forged'; JSON.parse = () => ({}); Array.isArray = () => false;
    Object.prototype.toJSON = () => 'forged'; return { n: data.n };
  };`;
  deepStrictEqual(await play(source, [...ONE, { id: "b", json: '{"n":2}' }]), ['a "forged"', 'b "forged"']);
  deepStrictEqual(JSON.stringify({ own: 1 }), '{"own":1}');
});

for (
  const [name, source, said] of [
    ["a missing step", "export const other = 1", /the function v1_to_v2 is missing/],
    [
      "a step that throws",
      "export const v1_to_v2 = () => { throw new Error('mine') }",
      /v1_to_v2 of record a threw: mine/,
    ],
    ["a step that throws nothing", "export const v1_to_v2 = () => { throw null }", /v1_to_v2 of record a threw: null/],
    ["an array", "export const v1_to_v2 = () => []", /no plain object/],
    ["a promise", "export const v1_to_v2 = async () => ({})", /no plain object/],
    ["nothing", "export const v1_to_v2 = () => {}", /no plain object/],
    ["time", "export const v1_to_v2 = () => ({ now: Date.now() })", /Date\.now is not available/],
    ["the present date", "export const v1_to_v2 = () => ({ now: new Date() })", /present time is not available/],
    ["chance", "export const v1_to_v2 = () => ({ n: Math.random() })", /Math\.random is not available/],
    ["an import", "import fs from 'node:fs'; export const v1_to_v2 = () => ({})", /imports nothing/],
  ] as const
) {
  Deno.test(`a migration fails and says why: ${name}`, async () => {
    await rejects(play(source, ONE), (thrown: Error) => said.test(thrown.message));
  });
}

Deno.test("dates that are given work", async () => {
  const source = "export const v1_to_v2 = (data) => ({ day: new Date(data.n).toISOString(), utc: Date.UTC(2026, 0) })";
  deepStrictEqual(await play(source, ONE), ['a {"day":"1970-01-01T00:00:00.001Z","utc":1767225600000}']);
});
