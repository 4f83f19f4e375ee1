import { withoutPrefix } from "../field-values.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { indexAt, lineBelow } from "../../layout/page-index.ts";
import {
  bestConcept,
  featuresOf,
  findCandidates,
  scoreFeatures,
  type DocumentContext,
} from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { valueAreasOf, type ValueArea } from "../../fields/labels/value-areas.ts";
import type { Segment } from "../../layout/layout.ts";
import { rangeOf } from "./words.ts";

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
const minScore = 0.3;

/** Date and time of the offence: under its label, else the date with a time beside it. */
export function offenceAtIn(document: DocumentContext, locale: DocumentLocale): FieldValue<string> | undefined {
  const dates = entitiesOfType(document.annotations, "Date").filter(
    ({ entity }) => entity.score >= 0.5 && entity.value.year !== undefined,
  );
  const best = (concepts: readonly ConceptId[]) => {
    const scores = new Map<unknown, number>();
    for (const { entity, score } of findCandidates(document, { concepts, types: ["Date"] }))
      scores.set(entity, Math.max(score, scores.get(entity) ?? 0));
    return ({ entity }: LocatedEntity) => scores.get(entity) ?? 0;
  };
  const ownOf = best(["offenceDate"]);
  const generalOf = best(["date", "time", "timeWindow", "offenceKind"]);
  const otherOf = best([...otherDays]);
  const weighed = dates.map((date) => {
    const time = timeBeside(document, date);
    const points =
      Math.max(ownOf(date), 0.3 * generalOf(date)) + (time ? 0.45 : 0) - (ownOf(date) > 0.3 ? 0 : 0.7 * otherOf(date));
    return { date, time, points, day: completed(date.entity.value, locale) };
  });
  const [first] = weighed.sort((a, b) => b.points - a.points || (a.day < b.day ? -1 : 1));
  if (!first || first.points < minScore) return undefined;
  const time = first.time ?? findCandidates(document, { concepts: ["offenceTime", "time"], types: ["Time"] })[0];
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
  document: DocumentContext,
  moment: Pick<TextSpan, "segment" | "start" | "end"> | undefined,
): FieldValue<string> | undefined {
  const labelled = textAfter(document, ["offencePlace", "place"], {
    lines: 2,
    least: 0.25,
    fits: (text) => /\p{L}/u.test(text) && text.length > 3,
  });
  return labelled ? withoutPrefix(labelled, dayAndHour) : moment && placeBehind(document, moment);
}

/** "28.09.2026 16:03, M0 km 22": where one field has both, the place follows the time. */
const dayAndHour =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})\.?(?:,?\s(?:\p{L}{1,4}\.?\s)?\d{1,2}[:.]\d{2}(?:\s?\p{L}{1,3}\.?(?=[,;\s]))?)?[,;]?\s+(?=\p{L})/u;

/** Small words that lead from a day and an hour to a place, behind whatever the hour is called. */
const leading =
  /^[^,;]{0,30}?(?<!\p{L})(?:in|im|auf|an|bei|at|on|near|à|a|au|en|sur|w|we|na|ve|v|u|o|no|em|te|op|din|în|pe|presso|su|sulla|til|på|i|ved|в|на|у)\s+(?=\p{Lu})/u;
/** Longer ones are clauses of their own. */
const maxPlaceLength = 60;

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
  if (first.length > maxPlaceLength || !(isPlace || isStreet || road.test(first))) return undefined;
  const none = others.findIndex((part) => !/^\p{Lu}.*\d/u.test(part) || part.length > maxPlaceLength);
  const more = others.slice(0, none < 0 ? others.length : none);
  const text = [first, ...more].join(" ");
  const piece = trimmedSpan(segment, start, start + text.length);
  return new FieldValue(piece.text, 0.6, piece);
}

const road = /^\p{Lu}{1,3}[ -]?\d{1,4}(?!\d)/u;

