/** Tells which words a text is about. */

import type { Context } from "../.notochord/notochord.d.ts";
import { fileIn } from "../lib/archive.ts";
import { counted, type KeyWord, stopWords } from "../lib/words.ts";

interface Input {
  readonly text: string;
  readonly language?: string;
  readonly count?: number;
}

export default async function keyWords(input: Input, ctx: Context): Promise<{ words: KeyWord[] }> {
  const archive = await Deno.readFile(await ctx.resources.path("stop-words"));
  const lists = await fileIn(archive, "package/stopwords-iso.json");
  const left = stopWords(lists, input.language ?? "en");
  return { words: counted(input.text, left).slice(0, input.count ?? 10) };
}
