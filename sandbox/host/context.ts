/** Makes the `ctx` of a call: only what the call's grants open is there. */

import { create, freeze, keys, split } from "../hardening/primitives.ts";
import type { Request } from "../router/requests.ts";
import { data } from "./data.ts";
import { email } from "./email.ts";
import { extract } from "./extract.ts";
import { files } from "./files.ts";
import { http } from "./http.ts";
import { keyValues } from "./key_values.ts";
import { knowledge } from "./knowledge.ts";
import { llm } from "./llm.ts";
import { migration } from "./migration.ts";
import { resources } from "./resources.ts";
import { sql } from "./sql.ts";
import { tools } from "./tools.ts";
import { wasm } from "./wasm.ts";

type Namespace = (request: Request) => object;

const NAMESPACES: Record<string, Namespace> = freeze(
  {
    __proto__: null,
    files,
    "storage.kv": keyValues,
    "storage.sql": sql,
    data,
    extract,
    resources,
    http,
    llm,
    knowledge,
    email,
    tools,
    migration,
    wasm,
  } as unknown as Record<
    string,
    Namespace
  >,
);

/** Return a frozen context. Throws RangeError for a namespace that this guest does not know. */
export function makeContext(namespaces: readonly string[], idempotencyKey: string, request: Request): object {
  const ctx: Record<string, unknown> = create(null);
  ctx["idempotencyKey"] = idempotencyKey;
  for (let index = 0; index < namespaces.length; index++) {
    const name = namespaces[index]!;
    const make = NAMESPACES[name];
    if (!make) throw new RangeError(`the guest has no namespace ${name}`);
    place(ctx, split(name, "."), freeze(make(request)));
  }
  return freezeAll(ctx);
}

function place(ctx: Record<string, unknown>, path: string[], value: object): void {
  let owner = ctx;
  for (let index = 0; index < path.length - 1; index++) {
    owner = (owner[path[index]!] ??= create(null)) as Record<string, unknown>;
  }
  owner[path[path.length - 1]!] = value;
}

function freezeAll(value: Record<string, unknown>): object {
  const names = keys(value);
  for (let index = 0; index < names.length; index++) {
    const inner = value[names[index]!];
    if (typeof inner === "object" && inner !== null) freeze(inner);
  }
  return freeze(value);
}
