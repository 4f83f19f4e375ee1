import type { ConceptId } from "../../lexicon/concepts.ts";
import { currencyOf as currencyCode } from "../../entities/amounts.ts";
import { containsAnswer } from "../labels/answers.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../labels/annotations.ts";
import {
  cent,
  chargeAt,
  charges,
  isPerUnit,
  isRate,
  prices,
  ratePerUnit,
  sumOf,
  type Charge,
  type Line,
  type PaymentsDraft,
} from "./price-lines.ts";
import { factorsOf } from "./unit-prices.ts";
import { isTax, printedSumIn, type PrintedSum } from "./printed-sums.ts";
import { paymentTermsIn } from "./payment-terms.ts";
import { assign, findCandidates, type FieldCandidate, type DocumentContext } from "../labels/values.ts";
import { labelOf } from "../labels/line-label.ts";
import { scores } from "../scores.ts";

const sums: readonly ConceptId[] = ["netAmount", "totalPrice", "price", "grossAmount"];
const noCharge: ReadonlySet<ConceptId> = new Set([
  "vatAmount",
  "vatRate",
  "grossAmount",
  "cargoValue",
  "pricePerKm",
  "penalties",
  "unitPrice",
]);
const closeRows = 8;

/** Extracts the price, its components, the currency and the terms of payment. */
export function paymentsIn(document: DocumentContext): PaymentsDraft {
  const stated = totalOf(document) ?? spokenPrice(document) ?? onlySum(document);
  const sum = printedSumIn(document);
  if (sum && (!stated || isPartOf(sum, stated)))
    return { ...pricesOf(document, sum), ...currencyOf(document, sum.total), ...paymentTermsIn(document, sum.total) };
  const total = stated && isRate(stated.segment, stated.entity) ? (productOf(document, stated) ?? stated) : stated;
  if (total && isPerUnit(total))
    return { ...ratePerUnit(total), ...currencyOf(document, total), ...paymentTermsIn(document, total) };
  const lines = chargesOf(document, total);
  const added = total ? lines.filter(({ sighting }) => isAdded(total, sighting)) : [];
  const { base, extras } =
    total && added.length > 0
      ? { base: { type: "BaseCharge", sighting: total, score: total.score } as const, extras: added }
      : addingUp(document, total, lines);
  return {
    ...prices(document, added.length > 0 ? undefined : total, base, extras),
    ...currencyOf(document, total ?? base?.sighting),
    ...paymentTermsIn(document, total ?? base?.sighting),
  };
}

/** Finds the amount to which a rate and a quantity on its line multiply. */
function productOf(document: DocumentContext, rate: FieldCandidate<"Amount">): FieldCandidate<"Amount"> | undefined {
  const product = entitiesOfType(document.annotations, "Amount").find(
    (money) =>
      Math.abs(money.segment.row - rate.segment.row) <= 1 &&
      factorsOf(document, money).unitPrice?.value === rate.entity.value.amount,
  );
  return product && { ...rate, ...product };
}

const isPartOf = ({ total, parts }: PrintedSum, { entity }: LocatedEntity<"Amount">): boolean =>
  [total, ...parts].some((money) => money.entity.value.amount === entity.value.amount);

/** Returns the prices of a sum. The first part without another meaning is the base price. */
function pricesOf(document: DocumentContext, { total, parts }: PrintedSum): PaymentsDraft {
  const lines = parts.map((sighting): Line => ({
    type: chargeAt(document, sighting),
    sighting,
    score: scores.price.summed,
  }));
  const base =
    lines.find(({ type }) => type === "BaseCharge") ?? lines.find(({ type }) => type === "Other") ?? lines[0]!;
  const extras = lines
    .filter((line) => line !== base)
    .map((line) => (line.type === "BaseCharge" ? { ...line, type: "Other" as const } : line));
  const whole = {
    ...total,
    label: noLabel(total.segment),
    concept: "price" as const,
    way: "Same" as const,
    score: scores.price.summed,
  };
  return prices(document, whole, { ...base, type: "BaseCharge" }, extras);
}

