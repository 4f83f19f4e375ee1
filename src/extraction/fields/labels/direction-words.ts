import { fold, foldText } from "../../lexicon/fold.ts";
import type { LabelMatch } from "../../lexicon/lexicon.ts";
import words from "../../lexicon/direction-words.json" with { type: "json" };

const acts = { from: "loading", to: "unloading" } as const;
const meant = new Map(
  (["from", "to"] as const).flatMap((way) => words[way].map((word) => [foldText(word), acts[way]] as const)),
);
const alone = /^[\s\P{L}]*((?:\p{L}{1,8} )?\p{L}{1,8}) ?(?:[:：]|$)/u;
const short = /^[^:：]{1,20}(?:[:：]|$)/u;
/** Too little to head anything by itself. */
const weight = 0.3;

/** "From" and "to" of any language, where nothing but a colon or nothing at all stands behind: the two ends of a way. */
export function findDirectionWords(text: string): LabelMatch[] {
  if (!short.test(text)) return [];
  const folded = fold(text);
  const [whole = "", word = ""] = alone.exec(folded.text) ?? [];
  const concept = meant.get(word);
  if (!concept) return [];
  const start = folded.at(whole.indexOf(word));
  const end = folded.at(whole.indexOf(word) + word.length);
  return [{ concept, language: "", languages: [], start, end, phrase: text.slice(start, end), weight }];
}
