import type { CargoItem } from "../../document/shapes.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { EntityOf, Unit } from "../../entities/entity.ts";
import { kilogramsPerPound, unitNamed } from "../../entities/quantities.ts";
import { yesOrNo, containsAnswer } from "../labels/answers.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { FieldValue, type FieldValues } from "../confidence/field-value.ts";
import { goodsIn } from "./goods.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import { findBareNumbers, type BareNumber } from "../labels/figures.ts";
import { findCandidates, type DocumentContext } from "../labels/values.ts";
import { confidenceFor, scores } from "../scores.ts";

/** The goods of one stop with evidence. */
export type CargoDraft = NonNullable<FieldValues<CargoItem>>;

type Measure = "weight" | "pallets" | "quantity" | "ldm" | "volume" | "straps" | "matts";

interface Measured {
  name: Measure;
  concepts: readonly ConceptId[];
  units: readonly Unit[];
  /** Whether the unit alone identifies the measure. If not, a label is needed. */
  telling: boolean;
  /** Whether a number without a unit counts if it has a label. */
  bare: boolean;
}

const measures: readonly Measured[] = [
  {
    name: "weight",
    concepts: ["grossWeight", "weight", "netWeight", "goods"],
    units: ["kg", "t", "lb"],
    telling: true,
    bare: true,
  },
  {
    name: "pallets",
    concepts: ["pallets", "quantity", "packaging", "goods"],
    units: ["pallets"],
    telling: true,
    bare: true,
  },
  { name: "quantity", concepts: ["quantity", "packaging", "goods"], units: ["pieces"], telling: true, bare: true },
  { name: "ldm", concepts: ["loadingMetres"], units: ["ldm"], telling: true, bare: true },
  { name: "volume", concepts: ["volume"], units: ["m3"], telling: true, bare: true },
  { name: "straps", concepts: ["straps"], units: ["pieces"], telling: false, bare: true },
  { name: "matts", concepts: ["antiSlipMats"], units: ["pieces"], telling: false, bare: true },
];

const kilograms: Partial<Record<Unit, number>> = { kg: 1, t: 1000, lb: kilogramsPerPound };

/** Extracts the goods from the text of one stop or of the whole document. */
export function cargoIn(document: DocumentContext, owned: Owned): CargoDraft {
  const cargo: CargoDraft = {};
  for (const measure of measures) {
    const found = measured(document, measure, owned);
    if (found) cargo[measure.name] = found;
  }
  Object.assign(
    cargo,
    { cargoType: goodsIn(document, owned) },
    temperatures(document, owned),
    size(document, owned),
    yesAndNo(document, owned),
  );
  for (const name of Object.keys(cargo) as (keyof CargoDraft)[]) if (cargo[name] === undefined) delete cargo[name];
  return cargo;
}

function measured(document: DocumentContext, measure: Measured, owned: Owned): FieldValue<number> | undefined {
  const { withoutLabel } = scores.goods;
  const labelled = findCandidates(document, { concepts: measure.concepts, types: ["Quantity"] })
    .filter(
      ({ segment, entity, label }) =>
        measure.units.includes(entity.value.unit) && owned(segment, entity.start) && !isWordInSentence(document, label),
    )
    .map(({ segment, entity, score }) => ({ segment, entity, score }));
  const plain = measure.telling
    ? entitiesOfType(document.annotations, "Quantity")
        .filter(
          ({ segment, entity }) =>
            measure.units.includes(entity.value.unit) &&
            owned(segment, entity.start) &&
            !labelledOtherwise(document, segment, entity),
        )
        .map(({ segment, entity }) => ({
          segment,
          entity,
          score: (document.prose.has(segment) ? withoutLabel.prose : withoutLabel.elsewhere) * entity.score,
        }))
    : [];
  const all = [...labelled, ...plain].sort((a, b) => b.score - a.score);
  const best = measure.name === "weight" ? withoutSacks(all) : all[0];
  if (best && best.score >= scores.goods.measure) {
    const { segment, entity } = best;
    return new FieldValue(kilogramsOf(entity.value), best.score, { segment, start: entity.start, end: entity.end });
  }
  return measure.bare ? bareMeasure(document, measure, owned) : undefined;
}

