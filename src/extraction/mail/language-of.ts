import { rankedLanguages } from "../lexicon/languages.ts";

const languagesOf = new Map<string, string[]>();
for (const { language, smallWords } of rankedLanguages)
  for (const word of new Set(smallWords.split(" ")))
    languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);

/** A single word does not determine a language. */
const minVotes = 1;
const maxCharacters = 4000;

/** Detects the language of lines by function words; undefined where there are too few. */
export function languageOf(lines: readonly string[]): string | undefined {
  const votes = new Map<string, number>();
  for (const word of lines
    .join("\n")
    .slice(0, maxCharacters)
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []) {
    const languages = languagesOf.get(word) ?? [];
    for (const language of languages) votes.set(language, (votes.get(language) ?? 0) + 1 / languages.length);
  }
  const [first] = [...votes].toSorted((a, b) => b[1] - a[1]);
  return first && first[1] >= minVotes ? first[0] : undefined;
}
