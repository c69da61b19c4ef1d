import countWords from "../tools/count_words.ts";

/** Each exported function is a test; it fails by throwing. */
export function words_and_sentences_are_counted(): void {
  const count = countWords({ text: "One two. Three!" });
  if (count.words !== 3 || count.sentences !== 2) throw new Error(`counted ${JSON.stringify(count)}`);
}

export function an_empty_text_has_no_words(): void {
  const count = countWords({ text: "" });
  if (count.words !== 0 || count.sentences !== 0) throw new Error(`counted ${JSON.stringify(count)}`);
}
