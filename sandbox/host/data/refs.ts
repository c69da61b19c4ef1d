/** `ctx.data.refs` and node ids: links between what the gem has stored. */

import type { NodeParts, Reference, References } from "../../../resources/types/notochord.d.ts";
import type { Json } from "../../protocol/messages.ts";
import type { Request } from "../../router/requests.ts";
import { option, text } from "../arguments.ts";
import { contentOf } from "./content.ts";
import { given } from "./logs.ts";

export function refs(request: Request): References {
  const listing = (target: string) => async (node: unknown, options?: unknown): Promise<Reference[]> => {
    const args = { node: text("the node", node), kind: given(options, "kind"), limit: given(options, "limit") };
    return contentOf(await request(target, args)) as Reference[];
  };
  const linking = (target: string) => async (from: unknown, to: unknown, kind: unknown): Promise<Json> => {
    return (await request(target, { from: text("from", from), to: text("to", to), kind: text("kind", kind) })).value;
  };
  const made = {
    link: linking("data.refs.link"),
    unlink: linking("data.refs.unlink"),
    backlinks: listing("data.refs.backlinks"),
    outgoing: listing("data.refs.outgoing"),
  };
  return made as unknown as References;
}

export function nodeId(request: Request): (parts: NodeParts) => Promise<string> {
  return async (parts) => {
    const args = {
      kind: part(parts, "kind"),
      collection: part(parts, "collection"),
      id: part(parts, "id"),
      docId: part(parts, "docId"),
      blockId: part(parts, "blockId"),
      hash: part(parts, "hash"),
      name: part(parts, "name"),
      eventId: part(parts, "eventId"),
    };
    return (await request("data.nodeId", args)).value as string;
  };
}

function part(parts: unknown, key: string): Json {
  const value = option(parts, key);
  return value === undefined ? null : text(key, value);
}
