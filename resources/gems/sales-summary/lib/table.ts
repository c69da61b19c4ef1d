/** Reads delimited text: finds the delimiter, keeps quoted line breaks, changes no cell. */

const DELIMITERS = [",", ";", "\t", "|"] as const;
const SNIFFED_RECORDS = 50;

export interface Table {
  readonly delimiter: string;
  readonly records: readonly (readonly string[])[];
}

/** Read a table. Empty lines are left out; cells are texts exactly as written, without their quotes. */
export function readTable(text: string): Table {
  const body = text.replace(/^\ufeff/, "");
  const hint = /^"?sep=(.)"?\r?\n/i.exec(body);
  if (hint) return { delimiter: hint[1]!, records: parse(body.slice(hint[0].length), hint[1]!, Infinity) };
  const delimiter = sniff(body);
  return { delimiter, records: parse(body, delimiter, Infinity) };
}

/** The right delimiter gives most records the same number of cells, and more than one. */
function sniff(text: string): string {
  let best = ",";
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const widths = parse(text, delimiter, SNIFFED_RECORDS).map((record) => record.length);
    const width = mostCommon(widths.filter((count) => count > 1));
    const agreeing = widths.filter((count) => count === width).length;
    const score = width === 0 ? 0 : agreeing / widths.length + width / 1000;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

function mostCommon(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  let best = 0;
  for (const [number, count] of counts) {
    if (count > (counts.get(best) ?? 0)) best = number;
  }
  return best;
}

function parse(text: string, delimiter: string, limit: number): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let place = 0;
  while (place < text.length && records.length < limit) {
    const cell = text[place] === '"' ? quoted(text, place, delimiter) : bare(text, place, delimiter);
    record.push(cell.value);
    place = cell.end;
    if (text[place] === delimiter) {
      place++;
      if (place < text.length) continue;
      record.push("");
    }
    if (text[place] === "\r") place++;
    if (text[place] === "\n") place++;
    if (record.some((value) => value.trim() !== "")) records.push(record);
    record = [];
  }
  return records;
}

interface Cell {
  readonly value: string;
  readonly end: number;
}

function bare(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: text.slice(start, end), end };
}

/** A quote that is never closed was no quoting: the cell then ends with its line. */
function quoted(text: string, start: number, delimiter: string): Cell {
  let value = "";
  let place = start + 1;
  for (;;) {
    const end = text.indexOf('"', place);
    if (end < 0) return bare(text, start, delimiter);
    value += text.slice(place, end);
    if (text[end + 1] !== '"') {
      const rest = bare(text, end + 1, delimiter);
      return { value: value + rest.value.trimEnd(), end: rest.end };
    }
    value += '"';
    place = end + 2;
  }
}
