/** Finds the header of a table, its column of dates and its column of amounts. */

import { decimalMark, isZeroLed, readAmount } from "./amounts.ts";
import { monthOf } from "./dates.ts";
import type { Table } from "./table.ts";

const DATE_WORDS = [
  ["date", "datum", "fecha", "data", "日期"],
  ["day", "tag", "jour", "dia", "time", "timestamp", "zeit", "时间", "month", "monat", "月份"],
];
const AMOUNT_WORDS = [
  ["amount", "betrag", "montant", "importe", "importo", "金额"],
  ["total", "sum", "revenue", "sales", "turnover", "umsatz", "summe", "gesamt", "销售额", "合计", "总额"],
  ["net", "netto", "gross", "brutto", "value", "wert", "price", "preis", "cost", "kosten", "价格", "数值"],
];
/** Numbers under such a title name things; adding them up means nothing. */
const CODE_WORDS = [
  "id",
  "ids",
  "no",
  "nr",
  "number",
  "nummer",
  "code",
  "zip",
  "plz",
  "phone",
  "account",
  "konto",
  "编号",
];
const HEADER_WITHIN = 20;
const SAMPLE = 500;

export interface Columns {
  /** Where the header is among the records. */
  readonly header: number;
  readonly date: number;
  readonly amount: number;
}

/** Find the columns by the words of the header, or by what the cells hold. Throws an Error saying what is missing. */
export function findColumns(table: Table): Columns {
  const header = headerOf(table);
  const names = (table.records[header] ?? []).map(words);
  const rows = table.records.slice(header + 1, header + 1 + SAMPLE);
  const width = Math.max(names.length, ...rows.map((row) => row.length));
  const dates = shares(
    rows,
    width,
    (cells) =>
      cells.filter((cell) => monthOf(cell, "day first") !== null || monthOf(cell, "month first") !== null).length,
  );
  const amounts = shares(rows, width, amountsIn);
  const date = choose(names, dates, DATE_WORDS, -1);
  if (date < 0) throw new Error(`no column with dates was found; the columns are: ${shown(table, header)}`);
  const sums = amounts.map((fit, column) => isCode(names[column] ?? []) ? 0 : fit);
  const amount = choose(names, sums, AMOUNT_WORDS, date);
  if (amount < 0) throw new Error(`no column with amounts was found; the columns are: ${shown(table, header)}`);
  return { header, date, amount };
}

/** Lines of title above a header are passed over when one further down has the words of a header. */
function headerOf(table: Table): number {
  for (let place = 0; place < Math.min(table.records.length, HEADER_WITHIN); place++) {
    const names = table.records[place]!.map(words);
    const has = (groups: readonly string[][]) => names.some((name) => rank(name, groups) < groups.length);
    if (names.length > 1 && has(DATE_WORDS) && has(AMOUNT_WORDS)) return place;
  }
  return 0;
}

function words(name: string): string[] {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

/** The place of the first group that has a word of the name; the number of groups if none has. */
function rank(name: readonly string[], groups: readonly (readonly string[])[]): number {
  const place = groups.findIndex((group) =>
    group.some((word) =>
      name.some((part) =>
        part === word || (word.length > 4 && part.endsWith(word)) ||
        (/\p{Script=Han}/u.test(word) && part.includes(word))
      )
    )
  );
  return place < 0 ? groups.length : place;
}

function isCode(name: readonly string[]): boolean {
  return rank(name, AMOUNT_WORDS) === AMOUNT_WORDS.length && name.some((word) => CODE_WORDS.includes(word));
}

function shares(rows: readonly (readonly string[])[], width: number, count: (cells: string[]) => number): number[] {
  return Array.from({ length: width }, (_, column) => {
    const cells = rows.map((row) => row[column] ?? "").filter((cell) => cell.trim() !== "");
    return cells.length === 0 ? 0 : count(cells) / cells.length;
  });
}

function amountsIn(cells: string[]): number {
  if (cells.some(isZeroLed)) return 0;
  const { mark } = decimalMark(cells, ".");
  return cells.filter((cell) => readAmount(cell, mark) !== null).length;
}

/** Prefer the better word in the header, then the column that fits better; more than half of the cells have to fit. */
function choose(
  names: readonly string[][],
  fits: readonly number[],
  groups: readonly string[][],
  taken: number,
): number {
  let best = -1;
  let bestScore = Infinity;
  fits.forEach((fit, column) => {
    const score = rank(names[column] ?? [], groups) * 2 + (1 - fit);
    if (column !== taken && fit > 0.5 && score < bestScore) {
      best = column;
      bestScore = score;
    }
  });
  return best;
}

function shown(table: Table, header: number): string {
  return (table.records[header] ?? []).map((name) => name.trim()).join(", ");
}
