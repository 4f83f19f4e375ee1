import type { ConceptId } from "../../lexicon/concepts.ts";
import { findTrailers } from "../../lexicon/trailers.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import { sightings, type Sighting } from "../../fields/labels/annotations.ts";
import { paymentsIn } from "../../fields/money/payments.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { OpportunityView } from "./view.ts";
import { standsAlone } from "./words.ts";

type PaymentDraft = NonNullable<FieldValues<OpportunityView>["payment"]>;

const otherSums: ReadonlySet<ConceptId> = new Set([
  "cargoValue",
  "penalties",
  "pricePerKm",
  "unitPrice",
  "vatAmount",
  "waitingTime",
  "toll",
  "fuelSurcharge",
  "additionalStop",
  "extraCharges",
]);
const leastPrice = 40;
const highestPrice = 30_000;
const surePrice = 0.6;

/** The price wanted or offered: behind a word for it, else the only sum of money; and the days to pay in. */
export function askedPayment(around: DocumentContext): PaymentDraft {
  const { price, currency, paymentDays } = paymentsIn(around);
  const named = price && price.value >= leastPrice ? price : undefined;
  const only = named ? undefined : onlySum(around);
  const own = only?.entity.value.currency;
  const term = paymentDays ?? onlyDays(around);
  return {
    ...(named && { from: named, ...(currency && { currency }) }),
    ...(only && { from: said(only, only.entity.value.amount), ...(own && { currency: said(only, own) }) }),
    ...(term && { term }),
  };
}

function said<T>({ segment, entity }: Sighting<"Amount">, value: T): FieldValue<T> {
  return new FieldValue(value, 0.3 + 0.4 * entity.score, { segment, start: entity.start, end: entity.end });
}

function onlySum(around: DocumentContext): Sighting<"Amount"> | undefined {
  const sums = sightings(around.marks, "Amount").filter(({ segment, entity }) => {
    const label = labelOf(around.marks, segment, entity.start);
    const near = (around.marks.labelsIn[segment.index] ?? []).findLast(
      ({ end }) => end <= entity.start && entity.start - end < 20,
    );
    const other = [label, near].some((each) => each?.meanings.some(({ concept }) => otherSums.has(concept)));
    const { amount, currency } = entity.value;
    const told = currency !== undefined || entity.score >= surePrice;
    if (isNamed(around, segment, entity.start)) return false;
    return told && entity.score >= surePrice && amount >= leastPrice && amount <= highestPrice && !other;
  });
  const amounts = new Set(sums.map(({ entity }) => entity.value.amount));
  return amounts.size === 1 ? sums[0] : undefined;
}

/** Whether the word before a sum says what it is, and is none for a price: "goods worth 25 000 EUR". */
function isNamed({ marks }: DocumentContext, { text, index }: Segment, at: number): boolean {
  const end = text.slice(0, at).trimEnd().length;
  if (!/\p{L}{3}$/u.test(text.slice(0, end))) return false;
  const known = [...(marks.labelsIn[index] ?? []), ...(marks.entitiesIn[index] ?? []), ...findTrailers(text)];
  return !known.some((each) => each.start < end && each.end >= end);
}

const shortestTerm = 7;
const longestTerm = 120;

/** "…, 60 days": a single number of days that no journey takes, and that no sentence speaks of. */
function onlyDays(around: DocumentContext): FieldValue<number> | undefined {
  const days = sightings(around.marks, "Quantity").filter(({ segment, entity }) => {
    const label = labelOf(around.marks, segment, entity.start);
    const { unit, amount } = entity.value;
    const transit = label?.meanings.some(({ concept }) => concept === "transitTime") ?? false;
    return unit === "days" && amount >= shortestTerm && amount <= longestTerm && !transit;
  });
  const [only] = days;
  return only && days.length === 1 && standsAlone(only)
    ? new FieldValue(Math.round(only.entity.value.amount), 0.4, {
        segment: only.segment,
        start: only.entity.start,
        end: only.entity.end,
      })
    : undefined;
}
