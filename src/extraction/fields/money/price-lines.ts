import type { Payments } from "../../document/shapes.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { ScoredSpan } from "../../entities/entity.ts";
import chargeWords from "../../lexicon/charge-words.json" with { type: "json" };
import { foldText } from "../../lexicon/fold.ts";
import { indexAt } from "../../layout/page-index.ts";
import { unitNamed } from "../../entities/quantities.ts";
import { FieldValue, type FieldValues } from "../confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { weightFor, type LocatedEntity } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";
import { labelOf } from "../labels/line-label.ts";
import { scores } from "../scores.ts";
import { factorsOf } from "./unit-prices.ts";

/** Payments with evidence. */
export type PaymentsDraft = NonNullable<FieldValues<Payments>>;

/** The kinds of charges, and the concepts of their labels. */
export const charges = {
  BaseCharge: ["basePrice"],
  FuelSurcharge: ["fuelSurcharge"],
  Toll: ["toll"],
  WaitingTime: ["waitingTime"],
  AdditionalStop: ["additionalStop"],
  Customs: ["customsCharge"],
  Other: ["extraCharges"],
} as const satisfies Record<string, readonly ConceptId[]>;

export type Charge = keyof typeof charges;

/** A component of the price. */
export interface Line {
  type: Charge;
  sighting: LocatedEntity<"Amount">;
  score: number;
}

/** Rounds to cents. */
export const cent = (amount: number) => Math.round(amount * 100) / 100;

/** The sum of components. */
export const sumOf = (lines: readonly Line[]) =>
  lines.reduce((sum, line) => sum + line.sighting.entity.value.amount, 0);

/** The kind of charge that the words before an amount name, on its line or to the left of it. */
export function chargeAt({ annotations }: DocumentContext, { segment, entity }: LocatedEntity<"Amount">): Charge {
  const amounts = (annotations.entitiesIn[segment.index] ?? []).filter(
    ({ type, score }) => type === "Amount" && score >= scores.price.charge,
  );
  const from = Math.max(0, ...amounts.filter(({ end }) => end <= entity.start).map(({ end }) => end));
  const before = segment.text.slice(from, entity.start);
  const left = indexAt(annotations.layout, segment)
    .rowOf(segment)
    .filter(({ box }) => box.x1 <= segment.box.x0);
  const text = foldText(/\p{L}{3}/u.test(before) ? before : left.map((each) => each.text).join(" "));
  const label = (annotations.labelsIn[segment.index] ?? []).findLast(
    ({ start, end }) => start >= from && end <= entity.start,
  );
  const names = [label, labelOf(annotations, segment, entity.start)].flatMap((each) =>
    (Object.keys(charges) as Charge[]).filter(
      (type) => each && weightFor(each, new Set<ConceptId>(charges[type])) >= scores.price.otherMeaning,
    ),
  );
  const [worded] = stems.filter(([, words]) => words.some((word) => text.includes(word)));
  return names.find((type) => type !== "Other" && type !== "BaseCharge") ?? worded?.[0] ?? names[0] ?? "Other";
}

const stems = Object.entries(chargeWords).map(([type, words]): [Charge, string[]] => [
  type as Charge,
  words.map((word) => foldText(word)),
]);

/** Whether the amount is a rate per unit, not a charge: "60 EUR/h". */
export function isRate({ text }: Segment, { end }: ScoredSpan): boolean {
  return /^\s?(?:\/|(?:per|pro|je|par|por|za|na|le|al|la|l['’])\s?\p{L})/iu.test(text.slice(end, end + 8));
}

/** Whether the amount is a price for each tonne, pallet, piece or kilometre: "76 EUR/t", "2 EUR per piece". */
export function isPerUnit({ segment, entity }: LocatedEntity<"Amount">): boolean {
  const unit = /^\s?(?:\/\s?|\p{L}{1,4}\s(?:\d+\s)?)(\p{L}+)/iu.exec(
    segment.text.slice(entity.end, entity.end + 24),
  )?.[1];
  return isRate(segment, entity) && unit !== undefined && unitNamed(unit) !== undefined;
}

/** Returns the prices of an order that is paid by the unit. */
export function ratePerUnit(rate: LocatedEntity<"Amount"> & { score: number }): PaymentsDraft {
  const unitPrice = found(rate, rate.score);
  return { priceBreakdown: [{ type: unitPrice.as("BaseCharge", "Computed"), unitPrice }] };
}

function found({ segment, entity }: LocatedEntity<"Amount">, score: number): FieldValue<number> {
  return new FieldValue(entity.value.amount, score, { segment, start: entity.start, end: entity.end });
}

/** Returns the prices of a total, of a base price with extra charges, or of both. */
export function prices(
  document: DocumentContext,
  total: (LocatedEntity<"Amount"> & { score: number }) | undefined,
  base: Line | undefined,
  extras: readonly Line[],
): PaymentsDraft {
  const whole = total && found(total, total.score);
  const first = base && found(base.sighting, base.score);
  if (!first)
    return whole
      ? {
          price: whole,
          basePrice: whole,
          additionalCharges: whole.as(0, "Computed"),
          totalNetAmount: whole.as(whole.value, "Computed"),
          priceBreakdown: [{ type: whole.as("BaseCharge", "Computed"), ...factorsOf(document, total), amount: whole }],
        }
      : {};
  const added = cent(sumOf(extras));
  const sum = cent(first.value + added);
  return {
    price: whole ?? first.as(sum, "Computed"),
    basePrice: first,
    additionalCharges: first.as(added, "Computed"),
    totalNetAmount: whole && Math.abs(whole.value - sum) < 0.01 ? whole : first.as(sum, "Computed"),
    priceBreakdown: [
      { type: first.as("BaseCharge", "Computed"), ...factorsOf(document, base.sighting), amount: first },
      ...inReadingOrder(extras).map((line) => {
        const amount = found(line.sighting, line.score);
        return { type: amount.as<string>(line.type, "Computed"), ...factorsOf(document, line.sighting), amount };
      }),
    ],
  };
}

function inReadingOrder(lines: readonly Line[]): Line[] {
  return [...lines].sort(
    (a, b) => a.sighting.segment.index - b.sighting.segment.index || a.sighting.entity.start - b.sighting.entity.start,
  );
}
