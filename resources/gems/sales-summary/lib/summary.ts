/** Adds up a table by month and writes the result as a report. */

import { add, type Amount, type DecimalMark, decimalMark, readAmount, written } from "./amounts.ts";
import { findColumns } from "./columns.ts";
import { type DayOrder, dayOrder, monthOf } from "./dates.ts";
import { readTable, type Table } from "./table.ts";

const ZERO: Amount = { units: 0n, scale: 0 };
const SHOWN = 10;

export interface Month {
  readonly month: string;
  readonly entries: number;
  readonly total: Amount;
}

export interface Skipped {
  /** Counted from 1 below the header; empty lines do not count. */
  readonly row: number;
  readonly reason: string;
}

export interface Summary {
  readonly months: readonly Month[];
  readonly total: Amount;
  readonly rows: number;
  readonly skipped: readonly Skipped[];
  readonly notes: readonly string[];
}

/** Sum the amounts of each month. Throws an Error for a text that holds no such table. */
export function summarize(text: string): Summary {
  const table = readTable(text);
  if (table.records.length < 2) throw new Error("the file holds no table: a header and at least one row are needed");
  const columns = findColumns(table);
  const rows = table.records.slice(columns.header + 1);
  const reading = readingOf(
    table,
    rows.map((row) => row[columns.date] ?? ""),
    rows.map((row) => row[columns.amount] ?? ""),
  );
  const months = new Map<string, Month>();
  const skipped: Skipped[] = [];
  rows.forEach((row, place) => {
    const month = monthOf(row[columns.date] ?? "", reading.order);
    const amount = readAmount(row[columns.amount] ?? "", reading.mark);
    if (month === null) skipped.push({ row: place + 1, reason: `no date: ${quote(row[columns.date])}` });
    else if (amount === null) skipped.push({ row: place + 1, reason: `no amount: ${quote(row[columns.amount])}` });
    else {
      const before = months.get(month) ?? { month, entries: 0, total: ZERO };
      months.set(month, { month, entries: before.entries + 1, total: add(before.total, amount) });
    }
  });
  const sorted = [...months.values()].sort((first, second) => (first.month < second.month ? -1 : 1));
  const total = sorted.reduce((sum, month) => add(sum, month.total), ZERO);
  return { months: sorted, total, rows: rows.length, skipped, notes: reading.notes };
}

interface Reading {
  readonly order: DayOrder;
  readonly mark: DecimalMark;
  readonly notes: readonly string[];
}

/** A file that separates cells with semicolons comes from where the comma is the decimal mark. */
function readingOf(table: Table, dates: readonly string[], amounts: readonly string[]): Reading {
  const mark = decimalMark(amounts, table.delimiter === ";" ? "," : ".");
  const order = dayOrder(dates, mark.mark === "," ? "day first" : "month first");
  const notes: string[] = [];
  if (mark.guessed) notes.push(`It is not certain that "${mark.mark}" is the decimal mark of the amounts.`);
  if (order.guessed) notes.push(`It is not certain that dates have the ${order.order}.`);
  return { order: order.order, mark: mark.mark, notes };
}

function quote(cell: string | undefined): string {
  const text = (cell ?? "").trim().slice(0, 40);
  return text === "" ? "empty" : JSON.stringify(text);
}

export function asMarkdown(name: string, summary: Summary): string {
  const lines = [
    `# Monthly summary of ${name.replace(/[\r\n|]/g, " ")}`,
    "",
    "| Month | Entries | Total |",
    "| --- | ---: | ---: |",
    ...summary.months.map((month) => `| ${month.month} | ${month.entries} | ${written(month.total)} |`),
    `| **All** | **${summary.rows - summary.skipped.length}** | **${written(summary.total)}** |`,
    "",
  ];
  if (summary.notes.length > 0) lines.push("## Please check", "", ...summary.notes.map((note) => `- ${note}`), "");
  if (summary.skipped.length > 0) {
    lines.push(`## Rows that are not counted: ${summary.skipped.length}`, "");
    lines.push(
      ...summary.skipped.slice(0, SHOWN).map((row) => `- Row ${row.row}: ${row.reason.replace(/[`|]/g, " ")}`),
    );
    if (summary.skipped.length > SHOWN) lines.push(`- and ${summary.skipped.length - SHOWN} more`);
    lines.push("");
  }
  return lines.join("\n");
}

export function asCsv(summary: Summary): string {
  const lines = summary.months.map((month) => `${month.month},${month.entries},${written(month.total)}`);
  return ["month,entries,total", ...lines, ""].join("\n");
}