/** Whether the amount is an addition on the line of the price: "1 250 EUR zzgl. Maut 180". */
function isAdded(total: LocatedEntity<"Amount"> | undefined, { segment, entity }: LocatedEntity<"Amount">): boolean {
  if (!total || segment !== total.segment || entity.start <= total.entity.end) return false;
  const between = segment.text.slice(total.entity.end, entity.start);
  return between.length < longestAddition && containsAnswer("plus", between);
}

const longestAddition = 40;
const reachOfWords = 45;
const threats: ReadonlySet<ConceptId> = new Set(["penalties", "terms", "cargoValue", "waitingTime"]);

/** Finds the price in a sentence, if all sentences state the same price: "The agreed rate of 1,250 EUR". */
function spokenPrice(document: DocumentContext): FieldCandidate<"Amount"> | undefined {
  const { labelsIn } = document.annotations;
  const spoken = findCandidates(document, { concepts: sums, types: ["Amount"] }).filter(
    ({ segment, entity, label, way }) =>
      way === "Same" &&
      entity.value.currency !== undefined &&
      entity.value.amount > 0 &&
      entity.start - label.end < reachOfWords &&
      !/[.!?]\s+\p{Lu}/u.test(segment.text.slice(label.end, entity.start)) &&
      !(labelsIn[segment.index] ?? []).some(({ meanings }) => meanings.some(({ concept }) => threats.has(concept))),
  );
  const amounts = new Set(spoken.map(({ entity }) => entity.value.amount));
  return amounts.size === 1 && spoken[0]
    ? { ...spoken[0], score: Math.max(spoken[0].score, scores.price.spoken) }
    : undefined;
}

const [leastPrice, highestPrice] = [40, 30_000];

/** Finds the price if no label states it: the only amount to which no label gives another meaning. */
function onlySum(document: DocumentContext): FieldCandidate<"Amount"> | undefined {
  return onlyAmong(document, false) ?? onlyAmong(document, true);
}

