import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import type { Context, TestContext } from "../../resources/types/notochord.d.ts";
import type { Json } from "../protocol/messages.ts";
import type { Request } from "../router/requests.ts";
import { makeContext } from "./context.ts";

interface Contract {
  readonly requests: Record<string, { arguments: string[]; sends: boolean; returns: boolean }>;
}

interface Asked {
  readonly target: string;
  readonly args: Record<string, Json>;
  readonly attachment: Uint8Array | undefined;
}

const contract = JSON.parse(
  Deno.readTextFileSync(new URL("../../tests/contracts/guest_requests.json", import.meta.url)),
) as Contract;
const ALL = [
  "files",
  "storage.kv",
  "storage.sql",
  "data",
  "extract",
  "resources",
  "http",
  "llm",
  "knowledge",
  "email",
  "tools",
];
const RESPONSE = { status: 200, url: "https://a.example/", headers: { "content-type": "text/plain" } };

function setUp(value: Json = null, attachment = ""): { ctx: TestContext; asked: Asked[] } {
  const asked: Asked[] = [];
  const request: Request = (target, args, bytes) => {
    asked.push({ target, args: args as Record<string, Json>, attachment: bytes });
    return Promise.resolve({ value, attachment: new TextEncoder().encode(attachment) });
  };
  return { ctx: makeContext(ALL, "key", request) as TestContext, asked };
}

async function askAllOfData({ data }: Context): Promise<void> {
  const notes = data.collection("notes");
  await notes.insert({ a: 1 });
  await notes.update("i", { a: null });
  await notes.delete("i", { ifVersion: 1 });
  await notes.get("i");
  await notes.where("a", "==", 1).orderBy("a").limit(2).startAfter("c").get();
  await notes.count();
  await data.log("seen").append({ a: 1 });
  await data.log("seen").query({ since: 1 });
  await data.transact((tx) => tx.insert("notes", { a: 1 }));
  await data.nodeId({ kind: "blob", hash: "0" });
  await data.refs.link("a", "b", "cites");
  await data.refs.unlink("a", "b", "cites");
  await data.refs.backlinks("b");
  await data.refs.outgoing("a", { kind: "cites", limit: 1 });
  await data.blobs.put("YQ==", { mime: "text/plain" });
  await data.blobs.get("0");
  await data.blobs.stat("0");
  await data.docs.create({ markdown: "# a" });
  await data.docs.get("d");
  await data.docs.list();
  await data.docs.update("d", "# b", { title: "B" });
  await data.docs.insertAfter("d", null, "c");
  await data.docs.replaceBlock("d", "b_1", "c");
  await data.docs.deleteBlock("d", "b_1");
  await data.docs.delete("d");
}

async function askAllOfKnowledge({ knowledge, email }: Context): Promise<void> {
  await knowledge.profile.get("location.home");
  await knowledge.facts.lookup("self", "pref.food");
  await knowledge.facts.put({ predicateHint: "pref.food.like", value: "tea" });
  await knowledge.facts.retract("f");
  await knowledge.entities.resolve({ email: "a@example.com" }, { kind: "org", create: true });
  await knowledge.entities.get("e");
  await knowledge.entities.list("person", { query: "a" });
  await knowledge.entities.addIdentifier("e", "email", "a@example.com");
  await knowledge.search("tea", { collections: ["diary"], timeRange: { from: "2026-09-22" } });
  await knowledge.documents.upsert({ collection: "keep", key: "a", title: "A", body: "# A" });
  await knowledge.documents.get("d", { range: { from: 0, to: 1 } });
  await knowledge.documents.getByKey("keep", "a");
  await knowledge.documents.list("diary", { timeRange: { from: 1 } });
  await knowledge.documents.delete("d");
  await knowledge.collections.list();
  await knowledge.collections.create("Recipes", { parent: "keep" });
  await knowledge.changes.list({ status: "conflict" });
  await knowledge.changes.revert({ runId: "r" });
  await email.listSince({ since: 0, limit: 20 });
  await email.getMessage({ accountId: "a", id: "m" });
}

