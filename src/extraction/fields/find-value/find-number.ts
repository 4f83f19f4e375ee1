import { kilogramsPerPound, kilometresPerMile } from "../../entities/quantities.ts";
import type { Entity, Unit } from "../../entities/entity.ts";
import { overlaps } from "../../entities/line-spans.ts";
import { NUMBER, readNumber } from "../../entities/numbers.ts";
import { findRecognised, type ValueMatch, type SearchScope } from "./numbered-lines.ts";

/**
 * Entity type and units of the numbers in a field, by the name of the field. Other fields accept any quantity or
 * percentage.
 */
const measures: [RegExp, Entity["type"], (Unit | "")[]][] = [
  [/price|amount|charge|fee|cost|premium|salary|sum$|^(?:sub)?total$|^net$|^gross$|^value$|^vat$|^tax$/i, "Amount", []],
  [/weight|tonnage/i, "Quantity", ["kg", "t", "lb"]],
  [/^ldm$|loadingMeters/i, "Quantity", ["ldm", "m"]],
  [/pallets$/i, "Quantity", ["pallets", "pieces"]],
  [/volume/i, "Quantity", ["m3"]],
  [/days$/i, "Quantity", ["days"]],
  [/distance|mileage|odometer/i, "Quantity", ["km", "mi"]],
  [/^(?:length|width|height)$/i, "Dimensions", []],
  [/^tem\w*rature/i, "Temperature", []],
  [/^rate$|vatRate$|percent/i, "Percent", []],
];

/** Factors from a printed unit to the units that a field may use. */
const factors: Partial<Record<Unit, number[]>> = { t: [1000, 1], lb: [kilogramsPerPound], mi: [kilometresPerMile] };

const bareNumber = new RegExp(`(?<![\\d\\p{L}.,:/_]|[\\d\\p{L}][-–])${NUMBER}(?![\\d/_]|[.,:-]\\d)`, "gu");
/** From this score on, the digits of an entity belong to it and do not count as a bare number. */
const sure = 0.5;

/**
 * Finds a number as an entity of the type and unit that the field expects. In lines that the language model cited for
 * it, a bare number that belongs to no other entity also counts.
 */
export function findNumber(field: string, value: number, scope: SearchScope): ValueMatch | undefined {
  const measure = measures.find(([name]) => name.test(field));
  const seen = findRecognised(
    scope,
    (entity) => isOf(entity, measure) && numbersIn(entity).some((each) => equal(each, value)),
  );
  return seen ?? (scope.cited ? findAlone(value, scope) : undefined);
}

function isOf(entity: Entity, measure: (typeof measures)[number] | undefined): boolean {
  if (!measure) return entity.type === "Quantity" || entity.type === "Percent";
  const [, type, units] = measure;
  if (entity.type === "Quantity" && type === "Quantity") return units.includes(entity.value.unit);
  return entity.type === type;
}

function findAlone(value: number, { lines, entities }: SearchScope): ValueMatch | undefined {
  for (const { segment } of lines.flatMap(({ parts }) => parts))
    for (const { 0: numberText, index } of segment.text.matchAll(bareNumber)) {
      const span = { start: index, end: index + numberText.length, score: 0 };
      const isElse = entities(segment).some(
        (entity) => !isPlainNumber(entity) && entity.score >= sure && overlaps(entity, span),
      );
      const signs = /(?<![\p{L}\d]\s?)[-−]\s?$/u.test(segment.text.slice(0, index)) ? [1, -1] : [1];
      const { likely, other = likely } = readNumber(numberText, ",");
      const says = [likely, other].some((each) => signs.some((sign) => equal(sign * each, value)));
      if (says && !isElse) return { segment, start: span.start, end: span.end, recognised: false };
    }
  return undefined;
}

const isPlainNumber = (entity: Entity) => entity.type === "Amount" && entity.value.currency === undefined;

function numbersIn(entity: Entity): number[] {
  if (entity.type === "Amount") return entity.value.currency ? [entity.value.amount] : [];
  if (entity.type === "Quantity") {
    const { amount, unit } = entity.value;
    return (factors[unit] ?? [1]).flatMap((factor) => roundings(amount * factor));
  }
  if (entity.type === "Temperature") return [entity.value.from, entity.value.to];
  if (entity.type === "Percent") return [entity.value];
  if (entity.type !== "Dimensions") return [];
  const { length, width, height = length } = entity.value;
  return [length, width, height];
}

const roundings = (amount: number) => [amount, Math.round(amount), Math.round(amount * 10) / 10];

const equal = (one: number, other: number) => Math.abs(one - other) < 0.005;
