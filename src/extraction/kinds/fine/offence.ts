import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { indexAt, lineBelow } from "../../layout/page-index.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";

const besideClock = /^[\s,;.·/|–—-]*(?:\p{L}{1,8}[.:]?\s){0,3}[\s(,:]*$/u;
const otherDays: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "orderDate",
  "dueDate",
  "discountUntil",
  "discountedFine",
  "fineAmount",
  "birthDate",
  "invoiceDate",
  "paymentTerm",
]);
const least = 0.3;

/** Date and time of the offence: under its label, else the date with a time beside it. */
export function offenceAtIn(around: DocumentContext, seeing: DocumentLocale): FieldValue<string> | undefined {
  const dates = entitiesOfType(around.annotations, "Date").filter(
    ({ entity }) => entity.score >= 0.5 && entity.value.year !== undefined,
  );
  const best = (concepts: readonly ConceptId[]) => {
    const scores = new Map<unknown, number>();
    for (const { entity, score } of findCandidates(around, { concepts, types: ["Date"] }))
      scores.set(entity, Math.max(score, scores.get(entity) ?? 0));
    return ({ entity }: LocatedEntity) => scores.get(entity) ?? 0;
  };
  const ownOf = best(["offenceDate"]);
  const generalOf = best(["date", "time", "timeWindow", "offenceKind"]);
  const otherOf = best([...otherDays]);
  const weighed = dates.map((date) => {
    const time = timeBeside(around, date);
    const points =
      Math.max(ownOf(date), 0.3 * generalOf(date)) + (time ? 0.45 : 0) - (ownOf(date) > 0.3 ? 0 : 0.7 * otherOf(date));
    return { date, time, points, day: completed(date.entity.value, seeing) };
  });
  const [first] = weighed.sort((a, b) => b.points - a.points || (a.day < b.day ? -1 : 1));
  if (!first || first.points < least) return undefined;
  const time = first.time ?? findCandidates(around, { concepts: ["offenceTime", "time"], types: ["Time"] })[0];
  const minutes = time?.entity.value.from ?? time?.entity.value.to;
  const clock = minutes === undefined ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const { segment, entity } = first.date;
  const piece = { segment, start: entity.start, end: entity.end };
  return new FieldValue(first.day + clock, Math.min(0.97, 0.45 + 0.45 * first.points), piece);
}

const two = (value: number): string => String(value).padStart(2, "0");

/**
 * The time right after the date or before it, with only small words, a gap or a line break between.
 */
function timeBeside(
  { annotations: marks }: DocumentContext,
  { segment, entity }: LocatedEntity<"Date">,
): LocatedEntity<"Time"> | undefined {
  const times = entitiesOfType(marks, "Time", [segment]);
  const behind = times.find(
    (time) => time.entity.start >= entity.end && besideClock.test(segment.text.slice(entity.end, time.entity.start)),
  );
  const ahead = times.find(
    (time) => time.entity.end <= entity.start && besideClock.test(segment.text.slice(time.entity.end, entity.start)),
  );
  if (behind ?? ahead) return behind ?? ahead;
  const next =
    indexAt(marks.layout, segment)
      .rowOf(segment)
      .find(({ box }) => box.x0 >= segment.box.x1) ?? lineBelow(marks, segment);
  if (!next || !besideClock.test(segment.text.slice(entity.end))) return undefined;
  return entitiesOfType(marks, "Time", [next]).find((time) => besideClock.test(next.text.slice(0, time.entity.start)));
}

/** Place of the offence: after its label, else in the sentence with the date. */
export function offencePlaceIn(
  around: DocumentContext,
  moment: Pick<TextSpan, "segment" | "start" | "end"> | undefined,
): FieldValue<string> | undefined {
  const labelled = textAfter(around, ["offencePlace", "place"], {
    lines: 2,
    least: 0.25,
    fits: (text) => /\p{L}/u.test(text) && text.length > 3,
  });
  return labelled ? withoutMoment(labelled) : moment && placeBehind(around, moment);
}

const dayAndHour =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})\.?(?:,?\s(?:\p{L}{1,4}\.?\s)?\d{1,2}[:.]\d{2}(?:\s?\p{L}{1,3}\.?(?=[,;\s]))?)?[,;]?\s+(?=\p{L})/u;

/** "28.09.2026 16:03, M0 km 22": where one field has both, the place is what stands behind. */
function withoutMoment(found: FieldValue<string>): FieldValue<string> {
  const lead = dayAndHour.exec(found.value)?.[0].length ?? 0;
  const { span: piece } = found;
  if (lead === 0 || !piece) return found;
  return new FieldValue(found.value.slice(lead), found.confidence, { ...piece, start: piece.start + lead });
}

/** Small words that lead from a day and an hour to a place, behind whatever the hour is called. */
const leading =
  /^[^,;]{0,30}?(?<!\p{L})(?:in|im|auf|an|bei|at|on|near|à|a|au|en|sur|w|we|na|ve|v|u|o|no|em|te|op|din|în|pe|presso|su|sulla|til|på|i|ved|в|на|у)\s+(?=\p{Lu})/u;
/** Longer ones are clauses of their own. */
const longest = 60;

/** "... at 14:37 in Magdeburg, A2 km 71,3, ...": the town or road, and what has figures behind it. */
function placeBehind(
  { annotations: marks }: DocumentContext,
  moment: Pick<TextSpan, "segment" | "end">,
): FieldValue<string> | undefined {
  const isLast = moment.segment.text.slice(moment.end).trim() === "";
  const segment = isLast ? lineBelow(marks, moment.segment) : moment.segment;
  if (!segment) return undefined;
  const end = isLast ? 0 : moment.end;
  const lead = leading.exec(segment.text.slice(end));
  if (!lead) return undefined;
  const start = end + lead[0].length;
  const [first = "", ...others] = segment.text.slice(start).split(/(?<=,)\s/u);
  const isPlace = entitiesOfType(marks, "Place", [segment]).some(({ entity }) => entity.start === start);
  const isStreet = entitiesOfType(marks, "Street", [segment]).some(({ entity }) => entity.start === start);
  if (first.length > longest || !(isPlace || isStreet || road.test(first))) return undefined;
  const none = others.findIndex((part) => !/^\p{Lu}.*\d/u.test(part) || part.length > longest);
  const more = others.slice(0, none < 0 ? others.length : none);
  const text = [first, ...more].join(" ");
  const piece = trimmedSpan(segment, start, start + text.length);
  return new FieldValue(piece.text, 0.6, piece);
}

const road = /^\p{Lu}{1,3}[ -]?\d{1,4}(?!\d)/u;