const concepts = ["measuredSpeed", "countedSpeed", "speedLimit", "speedExcess", "speedTolerance"] as const;
type Meaning = (typeof concepts)[number];

/** A speed where it is printed. */
interface Speed {
  value: number;
  segment: Segment;
  start: number;
  end: number;
  /** Its unit is printed with it. */
  sure: boolean;
}

const UNIT = "(?:k ?m ?\\/ ?(?:h|u|t|val|год|ч|час|ora|tim)|kmh|kms?\\/h|kmph|mph|км ?\\/ ?(?:год|ч|час))";
const withUnit = new RegExp(`(?<![\\d.,])(\\d{1,3})(?:[.,]\\d{1,2})?\\s*${UNIT}`, "giu");
const alone = /(?<![\d.,/:-])(\d{2,3})(?:[.,]\d{1,2})?(?![\d.,/:-])/gu;
const minSpeedScore = 0.12;

/** What was driven and what was allowed. Where measured and counted speed differ, the measured one is told. */
export function speedsIn(document: DocumentContext): {
  measuredSpeed?: FieldValue<number>;
  speedLimit?: FieldValue<number>;
} {
  const choices = [...labelled(document), ...worded(document)].sort((a, b) => b.score - a.score);
  const chosen = assigned(choices.filter(isPossible));
  const driven = surer(chosen.get("measuredSpeed"), chosen.get("countedSpeed"));
  const below = (value: number) => value % 5 === 0 && (!driven || value < driven.value);
  const taken = new Set(["measuredSpeed", "countedSpeed"].flatMap((name) => chosen.get(name as Meaning)?.value ?? []));
  const limit = choices.find(
    ({ concept, speed, score }) =>
      concept === "speedLimit" && (below(speed.value) || score >= sure) && !taken.has(speed.value),
  );
  const allowed = limit && new FieldValue(limit.speed.value, limit.score, limit.speed);
  const faster = driven ?? (allowed && onlyAbove(document, allowed.value, chosen.get("speedExcess")?.value));
  if (faster || allowed) return { ...(faster && { measuredSpeed: faster }), ...(allowed && { speedLimit: allowed }) };
  return unlabelled(document);
}

/** The measured speed, unless only the counted one is called what it is. */
function surer(
  measured: FieldValue<number> | undefined,
  counted: FieldValue<number> | undefined,
): FieldValue<number> | undefined {
  return measured && counted && measured.confidence <= byWords ? counted : (measured ?? counted);
}

/** "doing 74 km/h, limit 50 km/h", whatever the word for doing: the only speed above the limit, and not by how much it was. */
function onlyAbove(
  { annotations: marks }: DocumentContext,
  limit: number,
  excess: number | undefined,
): FieldValue<number> | undefined {
  const above = marks.layout.segments
    .flatMap((segment) => speedsAt(segment, 0, segment.text.length, false))
    .filter(({ value }) => value > limit && value !== excess);
  const [first] = above;
  return first && above.every(({ value }) => value === first.value)
    ? new FieldValue(first.value, byWords, first)
    : undefined;
}

const [byWords, sure] = [0.45, 0.6];
const maxTolerance = 20;

/** A tolerance is a few kilometres an hour, and no limit ends in odd figures. */
function isPossible({ concept, speed: { value } }: Choice): boolean {
  if (concept === "speedTolerance") return value <= maxTolerance;
  return concept !== "speedLimit" || value % 5 === 0;
}

/** Each meaning and each speed once, the surest first. */
function assigned(choices: readonly Choice[]): Map<Meaning, FieldValue<number>> {
  const chosen = new Map<Meaning, FieldValue<number>>();
  const taken = new Set<string>();
  for (const { concept, speed, score } of choices) {
    const place = `${speed.segment.index}/${speed.start}`;
    if (chosen.has(concept) || taken.has(place)) continue;
    chosen.set(concept, new FieldValue(speed.value, score, speed));
    taken.add(place);
  }
  return chosen;
}

