/** What is told of a document of the register. */

import type { DataRecord } from "./context.ts";
import type { Paper } from "./register.ts";

export function shown({ id, data }: DataRecord<Paper>): Record<string, unknown> {
  const { digest: _digest, row: _row, modified: _modified, ...rest } = data;
  return { paper: id, ...rest };
}
