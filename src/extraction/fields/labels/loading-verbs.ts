import { wordsByLanguage } from "../../lexicon/languages.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import { wordsOf, type LabelMatch } from "../../lexicon/lexicon.ts";
import type { Entity } from "../../entities/entity.ts";

type Act = "loading" | "unloading";

/** Whole words and stems of one language. In the file, stems end with an asterisk. */
interface Words {
  whole: Map<string, Act>;
  stems: [string, Act][];
}

const minLetters = 40;
/** Weight of a verb. It identifies a stop with less certainty than a heading. */
const weight = 0.8;
const sureLabel = 0.5;

const wordsIn = (file: Record<string, Record<Act, string[]>>): ReadonlyMap<string, Words> =>
  new Map(Object.entries(file).map(([language, acts]) => [language, wordsFor(acts)]));

const words = wordsIn(wordsByLanguage("loadingVerbs"));
/** Further verb forms and nouns. They count only before an address. */
const forms = wordsIn(wordsByLanguage("loadingForms"));

function wordsFor(acts: Record<Act, string[]>): Words {
  const all = (["loading", "unloading"] as const).flatMap((act) =>
    acts[act].map((word) => [foldText(word), act] as const),
  );
  return {
    whole: new Map(all.filter(([word]) => !word.endsWith("*"))),
    stems: all.filter(([word]) => word.endsWith("*")).map(([word, act]) => [word.slice(0, -1), act]),
  };
}

/**
 * Finds verbs of loading and unloading in a sentence: "Please collect on Monday from …". The text must contain an
 * address, or a date and a company.
 */
export function findLoadingVerbs(
  text: string,
  known: readonly LabelMatch[],
  seen: readonly Entity[],
  languages: readonly string[],
): LabelMatch[] {
  if (!tellsWhere(seen) || text.length < minLetters) return [];
  const folded = fold(text);
  return wordsOf(folded.text).flatMap((word): LabelMatch[] => {
    const [start, end] = [folded.at(word.start), folded.at(word.end)];
    const hasAddress = addressFollows(text, seen, end);
    const actIn = (language: string) =>
      actOf(words, word.text, language) ?? (hasAddress ? actOf(forms, word.text, language) : undefined);
    const spoken = languages.filter(actIn);
    const act = spoken[0] && actIn(spoken[0]);
    if (
      !act ||
      known.some((hit) => hit.start < end && hit.end > start && saysMore(hit, hasAddress ? act : undefined, start))
    )
      return [];
    return [
      {
        concept: act,
        language: spoken[0] ?? "",
        languages: spoken,
        start,
        end,
        phrase: text.slice(start, end),
        weight,
      },
    ];
  });
}

function addressFollows(text: string, seen: readonly Entity[], end: number): boolean {
  const next = seen.find(
    (entity) => entity.type === "Place" && entity.value.postalCode && entity.value.city && entity.start >= end,
  );
  return next !== undefined && !/\p{L}{3}[.!?]\s+\p{Lu}/u.test(text.slice(end, next.start));
}

/**
 * Whether a label found earlier is better than the verb at offset `at`. `act` is set if an address follows the verb.
 * Such a verb replaces a weaker label of the same meaning at the same offset.
 */
const saysMore = ({ concept, weight: known, start }: LabelMatch, act: Act | undefined, at: number): boolean =>
  known >= sureLabel && (concept !== act || start !== at || known >= weight);

function tellsWhere(seen: readonly Entity[]): boolean {
  const has = (type: Entity["type"]) => seen.some((entity) => entity.type === type && entity.score >= 0.7);
  return (
    seen.some((entity) => entity.type === "Place" && entity.value.postalCode && entity.value.city) ||
    (has("Date") && has("Company"))
  );
}

function actOf(known: ReadonlyMap<string, Words>, word: string, language: string): Act | undefined {
  const { whole, stems } = known.get(language) ?? {};
  return whole?.get(word) ?? stems?.find(([stem]) => word.startsWith(stem))?.[1];
}
