import type { ConceptId } from "../../lexicon/concepts.ts";
import { entitiesOfType, type LocatedEntity } from "../labels/annotations.ts";
import { labelOf } from "../labels/line-label.ts";
import type { DocumentContext } from "../labels/values.ts";
import { scores } from "../scores.ts";

type Money = LocatedEntity<"Amount">;

/** A sum, and the amounts near it that add up to it, in reading order. */
export interface PrintedSum {
  total: Money;
  parts: readonly Money[];
}

const maxParts = 8;
/** Rows between the first amount and the last. */
const maxRows = 12;
const maxAmounts = 400;
/** An amount without a currency counts if it has cents or four digits. */
const minBare = 1000;
/** Concepts of amounts that are part of no price. */
const noPrice: ReadonlySet<ConceptId> = new Set(["vatAmount", "vatRate", "penalties", "cargoValue", "pricePerKm"]);

const cents = ({ entity }: Money): number => Math.round(entity.value.amount * 100);

/**
 * Finds a price with its components by arithmetic: two or more amounts one after the other, and directly behind or before
 * them their sum. An amount that repeats a part of the sum, such as a subtotal, may stand between them.
 */
export function printedSumIn(document: DocumentContext): PrintedSum | undefined {
  const amounts = entitiesOfType(document.annotations, "Amount")
    .filter((money) => isPrice(document, money))
    .slice(0, maxAmounts);
  const found = amounts.flatMap((total, at) => [
    ...sumsOf(total, amounts.slice(Math.max(0, at - maxParts - 1), at).toReversed()),
    ...sumsOf(total, amounts.slice(at + 1, at + maxParts + 2)),
  ]);
  return found
    .filter((sum) => !isTaxed(document, sum))
    .sort((a, b) => cents(b.total) - cents(a.total) || b.parts.length - a.parts.length)[0];
}

function isPrice(document: DocumentContext, { segment, entity }: Money): boolean {
  const { amount, currency } = entity.value;
  const printed = segment.text.slice(entity.start, entity.end);
  const money = currency !== undefined || /[.,]\d{2}$/u.test(printed) || amount >= minBare;
  const label = labelOf(document.annotations, segment, entity.start);
  const isOther = label?.meanings.some(
    ({ concept, weight }) => noPrice.has(concept) && weight >= scores.price.otherMeaning,
  );
  return amount > 0 && money && !isOther;
}

/** Adds up the amounts that follow each other, without any one of them, until the sum is reached. */
function sumsOf(total: Money, others: readonly Money[]): PrintedSum[] {
  const near = others.filter(
    ({ segment }) => segment.page === total.segment.page && Math.abs(segment.row - total.segment.row) <= maxRows,
  );
  const wanted = cents(total);
  for (const skipped of [undefined, ...near]) {
    const parts: Money[] = [];
    let sum = 0;
    for (const money of near) {
      if (money === skipped) continue;
      parts.push(money);
      sum += cents(money);
      if (sum >= wanted) break;
    }
    if (sum === wanted && parts.length > 1)
      return [
        { total, parts: parts.sort((a, b) => a.segment.index - b.segment.index || a.entity.start - b.entity.start) },
      ];
  }
  return [];
}

/** Whether the last part is a tax on the others, at a printed rate of tax. */
function isTaxed(document: DocumentContext, { parts, total }: PrintedSum): boolean {
  const rates = entitiesOfType(document.annotations, "Percent").filter((rate) => isTax(document, rate));
  return parts.some((part) => {
    const net = cents(total) - cents(part);
    return rates.some(({ entity }) => Math.abs((net * entity.value) / 100 - cents(part)) < 2);
  });
}

/** Whether the percentage is a tax rate, not a fuel surcharge: "VAT 23 %", "23 % MwSt.". */
export function isTax({ annotations }: DocumentContext, { segment, entity }: LocatedEntity<"Percent">): boolean {
  return (annotations.labelsIn[segment.index] ?? []).some(({ start, end, meanings }) =>
    (entity.start - end < reachOfTax && entity.start >= end) || (start >= entity.end && start - entity.end < reachOfTax)
      ? meanings.some(({ concept }) => concept === "vatRate" || concept === "vatAmount" || concept === "vatNumber")
      : false,
  );
}

const reachOfTax = 6;
