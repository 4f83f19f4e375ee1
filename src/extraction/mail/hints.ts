import { fold } from "../lexicon/fold.ts";
import { romanise } from "../lexicon/romanise.ts";
import hints from "./hints.json" with { type: "json" };

/** What words of any language hint at, by how they begin: what is learnt of one language then helps another. */
let hintsByPrefix: Map<string, string[]> | undefined;

const minLength = 2;
const maxLength = 9;
/** Shorter ones must be the whole word. */
const minPrefixLength = 4;

/** What a word, in small plain Latin letters, hints at. */
export function hintsOf(word: string): readonly string[] {
  hintsByPrefix ??= indexHints();
  const matching: string[] = [...(hintsByPrefix.get(word) ?? [])];
  for (let length = Math.max(minLength, minPrefixLength); length <= Math.min(maxLength, word.length - 1); length++)
    for (const hint of hintsByPrefix.get(word.slice(0, length)) ?? [])
      if (!matching.includes(hint)) matching.push(hint);
  return matching;
}

function indexHints(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [hint, beginnings] of Object.entries(hints))
    for (const beginning of new Set(romanise(fold(beginnings).text).split(" ")))
      all.set(beginning, [...(all.get(beginning) ?? []), hint]);
  return all;
}
