/** Summarizes the tables given as a JSON list of base64 texts on standard input; prints a JSON list of results. */

import { written } from "../../resources/gems/sales-summary/lib/amounts.ts";
import { summarize } from "../../resources/gems/sales-summary/lib/summary.ts";
import { bytesOf, textOf } from "../../resources/gems/sales-summary/lib/text.ts";

function result(base64: string): unknown {
  try {
    const summary = summarize(textOf(bytesOf(base64)));
    return {
      months: Object.fromEntries(summary.months.map((month) => [month.month, written(month.total)])),
      skipped: summary.skipped.map((row) => `${row.row} ${row.reason}`),
      notes: summary.notes.length,
    };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

const cases = JSON.parse(await new Response(Deno.stdin.readable).text()) as string[];
console.log(JSON.stringify(cases.map(result)));
