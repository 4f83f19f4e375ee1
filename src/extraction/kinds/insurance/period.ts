import type { ConceptId } from "../../lexicon/concepts.ts";
import { daysBetweenDates } from "../../entities/calendar.ts";
import type { DateValue, DocumentLocale } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type FieldCandidate, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import { dateValue } from "../field-values.ts";
import { scores } from "./scores.ts";

export interface Period {
  validFrom?: FieldValue<string>;
  validTo?: FieldValue<string>;
}

const otherDates: readonly ConceptId[] = ["issuedOn", "invoiceDate", "orderDate", "birthDate"];

/**
 * Finds the insured period: a range or pair of dates after a label, otherwise two dates with separate labels, otherwise
 * an unlabelled pair of dates.
 */
export function periodIn(document: DocumentContext, locale: DocumentLocale): Period {
  const year = wholeYearIn(document, locale);
  if (year) return year;
  const ranges = findCandidates(document, {
    concepts: ["insurancePeriod", "validFrom", "validTo", "timeWindow", "transitTime"],
    types: ["Date"],
  });
  const from = best(document, ["validFrom", "dateFrom"]);
  const to = best(document, ["validTo", "dateTo", "expiresOn", "dueDate"], from);
  const others = findCandidates(document, { concepts: otherDates, types: ["Date"] });
  const isOther = ({ entity }: LocatedEntity<"Date">, { label, score }: FieldCandidate<"Date">) =>
    others.some(
      (other) =>
        other.entity === entity && other.label !== label && other.score > Math.min(score, scores.period.otherDate),
    );
  const [first, last] = [from && dateOf(from, locale), to && dateOf(to, locale)];
  const bounds = ranges.filter((range) => range.score >= scores.period.min && !isOther(range, range));
  const pairs = bounds.map((range) => pairOf(document, locale, range, (date) => isOther(date, range)));
  const pair = pairs.find((each) => each?.validFrom && each.validTo);
  if (pair) return pair;
  const alone = !first && !last && ranges.length === 0 ? spanAlone(document, locale) : undefined;
  if (alone) return alone;
  const [period] = ranges;
  const one =
    !first && period && period.score >= scores.period.min && period !== to ? dateOf(period, locale) : undefined;
  return {
    ...((first ?? one) && { validFrom: first ?? one }),
    ...(last && last.value !== (first ?? one)?.value && { validTo: last }),
  };
}

/**
 * Finds two dates that follow each other in a line, row or column and are a whole year or half a year apart, as most
 * policies are valid. Of several, the first with a label of a period counts, otherwise the only one.
 */
function wholeYearIn(document: DocumentContext, locale: DocumentLocale): Period | undefined {
  const dates = entitiesOfType(document.annotations, "Date").filter(
    ({ entity, segment }) =>
      entity.value.year !== undefined && entity.score >= scores.unlabelledEntity && segment.page === 1,
  );
  const found = dates.flatMap((date, at) => {
    const [one, other] = [date, ...dates.slice(at + 1).filter((next) => follows(date, next))];
    if (!one || !other) return [];
    const [from, to] = [one, other].map((each) => dateValue(each, locale, scores.wholeYear));
    return isWhole(daysBetweenDates(from!.value, to!.value)) ? [{ validFrom: from!, validTo: to!, one, other }] : [];
  });
  const labelled = new Set(
    findCandidates(document, { concepts: periodLabels, types: ["Date"] })
      .filter(({ score }) => score >= scores.period.min)
      .map(({ entity }) => entity),
  );
  const named = found.find(({ one, other }) => labelled.has(one.entity) || labelled.has(other.entity));
  const chosen = named ?? (new Set(found.map(({ validFrom }) => validFrom.value)).size === 1 ? found[0] : undefined);
  return chosen && { validFrom: chosen.validFrom, validTo: chosen.validTo };
}

const periodLabels: readonly ConceptId[] = ["insurancePeriod", "validFrom", "validTo", "dateFrom", "timeWindow"];

/** In days: a year or half a year, with the last day or without. */
const isWhole = (days: number): boolean => (days >= 363 && days <= 366) || (days >= 180 && days <= 184);

