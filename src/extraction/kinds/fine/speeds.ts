import { valueAreasOf, type ValueArea } from "../../fields/labels/value-areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import { rangeOf } from "./clauses.ts";
import { bestConcept, featuresOf, scoreFeatures, type DocumentContext } from "../../fields/labels/values.ts";

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
const minScore = 0.12;

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
    .filter(({ score }) => score >= minScore);
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
