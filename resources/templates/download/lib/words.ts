/** Words of a text and how often they occur. */

export interface KeyWord {
  readonly word: string;
  readonly times: number;
}

/** Return the words of a language to leave out, from lists as JSON. Throws for a language that there is no list of. */
export function stopWords(lists: string, language: string): ReadonlySet<string> {
  const byLanguage = JSON.parse(lists) as Record<string, readonly string[]>;
  if (!Object.hasOwn(byLanguage, language)) {
    throw new Error(`there are no words of ${language}; there are ${Object.keys(byLanguage).join(", ")}`);
  }
  return new Set(byLanguage[language]);
}

/** Return the words of a text, the most frequent first, without single letters, numbers and those to leave out. */
export function counted(text: string, left: ReadonlySet<string>): KeyWord[] {
  const times = new Map<string, number>();
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) {
    const word = segment.toLowerCase();
    if (!isWordLike || word.length < 2 || /^\d/.test(word) || left.has(word)) continue;
    times.set(word, (times.get(word) ?? 0) + 1);
  }
  return [...times].map(([word, count]) => ({ word, times: count })).sort((one, other) => other.times - one.times);
}
