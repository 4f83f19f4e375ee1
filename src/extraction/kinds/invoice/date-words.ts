import { fold, foldText } from "../../lexicon/fold.ts";
import words from "../../lexicon/invoice-date-words.json" with { type: "json" };
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";

/** What the words before a date say of it. */
export type DateMeaning = keyof typeof words;

const meanings = Object.entries(words).map(
  ([meaning, list]) =>
    [
      meaning as DateMeaning,
      new RegExp(
        `(?<!\\p{L})(?:${[...new Set(list.map((word) => foldText(word)))]
          .toSorted((a, b) => b.length - a.length)
          .map((word) => word.replaceAll(" ", "[ .]{1,2}"))
          .join("|")})`,
        "gu",
      ),
    ] as const,
);
/** Letters between the word and the date, and letters that are searched. */
const maxBetween: Record<DateMeaning, number> = { due: 42, sale: 24, issue: 16 };
const searched = 60;
const sentenceEnd = /[.!?;|·•]\s(?=[^.!?;|·•]*$)|[—–]\s(?=[^—–]*$)/u;

/** Returns what the last word before the date, in its sentence, says of it. */
export function meaningOf(
  { annotations }: DocumentContext,
  { segment, entity }: LocatedEntity<"Date">,
): DateMeaning | undefined {
  const earlier = (annotations.entitiesIn[segment.index] ?? [])
    .filter(({ type, end, score }) => type === "Date" && end <= entity.start && score >= 0.5)
    .map(({ end }) => end);
  const from = Math.max(0, entity.start - searched, ...earlier);
  const before = fold(segment.text.slice(from, entity.start)).text;
  const cut = sentenceEnd.exec(before);
  const text = cut ? before.slice(cut.index + 1) : before;
  const last = meanings
    .flatMap(([meaning, pattern]) =>
      [...text.matchAll(pattern)].map((match) => ({ meaning, end: match.index + match[0].length })),
    )
    .reduce<{ meaning: DateMeaning; end: number } | undefined>(
      (best, each) => (best && best.end >= each.end ? best : each),
      undefined,
    );
  return last && text.length - last.end <= maxBetween[last.meaning] ? last.meaning : undefined;
}

/** Finds the first date of which the words before it say the meaning. */
export function saidDate(
  document: DocumentContext,
  meaning: DateMeaning,
  accepts: (date: LocatedEntity<"Date">) => boolean,
): LocatedEntity<"Date"> | undefined {
  return entitiesOfType(document.annotations, "Date").find(
    (date) => accepts(date) && meaningOf(document, date) === meaning,
  );
}
