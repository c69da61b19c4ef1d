/** `ctx.migration`: the batches of a migration, and where their results go. For the procedure, not for gems. */

import { charCodeAt, decodeText, encodeText, slice, split } from "../hardening/primitives.ts";
import type { Request } from "../router/requests.ts";

export interface MigratedRecord {
  readonly id: string;
  readonly json: string;
}

export interface Migration {
  /** Return the next records; none when all are done. */
  next(): Promise<MigratedRecord[]>;
  /** Give results back, each as the id, a blank and the JSON, in the order of the batch. */
  put(lines: readonly string[]): Promise<void>;
}

const BLANK = 0x20;

export function migration(request: Request): Migration {
  return {
    async next(): Promise<MigratedRecord[]> {
      const { value, attachment } = await request("migration.next", {});
      const records: MigratedRecord[] = [];
      if (!value) return records;
      const lines = split(decodeText(attachment), "\n");
      for (let index = 0; index < lines.length; index++) records[index] = read(lines[index]!);
      return records;
    },
    async put(lines): Promise<void> {
      let text = "";
      for (let index = 0; index < lines.length; index++) text += (index ? "\n" : "") + lines[index];
      await request("migration.put", {}, encodeText(text));
    },
  };
}

function read(line: string): MigratedRecord {
  let end = 0;
  while (charCodeAt(line, end) !== BLANK) end++;
  return { id: slice(line, 0, end), json: slice(line, end + 1) };
}
