/** The register: what is known of each document in `ctx.data`, and its text in a full-text table. */

import type { Collection, Context, DataRecord, Extracted } from "./context.ts";
import type { Found } from "./walk.ts";

/** More of a text is neither kept nor searched. */
export const MOST_CHARACTERS = 1_000_000;
const SHORTEST_INDEXED = 3;
const BEFORE = 80;
const EXCERPT = 240;

export interface Paper {
  readonly digest: string;
  readonly row: number;
  readonly file: string;
  readonly format: string;
  readonly title?: string;
  readonly sender?: string;
  readonly date?: string;
  readonly size: number;
  readonly modified: number;
  readonly characters: number;
  readonly warnings: readonly string[];
  readonly summary?: string;
  readonly read: number;
}

export function papersOf(ctx: Context): Collection<Paper> {
  return ctx.data.collection<Paper>("papers");
}

/** Return the record of a document. Throws an Error that says where ids come from. */
export async function paperWith(ctx: Context, id: string): Promise<DataRecord<Paper>> {
  const found = await papersOf(ctx).get(id).catch(() => null);
  if (found) return found;
  throw new Error(`there is no paper ${JSON.stringify(id.slice(0, 60))}: take an id that find_papers returned`);
}

export async function textOf(ctx: Context, paper: Paper): Promise<string> {
  const [found] = await ctx.storage.sql.query<{ text: string }>("SELECT text FROM texts WHERE rowid = ?", [paper.row]);
  if (!found) throw new Error(`the text of ${paper.file} is gone: call read_papers again`);
  return found.text;
}

/** Tell whether a file was read as it is now. */
export async function isKnown(ctx: Context, { path, entry }: Found): Promise<boolean> {
  const { items } = await papersOf(ctx).where("file", "==", path).get();
  return items.some(({ data }) => data.size === entry.size && data.modified === entry.modified);
}

/** Keep a document; one with the same text is there once, under the file that was read last. */
export async function keep(ctx: Context, { path, entry }: Found, document: Extracted): Promise<void> {
  const names = document.attachments.map(({ filename }) => filename);
  const whole = names.length > 0 ? `${document.text}\n\nAttachments: ${names.join(", ")}` : document.text;
  const text = whole.slice(0, MOST_CHARACTERS);
  const cut = document.truncated || whole.length > MOST_CHARACTERS;
  const place = { file: path, size: entry.size, modified: entry.modified, read: Date.now() };
  const digest = await digestOf(text);
  const [same] = (await papersOf(ctx).where("digest", "==", digest).limit(1).get()).items;
  if (same) {
    await papersOf(ctx).update(same.id, place);
    return;
  }
  const title = document.title.slice(0, 500);
  const { id } = await ctx.storage.sql.insert("texts", { file: path, title, text });
  const { author, from, date } = document.properties;
  const sender = from ?? author;
  await papersOf(ctx).insert({
    ...place,
    digest,
    row: Number(id),
    format: document.format,
    characters: text.length,
    warnings: [...document.warnings.slice(0, 20), ...(cut ? ["only the beginning was kept"] : [])],
    ...(title ? { title } : {}),
    ...(sender ? { sender: sender.slice(0, 500) } : {}),
    ...(date ? { date: date.slice(0, 100) } : {}),
  });
}

export async function forget(ctx: Context, { id, data }: DataRecord<Paper>): Promise<void> {
  await ctx.storage.sql.query("DELETE FROM texts WHERE rowid = ?", [data.row]);
  await papersOf(ctx).delete(id);
}

export interface Hit {
  readonly row: number;
  readonly excerpt: string;
}

/** Return the documents that hold all words, or parts of words, the best first. */
export async function search(ctx: Context, words: readonly string[], limit: number): Promise<Hit[]> {
  const long = words.filter((word) => [...word].length >= SHORTEST_INDEXED);
  const short = words.filter((word) => !long.includes(word));
  const conditions = short.map(() => "(file || ' ' || title || ' ' || text) LIKE ? ESCAPE '\\'");
  const values: string[] = short.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  if (long.length > 0) {
    conditions.unshift("texts MATCH ?");
    values.unshift(long.map((word) => `"${word.replaceAll('"', '""')}"`).join(" AND "));
  }
  const excerpt = `substr(text, max(1, instr(lower(text), lower(?)) - ${BEFORE}), ${EXCERPT})`;
  const order = long.length > 0 ? "rank" : "rowid DESC";
  return await ctx.storage.sql.query<Hit>(
    `SELECT rowid AS row, ${excerpt} AS excerpt FROM texts WHERE ${conditions.join(" AND ")} ORDER BY ${order} LIMIT ?`,
    [words[0]!, ...values, limit],
  );
}

async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
