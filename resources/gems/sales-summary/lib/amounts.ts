/** Reads amounts exactly, whichever of comma and point is the decimal mark in their column. */

/** An exact decimal number: `units` divided by ten to the power of `scale`. */
export interface Amount {
  readonly units: bigint;
  readonly scale: number;
}

export type DecimalMark = "." | ",";

const CURRENCY = /[$€£¥₹₽¢₩₺฿]|\b(?:EUR|USD|GBP|CHF|CNY|RMB|JPY|Fr\.?|kr\.?|zł)(?![a-z])|元/gi;
const SPACES = /[\s\u00a0\u202f\u2009'’_]/g;
const SHAPE = /^\d[\d.,]*$|^[.,]\d+$/;

/** Return the digits and marks of an amount and its sign; null for what is no amount. */
function bareAmount(cell: string): { readonly text: string; readonly negative: boolean } | null {
  let text = cell.replace(CURRENCY, "").replace(SPACES, "").replace(/[−–]/g, "-");
  const bracketed = /^\((.*)\)$/.exec(text);
  if (bracketed) text = `-${bracketed[1]!}`;
  const signed = /^([+-]?)(.*?)(-?)$/.exec(text)!;
  if (signed[1] !== "" && signed[3] !== "") return null;
  const negative = signed[1] === "-" || signed[3] === "-";
  return SHAPE.test(signed[2]!) ? { text: signed[2]!, negative } : null;
}

/** What a single cell says about the decimal mark of its column; null if it says nothing. */
function evidence(text: string): DecimalMark | null {
  const comma = text.lastIndexOf(",");
  const point = text.lastIndexOf(".");
  if (comma >= 0 && point >= 0) return comma > point ? "," : ".";
  const mark = comma >= 0 ? "," : ".";
  const place = Math.max(comma, point);
  if (place < 0) return null;
  const other = mark === "," ? "." : ",";
  if (text.indexOf(mark) !== place) return other;
  const before = text.slice(0, place);
  const grouped = text.length - place - 1 === 3 && before.length >= 1 && before.length <= 3 && before !== "0";
  return grouped ? null : mark;
}

export interface MarkFound {
  readonly mark: DecimalMark;
  /** No cell told it: such as a column that holds nothing but `1,234`. */
  readonly guessed: boolean;
}

/** Find the decimal mark of a column; `fallback` is taken where no cell tells it. */
export function decimalMark(cells: readonly string[], fallback: DecimalMark): MarkFound {
  let commas = 0;
  let points = 0;
  let unclear = false;
  for (const cell of cells) {
    const amount = bareAmount(cell);
    if (!amount) continue;
    const mark = evidence(amount.text);
    if (mark === ",") commas++;
    else if (mark === ".") points++;
    else if (/[.,]/.test(amount.text)) unclear = true;
  }
  if (commas !== points) return { mark: commas > points ? "," : ".", guessed: false };
  return { mark: fallback, guessed: unclear || commas > 0 };
}

/** Return the amount of a cell exactly; null for what is no amount under this decimal mark. */
export function readAmount(cell: string, mark: DecimalMark): Amount | null {
  const amount = bareAmount(cell);
  if (!amount) return null;
  const group = mark === "," ? "." : ",";
  const parts = amount.text.split(mark);
  if (parts.length > 2 || parts[1]?.includes(group)) return null;
  const groups = parts[0]!.split(group);
  if (groups.length > 1 && !isGrouped(groups)) return null;
  const fraction = parts[1] ?? "";
  const units = BigInt(groups.join("") + fraction || "0");
  return { units: amount.negative ? -units : units, scale: fraction.length };
}

/** Thousands have three digits each; two, as in India, are fine before the last. */
function isGrouped(groups: readonly string[]): boolean {
  const first = groups[0]!.length;
  const middle = groups.slice(1, -1).every((group) => group.length === 3 || group.length === 2);
  return first >= 1 && first <= 3 && middle && groups[groups.length - 1]!.length === 3;
}

/** A code such as `0010` or `021000021` is no amount: its zeros mean something. */
export function isZeroLed(cell: string): boolean {
  return /^\s*0\d+\s*$/.test(cell);
}

export function add(first: Amount, second: Amount): Amount {
  const scale = Math.max(first.scale, second.scale);
  return { units: atScale(first, scale) + atScale(second, scale), scale };
}

/** Write an amount with a decimal point and at least two decimals. */
export function written(amount: Amount): string {
  const scale = Math.max(amount.scale, 2);
  const units = atScale(amount, scale);
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "").padEnd(2, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -scale)}.${fraction}`;
}

function atScale(amount: Amount, scale: number): bigint {
  return amount.units * 10n ** BigInt(scale - amount.scale);
}
