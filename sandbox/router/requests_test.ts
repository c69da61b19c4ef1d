import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { MAX_ATTACHMENT_BYTES, MAX_OUTSTANDING } from "../protocol/limits.ts";
import type { GuestMessage } from "../protocol/messages.ts";
import { Requests } from "./requests.ts";

type Sent = Extract<GuestMessage, { type: "request" }>;

function setUp(): { sent: Sent[]; requests: Requests; answer: (id: number) => void } {
  const sent: Sent[] = [];
  const requests = new Requests((message) => void sent.push(message as Sent));
  const nothing = new Uint8Array();
  const answer = (id: number): void => requests.settle({ type: "answer", id, value: id, error: null }, nothing);
  return { sent, requests, answer };
}

Deno.test("each answer goes to the request with its number", async () => {
  const { sent, requests, answer } = setUp();
  const first = requests.ask(1, "files.stat", {});
  const second = requests.ask(1, "files.stat", {});
  answer(sent[1]!.id);
  answer(sent[0]!.id);
  strictEqual((await first).value, sent[0]!.id);
  strictEqual((await second).value, sent[1]!.id);
});

Deno.test("an answer that nobody waits for is dropped", () => {
  const { answer } = setUp();
  answer(99);
});

Deno.test("what is beyond the window waits, and all of it is answered in the end", async () => {
  const { sent, requests, answer } = setUp();
  const all = Array.from({ length: 1000 }, () => requests.ask(1, "files.stat", {}));
  strictEqual(sent.length, MAX_OUTSTANDING);
  for (let index = 0; index < sent.length; index++) answer(sent[index]!.id);
  strictEqual((await Promise.all(all)).length, 1000);
});

Deno.test("large attachments are sent one after the other", () => {
  const { sent, requests } = setUp();
  const large = new Uint8Array(MAX_ATTACHMENT_BYTES);
  for (let count = 0; count < 5; count++) void requests.ask(1, "files.write", {}, large).catch(() => {});
  strictEqual(sent.length, 2);
  requests.abandon(1);
});

Deno.test("an error of the program carries its code", async () => {
  const { sent, requests } = setUp();
  const asked = requests.ask(1, "files.read", {});
  const error = { code: "E_FILE_MISSING", message: "E_FILE_MISSING: none" };
  requests.settle({ type: "answer", id: sent[0]!.id, value: null, error }, new Uint8Array());
  await rejects(asked, error);
});

Deno.test("abandoning a call fails its requests, sent or waiting, and no others", async () => {
  const { sent, requests, answer } = setUp();
  const mine = Array.from({ length: MAX_OUTSTANDING + 1 }, () => requests.ask(1, "files.stat", {}));
  const other = requests.ask(2, "files.stat", {});
  requests.abandon(1);
  for (const asked of mine) await rejects(asked, /E_CANCELLED/);
  for (let index = 0; index < sent.length; index++) answer(sent[index]!.id);
  strictEqual((await other).value, MAX_OUTSTANDING + 1);
  deepStrictEqual(sent.filter((message) => message.call === 2).length, 1);
});
