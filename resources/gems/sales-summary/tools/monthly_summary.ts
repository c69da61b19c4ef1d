/** Sums the amounts of a CSV file by month, writes a report into the folder of the run, and keeps the totals. */

import { written } from "../lib/amounts.ts";
import type { Context } from "../lib/context.ts";
import { findFile } from "../lib/find_file.ts";
import { keep } from "../lib/kept.ts";
import { asCsv, asMarkdown, summarize } from "../lib/summary.ts";
import { bytesOf, textOf } from "../lib/text.ts";

const REPORT = "output/summary.md";
const TABLE = "output/summary.csv";

interface Input {
  readonly file: string;
}

export default async function monthlySummary(input: Input, ctx: Context): Promise<unknown> {
  const path = await findFile(ctx.files, input.file);
  const text = textOf(bytesOf(await ctx.files.read(path, { encoding: "base64" })));
  const summary = summarize(text);
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/^workspace:/, "");
  await ctx.files.write(REPORT, asMarkdown(name, summary));
  await ctx.files.write(TABLE, asCsv(summary));
  await keep(ctx.data, name, summary);
  return {
    report: REPORT,
    months: summary.months.map((month) => ({
      month: month.month,
      entries: month.entries,
      total: Number(written(month.total)),
    })),
    total: Number(written(summary.total)),
    rows: summary.rows,
    skipped: summary.skipped.length,
    notes: summary.notes,
  };
}
