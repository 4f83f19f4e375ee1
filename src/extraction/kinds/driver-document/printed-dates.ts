import { dayExists, fullYear, isoDay, type Day, type PartialDay } from "../../entities/calendar.ts";
import { findDates } from "../../entities/dates.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { TextRange } from "../../layout/text-span.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { fold } from "../../lexicon/fold.ts";
import { scores } from "./scores.ts";

/** A date of a driver's document, and the last day if it is a period. */
export interface PrintedDate extends TextRange {
  day: Day;
  until?: Day;
}

/** "27 12 1992", "17.05.79". */
const figures = /(?<![\d.,/-])(\d{1,2})(?: (\d{1,2}) (\d{4})|([./-])(\d{1,2})\4(\d{2}))(?![\d/-]|\.\d)/gu;
/** "02 ЛИП/JUL 90", "22 SET/SEP 2021": a month in several languages. */
const months = /(?<![\d.,/-])(\d{1,2}) (\p{L}{3,9}\.?(?: ?\/ ?\p{L}{3,9}\.?)*) (\d{4}|\d{2})(?!\d)/gu;

/** Finds the dates of a text with their years, also as cards and passports print them. */
export function datesIn({ segment, start, end }: TextRange, locale: DocumentLocale): PrintedDate[] {
  const text = segment.text.slice(start, end);
  const known = findDates(fold(text), locale).flatMap(({ value, start: from, end: to }): PrintedDate[] => {
    const [day, until] = [dayOf(value), dayOf(value.until)];
    return day ? [{ segment, start: start + from, end: start + to, day, ...(until && { until }) }] : [];
  });
  const onCards = [...printedIn(text, locale)].flatMap(([match, day]): PrintedDate[] => {
    const from = start + match.index;
    return day && dayExists(day) ? [{ segment, start: from, end: from + match[0].length, day }] : [];
  });
  const apart = onCards.filter((each) => !known.some((other) => other.start < each.end && other.end > each.start));
  return [...known, ...apart].sort((one, other) => one.start - other.start);
}

const dayOf = (value: PartialDay | undefined): Day | undefined =>
  value?.year === undefined ? undefined : { year: value.year, month: value.month, day: value.day };

function* printedIn(text: string, locale: DocumentLocale): Generator<[RegExpExecArray, Day | undefined]> {
  for (const match of text.matchAll(figures)) {
    const [, day, month = match[5], year = match[6] ?? ""] = match;
    yield [match, dayOf({ day: Number(day), month: Number(month), year: fullYear(year, locale.today) })];
  }
  for (const match of text.matchAll(months)) {
    const [, day, words = "", year = ""] = match;
    const read = words.split("/").flatMap((word) => findDates(fold(`${day} ${word.trim()} 2000`), locale));
    const month = read.find(({ value }) => value.year === 2000)?.value.month;
    yield [
      match,
      month === undefined ? undefined : dayOf({ day: Number(day), month, year: fullYear(year, locale.today) }),
    ];
  }
}

const datedConcepts: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "birthDate",
  "issuedOn",
  "expiresOn",
  "validTo",
  "validFrom",
]);
/** Longest text between a label and its date: "data urodzenia (dzień, miesiąc, rok)". */
const widestGap = 40;

/** The date behind a label, wherever the label stands: also a word of a sentence, such as "born on" or "valid until". */
export function dateBehind(
  document: DocumentContext,
  locale: DocumentLocale,
  concepts: readonly ConceptId[],
): PrintedDate | undefined {
  const weighed = document.annotations.labels.flatMap((label) => {
    const [best] = label.meanings
      .filter(({ concept }) => concepts.includes(concept))
      .map(({ weight }) => weight)
      .sort((one, other) => other - one);
    return best === undefined ? [] : [{ label, weight: best + (label.standing === "Loose" ? 0 : 1) }];
  });
  for (const { label } of weighed.toSorted((one, other) => other.weight - one.weight)) {
    const [date] = rangesBehind(document, label).flatMap((range) => datesIn(range, locale).slice(0, 1));
    if (date) return date;
  }
  return undefined;
}

function rangesBehind({ annotations }: DocumentContext, label: Label): TextRange[] {
  const { segment, end } = label;
  const next = (annotations.labelsIn[segment.index] ?? []).find(
    (other) => other.start >= end && other.meanings.some(({ concept }) => datedConcepts.has(concept)),
  );
  const first = /\d/u.exec(segment.text.slice(end))?.index ?? Infinity;
  const stop = next?.start ?? segment.text.length;
  const inline = first <= widestGap ? [{ segment, start: end, end: stop }] : [];
  const areas = valueAreasOf(annotations, label).filter(
    ({ way, order }) => way !== "Before" && way !== "Same" && order < 2,
  );
  return [...inline, ...(label.standing === "Loose" ? [] : areas)];
}

/** Place and day of issue: "Lisboa, 22 de setembro de 2025", "U Zagrebu, 12.05.2026", "Fait à Metz, le 3 mai 2026". */
const placeAhead =
  /(?:(?:^|[.;:|]\s|\s[–—-]\s)(?:\p{L}+\s){0,3}\p{Lu}[\p{L}.-]+(?:\s\([^)]*\))?\s?,\s?(?:\p{Ll}{1,6}\.?\s)?|^(?:\p{Lu}\s)\p{Lu}\p{L}+,?\s(?:\p{Ll}{1,6}\s)?)$/u;

export function dateBehindPlace({ annotations }: DocumentContext, locale: DocumentLocale): PrintedDate | undefined {
  return annotations.layout.segments
    .flatMap((segment) => datesIn({ segment, start: 0, end: segment.text.length }, locale))
    .findLast(({ segment, start }) => placeAhead.test(segment.text.slice(0, start)));
}

export const dayValue = (
  { day, ...range }: PrintedDate,
  confidence: number = scores.date.behindWords,
): FieldValue<string> => new FieldValue(isoDay(day), confidence, range);

export const lastDayValue = (date: PrintedDate): FieldValue<string> =>
  dayValue({ ...date, day: date.until ?? date.day });
