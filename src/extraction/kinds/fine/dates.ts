import { isoDay } from "../../entities/calendar.ts";
import type { EntityOf, DocumentLocale } from "../../entities/entity.ts";
import type { FieldValue, FieldValues } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import type { Segment } from "../../layout/layout.ts";
import { indexAt, lineAbove, lineBelow } from "../../layout/page-index.ts";
import { fold } from "../../lexicon/fold.ts";
import { findPlates } from "../../entities/plates.ts";
import { saysWhere } from "./place.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { rankedValue, type Sum, type Sums } from "./payment.ts";
import { scores } from "./scores.ts";
import type { FineView } from "./view.ts";
import { clauseAt, mentions } from "./words.ts";

const besideClock = /^[\s,;.·/|–—-]*(?:\p{L}{1,8}[.:]?,?\s){0,3}[\s(,:]*$/u;
const otherDays: readonly ConceptId[] = [
  "orderDate",
  "dueDate",
  "discountUntil",
  "discountedFine",
  "fineAmount",
  "birthDate",
  "invoiceDate",
  "paymentTerm",
];

/**
 * Finds the date and time of the offence. A date gets points for its labels and for a time beside it; the date with the
 * most points is chosen.
 */
export function offenceAtIn(document: DocumentContext, locale: DocumentLocale): FieldValue<string> | undefined {
  const dates = entitiesOfType(document.annotations, "Date").filter(
    ({ entity }) => entity.score >= thresholds.entity && entity.value.year !== undefined,
  );
  const { min, tie, timeBeside, withWhere, minPlate, generalLabel, otherLabel, besideTime, clearLabel, confidence } =
    scores.offenceDate;
  const ownScore = labelScores(document, ["offenceDate"]);
  const generalScore = labelScores(document, ["date", "time", "timeWindow", "offenceKind"]);
  const otherScore = labelScores(document, otherDays);
  const ranked = dates.map((date) => {
    const time = findTimeBeside(document, date);
    const clause = clauseAt(document, date.segment, date.entity.start).text;
    const other = otherLabel * otherScore(date) * (time ? besideTime : 1);
    const points =
      Math.max(ownScore(date), generalLabel * generalScore(date)) +
      (time ? timeBeside : 0) +
      (saysWhere(clause) || findPlates(fold(clause)).some(({ score }) => score > minPlate) ? withWhere : 0) -
      (ownScore(date) > clearLabel ? 0 : other);
    return { date, time, points, day: completed(date.entity.value, locale) };
  });
  const [first] = ranked.sort((a, b) => b.points - a.points);
  if (!first || first.points < min) return undefined;
  const isListed = ranked.some(
    ({ points, day, date }) =>
      points > first.points - tie && day !== first.day && inColumn(date.segment, first.date.segment),
  );
  if (isListed) return undefined;
  const time = first.time ?? findCandidates(document, { concepts: ["offenceTime", "time"], types: ["Time"] })[0];
  const minutes = time?.entity.value.from ?? time?.entity.value.to;
  const clock = minutes === undefined ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const { base, perPoint, max } = confidence;
  return entityValue(first.day + clock, first.date, Math.min(max, base + perPoint * first.points));
}

/**
 * Returns a function that rates a date: the highest score with which it is the value of a label with one of the
 * concepts, or 0.
 */
function labelScores(document: DocumentContext, concepts: readonly ConceptId[]) {
  const best = new Map<EntityOf<"Date">, number>();
  for (const { entity, score } of findCandidates(document, { concepts, types: ["Date"] }))
    best.set(entity, Math.max(score, best.get(entity) ?? 0));
  return ({ entity }: LocatedEntity<"Date">) => best.get(entity) ?? 0;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Only short words, a gap or a line break may be between the date and the time. */
function findTimeBeside(
  { annotations }: DocumentContext,
  { segment, entity }: LocatedEntity<"Date">,
): LocatedEntity<"Time"> | undefined {
  const times = entitiesOfType(annotations, "Time", [segment]);
  const behind = times.find(
    (time) => time.entity.start >= entity.end && besideClock.test(segment.text.slice(entity.end, time.entity.start)),
  );
  const ahead = times.find(
    (time) => time.entity.end <= entity.start && besideClock.test(segment.text.slice(time.entity.end, entity.start)),
  );
  if (behind ?? ahead) return behind ?? ahead;
  if (!besideClock.test(segment.text.slice(entity.end))) return inClause(segment, entity, times);
  const right = indexAt(annotations.layout, segment)
    .rowOf(segment)
    .find(({ box }) => box.x0 >= segment.box.x1);
  for (const next of [right, lineBelow(annotations, segment)]) {
    const time = entitiesOfType(annotations, "Time", next ? [next] : []).find(
      (each) => next && besideClock.test(next.text.slice(0, each.entity.start)),
    );
    if (time) return time;
  }
  return undefined;
}

/** "On 28 August the vehicle entered the car park at 21:17": the first time behind the date in its clause. */
function inClause(
  { text }: Segment,
  { end }: EntityOf<"Date">,
  times: readonly LocatedEntity<"Time">[],
): LocatedEntity<"Time"> | undefined {
  const time = times.find((each) => each.entity.start >= end);
  const between = time ? text.slice(end, time.entity.start) : "";
  return between.length < longestClause && !/[.;:]\s|\d{4}/u.test(between) ? time : undefined;
}

const longestClause = 90;

/** Whether two dates stand below each other, as in a list of several offences. */
const inColumn = (one: Segment, other: Segment): boolean =>
  one !== other &&
  one.page === other.page &&
  Math.abs(one.box.x0 - other.box.x0) < one.size / 2 &&
  Math.abs(one.row - other.row) < 4;

type Deadline = Named & { score: number };

/**
 * Finds the deadlines for the reduced amount, the full amount and naming the driver: dates after the document. The last
 * two may be the same date.
 */
export function deadlinesIn(
  document: DocumentContext,
  locale: DocumentLocale,
  { amount, discounted }: Pick<Sums, "amount" | "discounted">,
  offenceAt: string | undefined,
): Pick<FieldValues<FineView>, "discountUntil" | "dueDate" | "driverStatementUntil"> {
  const written = isoDay(locale.today);
  const days = entitiesOfType(document.annotations, "Date").flatMap((date) => {
    const { entity, segment } = date;
    const spelled = /\p{L}{3}/u.test(segment.text.slice(entity.start, entity.end));
    if (entity.score < thresholds.entity || (entity.value.year === undefined && !spelled)) return [];
    const day = completed(entity.value, locale);
    const isShort = segment.text.length - (entity.end - entity.start) < longestDateline;
    const isDeadline = (["due", "paying", "discounted", "naming"] as const).some((cue) => mentions(cue, segment.text));
    const isOwn = day === written && isShort && !isDeadline;
    if ((offenceAt && day <= offenceAt.slice(0, 10)) || isOwn) return [];
    return [{ ...date, text: wordsAround(document, date) }];
  });
  const early = labelScores(document, ["discountUntil", "discountedFine"]);
  const late = labelScores(document, ["dueDate", "paymentTerm", "fineAmount", "fineTotal", "amountDue"]);
  const other = labelScores(document, ["orderDate", "invoiceDate", "date", "issuedOn"]);
  const {
    besideDiscount,
    besideAmount,
    dueWords,
    payingWords,
    increasedWords,
    otherLabel,
    minOtherLabel,
    driverWords,
  } = scores.deadline;
  const isBeside = (day: Named, sum: Sum | undefined) =>
    sum !== undefined && sum.clause.segments.includes(day.segment) && sameClause(document, day, sum);
  const untilOf = (day: Named): number => Math.max(early(day), isBeside(day, discounted) ? besideDiscount : 0);
  const dueOf = (day: Named): number => {
    if (mentions("appeal", day.text) || (asksWhoDrove(day.text) && !mentions("paying", day.text))) return 0;
    const isOther = other(day) > late(day) && other(day) >= minOtherLabel;
    const said = Math.max(
      mentions("due", day.text) ? dueWords : 0,
      mentions("paying", day.text) ? payingWords : 0,
      mentions("increased", day.text) ? increasedWords : 0,
      isBeside(day, amount) ? besideAmount : 0,
    );
    return Math.max(late(day), said) - (isOther ? otherLabel : 0);
  };
  const until = first(days, untilOf);
  const due = first(
    days.filter(({ entity }) => entity !== until?.entity),
    dueOf,
  );
  const statement = first(days, (day) =>
    day.entity !== until?.entity && day.entity !== due?.entity && asksWhoDrove(day.text) ? driverWords : 0,
  );
  const both = statement ?? (due && asksWhoDrove(due.text) ? due : undefined);
  return {
    ...(until && { discountUntil: dateValue(until, locale) }),
    ...(due && { dueDate: dateValue(due, locale) }),
    ...(both && { driverStatementUntil: dateValue(both, locale) }),
  };
}

/** Length of "Springfield, " before the date of a letter. */
const longestDateline = 24;

/** A date with the words of its clause. */
type Named = LocatedEntity<"Date"> & { text: string };

/** The clause of a date, or the heading above a date that stands alone. */
function wordsAround(document: DocumentContext, { segment, entity }: LocatedEntity<"Date">): string {
  const { text } = clauseAt(document, segment, entity.start);
  const isAlone = segment.text.length - (entity.end - entity.start) < 4;
  return isAlone ? `${lineAbove(document.annotations, segment)?.text ?? ""} ${text}` : text;
}

const asksWhoDrove = (text: string): boolean =>
  mentions("naming", text) && (mentions("driver", text) || !mentions("paying", text)) && !mentions("discounted", text);

/**
 * Whether a date and an amount are in the same clause. The date must be in one of the segments of the amount's clause.
 */
function sameClause(document: DocumentContext, day: LocatedEntity<"Date">, { clause }: Sum): boolean {
  if (day.segment !== clause.segment) return true;
  const own = clauseAt(document, day.segment, day.entity.start);
  return own.start === clause.start;
}

function first(days: readonly Named[], pointsOf: (day: Named) => number): Deadline | undefined {
  const [best] = days.map((day) => ({ ...day, score: pointsOf(day) })).sort((a, b) => b.score - a.score);
  return best && best.score >= scores.deadline.min ? best : undefined;
}

/** Of a period, the last day counts. */
const dateValue = (day: Deadline, locale: DocumentLocale): FieldValue<string> =>
  rankedValue(completed(day.entity.value.until ?? day.entity.value, locale), day);