function onlyAmong(document: DocumentContext, inSentences: boolean): FieldCandidate<"Amount"> | undefined {
  const sums = entitiesOfType(document.annotations, "Amount").filter(({ segment, entity }) => {
    const { amount, currency } = entity.value;
    if (!currency || amount < leastPrice || amount > highestPrice || (document.prose.has(segment) && !inSentences))
      return false;
    const label = labelOf(document.annotations, segment, entity.start);
    const before = (document.annotations.labelsIn[segment.index] ?? []).filter(({ end }) => end <= entity.start);
    const opens = /(?:^|[,;|·:(/–-])\s*$/u.test(segment.text.slice(0, entity.start));
    return (
      (opens || inSentences) && !isRate(segment, entity) && ![label, ...before].some((each) => each && meansOther(each))
    );
  });
  const amounts = new Set(sums.map(({ entity }) => entity.value.amount));
  const [only] = sums;
  if (!only || amounts.size !== 1) return undefined;
  return { ...only, label: noLabel(only.segment), concept: "price", way: "Same", score: scores.price.spoken };
}

const noLabel = (segment: Segment): Label => ({ index: -1, segment, start: 0, end: 0, meanings: [], standing: "Lead" });

const meansOther = ({ meanings }: Label) =>
  meanings.some(
    ({ concept, weight }) => weight >= scores.price.otherMeaning && (noCharge.has(concept) || threats.has(concept)),
  );

function totalOf(document: DocumentContext): FieldCandidate<"Amount"> | undefined {
  const all = findCandidates(document, { concepts: sums, types: ["Amount"] }).filter(
    ({ entity, way }) => entity.value.amount > 0 && (way !== "Before" || entity.value.currency !== undefined),
  );
  const single = all.filter((choice) => !overColumn(all, choice));
  const choices = single.length > 0 ? single : all;
  const [best] = choices;
  if (!best || best.score < scores.price.total) return undefined;
  const explicit = choices.find(
    (each) =>
      (each.entity.value.currency !== undefined || best.entity.value.currency === undefined) &&
      (each.concept === "totalPrice" || each.concept === "netAmount") &&
      each.score > scores.price.explicitTotal * best.score &&
      !document.prose.has(each.segment),
  );
  const chosen = explicit ?? best;
  return beforeTax(document, chosen) ?? chosen;
}

/**
 * Finds the amount before tax, which becomes the total when tax at a printed rate is added: 720,00 EUR in "720,00 EUR +
 * VAT 25 % (180,00 EUR), together 900,00 EUR".
 */
function beforeTax(document: DocumentContext, total: FieldCandidate<"Amount">): FieldCandidate<"Amount"> | undefined {
  const near = ({ segment }: LocatedEntity) =>
    segment.page === total.segment.page && Math.abs(segment.row - total.segment.row) <= rowsOfTax;
  const rates = entitiesOfType(document.annotations, "Percent").filter((each) => near(each) && isTax(document, each));
  const taxed = (net: number, rate: number) =>
    rate > 0 && rate < 30 && Math.abs(net * (1 + rate / 100) - total.entity.value.amount) < 0.02;
  const net = entitiesOfType(document.annotations, "Amount").find(
    (each) => near(each) && rates.some(({ entity }) => taxed(each.entity.value.amount, entity.value)),
  );
  return net && { ...total, ...net };
}

const rowsOfTax = 3;

/** Whether the label is above a column of several amounts. Such a label names the column, not one amount. */
function overColumn(all: readonly FieldCandidate<"Amount">[], { label, way }: FieldCandidate<"Amount">): boolean {
  return (
    way === "Below" &&
    new Set(all.filter((other) => other.way === "Below" && other.label === label).map((other) => other.entity)).size > 1
  );
}

function chargesOf(document: DocumentContext, total: FieldCandidate<"Amount"> | undefined): Line[] {
  const choices = (Object.keys(charges) as Charge[]).flatMap((field) =>
    findCandidates(document, { concepts: charges[field], types: ["Amount"] })
      .filter(
        ({ segment, entity, label }) =>
          !document.prose.has(segment) &&
          entity.value.amount > 0 &&
          !isRate(segment, entity) &&
          (entity.score >= scores.price.charge || label.standing === "Head" || label.standing === "Lead") &&
          (label.standing !== "Loose" || isAdded(total, { segment, entity })) &&
          entity !== total?.entity,
      )
      .map((candidate) => ({ field, candidate })),
  );
  const known = [...assign(choices, scores.price.charge)].map(([type, candidate]) => ({
    type,
    sighting: candidate,
    score: candidate.score,
  }));
  return [...known, ...unknownLines(document, total, known)];
}

/**
 * Returns unlabelled charges: amounts between the base price and the total, or, without a base price, above the
 * total.
 */
function unknownLines(
  document: DocumentContext,
  total: FieldCandidate<"Amount"> | undefined,
  known: readonly Line[],
): Line[] {
  const base = known.find((line) => line.type === "BaseCharge")?.sighting;
  if (!total) return [];
  if (!base) return stackedAbove(document, total, known);
  if (base.segment.page !== total.segment.page || base.segment.row >= total.segment.row) return [];
  return entitiesOfType(document.annotations, "Amount")
    .filter(({ segment, entity }) => {
      const between =
        segment.page === base.segment.page && segment.row > base.segment.row && segment.row < total.segment.row;
      const label = labelOf(document.annotations, segment, entity.start);
      const other = label?.meanings.some((each) => noCharge.has(each.concept)) ?? false;
      return (
        between &&
        !other &&
        entity.score >= scores.price.charge &&
        !document.prose.has(segment) &&
        !known.some((line) => line.sighting.entity === entity)
      );
    })
    .map((sighting) => ({ type: "Other" as const, sighting, score: scores.price.between }));
}

/**
 * Finds the base price and the charges that add up to the total. Charges far from the total may be penalties in the
 * conditions, so the farthest are dropped until the sum is right. If it never is, only charges close to the total are
 * kept.
 */
function addingUp(
  document: DocumentContext,
  total: FieldCandidate<"Amount"> | undefined,
  lines: readonly Line[],
): { base?: Line; extras: Line[] } {
  const named = lines.find((line) => line.type === "BaseCharge");
  const anchor = total ?? named?.sighting;
  if (!anchor) return { extras: [] };
  const away = (line: Line) =>
    Math.abs(line.sighting.segment.row - anchor.segment.row) +
    100 * Math.abs(line.sighting.segment.page - anchor.segment.page);
  const extras = lines
    .filter((line) => line.type !== "BaseCharge" && line.sighting.entity !== total?.entity)
    .sort((a, b) => away(a) - away(b));
  for (let count = extras.length; total && count > 0; count--) {
    const chosen = extras.slice(0, count);
    const rest = cent(total.entity.value.amount - sumOf(chosen));
    if (named && named.sighting.entity.value.amount === rest) return { base: named, extras: chosen };
    const printed = named ? undefined : amountNear(document, total, rest);
    if (printed) return { base: { type: "BaseCharge", sighting: printed, score: scores.price.rest }, extras: chosen };
  }
  return { ...(named && { base: named }), extras: named ? extras.filter((line) => away(line) <= closeRows) : [] };
}

/**
 * Finds charges directly above the total in its column, if all amounts there add up to it. The first amount is the base
 * price and is not returned.
 */
function stackedAbove(document: DocumentContext, total: FieldCandidate<"Amount">, known: readonly Line[]): Line[] {
  const stack = entitiesOfType(document.annotations, "Amount").filter(({ segment, entity }) => {
    const close =
      segment.page === total.segment.page &&
      segment.row < total.segment.row &&
      total.segment.row - segment.row <= closeRows;
    const inColumn =
      Math.abs(segment.box.x1 - total.segment.box.x1) < segment.size ||
      Math.abs(segment.box.x0 - total.segment.box.x0) < segment.size;
    return (
      close &&
      inColumn &&
      entity.score >= scores.price.charge &&
      entity.end >= segment.text.length - 2 &&
      !document.prose.has(segment)
    );
  });
  const whole = cent(stack.reduce((sum, { entity }) => sum + entity.value.amount, 0)) === total.entity.value.amount;
  if (stack.length < 2 || !whole) return [];
  return stack
    .filter((sighting, at) => at > 0 && !known.some((line) => line.sighting.entity === sighting.entity))
    .map((sighting) => ({ type: "Other", sighting, score: scores.price.above }));
}

function amountNear(
  document: DocumentContext,
  total: LocatedEntity<"Amount">,
  amount: number,
): LocatedEntity<"Amount"> | undefined {
  return entitiesOfType(document.annotations, "Amount").find(
    ({ segment, entity }) =>
      amount > 0 &&
      entity.value.amount === amount &&
      entity !== total.entity &&
      segment.page === total.segment.page &&
      Math.abs(segment.row - total.segment.row) < 2 * closeRows,
  );
}

function currencyOf(document: DocumentContext, price: LocatedEntity<"Amount"> | undefined): PaymentsDraft {
  if (!price) return {};
  const amounts = [
    price,
    ...entitiesOfType(document.annotations, "Amount").filter(({ segment }) => !document.prose.has(segment)),
  ];
  const confidence = scores.price.currency;
  const of = ({ segment, entity }: LocatedEntity<"Amount">, score: number) => ({
    currency: new FieldValue(entity.value.currency ?? "", score, {
      segment,
      start: entity.start,
      end: entity.end,
    }),
  });
  if (price.entity.value.currency) return of(price, confidence.atPrice);
  const named = document.annotations.labels
    .filter((label) => label.meanings.some((each) => each.concept === "currency"))
    .flatMap((label) => valueAreasOf(document.annotations, label).slice(0, 1))
    .map((area) => ({
      area,
      code: currencyCode(area.segment.text.slice(area.start, area.end).trim(), document.languages),
    }))
    .find(({ code }) => code !== undefined);
  if (named?.code) return { currency: new FieldValue(named.code, confidence.labelled, named.area) };
  const other = amounts.find(({ entity }) => entity.value.currency);
  return other ? of(other, confidence.elsewhere) : {};
}
