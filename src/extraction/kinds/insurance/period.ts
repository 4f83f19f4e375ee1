import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DateValue, DocumentLocale } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type FieldCandidate, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";

export interface Period {
  validFrom?: FieldValue<string>;
  validTo?: FieldValue<string>;
}

const [least, likely] = [0.2, 0.5];
/** Dates of a policy that are not its period. */
const otherDays: readonly ConceptId[] = ["issuedOn", "invoiceDate", "orderDate", "birthDate"];

/** The insured period: two dates of one line, two labelled dates, or the ends of a range. */
export function periodIn(document: DocumentContext, locale: DocumentLocale): Period {
  const ranges = findCandidates(document, {
    concepts: ["insurancePeriod", "validFrom", "validTo", "timeWindow", "transitTime"],
    types: ["Date"],
  });
  const from = best(document, ["validFrom", "dateFrom"]);
  const to = best(document, ["validTo", "dateTo", "expiresOn", "dueDate"], from);
  const others = findCandidates(document, { concepts: otherDays, types: ["Date"] });
  const isOther = ({ entity }: LocatedEntity<"Date">, { label, score }: FieldCandidate<"Date">) =>
    others.some((other) => other.entity === entity && other.label !== label && other.score > Math.min(score, likely));
  const [first, last] = [from && day(from, locale), to && day(to, locale)];
  const bounds = ranges.filter((range) => range.score >= least && !isOther(range, range));
  const pairs = bounds.map((range) => pairOf(document, locale, range, (date) => isOther(date, range)));
  const pair = pairs.find((each) => each?.validFrom && each.validTo);
  if (pair) return pair;
  const alone = !first && !last && ranges.length === 0 ? spanAlone(document, locale) : undefined;
  if (alone) return alone;
  const [period] = ranges;
  const one = !first && period && period.score >= least && period !== to ? day(period, locale) : undefined;
  return {
    ...((first ?? one) && { validFrom: first ?? one }),
    ...(last && last.value !== (first ?? one)?.value && { validTo: last }),
  };
}

const [shortest, longest] = [27, 1100];

/** "du 01/01/2026 au 31/12/2026": the one span of days on the paper that is as long as policies are. */
function spanAlone(document: DocumentContext, locale: DocumentLocale): Period | undefined {
  const spans = document.annotations.layout.segments.flatMap((segment): Period[] => {
    const dates = entitiesOfType(document.annotations, "Date", [segment]).filter(
      ({ entity }) => entity.value.year !== undefined && entity.score >= 0.5,
    );
    const [one, other] = dates;
    if (!one || !other || !/^[^\d.]{1,14}$/u.test(segment.text.slice(one.entity.end, other.entity.start))) return [];
    const [from, to] = [one, other].map(
      ({ entity }) =>
        new FieldValue(completed(entity.value, locale), 0.6, { segment, start: entity.start, end: entity.end }),
    );
    const days = (Date.parse(to!.value) - Date.parse(from!.value)) / 86_400_000;
    return days >= shortest && days <= longest ? [{ validFrom: from!, validTo: to! }] : [];
  });
  return spans.length === 1 ? spans[0] : undefined;
}

function best(
  document: DocumentContext,
  concepts: readonly ConceptId[],
  except?: FieldCandidate<"Date">,
): FieldCandidate<"Date"> | undefined {
  return findCandidates(document, { concepts, types: ["Date"] }).find(
    ({ score, entity }) => score >= least && entity.value.year !== undefined && entity !== except?.entity,
  );
}

/** "01.03.2026 - 28.02.2027", or the days of one line, or of one line and the one below. */
function pairOf(
  document: DocumentContext,
  locale: DocumentLocale,
  { segment, entity, score }: FieldCandidate<"Date">,
  isOther: (date: LocatedEntity<"Date">) => boolean,
): Period | undefined {
  const piece = { segment, start: entity.start, end: entity.end };
  if (entity.value.until)
    return {
      validFrom: new FieldValue(completed(withYear(entity.value, entity.value.until), locale), score, piece),
      validTo: new FieldValue(completed(entity.value.until, locale), score, piece),
    };
  const near = document.annotations.layout.segments.filter(
    (other) =>
      other.page === segment.page &&
      (other.row === segment.row ||
        (other.row === segment.row + 1 && Math.abs(other.box.x0 - segment.box.x0) < segment.size)),
  );
  const dates = entitiesOfType(document.annotations, "Date", near).filter(
    (date) =>
      date.entity.value.year !== undefined && date.entity.score >= 0.5 && (date.entity === entity || !isOther(date)),
  );
  const at = dates.findIndex((date) => date.entity === entity);
  const other = dates[at + 1] ?? dates[at - 1];
  if (!other) return undefined;
  const days = [piece, { segment: other.segment, start: other.entity.start, end: other.entity.end }].map(
    (where, index) => new FieldValue(completed((index === 0 ? entity : other.entity).value, locale), score, where),
  );
  const [first, last] = days.sort((a, b) => (a.value < b.value ? -1 : 1));
  return first && last && first.value < last.value ? { validFrom: first, validTo: last } : undefined;
}

function withYear(value: DateValue, until: NonNullable<DateValue["until"]>): DateValue {
  return value.year === undefined && until.year !== undefined ? { ...value, year: until.year } : value;
}

function day({ segment, entity, score }: FieldCandidate<"Date">, locale: DocumentLocale): FieldValue<string> {
  return new FieldValue(completed(entity.value, locale), score, { segment, start: entity.start, end: entity.end });
}
