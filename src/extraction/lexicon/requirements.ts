import { fold } from "./fold.ts";
import { wordsOf } from "./lexicon.ts";
import requirements from "./requirements.json" with { type: "json" };

type RequirementField = keyof typeof requirements;

/** A vehicle requirement found in a text. `start` and `end` are offsets into that text. */
export interface RequirementMatch {
  field: RequirementField;
  /** Id in the API's tables; for a loading side, its name. */
  id: string;
  start: number;
  end: number;
}

interface Entry {
  asked: RequirementField;
  id: string;
  parts: string[];
}

const WITHIN = /^[ .,'\-/]{1,2}$/;
let entries: Map<string, Entry[]> | undefined;

/** Finds vehicle requirements in all languages, except trailer types. The longest match at each position counts. */
export function findRequirements(text: string): RequirementMatch[] {
  entries ??= entriesByFirstWord();
  const folded = fold(text);
  const words = wordsOf(folded.text);
  const follows = (at: number, part: string, index: number) =>
    words[at + index]?.text === part &&
    (index === 0 || WITHIN.test(folded.text.slice(words[at + index - 1]!.end, words[at + index]!.start)));
  const found: RequirementMatch[] = [];
  for (let at = 0; at < words.length;) {
    const entry = entries
      .get(words[at]!.text)
      ?.find(({ parts }) => parts.every((part, index) => follows(at, part, index)));
    if (entry) {
      const last = words[at + entry.parts.length - 1]!;
      const { asked, id } = entry;
      found.push({ field: asked, id, start: folded.at(words[at]!.start), end: folded.at(last.end) });
    }
    at += entry?.parts.length ?? 1;
  }
  return found;
}

function entriesByFirstWord(): Map<string, Entry[]> {
  const all = (Object.keys(requirements) as RequirementField[]).flatMap((asked) =>
    Object.entries(requirements[asked]).flatMap(([id, list]) =>
      list.map((printed): Entry => ({
        asked,
        id,
        parts: wordsOf(fold(printed).text).map((part) => part.text),
      })),
    ),
  );
  return Map.groupBy(
    all.toSorted((one, other) => other.parts.length - one.parts.length),
    ({ parts }) => parts[0]!,
  );
}
