/** Reads the month out of dates in the forms that tables hold. */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LOCAL_MONTHS: Record<string, number> = {
  "mär": 3,
  "mrz": 3,
  "mai": 5,
  "okt": 10,
  "dez": 12,
  "fév": 2,
  "avr": 4,
  "aoû": 8,
  "déc": 12,
};

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?=$|[T\s])/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const CHINESE = /^(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?/;
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?=$|[T\s,])/;
const DAY_NAME = /^(\d{1,2})\.?[\s-]+(\p{L}{3,})\.?,?[\s-]+(\d{4})/u;
const NAME_DAY = /^(\p{L}{3,})\.?\s+(\d{1,2}),?\s+(\d{4})/u;

/** Which part comes first where both orders occur, as in 03/04/2026. */
export type DayOrder = "day first" | "month first";

export interface OrderFound {
  readonly order: DayOrder;
  /** No cell told it. */
  readonly guessed: boolean;
}

/** Find the order of a column's dates with slashes or dashes; `fallback` is taken where no cell tells it. */
export function dayOrder(cells: readonly string[], fallback: DayOrder): OrderFound {
  let dayFirst = 0;
  let monthFirst = 0;
  let unclear = false;
  for (const cell of cells) {
    const found = YEAR_LAST.exec(cell.trim());
    if (!found || found[2] === ".") continue;
    if (Number(found[1]) > 12) dayFirst++;
    else if (Number(found[3]) > 12) monthFirst++;
    else unclear = true;
  }
  if (dayFirst !== monthFirst) return { order: dayFirst > monthFirst ? "day first" : "month first", guessed: false };
  return { order: fallback, guessed: unclear };
}

/** Return the month of a date as `2026-03`; null for what is no date. */
export function monthOf(cell: string, order: DayOrder): string | null {
  const text = cell.trim();
  let found = YEAR_FIRST.exec(text) ?? COMPACT.exec(text) ?? CHINESE.exec(text);
  if (found) return month(found[1]!, Number(found[2]), Number(found[3] ?? "1"));
  found = YEAR_LAST.exec(text);
  if (found) {
    const first = Number(found[1]);
    const second = Number(found[3]);
    const dayFirst = found[2] === "." || order === "day first";
    return dayFirst ? month(found[4]!, second, first) : month(found[4]!, first, second);
  }
  found = DAY_NAME.exec(text);
  if (found) return month(found[3]!, named(found[2]!), Number(found[1]));
  found = NAME_DAY.exec(text);
  return found ? month(found[3]!, named(found[1]!), Number(found[2])) : null;
}

function named(name: string): number {
  const start = name.toLowerCase().slice(0, 3);
  return MONTHS.indexOf(start) + 1 || (LOCAL_MONTHS[start] ?? 0);
}

/** Two digits of a year mean 1970 to 2069. A day that its month does not have is no date. */
function month(yearText: string, number: number, day: number): string | null {
  const short = Number(yearText);
  const year = yearText.length === 2 ? short + (short < 70 ? 2000 : 1900) : short;
  if (number < 1 || number > 12 || day < 1 || year < 1) return null;
  const date = new Date(Date.UTC(2000, number - 1, day));
  date.setUTCFullYear(year, number - 1, day);
  if (date.getUTCMonth() !== number - 1) return null;
  return `${String(year).padStart(4, "0")}-${String(number).padStart(2, "0")}`;
}
