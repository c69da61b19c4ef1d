/** `ctx.knowledge`: the user's knowledge base, as far as the user opened it to the gem. */

import type { Knowledge } from "../../resources/types/notochord.d.ts";
import { freeze } from "../hardening/primitives.ts";
import type { Json } from "../protocol/messages.ts";
import type { Request } from "../router/requests.ts";
import { text } from "./arguments.ts";
import { encodeContent } from "./data/content.ts";
import { given } from "./data/logs.ts";

export function knowledge(request: Request): Knowledge {
  const ask = async (method: string, args: { [name: string]: Json }): Promise<unknown> => {
    return (await request(`knowledge.${method}`, args)).value;
  };
  const put = async (method: string, name: string, content: unknown): Promise<unknown> => {
    return (await request(`knowledge.${method}`, {}, encodeContent(name, content))).value;
  };
  const made = {
    profile: freeze({
      get: async (prefix?: unknown) => await ask("profile.get", { prefix: optional("the prefix", prefix) }),
    }),
    facts: freeze({
      lookup: async (subject: unknown, prefix?: unknown) =>
        await ask("facts.lookup", { subject: text("the subject", subject), prefix: optional("the prefix", prefix) }),
      put: async (fact: unknown) => await put("facts.put", "the fact", fact),
      retract: async (fact: unknown) => await ask("facts.retract", { fact: text("the fact", fact) }),
    }),
    entities: freeze({
      resolve: async (identifier: unknown, options?: unknown) =>
        await ask("entities.resolve", {
          identifier: identifier as Json,
          kind: given(options, "kind"),
          create: given(options, "create"),
        }),
      get: async (entity: unknown) => await ask("entities.get", { entity: text("the entity", entity) }),
      list: async (kind: unknown, options?: unknown) =>
        await ask("entities.list", {
          kind: text("the kind", kind),
          query: given(options, "query"),
          limit: given(options, "limit"),
        }),
      addIdentifier: async (entity: unknown, type: unknown, value: unknown) =>
        await ask("entities.addIdentifier", {
          entity: text("the entity", entity),
          type: text("the type", type),
          value: text("the value", value),
        }),
    }),
    search: async (query: unknown, options?: unknown) =>
      await ask("search", {
        query: text("the query", query),
        collections: given(options, "collections"),
        timeRange: given(options, "timeRange"),
        entities: given(options, "entities"),
        limit: given(options, "limit"),
      }),
    documents: freeze({
      upsert: async (document: unknown) => await put("documents.upsert", "the document", document),
      get: async (document: unknown, options?: unknown) =>
        await ask("documents.get", { document: text("the document", document), range: given(options, "range") }),
      getByKey: async (collection: unknown, key: unknown) =>
        await ask("documents.getByKey", { collection: text("the collection", collection), key: text("the key", key) }),
      list: async (collection: unknown, options?: unknown) =>
        await ask("documents.list", {
          collection: text("the collection", collection),
          timeRange: given(options, "timeRange"),
          limit: given(options, "limit"),
        }),
      delete: async (document: unknown) => await ask("documents.delete", { document: text("the document", document) }),
    }),
    collections: freeze({
      list: async () => await ask("collections.list", {}),
      create: async (name: unknown, options?: unknown) =>
        await ask("collections.create", { name: text("the name", name), parent: given(options, "parent") }),
    }),
    changes: freeze({
      list: async (options?: unknown) =>
        await ask("changes.list", {
          since: given(options, "since"),
          status: given(options, "status"),
          limit: given(options, "limit"),
        }),
      revert: async (what: unknown) =>
        await ask("changes.revert", {
          change: typeof what === "string" ? what : null,
          runId: typeof what === "string" ? null : given(what, "runId"),
        }),
    }),
  };
  return made as unknown as Knowledge;
}

function optional(name: string, value: unknown): Json {
  return value === undefined || value === null ? null : text(name, value);
}
