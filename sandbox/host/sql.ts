/** `ctx.storage.sql`: SQL on a database of the gem's own. */

import type { Sql, SqlParameter, SqlRow, SqlValue } from "../../resources/types/notochord.d.ts";
import {
  Big,
  Bytes,
  create,
  decodeText,
  defineProperty,
  encodeText,
  isArray,
  isFinite,
  isSafeInteger,
  isWellFormed,
  keys,
  Numeric,
  parse,
  stringify,
  Text,
} from "../hardening/primitives.ts";
import { bare } from "../protocol/frames.ts";
import type { Json } from "../protocol/messages.ts";
import type { Request } from "../router/requests.ts";
import { hostError } from "../runtime/failures.ts";
import { fromBase64, toBase64 } from "./base64.ts";

type Named = Record<string, unknown>;

export function sql(request: Request): Sql {
  return {
    async query<Row extends object = SqlRow>(statement: string, params?: unknown): Promise<Row[]> {
      const given = { sql: text("sql", statement), params: parametersOf(params) };
      const { value, attachment } = await request("storage.sql.query", {}, encodeText(stringify(bare(given))));
      return revive(parse(decodeText(attachment)) as Named[], value as Json[]) as Row[];
    },
    async insert(table, row): Promise<{ readonly id: number | bigint | null }> {
      if (typeof row !== "object" || row === null || isArray(row)) throw failed("row must be an object");
      const given = { table: text("table", table), row: named(row as Named) };
      const { value } = await request("storage.sql.insert", {}, encodeText(stringify(bare(given))));
      return { id: value === null ? null : numberOf(value as string) };
    },
  };
}

/** Put in the place of their texts the values that JSON has no word for. */
function revive(rows: Named[], odd: Json[]): Named[] {
  for (let index = 0; index < odd.length; index++) {
    const [row, column, kind] = odd[index] as [number, string, string];
    const value = revived(kind, rows[row]![column] as string);
    const property = { __proto__: null, value, writable: true, enumerable: true, configurable: true };
    defineProperty(rows[row]!, column, property as PropertyDescriptor);
  }
  return rows;
}

function revived(kind: string, shown: string): SqlValue {
  if (kind === "bytes") return fromBase64(shown);
  return kind === "integer" ? Big(shown) : Numeric(shown);
}

function numberOf(digits: string): number | bigint {
  const number = Numeric(digits);
  return isSafeInteger(number) ? number : Big(digits);
}

function parametersOf(params: unknown): Json {
  if (params === undefined || params === null) return null;
  if (typeof params !== "object" || params instanceof Bytes) throw failed("params must be an array or an object");
  if (!isArray(params)) return named(params as Named);
  const bound: Json[] = [];
  for (let index = 0; index < params.length; index++) {
    bound[index] = parameter(`params[${index}]`, params[index] as SqlParameter);
  }
  return bound;
}

function named(values: Named): Json {
  const bound: Record<string, Json> = create(null);
  const names = keys(values);
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    bound[text("a name", name)] = parameter(name, values[name] as SqlParameter);
  }
  return bound;
}

function parameter(name: string, value: SqlParameter): Json {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return text(name, value);
  if (typeof value === "number" && isFinite(value)) return value;
  if (typeof value === "bigint") return bare({ i: Text(value) });
  if (value instanceof Bytes) return bare({ b: toBase64(value) });
  throw failed(`${name} must be null, a boolean, a finite number, a bigint, a string or a Uint8Array`);
}

function text(name: string, value: unknown): string {
  if (typeof value !== "string") throw failed(`${name} must be a string`);
  if (!isWellFormed(value)) throw failed(`${name} has half a character (a lone surrogate)`);
  return value;
}

function failed(what: string): Error {
  return hostError("E_SQL_FAILED", what);
}