Deno.test("every method asks what the contract says", async () => {
  const { ctx, asked } = setUp({ ...RESPONSE, committed: true }, "null");
  await ctx.files.list();
  await ctx.files.stat("a");
  await ctx.files.read("a");
  await ctx.files.write("a", "text");
  await ctx.files.mkdir("a");
  await ctx.files.move("a", "b");
  await ctx.files.delete("a");
  await ctx.storage.kv.get("k");
  await ctx.storage.kv.set("k", "v");
  await ctx.storage.sql.query("SELECT 1").catch(() => {});
  await ctx.storage.sql.insert("t", { a: 1 }).catch(() => {});
  await askAllOfData(ctx);
  await rejects(ctx.extract.fromFile("a"), TypeError);
  await rejects(ctx.extract.fromUrl("https://a.example/a.pdf"), TypeError);
  await ctx.resources.path("model");
  await ctx.http.fetch("https://a.example/", { body: "x" });
  await ctx.llm.complete("Why?", { maxOutputTokens: 5 });
  await askAllOfKnowledge(ctx);
  await ctx.tools.call("greet", { who: "Ada" });
  deepStrictEqual(asked.map(({ target }) => target), Object.keys(contract.requests));
  for (const { target, args, attachment } of asked) {
    deepStrictEqual(Object.keys(args), contract.requests[target]!.arguments);
    strictEqual(attachment !== undefined, contract.requests[target]!.sends);
  }
});

Deno.test("only what was opened is there, and none of it can be changed", () => {
  const nothing: Request = () => Promise.reject(new Error("unused"));
  const ctx = makeContext(["storage.kv"], "key", nothing) as Context;
  deepStrictEqual(Object.keys(ctx), ["idempotencyKey", "storage"]);
  throws(() => Object.assign(ctx, { http: {} }), TypeError);
  throws(() => Object.assign(ctx.storage, { sql: {} }), TypeError);
  throws(() => Object.assign(ctx.storage.kv, { get: 1 }), TypeError);
  throws(() => makeContext(["clipboard"], "key", nothing), RangeError);
});

Deno.test("text keeps its byte order mark, and bytes that are no text are told apart", async () => {
  strictEqual(await setUp(null, "\uFEFFa;b").ctx.files.read("a"), "\uFEFFa;b");
  const request: Request = () => Promise.resolve({ value: null, attachment: Uint8Array.of(0xff, 0xfe) });
  const { files } = makeContext(["files"], "key", request) as Context;
  await rejects(files.read("a"), /E_INPUT_INVALID.*base64/);
  strictEqual(await files.read("a", { encoding: "base64" }), "//4=");
});

Deno.test("base64 is written as the bytes it means", async () => {
  const { ctx, asked } = setUp();
  await ctx.files.write("a", "//4=", { encoding: "base64" });
  deepStrictEqual([...asked[0]!.attachment!], [0xff, 0xfe]);
});

for (
  const [name, slip] of Object.entries<(ctx: Context) => Promise<unknown>>({
    "a path that is no text": (ctx) => ctx.files.read(1 as unknown as string),
    "an encoding that there is not": (ctx) => ctx.files.read("a", { encoding: "latin1" as "utf8" }),
    "content that is no base64": (ctx) => ctx.files.write("a", "###", { encoding: "base64" }),
    "an encoding of a document that is no text": (ctx) =>
      ctx.extract.fromFile("a", { encoding: 1 as unknown as string }),
    "an id that is no text": (ctx) => ctx.resources.path(undefined as unknown as string),
    "half a character": (ctx) => ctx.files.write("a", "\ud800"),
    "a value that is no text": (ctx) => ctx.storage.kv.set("k", 1 as unknown as string),
    "half a character in a value": (ctx) => ctx.storage.kv.set("k", "\udc00"),
    "a header that is no text": (ctx) =>
      ctx.http.fetch("https://a.example", { headers: { a: 1 as unknown as string } }),
  })
) {
  Deno.test(`a slip is told before anything is asked: ${name}`, async () => {
    const { ctx, asked } = setUp();
    await rejects(slip(ctx), /^Error: E_INPUT_INVALID/);
    strictEqual(asked.length, 0);
  });
}

