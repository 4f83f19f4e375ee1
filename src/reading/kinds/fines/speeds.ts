import { areasOf, type Area } from "../../understand/areas.ts";
import { Found } from "../../understand/found.ts";
import type { Segment } from "../../understand/layout.ts";
import type { Label } from "../../understand/marks.ts";
import { bestConcept, featuresOf, weigh, type Surroundings } from "../../understand/values.ts";

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
const least = 0.12;

/** What was driven and what was allowed. Where measured and counted speed differ, the measured one is told. */
export function speedsIn(around: Surroundings): { measuredSpeed?: Found<number>; speedLimit?: Found<number> } {
  const chosen = assigned(around);
  const [measured, limit] = [chosen.get("measuredSpeed") ?? chosen.get("countedSpeed"), chosen.get("speedLimit")];
  if (measured || limit) return { ...(measured && { measuredSpeed: measured }), ...(limit && { speedLimit: limit }) };
  return unlabelled(around);
}

function assigned(around: Surroundings): Map<Meaning, Found<number>> {
  const choices = around.marks.labels.flatMap((label) => {
    const concept = bestConcept(label, concepts) as Meaning | undefined;
    return concept ? areasOf(around.marks, label).flatMap((area) => scored(around, label, area, concept)) : [];
  });
  const chosen = new Map<Meaning, Found<number>>();
  const taken = new Set<string>();
  for (const { concept, speed, score } of choices.sort((a, b) => b.score - a.score)) {
    const place = `${speed.segment.index}/${speed.start}`;
    if (score < least || chosen.has(concept) || taken.has(place)) continue;
    chosen.set(concept, new Found(speed.value, score, speed));
    taken.add(place);
  }
  return chosen;
}

function scored(around: Surroundings, label: Label, area: Area, concept: Meaning) {
  const units = /(?:km|км|mph)/iu.test(label.segment.text);
  return speedsAt(area.segment, area.start, area.end, units && area.order === 0)
    .slice(0, 2)
    .map((speed) => {
      const features = featuresOf(around, label, area, {
        start: speed.start,
        end: speed.end,
        score: speed.sure ? 0.9 : 0.5,
      });
      return { concept, speed, score: weigh(features) };
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
function unlabelled(around: Surroundings): { measuredSpeed?: Found<number>; speedLimit?: Found<number> } {
  const speeds = around.marks.layout.segments
    .flatMap((segment) => speedsAt(segment, 0, segment.text.length, false))
    .filter(({ value }) => value >= 20);
  const values = [...new Set(speeds.map(({ value }) => value))].sort((a, b) => b - a);
  const [driven, allowed] = values.map((value) => speeds.find((speed) => speed.value === value)!);
  if (values.length !== 2 || !driven || !allowed || allowed.value % 5 !== 0) return {};
  return {
    measuredSpeed: new Found(driven.value, 0.45, driven),
    speedLimit: new Found(allowed.value, 0.45, allowed),
  };
}
