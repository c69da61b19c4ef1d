/** `ctx.data.docs`: Markdown documents by block. */

import type { Documents } from "../../../resources/types/notochord.d.ts";
import type { Json } from "../../protocol/messages.ts";
import type { Request } from "../../router/requests.ts";
import { option, text } from "../arguments.ts";
import { contentOf, encodeMarkdown } from "./content.ts";
import { given } from "./logs.ts";

export function docs(request: Request): Documents {
  const made = {
    async create(document: unknown): Promise<unknown> {
      const args = { id: label(document, "id"), title: label(document, "title") };
      return (await request("data.docs.create", args, encodeMarkdown(option(document, "markdown")))).value;
    },
    async get(id: unknown): Promise<unknown> {
      return contentOf(await request("data.docs.get", { id: text("id", id) }));
    },
    async list(options?: unknown): Promise<unknown> {
      const args = { limit: given(options, "limit"), startAfter: given(options, "startAfter") };
      return (await request("data.docs.list", args)).value;
    },
    async update(id: unknown, markdown: unknown, options?: unknown): Promise<unknown> {
      const args = { id: text("id", id), title: label(options, "title") };
      return (await request("data.docs.update", args, encodeMarkdown(markdown))).value;
    },
    async insertAfter(docId: unknown, blockId: unknown, markdown: unknown): Promise<unknown> {
      const args = { docId: text("docId", docId), blockId: blockId === null ? null : text("blockId", blockId) };
      return (await request("data.docs.insertAfter", args, encodeMarkdown(markdown))).value;
    },
    async replaceBlock(docId: unknown, blockId: unknown, markdown: unknown): Promise<unknown> {
      const args = { docId: text("docId", docId), blockId: text("blockId", blockId) };
      return (await request("data.docs.replaceBlock", args, encodeMarkdown(markdown))).value;
    },
    async deleteBlock(docId: unknown, blockId: unknown): Promise<unknown> {
      const args = { docId: text("docId", docId), blockId: text("blockId", blockId) };
      return (await request("data.docs.deleteBlock", args)).value;
    },
    async delete(id: unknown): Promise<unknown> {
      return (await request("data.docs.delete", { id: text("id", id) })).value;
    },
  };
  return made as unknown as Documents;
}

function label(options: unknown, key: string): Json {
  const value = option(options, key);
  return value === undefined ? null : text(key, value);
}