Deno.test("a response reads as text, JSON and bytes, and turns into plain JSON", async () => {
  const { ctx } = setUp(
    { ...RESPONSE, credentialDenied: { reason: "path_not_granted", host: "a.example" } },
    '{"a":1}',
  );
  const response = await ctx.http.fetch("https://a.example/", { connection: "c" });
  strictEqual(response.ok, true);
  strictEqual(await response.text(), '{"a":1}');
  deepStrictEqual(await response.json(), { a: 1 });
  strictEqual((await response.bytes()).length, 7);
  deepStrictEqual(JSON.parse(JSON.stringify(response)), {
    ...RESPONSE,
    ok: true,
    body: '{"a":1}',
    credentialDenied: { reason: "path_not_granted", host: "a.example" },
  });
});

Deno.test("values of SQL that JSON has no word for go out and come back as they are", async () => {
  const rows = '[{"a":"AP8=","b":"9007199254740993","__proto__":"-Infinity","c":"AP8="}]';
  const odd = [[0, "a", "bytes"], [0, "b", "integer"], [0, "__proto__", "real"]];
  const { ctx, asked } = setUp(odd, rows);
  const [row] = await ctx.storage.sql.query("SELECT ?", [Uint8Array.of(0, 255), 2n ** 60n, true, null, "x", 1.5]);
  deepStrictEqual(JSON.parse(new TextDecoder().decode(asked[0]!.attachment)), {
    sql: "SELECT ?",
    params: [{ b: "AP8=" }, { i: String(2n ** 60n) }, true, null, "x", 1.5],
  });
  deepStrictEqual(Object.entries(row!), [
    ["a", Uint8Array.of(0, 255)],
    ["b", 9007199254740993n],
    ["__proto__", -Infinity],
    ["c", "AP8="],
  ]);
});

Deno.test("a rowid is a number as long as numbers are exact", async () => {
  deepStrictEqual(await setUp("7").ctx.storage.sql.insert("t", {}), { id: 7 });
  deepStrictEqual(await setUp("9007199254740993").ctx.storage.sql.insert("t", {}), { id: 9007199254740993n });
  deepStrictEqual(await setUp(null).ctx.storage.sql.insert("t", {}), { id: null });
});

for (
  const [name, slip] of Object.entries<(ctx: Context) => Promise<unknown>>({
    "a statement that is no text": ({ storage }) => storage.sql.query(1 as unknown as string),
    "a value that no column holds": ({ storage }) => storage.sql.query("?", [{} as unknown as string]),
    "a number without end": ({ storage }) => storage.sql.insert("t", { a: Infinity }),
    "half a character": ({ storage }) => storage.sql.insert("t", { a: "\ud800" }),
    "a row that is a list": ({ storage }) => storage.sql.insert("t", [1] as unknown as { a: 1 }),
  })
) {
  Deno.test(`a slip in SQL is told before anything is asked: ${name}`, async () => {
    const { ctx, asked } = setUp();
    await rejects(slip(ctx), /^Error: E_SQL_FAILED/);
    strictEqual(asked.length, 0);
  });
}

Deno.test("a body that is no JSON fails in json() as a rejection", async () => {
  const response = await setUp(RESPONSE, "<html>").ctx.http.fetch("https://a.example/");
  await rejects(response.json(), SyntaxError);
  strictEqual("credentialDenied" in response, false);
});

Deno.test("the text of a document is that of its parts", async () => {
  const found = { format: "pdf", parts: [{ name: "1", text: "a" }, { name: "2", text: "" }, { name: "3", text: "b" }] };
  const extracted = await setUp(null, JSON.stringify(found)).ctx.extract.fromFile("a.pdf", { format: "pdf" });
  strictEqual(extracted.text, "a\n\nb");
  throws(() => Object.assign(extracted, { text: "" }), TypeError);
});