/** Returns the best weight of the load rather than of a package: 20 800 kg in "Mortar in sacks of 25 kg, 20 800 kg". */
function withoutSacks<Weighed extends LocatedEntity<"Quantity"> & { score: number }>(
  all: readonly Weighed[],
): Weighed | undefined {
  const [first] = all;
  const weight = first && kilogramsOf(first.entity.value);
  if (weight === undefined || weight > heaviestSack) return first;
  const isLoad = ({ segment, entity, score }: Weighed) =>
    segment === first!.segment && kilogramsOf(entity.value) >= 10 * weight && score >= scores.goods.measure;
  return all.find(isLoad) ?? first;
}

const heaviestSack = 60;

/** The amount, of a weight in kilograms. */
export function kilogramsOf({ amount, unit }: EntityOf<"Quantity">["value"]): number {
  return Math.round(amount * (kilograms[unit] ?? 1) * 100) / 100;
}

function isWordInSentence(document: DocumentContext, label: Label): boolean {
  return document.prose.has(label.segment) && label.standing === "Loose";
}

const otherMeasures: ReadonlySet<ConceptId> = new Set([
  "vehicle",
  "vehicleRequirements",
  "trailerType",
  "straps",
  "antiSlipMats",
  "paymentTerm",
  "palletExchange",
  "distance",
  "containerType",
]);

function labelledOtherwise(document: DocumentContext, segment: Segment, { start }: EntityOf<"Quantity">): boolean {
  const before = (document.annotations.labelsIn[segment.index] ?? []).findLast(
    (label) => label.end <= start && label.standing !== "Loose" && !/[,;)]/u.test(segment.text.slice(label.end, start)),
  );
  const left = before ?? leftLabel(document, segment);
  return left?.meanings.some((each) => otherMeasures.has(each.concept)) ?? false;
}

function leftLabel(document: DocumentContext, segment: Segment): Label | undefined {
  const row = indexAt(document.annotations.layout, segment).rowOf(segment);
  const left = row[row.indexOf(segment) - 1];
  return left && (document.annotations.labelsIn[left.index] ?? []).find((label) => label.standing === "Head");
}

function bareMeasure(
  document: DocumentContext,
  { name, concepts }: Measured,
  owned: Owned,
): FieldValue<number> | undefined {
  const best = findBareNumbers(
    document,
    concepts.filter((concept) => concept !== "goods"),
    owned,
  ).find((each) => fits(document, name, each));
  if (!best || best.score < scores.goods.measure) return undefined;
  const tonnes =
    name === "weight" &&
    best.value < mostTonnes &&
    /\bt(?:o|on|onnes?|ony?)?\b\.?\s?[\])]?\s?:?\s?$/iu.test(headOf(best.label));
  return new FieldValue(best.value * (tonnes ? 1000 : 1), best.score, best.area);
}

/** Pallets must be a whole number, with a word for pallets as label or unit. Other packages need no unit. */
function fits(document: DocumentContext, name: Measure, { label, concept, value, area }: BareNumber): boolean {
  if (name === "weight") return unitKnown(document, label);
  if (name !== "pallets" && name !== "quantity") return true;
  const unit = unitBeside(document, area.segment);
  if (name === "quantity") return unit !== "pallets";
  return (concept === "pallets" || unit === "pallets") && Number.isInteger(value) && value <= mostPallets;
}

const mostPallets = 120;

function unitBeside(document: DocumentContext, segment: Segment): Unit | undefined {
  const row = indexAt(document.annotations.layout, segment).rowOf(segment);
  const next = row[row.indexOf(segment) + 1];
  return next && unitNamed(next.text);
}

/** Upper limit of a weight in tonnes. A larger number is in kilograms, or has a thousands separator as in "15,380". */
const mostTonnes = 1000;

function headOf({ segment, start, end }: Label): string {
  const colon = segment.text.indexOf(":", end);
  return segment.text.slice(start, colon < 0 ? undefined : colon);
}

/** Whether the unit of a weight is clear. Where pounds are customary, it must be printed. */
function unitKnown(document: DocumentContext, label: Label): boolean {
  return /kg|lb/iu.test(label.segment.text) || !["US", "CA"].includes(document.countries[0] ?? "");
}

