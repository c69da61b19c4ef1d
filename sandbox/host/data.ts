/** `ctx.data`: the gem's own tables, Logs, documents, Blobs and references. */

import type { Data } from "../../resources/types/notochord.d.ts";
import { freeze } from "../hardening/primitives.ts";
import type { Request } from "../router/requests.ts";
import { text } from "./arguments.ts";
import { blobs } from "./data/blobs.ts";
import { collection } from "./data/collections.ts";
import { docs } from "./data/docs.ts";
import { newId } from "./data/ids.ts";
import { log } from "./data/logs.ts";
import { nodeId, refs } from "./data/refs.ts";
import { transact } from "./data/transactions.ts";

export function data(request: Request): Data {
  const made = {
    collection: (name: string) => collection(request, text("the collection's name", name)),
    log: (name: string) => log(request, text("the Log's name", name)),
    docs: freeze(docs(request)),
    blobs: freeze(blobs(request)),
    refs: freeze(refs(request)),
    transact: transact(request),
    newId,
    nodeId: nodeId(request),
  };
  return made as unknown as Data;
}
