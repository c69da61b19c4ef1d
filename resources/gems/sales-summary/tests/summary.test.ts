import { barsOf } from "../pages/bars.js";
import type { Context } from "../lib/context.ts";
import listSummaries from "../tools/list_summaries.ts";
import monthlySummary from "../tools/monthly_summary.ts";

const SALES = "date;amount\n05.01.2026;1.234,50\n06.02.2026;-34,50\n";

function equal(found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
}

function dropTime(found: unknown): unknown {
  return (found as { made: number }[]).map(({ made: _made, ...rest }) => rest);
}

export async function a_summary_is_kept_for_the_page(ctx: Context): Promise<void> {
  await ctx.files.write("workspace:sales.csv", SALES);
  await monthlySummary({ file: "sales.csv" }, ctx);
  const months = [{ month: "2026-01", total: "1234.50" }, { month: "2026-02", total: "-34.50" }];
  equal(dropTime(await listSummaries({}, ctx)), [
    { file: "sales.csv", total: "1200.00", rows: 2, skipped: 0, months },
  ]);
}

export async function the_newer_summary_of_a_file_takes_the_place_of_the_older(ctx: Context): Promise<void> {
  for (const amount of ["1", "2"]) {
    await ctx.files.write("workspace:sales.csv", `date,amount\n2026-01-05,${amount}\n`);
    await monthlySummary({ file: "sales.csv" }, ctx);
  }
  const found = (await listSummaries({}, ctx)) as { total: string }[];
  equal(found.map(({ total }) => total), ["2.00"]);
}

export async function a_file_that_is_not_there_is_told_with_those_that_are(ctx: Context): Promise<void> {
  await ctx.files.write("workspace:costs.csv", SALES);
  const failure = await monthlySummary({ file: "sales.csv" }, ctx).catch((error) => error);
  if (!String(failure).includes("costs.csv")) throw new Error(String(failure));
}

export function months_below_zero_hang_below_the_base_line(): void {
  const { bars, base } = barsOf([{ month: "2026-01", total: "10.00" }, { month: "2026-02", total: "-10.00" }]);
  equal(bars.map((bar: { y: number }) => bar.y < base), [true, false]);
  equal(bars.every((bar: { height: number }) => bar.height > 90), true);
}

export function nothing_but_zeros_is_no_chart_but_no_failure(): void {
  equal(barsOf([{ month: "2026-01", total: "0.00" }]).bars[0].height, 0);
  equal(barsOf([]).bars, []);
}
