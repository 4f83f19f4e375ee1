import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import { valueAreasOf, type ValueArea } from "../../fields/labels/value-areas.ts";
import { bestConcept, featuresOf, scoreFeatures, type DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { lineAbove, lineBelow } from "../../layout/page-index.ts";
import type { TextRange } from "../../layout/text-span.ts";
import { fold } from "../../lexicon/fold.ts";
import offenceWords from "../../lexicon/offence-words.json" with { type: "json" };
import { scores } from "./scores.ts";
import { clauseAt, mentions, rangeOf } from "./words.ts";

const minWordInCompound = 8;

/**
 * Long words match anywhere, because they may end a compound. Shorter words match at the start of a word, and words of
 * at most three letters only as a whole word.
 */
function finder(word: string): RegExp {
  const { text } = fold(word);
  if (text.length >= minWordInCompound) return new RegExp(text, "u");
  return new RegExp(`(?<!\\p{L})${text}${text.length <= 3 ? "(?!\\p{L})" : ""}`, "u");
}

const offences = Object.entries(offenceWords).map(([type, words]) => ({ type, finders: words.map(finder) }));

/**
 * Determines the type of offence that most words indicate. Those in its own field and in the sentence with the moment
 * count more than those elsewhere on the first page, and a measured speed counts as speeding.
 */
export function offenceTypeOf(
  document: DocumentContext,
  hasSpeed: boolean,
  moment?: TextRange,
): FieldValue<string> | undefined {
  const { minLabelled, weights, labelled: byLabel, unlabelled: byPage } = scores.offenceType;
  const labelled = textAfter(document, ["offenceKind"], { lines: 4, least: minLabelled });
  const segments = document.annotations.layout.segments.filter((segment) => segment.page === 1);
  const texts = [
    [labelled?.value ?? "", weights.label],
    [moment ? clauseAt(document, moment.segment, moment.start).text : "", weights.moment],
    [segments.map((segment) => segment.text).join(" "), weights.page],
  ] as const;
  const counted = offences.map(({ type, finders }) => ({
    type,
    points: texts.reduce(
      (sum, [text, weight]) => sum + weight * hits(finders, text),
      hasSpeed && type === "Speeding" ? weights.speed : 0,
    ),
  }));
  const [first] = counted.sort((one, other) => other.points - one.points);
  if (!first || first.points === 0) return undefined;
  return new FieldValue(first.type, labelled ? byLabel : byPage, labelled?.span, "Computed");
}

/** Further words for the same type of offence add less. */
function hits(finders: readonly RegExp[], text: string): number {
  const folded = fold(text).text;
  return Math.sqrt(finders.filter((each) => each.test(folded)).length);
}

const concepts = ["measuredSpeed", "countedSpeed", "speedLimit", "speedExcess", "speedTolerance"] as const;
type Meaning = (typeof concepts)[number];

interface Speed {
  value: number;
  segment: Segment;
  start: number;
  end: number;
  hasUnit: boolean;
}

const UNIT = "(?:k ?m ?\\/ ?(?:h|u|t|val|год|ч|час|ora|tim)|kmh|kms?\\/h|kmph|mph|км ?\\/ ?(?:год|ч|час))";
/** "94 km/h" or "km/h 94". The excess in a range, as in "11-15 km/h over", is no speed. */
const withUnit = new RegExp(
  `(?<![\\d.,]|\\d ?[-–] ?)(\\d{1,3})(?:[.,]\\d{1,2})?\\s*${UNIT}|${UNIT}\\s(\\d{2,3})(?:[.,]\\d{1,2})?(?!\\d)(?!\\s*${UNIT})`,
  "giu",
);
const alone = /(?<![\d.,/:-])(\d{2,3})(?:[.,]\d{1,2})?(?![\d.,/:-])/gu;

/**
 * Finds the measured speed and the speed limit. If a counted speed (after deduction of a tolerance) is also printed,
 * the measured speed is preferred.
 */
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
      concept === "speedLimit" && (below(speed.value) || score >= scores.speed.minSureLimit) && !taken.has(speed.value),
  );
  const allowed = limit && new FieldValue(limit.speed.value, limit.score, limit.speed);
  const faster = driven ?? (allowed && onlyAbove(document, allowed.value, chosen.get("speedExcess")?.value));
  const measured = faster && (beforeTolerance(document, faster) ?? faster);
  if (measured || allowed)
    return { ...(measured && { measuredSpeed: measured }), ...(allowed && { speedLimit: allowed }) };
  return unlabelled(document);
}

/** Prefers the counted speed if the measured one is known only from the words beside it. */
function surer(
  measured: FieldValue<number> | undefined,
  counted: FieldValue<number> | undefined,
): FieldValue<number> | undefined {
  return measured && counted && measured.confidence <= scores.speed.byWords ? counted : (measured ?? counted);
}

