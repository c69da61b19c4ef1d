/** Counts the words and sentences of a text, in any script. */

export interface Input {
  readonly text: string;
}

export interface Count {
  readonly words: number;
  readonly sentences: number;
}

export default function countWords(input: Input): Count {
  return { words: parts(input.text, "word"), sentences: parts(input.text, "sentence") };
}

function parts(text: string, granularity: "word" | "sentence"): number {
  const found = [...new Intl.Segmenter(undefined, { granularity }).segment(text)];
  return found.filter((part) => (granularity === "word" ? part.isWordLike : part.segment.trim() !== "")).length;
}
