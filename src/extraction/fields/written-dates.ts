import type { ConceptId } from "../lexicon/concepts.ts";
import { fold } from "../lexicon/fold.ts";
import { mayTellWhenSent } from "../formats/quotes.ts";
import { findDates } from "../entities/dates.ts";
import type { DateValue, Entity, EntityOf, DocumentLocale } from "../entities/entity.ts";
import { daysBetween, resolveRelativeDate, type Day } from "../entities/calendar.ts";
import { labelOf, tells } from "./labels/line-label.ts";
import { entitiesOfType, type LocatedEntity } from "./labels/annotations.ts";
import { findCandidates, type DocumentContext } from "./labels/values.ts";
import type { Layout } from "../layout/layout.ts";
import { scores } from "./scores.ts";

/*
 * Finds the day on which a text was written. Dates without a year and relative dates are resolved from it.
 *
 * For a mail, this day is in its header; for a quoted mail, in the header lines above it. For any other document, it is
 * the date of the document.
 */

/** Number of segments at the start of a text that are searched for header lines of a pasted mail. */
const headSegments = 8;
/** In days. A date further before or after the day of extraction is not the date of the document. */
const [mostDaysBehind, mostDaysAhead] = [3 * 366, 366];

/**
 * Sets, on each segment of a quoted or pasted mail, the day on which that mail was written. Skips the newest mail,
 * which has its own header.
 */
export function noteOlderMails(layout: Layout, locale: DocumentLocale, hasHead: boolean): void {
  let part = -1;
  let first = 0;
  let written: Day | undefined;
  for (const segment of layout.segments) {
    if (segment.part !== part) [part, first, written] = [segment.part, segment.index, undefined];
    const { role, quoted } = layout.parts[part] ?? { role: "File" as const, quoted: false };
    const mayTell = quoted || (!(hasHead && role === "Body") && segment.index - first < headSegments);
    if (mayTell && mayTellWhenSent(segment.text)) written = fullDayIn(segment.text, locale) ?? written;
    if (written) segment.written = written;
  }
}

function fullDayIn(text: string, locale: DocumentLocale): Day | undefined {
  const [first] = findDates(fold(text), locale).flatMap(({ value, score }) =>
    score >= scores.ownDate.header ? dayOf(value) : [],
  );
  return first && isNear(first, locale.today) ? first : undefined;
}

const ownDates: readonly ConceptId[] = ["orderDate", "invoiceDate", "issuedOn"];
const anyDates: readonly ConceptId[] = ["date", "loadingDate", "unloadingDate", "dateFrom", "timeWindow"];
const general: ReadonlySet<ConceptId> = new Set<ConceptId>([
  ...ownDates,
  "titleTransportOrder",
  "orderNumber",
  "place",
]);
const headRows = 14;

/**
 * Returns the date of one part of a document, such as an attachment: the date labelled as that of the document,
 * otherwise the first unlabelled date at the top, otherwise the earliest date with another date label, such as the
 * loading date.
 * @param today the current day; dates far from it are ignored
 */
export function writtenOn(document: DocumentContext, part: number, today: Day): Day | undefined {
  const here = ({ segment, entity }: LocatedEntity<"Date">) =>
    segment.part === part ? dayOf(entity.value).filter((day) => isNear(day, today)) : [];
  const labelled = (concepts: readonly ConceptId[]) =>
    findCandidates(document, { concepts, types: ["Date"] }).flatMap((each) =>
      each.score >= scores.ownDate.labelled ? here(each) : [],
    );
  const [own] = labelled(ownDates);
  if (own) return own;
  const firstPage = document.annotations.layout.pages.find((page) => page.part === part)?.number;
  const free = entitiesOfType(document.annotations, "Date").find(
    (sighting) =>
      here(sighting).length > 0 &&
      sighting.entity.score >= scores.ownDate.free &&
      sighting.segment.page === firstPage &&
      sighting.segment.row <= headRows &&
      !document.prose.has(sighting.segment) &&
      isUnclaimed(document, sighting),
  );
  return free ? here(free)[0] : labelled(anyDates).toSorted((one, other) => daysBetween(other, one))[0];
}

function isUnclaimed({ annotations }: DocumentContext, { segment, entity }: LocatedEntity<"Date">): boolean {
  const label = labelOf(annotations, segment, entity.start);
  return label === undefined || tells(label, general);
}

const isNear = (day: Day, today: Day): boolean => {
  const days = daysBetween(today, day);
  return days >= -mostDaysBehind && days <= mostDaysAhead;
};

/** Returns the day if its year is printed, otherwise an empty list. For a week number, the year is only inferred. */
const dayOf = ({ year, month, day, week }: DateValue): Day[] =>
  year === undefined || week !== undefined ? [] : [{ year, month, day }];

/**
 * Completes every date that has no year or is a week number, from the day on which its text was written.
 * @param today the day on which the document was written
 * @param writtenIn returns the day on which a part of the document was written, if that part has its own date
 */
export function withOwnDates(
  document: DocumentContext,
  today: Day,
  writtenIn: (part: number) => Day | undefined,
): DocumentContext {
  const { annotations } = document;
  const known = new Map<number, Day>();
  const dayIn = (part: number): Day => {
    if (!known.has(part)) known.set(part, writtenIn(part) ?? today);
    return known.get(part)!;
  };
  const entitiesIn = annotations.entitiesIn.map((entities, at) => {
    const { written, part } = annotations.layout.segments[at]!;
    return entities.some(isOpen)
      ? entities.map((entity) =>
          isOpen(entity) ? { ...entity, value: toldFrom(entity, written ?? dayIn(part)) } : entity,
        )
      : entities;
  });
  return { ...document, annotations: { ...annotations, entitiesIn } };
}

const isOpen = (entity: Entity): entity is EntityOf<"Date"> =>
  entity.type === "Date" && (entity.value.year === undefined || entity.value.week !== undefined);

function toldFrom({ value }: EntityOf<"Date">, anchor: Day): DateValue {
  if (value.week !== undefined) {
    const { from, until } = resolveRelativeDate({ kind: "Week", week: value.week }, anchor)!;
    return { ...value, ...from, ...(until && { until }) };
  }
  const { month, day, until } = value;
  const first = resolveRelativeDate({ kind: "DayOfYear", month, day }, anchor)?.from ?? anchor;
  return { ...value, anchor, ...(until && { until: until.year === undefined ? { ...until, anchor: first } : until }) };
}