function temperatures(
  document: DocumentContext,
  owned: Owned,
): Pick<CargoDraft, "temeratureFrom" | "temeratureTo" | "refrigeratorUnitMode"> {
  const seen = entitiesOfType(document.annotations, "Temperature").filter(
    ({ segment, entity }) => owned(segment, entity.start) && entity.score >= scores.goods.entity,
  );
  const best =
    seen.find(({ segment }) => !document.prose.has(segment)) ??
    seen.find(({ segment, entity }) => isBehindLabel(document, segment, entity.start));
  const mode = modeOf(document, owned);
  if (!best) return { ...bareTemperatures(document, owned), ...(mode && { refrigeratorUnitMode: mode }) };
  const { segment, entity } = best;
  const found = (value: number) =>
    new FieldValue(value, confidenceFor(scores.goods.temperature, entity.score), {
      segment,
      start: entity.start,
      end: entity.end,
    });
  const { from, to } = entity.value;
  return {
    temeratureFrom: found(Math.min(from, to)),
    temeratureTo: found(Math.max(from, to)),
    ...(mode && { refrigeratorUnitMode: mode }),
  };
}

/** Whether a temperature in a sentence is the one of the goods: "carriage temperature +2 to +4 °C". */
function isBehindLabel({ annotations }: DocumentContext, segment: Segment, start: number): boolean {
  const labels = annotations.labelsIn[segment.index] ?? [];
  const names = (concept: ConceptId) => (label: Label) => label.meanings.some((each) => each.concept === concept);
  return (
    !labels.some((label) => names("terms")(label) || names("penalties")(label)) &&
    labels.some((label) => names("temperature")(label) && label.end <= start && start - label.end < nearLabel)
  );
}

const nearLabel = 30;

const bareDegrees = /^\s*([+-]?\s?\d{1,2}(?:[.,]\d)?)\s*$/u;

function bareTemperatures(
  document: DocumentContext,
  owned: Owned,
): Pick<CargoDraft, "temeratureFrom" | "temeratureTo"> {
  const figures = document.annotations.labels.flatMap((label) => {
    if (label.standing !== "Head" || !label.meanings.some(({ concept }) => concept === "temperature")) return [];
    const [area] = valueAreasOf(document.annotations, label);
    const match =
      area && owned(area.segment, area.start) ? bareDegrees.exec(area.segment.text.slice(area.start, area.end)) : null;
    const degrees = Number(match?.[1]?.replace(/\s/gu, "").replace(",", "."));
    return area && match ? [new FieldValue(degrees, scores.goods.temperature.bare, area)] : [];
  });
  const [lowest, highest] = [
    figures.toSorted((a, b) => a.value - b.value)[0],
    figures.toSorted((a, b) => b.value - a.value)[0],
  ];
  return { ...(lowest && { temeratureFrom: lowest }), ...(highest && { temeratureTo: highest }) };
}

function modeOf(document: DocumentContext, owned: Owned): CargoDraft["refrigeratorUnitMode"] {
  for (const label of document.annotations.labels) {
    if (
      !label.meanings.some((each) => each.concept === "coolingMode" || each.concept === "temperature") ||
      !owned(label.segment, label.start)
    )
      continue;
    const areas = valueAreasOf(document.annotations, label).filter((area) => area.order < 2 && area.way !== "Below");
    for (const text of [label.segment.text, ...areas.map((area) => area.segment.text)]) {
      const mode = containsAnswer("continuous", text)
        ? "Continuous"
        : containsAnswer("automatic", text)
          ? "Auto"
          : containsAnswer("off", text)
            ? "Off"
            : undefined;
      if (mode)
        return new FieldValue(mode, scores.goods.coolingMode, {
          segment: label.segment,
          start: label.start,
          end: label.end,
        });
    }
  }
  return undefined;
}

/** Matches a printed unit of length. Without one, as in "80x120", the unit is derived from the magnitude. */
const unitSaid = /[mм](?!\p{L})/iu;

function size(document: DocumentContext, owned: Owned): Pick<CargoDraft, "length" | "width" | "height" | "units"> {
  const seen = entitiesOfType(document.annotations, "Dimensions").find(
    ({ segment, entity }) =>
      owned(segment, entity.start) && entity.score >= scores.goods.entity && !document.prose.has(segment),
  );
  if (!seen) return {};
  const { segment, entity } = seen;
  const found = <T>(value: T) =>
    new FieldValue(value, confidenceFor(scores.goods.dimensions, entity.score), {
      segment,
      start: entity.start,
      end: entity.end,
    });
  const { length, width, height, units } = entity.value;
  return {
    length: found(length),
    width: found(width),
    ...(height !== undefined && { height: found(height) }),
    units: unitSaid.test(segment.text.slice(entity.start, entity.end))
      ? found(units)
      : found(units).as(units, "Computed"),
  };
}

