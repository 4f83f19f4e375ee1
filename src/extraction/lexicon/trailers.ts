import { fold } from "./fold.ts";
import { wordsOf } from "./lexicon.ts";
import trailers from "./trailers.json" with { type: "json" };

/** A trailer type found in a text. `start` and `end` are offsets into that text. */
export interface TrailerMatch {
  /** Id in the API's table of trailer types. */
  id: string;
  /** The folded word for the trailer type. */
  word: string;
  start: number;
  end: number;
}

/** Ordinary words that mean a trailer only after a label. */
export const onlyLabelled: ReadonlySet<string> = new Set([
  "box",
  "platform",
  "plane",
  "bus",
  "coil",
  "silo",
  "mega",
  "jumbo",
  "tent",
  "zeil",
  "lona",
  "plateau",
  "benne",
  "fourgon",
  "furgone",
  "zestaw",
  "tandem",
  "transporter",
  "platforma",
  "plataforma",
  "koffer",
  "gardine",
  "curtain",
  "curtains",
  "perde",
  "kurtyna",
  "perdea",
  "caixa",
  "refer",
  "isotherm",
  "реф",
  "branda",
  "damper",
  "cadir",
  "πλατφορμα",
  "πλατφορμεσ",
  "ψυγεια",
  "κουρτινεσ",
  "μεγα",
  "κλουβα",
  "ταντεμ",
]);

interface Entry {
  id: string;
  word: string;
  parts: string[];
}

const WITHIN = /^[ .,\-/]{1,2}$/;

let entries: Map<string, Entry[]> | undefined;

/** Finds trailer types in all languages. The longest match at each position counts ("mega trailer", not "mega"). */
export function findTrailers(text: string): TrailerMatch[] {
  entries ??= entriesByFirstWord();
  const folded = fold(text);
  const words = wordsOf(folded.text);
  const found: TrailerMatch[] = [];
  for (let at = 0; at < words.length;) {
    const entry = entries
      .get(words[at]!.text)
      ?.find(({ parts }) =>
        parts.every(
          (part, index) =>
            words[at + index]?.text === part &&
            (index === 0 || WITHIN.test(folded.text.slice(words[at + index - 1]!.end, words[at + index]!.start))),
        ),
      );
    if (!entry) {
      at += 1;
      continue;
    }
    const last = at + entry.parts.length - 1;
    found.push({
      id: entry.id,
      word: entry.word,
      start: folded.at(words[at]!.start),
      end: folded.at(words[last]!.end),
    });
    at = last + 1;
  }
  return found;
}

function entriesByFirstWord(): Map<string, Entry[]> {
  const all = Object.entries(trailers).flatMap(([id, list]) =>
    list.map((printed): Entry => {
      const word = fold(printed).text;
      return { id, word, parts: wordsOf(word).map((part) => part.text) };
    }),
  );
  return Map.groupBy(
    all.toSorted((one, other) => other.parts.length - one.parts.length),
    ({ parts }) => parts[0]!,
  );
}
