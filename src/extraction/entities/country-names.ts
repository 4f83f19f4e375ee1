import { startsCountryName, countryKeys } from "../lexicon/countries.ts";
import { foldName } from "../lexicon/fold.ts";
import type { Entity, EntityOf } from "./entity.ts";
import { placeWords } from "./place-words.ts";

const MOST_WORDS = 3;

/** Countries named by themselves: "from Germany to Spain". */
export function findCountryNames(text: string, seen: readonly Entity[]): EntityOf<"Place">[] {
  const words = placeWords(text);
  const found: EntityOf<"Place">[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at]!;
    if (!/^\p{Lu}\p{Ll}/u.test(first.text) || !startsCountryName(first.text)) continue;
    for (let count = Math.min(MOST_WORDS, words.length - at); count > 0; count -= 1) {
      const end = words[at + count - 1]!.end;
      const country = countryKeys().get(foldName(text.slice(first.start, end)));
      if (!country) continue;
      const known = seen.some(({ type, start, end: to }) => type === "Place" && start < end && to > first.start);
      if (!known) found.push({ type: "Place", start: first.start, end, score: 0.3, value: { country } });
      at += count - 1;
      break;
    }
  }
  return found;
}
