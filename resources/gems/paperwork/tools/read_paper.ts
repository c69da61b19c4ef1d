/** Returns a piece of the text of a document. */

import type { Context } from "../lib/context.ts";
import { paperWith, textOf } from "../lib/register.ts";

const PIECE = 20_000;

export default async function readPaper(
  input: { readonly paper: string; readonly from?: number },
  ctx: Context,
): Promise<unknown> {
  const { data } = await paperWith(ctx, input.paper);
  const text = await textOf(ctx, data);
  const from = input.from ?? 0;
  if (from > text.length) throw new Error(`the text has ${text.length} characters`);
  const piece = text.slice(from, from + PIECE);
  const next = from + piece.length < text.length ? { next: from + piece.length } : {};
  return { file: data.file, title: data.title ?? "", warnings: data.warnings, text: piece, ...next };
}
