/** `ctx.data.collection(name)`: records, and queries that are built step by step and run by `get` or `count`. */

import type { Collection, Content, DataRecord, Page, Query } from "../../../resources/types/notochord.d.ts";
import { freeze, isFinite, isSafeInteger } from "../../hardening/primitives.ts";
import type { Json } from "../../protocol/messages.ts";
import type { Request } from "../../router/requests.ts";
import { hostError } from "../../runtime/failures.ts";
import { option, text } from "../arguments.ts";
import { contentOf, encodeContent } from "./content.ts";

/** What a query has gathered so far; every step copies it. */
interface Gathered {
  readonly collection: string;
  readonly where: Json[];
  readonly orderBy: Json[];
  readonly limit: Json;
  readonly startAfter: Json;
}

export function collection(request: Request, name: string): Collection {
  const start: Gathered = { collection: name, where: [], orderBy: [], limit: null, startAfter: null };
  const all = query(request, start);
  return freeze({
    ...all,
    async insert(content: unknown, options?: unknown): Promise<unknown> {
      const id = option(options, "id");
      const args = { collection: name, id: id === undefined ? null : text("id", id) };
      return (await request("data.insert", args, encodeContent("the record", content))).value;
    },
    async update(id: unknown, patch: unknown, options?: unknown): Promise<unknown> {
      const args = { collection: name, id: text("id", id), ifVersion: version(options) };
      return (await request("data.update", args, encodeContent("the patch", patch))).value;
    },
    async delete(id: unknown, options?: unknown): Promise<unknown> {
      return (await request("data.delete", { collection: name, id: text("id", id), ifVersion: version(options) }))
        .value;
    },
    async get(...given: unknown[]): Promise<unknown> {
      if (given.length === 0) return await all.get();
      return contentOf(await request("data.get", { collection: name, id: text("id", given[0]) }));
    },
  }) as unknown as Collection;
}

export function version(options: unknown): Json {
  const given = option(options, "ifVersion");
  return given === undefined ? null : whole("ifVersion", given);
}

function whole(name: string, value: unknown): number {
  if (!isSafeInteger(value)) throw hostError("E_INPUT_INVALID", `${name} must be an integer`);
  return value as number;
}

/** JSON would turn what is no number and what is not there into null, which asks for records without the field. */
function comparable(value: unknown): Json {
  if (value === undefined || typeof value === "function" || (typeof value === "number" && !isFinite(value))) {
    throw hostError("E_INPUT_INVALID", "a value to compare with must be a string, a finite number, a boolean or null");
  }
  return value as Json;
}

function query(request: Request, gathered: Gathered): Query {
  const next = (change: Partial<Gathered>): Query => query(request, { ...gathered, ...change });
  const made: Query = {
    where(field, operator, value): Query {
      const condition = [text("field", field), text("operator", operator), comparable(value)];
      return next({ where: [...gathered.where, condition] });
    },
    orderBy(field, direction = "asc"): Query {
      return next({ orderBy: [...gathered.orderBy, [text("field", field), text("direction", direction)]] });
    },
    limit: (count) => next({ limit: whole("limit", count) }),
    startAfter: (cursor) => next({ startAfter: text("cursor", cursor) }),
    async get(): Promise<Page<DataRecord<Content>>> {
      return contentOf(await request("data.page", { ...gathered })) as Page<DataRecord<Content>>;
    },
    async count(): Promise<number> {
      return (await request("data.count", { ...gathered })).value as number;
    },
  };
  return freeze(made);
}
