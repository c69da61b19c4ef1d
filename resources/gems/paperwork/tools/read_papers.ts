/** Reads the documents of the conversation's folder into the register. */

import type { Context } from "../lib/context.ts";
import { isKnown, keep } from "../lib/register.ts";
import { findDocuments, type Found } from "../lib/walk.ts";

const MOST_READ = 200;
const MOST_TOLD = 50;
const MOST_BYTES = 50 * 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  E_EXTRACT_EMPTY: "it is empty",
  E_EXTRACT_UNSUPPORTED: "it is of a kind that cannot be read",
  E_EXTRACT_ENCRYPTED: "it needs a password",
  E_EXTRACT_NO_TEXT: "it holds pictures of pages and no text, such as a scan",
  E_EXTRACT_DAMAGED: "it is damaged, or is not what its name says",
  E_EXTRACT_LIMIT: "it is too large to be read",
  E_PAYLOAD_TOO_LARGE: "it is too large to be read",
  E_FILE_MISSING: "it was gone when it was to be read",
};

export default async function readPapers(input: { readonly folder?: string }, ctx: Context): Promise<unknown> {
  const documents = await findDocuments(ctx.files, input.folder);
  const failed: { file: string; reason: string }[] = [];
  let read = 0;
  let known = 0;
  let left = 0;
  for (const found of documents) {
    if (await isKnown(ctx, found)) known++;
    else if (read + failed.length >= MOST_READ) left++;
    else {
      const reason = await readOne(ctx, found);
      if (reason === "") read++;
      else failed.push({ file: found.path, reason });
    }
  }
  return { read, known, failed: failed.slice(0, MOST_TOLD), failures: failed.length, left };
}

/** Return why a document could not be read; an empty text if it was. */
async function readOne(ctx: Context, found: Found): Promise<string> {
  if (found.entry.size > MOST_BYTES) return REASONS.E_EXTRACT_LIMIT!;
  try {
    const document = await ctx.extract.fromFile(`workspace:${found.path}`);
    if (document.text.trim() === "") return REASONS.E_EXTRACT_EMPTY!;
    await keep(ctx, found, document);
    return "";
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code?.startsWith("E_EXTRACT_") || (code && code in REASONS)) return REASONS[code] ?? message;
    throw error;
  }
}