const questions: readonly { name: "palletsExchange" | "adr" | "stackable"; concept: ConceptId; impliedBy?: RegExp }[] =
  [
    { name: "palletsExchange", concept: "palletExchange", impliedBy: /^\W*\d/u },
    {
      name: "adr",
      concept: "adr",
      impliedBy: /\bUN\s?\d{4}\b|\b(?:kl|class|klasse|classe|klasa|třída|klasė)\.?\s*\d/iu,
    },
    { name: "stackable", concept: "stackable" },
  ];

function yesAndNo(
  document: DocumentContext,
  owned: Owned,
): Pick<CargoDraft, "palletsExchange" | "adr" | "stackable" | "ftl"> {
  const answers: Pick<CargoDraft, "palletsExchange" | "adr" | "stackable" | "ftl"> = {};
  for (const { name, concept, impliedBy } of questions) {
    for (const label of document.annotations.labels) {
      if (
        !label.meanings.some((each) => each.concept === concept) ||
        !owned(label.segment, label.start) ||
        document.prose.has(label.segment)
      )
        continue;
      const answer =
        answerTo(document, label, impliedBy) ?? (name === "palletsExchange" && besidePallets(document, label));
      if (answer) answers[name] ??= answer;
    }
  }
  const { implied } = scores.goods.answer;
  const un = entitiesOfType(document.annotations, "UnNumber").find(
    ({ segment, entity }) =>
      owned(segment, entity.start) && entity.score >= scores.goods.unNumber && !document.prose.has(segment),
  );
  if (un)
    answers.adr ??= new FieldValue(true, implied, { segment: un.segment, start: un.entity.start, end: un.entity.end });
  const mark = (concept: ConceptId) =>
    document.annotations.labels.find(
      (label) =>
        owned(label.segment, label.start) &&
        label.meanings.some((each) => each.concept === concept && each.weight >= scores.goods.mark),
    );
  const [whole, unstacked] = [mark("fullLoad"), mark("notStackable")];
  if (whole) answers.ftl = new FieldValue(true, implied, whole);
  if (unstacked) answers.stackable ??= new FieldValue(false, implied, unstacked);
  return answers;
}

/** Finds a pallet exchange that is stated or negated after a number of pallets: "18 EUR pallets, exchange". */
function besidePallets(
  { annotations }: DocumentContext,
  { segment, start, end, meanings }: Label,
): FieldValue<boolean> | undefined {
  const pallets = entitiesOfType(annotations, "Quantity", [segment]).some(
    ({ entity }) => entity.value.unit === "pallets" && entity.end <= start,
  );
  const named = meanings.some(({ concept, weight }) => concept === "palletExchange" && weight >= scores.meaning);
  if (!pallets || !named) return undefined;
  return new FieldValue(
    !containsAnswer("no", segment.text.slice(Math.max(0, start - 12), start)),
    scores.goods.answer.besidePallets,
    {
      segment,
      start,
      end,
    },
  );
}

function answerTo(document: DocumentContext, label: Label, impliedBy?: RegExp): FieldValue<boolean> | undefined {
  const { first, further } = scores.goods.answer;
  const near = valueAreasOf(document.annotations, label).filter(
    (area) => area.order < 2 && area.crossed === 0 && area.way !== "Before",
  );
  for (const area of near) {
    const own = area.way === "Same" ? label.segment.text.slice(label.start, label.end) : "";
    const whole = area.segment.text.slice(area.start, area.end).slice(0, 60);
    const text = label.standing === "Head" ? whole : (whole.split(/[,;)]/u)[0] ?? "");
    const answer = yesOrNo(text) ?? (impliedBy?.test(text) || (own && impliedBy?.test(own + text)) ? true : undefined);
    if (answer !== undefined) return new FieldValue(answer, area.order === 0 ? first : further, area);
  }
  return undefined;
}