/** A speed and what it may be. */
interface Choice {
  concept: Meaning;
  speed: Speed;
  score: number;
}

function labelled(document: DocumentContext): Choice[] {
  return document.annotations.labels
    .flatMap((label) => {
      const concept = bestConcept(label, concepts) as Meaning | undefined;
      return concept
        ? valueAreasOf(document.annotations, label).flatMap((area) => scored(document, label, area, concept))
        : [];
    })
    .filter(({ score }) => score >= minSpeedScore);
}

const nearWords = 48;

/** What the words right before a speed, or behind it, say of it: "permitted: 80 km/h", "80 km/h allowed". */
function worded(document: DocumentContext): Choice[] {
  return document.annotations.layout.segments.flatMap((segment) => {
    const speeds = speedsAt(segment, 0, segment.text.length, false);
    return speeds.flatMap((speed, at): Choice[] => {
      const from = Math.max(speeds[at - 1]?.end ?? 0, speed.start - nearWords);
      const ahead = segment.text.slice(from, speed.start);
      const behind = segment.text.slice(
        speed.end,
        Math.min(speeds[at + 1]?.start ?? segment.text.length, speed.end + 20),
      );
      const concept = meant(ahead, behind.split(/[,;.]/u)[0] ?? "");
      return concept ? [{ concept, speed, score: byWords }] : [];
    });
  });
}

/** The word that stands nearest. */
function meant(ahead: string, behind: string): Meaning | undefined {
  const away = (cue: "limit" | "measured") =>
    Math.min(
      ahead.length - (rangeOf(cue, ahead)?.last ?? Number.NEGATIVE_INFINITY),
      rangeOf(cue, behind)?.first ?? Number.POSITIVE_INFINITY,
    );
  const [limit, measured] = [away("limit"), away("measured")];
  if (limit === measured) return undefined;
  return limit < measured ? "speedLimit" : "measuredSpeed";
}

function scored(document: DocumentContext, label: Label, area: ValueArea, concept: Meaning): Choice[] {
  const units = /(?:km|км|mph)/iu.test(label.segment.text);
  return speedsAt(area.segment, area.start, area.end, units && area.order === 0)
    .slice(0, 2)
    .map((speed) => {
      const features = featuresOf(document, label, area, {
        start: speed.start,
        end: speed.end,
        score: speed.sure ? 0.9 : 0.5,
      });
      return { concept, speed, score: scoreFeatures(features) };
    });
}

function speedsAt(segment: Segment, from: number, to: number, unitless: boolean): Speed[] {
  const text = segment.text.slice(from, to);
  const read = (pattern: RegExp, sure: boolean) =>
    [...text.matchAll(pattern)].map((match) => ({
      value: Number(match[1]),
      segment,
      start: from + match.index,
      end: from + match.index + match[0].length,
      sure,
    }));
  const speeds = read(withUnit, true);
  return speeds.length > 0 || !unitless ? speeds : read(alone, false);
}

/** "at 69 km/h where 50 km/h are allowed", in a language whose words are not known: the higher one was driven. */
function unlabelled(document: DocumentContext): {
  measuredSpeed?: FieldValue<number>;
  speedLimit?: FieldValue<number>;
} {
  const speeds = document.annotations.layout.segments
    .flatMap((segment) => speedsAt(segment, 0, segment.text.length, false))
    .filter(({ value }) => value >= 20);
  const values = [...new Set(speeds.map(({ value }) => value))].sort((a, b) => b - a);
  const [driven, allowed] = values.map((value) => speeds.find((speed) => speed.value === value)!);
  if (values.length !== 2 || !driven || !allowed || allowed.value % 5 !== 0) return {};
  return {
    measuredSpeed: new FieldValue(driven.value, 0.45, driven),
    speedLimit: new FieldValue(allowed.value, 0.45, allowed),
  };
}
