import { fileIn } from "../lib/archive.ts";
import { counted, stopWords } from "../lib/words.ts";

/** Each exported function is a test; it fails by throwing. The tests need no download: they bring words of their own. */
export function common_words_are_left_out(): void {
  const left = stopWords('{"en": ["the", "is", "in"]}', "en");
  const [first, ...rest] = counted("The cat is in the garden. The garden!", left);
  if (first?.word !== "garden" || first.times !== 2 || rest.length !== 1) {
    throw new Error(JSON.stringify([first, rest]));
  }
}

export async function a_file_is_read_out_of_an_archive(): Promise<void> {
  const tar = new Uint8Array(2048);
  new TextEncoder().encodeInto("a/words.json", tar);
  new TextEncoder().encodeInto("00000000005", tar.subarray(124));
  new TextEncoder().encodeInto("hello", tar.subarray(512));
  const packed = new Blob([tar]).stream().pipeThrough(new CompressionStream("gzip"));
  const found = await fileIn(new Uint8Array(await new Response(packed).arrayBuffer()), "a/words.json");
  if (found !== "hello") throw new Error(found);
}