function follows(one: LocatedEntity<"Date">, other: LocatedEntity<"Date">): boolean {
  if (one.segment === other.segment)
    return other.entity.start - one.entity.end < longestGap && other.entity.start > one.entity.end;
  const rows = other.segment.row - one.segment.row;
  const inColumn = Math.abs(one.segment.box.x0 - other.segment.box.x0) < 2 * one.segment.size;
  return one.segment.page === other.segment.page && rows >= 0 && (rows === 0 || (rows <= 2 && inColumn));
}

/** Number of characters between the dates in a sentence such as "begins on 1 April 2026 and ends on 31 March 2027". */
const longestGap = 60;

/** Duration of a policy. */
const [minDays, maxDays] = [27, 1100];

/** An unlabelled pair of dates, as in "du 01/01/2026 au 31/12/2026". Undefined if the document has several. */
function spanAlone(document: DocumentContext, locale: DocumentLocale): Period | undefined {
  const spans = document.annotations.layout.segments.flatMap((segment): Period[] => {
    const dates = entitiesOfType(document.annotations, "Date", [segment]).filter(
      ({ entity }) => entity.value.year !== undefined && entity.score >= scores.unlabelledEntity,
    );
    const [one, other] = dates;
    if (!one || !other || !/^[^\d.]{1,14}$/u.test(segment.text.slice(one.entity.end, other.entity.start))) return [];
    const [from, to] = [one, other].map((date) => dateValue(date, locale, scores.unlabelledPeriod));
    const days = daysBetweenDates(from!.value, to!.value);
    return days >= minDays && days <= maxDays ? [{ validFrom: from!, validTo: to! }] : [];
  });
  return spans.length === 1 ? spans[0] : undefined;
}

function best(
  document: DocumentContext,
  concepts: readonly ConceptId[],
  except?: FieldCandidate<"Date">,
): FieldCandidate<"Date"> | undefined {
  return findCandidates(document, { concepts, types: ["Date"] }).find(
    ({ score, entity }) => score >= scores.period.min && entity.value.year !== undefined && entity !== except?.entity,
  );
}

/**
 * The period is a labelled range such as "01.03.2026 - 28.02.2027", or a labelled date and a second date beside it or
 * on the line below.
 */
function pairOf(
  document: DocumentContext,
  locale: DocumentLocale,
  { segment, entity, score }: FieldCandidate<"Date">,
  isOther: (date: LocatedEntity<"Date">) => boolean,
): Period | undefined {
  const range = { segment, start: entity.start, end: entity.end };
  if (entity.value.until)
    return {
      validFrom: new FieldValue(completed(withYear(entity.value, entity.value.until), locale), score, range),
      validTo: new FieldValue(completed(entity.value.until, locale), score, range),
    };
  const near = document.annotations.layout.segments.filter(
    (other) =>
      other.page === segment.page &&
      (other.row === segment.row ||
        (other.row === segment.row + 1 && Math.abs(other.box.x0 - segment.box.x0) < segment.size)),
  );
  const dates = entitiesOfType(document.annotations, "Date", near).filter(
    (date) =>
      date.entity.value.year !== undefined &&
      date.entity.score >= scores.unlabelledEntity &&
      (date.entity === entity || !isOther(date)),
  );
  const at = dates.findIndex((date) => date.entity === entity);
  const other = dates[at + 1] ?? dates[at - 1];
  if (!other) return undefined;
  const ordered = [{ segment, entity }, other].map((date) => dateValue(date, locale, score));
  const [first, last] = ordered.sort((a, b) => (a.value < b.value ? -1 : 1));
  return first && last && first.value < last.value ? { validFrom: first, validTo: last } : undefined;
}

function withYear(value: DateValue, until: NonNullable<DateValue["until"]>): DateValue {
  return value.year === undefined && until.year !== undefined ? { ...value, year: until.year } : value;
}

const dateOf = (candidate: FieldCandidate<"Date">, locale: DocumentLocale): FieldValue<string> =>
  dateValue(candidate, locale, candidate.score);