/**
 * Finds the measured speed without a label, as in "doing 74 km/h, limit 50 km/h": the only speed above the limit, apart
 * from the excess (24 km/h).
 */
function onlyAbove(
  { annotations }: DocumentContext,
  limit: number,
  excess: number | undefined,
): FieldValue<number> | undefined {
  const above = annotations.layout.segments
    .flatMap((segment) => speedsAt(segment, 0, segment.text.length, false))
    .filter(({ value }) => value > limit && value !== excess);
  const [first] = above;
  return first && above.every(({ value }) => value === first.value)
    ? new FieldValue(first.value, scores.speed.byWords, first)
    : undefined;
}

/** Numbers after or before a word for measuring. */
const figure = /(?<![\d.,/:-])\d{2,3}(?![\d/:]|[.,]\d|\+)/gu;
const [usualTolerance, reach] = [12, 40];

/** "74 km/h (measured 77 km/h)": the speed before the tolerance was deducted, in the same line or one beside it. */
function beforeTolerance(
  { annotations }: DocumentContext,
  { value, span }: FieldValue<number>,
): FieldValue<number> | undefined {
  if (!span) return undefined;
  const { segment } = span;
  const lines = [segment, lineAbove(annotations, segment), lineBelow(annotations, segment)].filter((line) => !!line);
  for (const line of lines)
    for (const match of line.text.matchAll(figure)) {
      const [speed, end] = [Number(match[0]), match.index + match[0].length];
      const isHigher = speed >= value + 2 && speed <= value + usualTolerance;
      const ahead = line.text.slice(Math.max(0, match.index - reach), match.index);
      if (isHigher && mentions("raw", ahead))
        return new FieldValue(speed, scores.speed.byWords, { segment: line, start: match.index, end });
    }
  return undefined;
}

/** In km/h. */
const [maxTolerance, leastSpeed] = [20, 20];

/** Excludes meanings that a speed cannot have: a tolerance is small, and a limit is a multiple of five. */
function isPossible({ concept, speed: { value } }: Choice): boolean {
  if (concept === "speedTolerance") return value <= maxTolerance;
  if (concept === "measuredSpeed" || concept === "countedSpeed") return value >= leastSpeed;
  return concept !== "speedLimit" || value % 5 === 0;
}

/** The choices must be sorted by score, the highest first. */
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
    .filter(({ score }) => score >= scores.speed.minLabelled);
}

/**
 * Maximum number of characters between a speed and a word before or after it, such as "permitted" in "permitted: 80
 * km/h".
 */
const [reachBefore, reachBehind] = [48, 20];

function worded(document: DocumentContext): Choice[] {
  return document.annotations.layout.segments.flatMap((segment) => {
    const speeds = speedsAt(segment, 0, segment.text.length, false);
    return speeds.flatMap((speed, at): Choice[] => {
      const from = Math.max(speeds[at - 1]?.end ?? 0, speed.start - reachBefore);
      const above = at === 0 && speed.start < reachBefore ? lineAbove(document.annotations, segment)?.text : undefined;
      const ahead = `${above?.slice(-reachBefore) ?? ""} ${segment.text.slice(from, speed.start)}`;
      const behind = segment.text.slice(
        speed.end,
        Math.min(speeds[at + 1]?.start ?? segment.text.length, speed.end + reachBehind),
      );
      const concept = nearestMeaning(ahead, behind.split(/[,;.]/u)[0] ?? "");
      return concept ? [{ concept, speed, score: scores.speed.byWords }] : [];
    });
  });
}

/** Undefined if the words for a limit and for a measured speed are equally near. */
function nearestMeaning(ahead: string, behind: string): Meaning | undefined {
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
        score: speed.hasUnit ? scores.speed.withUnit : scores.speed.withoutUnit,
      });
      return { concept, speed, score: scoreFeatures(features) };
    });
}

function speedsAt(segment: Segment, from: number, to: number, unitless: boolean): Speed[] {
  const text = segment.text.slice(from, to);
  const read = (pattern: RegExp, hasUnit: boolean) =>
    [...text.matchAll(pattern)].map((match) => ({
      value: Number(match[1] ?? match[2]),
      segment,
      start: from + match.index,
      end: from + match.index + match[0].length,
      hasUnit,
    }));
  const speeds = read(withUnit, true);
  return speeds.length > 0 || !unitless ? speeds : read(alone, false);
}

/**
 * Finds the speeds if no label or known word gives them a meaning. The document must have exactly two different speeds
 * of 20 or more. The higher one is the measured speed.
 */
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
    measuredSpeed: new FieldValue(driven.value, scores.speed.unlabelled, driven),
    speedLimit: new FieldValue(allowed.value, scores.speed.unlabelled, allowed),
  };
}
