/** Keeps what was summed up, for the page: the latest summary of each file. */

import { written } from "./amounts.ts";
import type { Context } from "./context.ts";
import type { Summary } from "./summary.ts";

const COLLECTION = "summaries";
const MOST_MONTHS = 240;
const MOST_SUMMARIES = 50;

export interface Kept {
  readonly file: string;
  readonly total: string;
  /** Month and exact total, such as `2026-03 1200.00`: the latest ones. */
  readonly months: readonly string[];
  readonly rows: number;
  readonly skipped: number;
  readonly made: number;
}

/** Keep a summary in place of the one of the same file. */
export async function keep(data: Context["data"], file: string, summary: Summary): Promise<void> {
  const summaries = data.collection<Kept>(COLLECTION);
  const kept: Kept = {
    file,
    total: written(summary.total),
    months: summary.months.slice(-MOST_MONTHS).map((month) => `${month.month} ${written(month.total)}`),
    rows: summary.rows,
    skipped: summary.skipped.length,
    made: Date.now(),
  };
  const [before] = (await summaries.where("file", "==", file).limit(1).get()).items;
  await (before ? summaries.update(before.id, kept) : summaries.insert(kept));
}

/** Return the latest summaries, newest first. */
export async function latest(data: Context["data"]): Promise<Kept[]> {
  const page = await data.collection<Kept>(COLLECTION).orderBy("made", "desc").limit(MOST_SUMMARIES).get();
  return page.items.map((record) => record.data);
}
