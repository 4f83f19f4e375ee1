import { fold } from "../lexicon/fold.ts";
import { romanise } from "../lexicon/romanise.ts";
import hints from "./hints.json" with { type: "json" };

/** What words of any language hint at, by how they begin: what is learnt of one language then helps another. */
let known: Map<string, string[]> | undefined;

const shortest = 2;
const longest = 9;
/** Shorter ones must be the whole word. */
const leastBeginning = 4;

/** What a word, in small plain Latin letters, hints at. */
export function hintsOf(word: string): readonly string[] {
  known ??= planted();
  const found: string[] = [...(known.get(word) ?? [])];
  for (let length = Math.max(shortest, leastBeginning); length <= Math.min(longest, word.length - 1); length++)
    for (const hint of known.get(word.slice(0, length)) ?? []) if (!found.includes(hint)) found.push(hint);
  return found;
}

function planted(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [hint, beginnings] of Object.entries(hints))
    for (const beginning of new Set(romanise(fold(beginnings).text).split(" ")))
      all.set(beginning, [...(all.get(beginning) ?? []), hint]);
  return all;
}
