import type { ConceptId } from "../../lexicon/concepts.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import categories from "../../lexicon/receipt-words.json" with { type: "json" };
import type { ExtractedItem } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { TextRange } from "../../layout/text-span.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { findNamedPlates } from "../../fields/vehicles/named-plates.ts";
import { titled } from "../../fields/labels/titles.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { vehiclesIn } from "../../fields/vehicles/vehicles.ts";
import { withChecks } from "../checks.ts";
import { classifyDocument, type DocumentKind } from "../classify.ts";
import { entityValue, segmentValue } from "../field-values.ts";
import { totalsIn, type SumLabel, type Totals } from "../invoice/totals.ts";
import { checkReceipt } from "./checks.ts";
import { cardIn, merchantIn, issuedAtIn } from "./header.ts";
import { itemsIn } from "./items.ts";
import { scores } from "./scores.ts";
import type { ReceiptView } from "./view.ts";

type ReceiptDraft = NonNullable<FieldValues<ReceiptView>>;
type Category = NonNullable<ReceiptView["category"]>;

const receiptTitles: readonly ConceptId[] = ["titleReceipt", "receiptNumber"];

const otherTitles: readonly ConceptId[] = ["titleTransportOrder", "titleCmr", "titleFine", "titleInsurance"];
const others: ReadonlySet<DocumentKind> = new Set([
  "order",
  "opportunity",
  "fine",
  "insurance",
  "cmr",
  "driver-document",
]);
/** Maximum number of words of a receipt that nowhere names itself a receipt. */
const maxTokens = 320;

type Naming = "Title" | "Mention" | undefined;

function namingOf(document: DocumentContext): Naming {
  const labels = document.annotations.labels.filter(({ meanings }) =>
    meanings.some(({ concept }) => receiptTitles.includes(concept)),
  );
  if (labels.length === 0) return undefined;
  return labels.some(({ standing }) => standing !== "Loose") ? "Title" : "Mention";
}

/** A higher confidence is needed if a title names a receipt. An invoice that mentions a receipt may be both. */
function isOtherKind(document: DocumentContext, naming: Naming): boolean {
  const [first] = classifyDocument(document);
  if (!first || first.confidence < scores.otherKind[naming === "Title" ? "titled" : "untitled"]) return false;
  return others.has(first.kind) || (first.kind === "invoice" && !naming);
}

/** A receipt with a single amount may label it as price or card payment. */
const paidSums: readonly SumLabel[] = [
  ["gross", ["price", "lineAmount", "prepaidAmount"], scores.paidLabel.price],
  ["gross", ["paymentMethod", "cardNumber", "toll"], scores.paidLabel.paymentMethod],
];

/**
 * The total may have no label: it is then the only amount of money, or the largest amount that is printed twice (due
 * and paid).
 */
function withSum(document: DocumentContext, totals: Totals): Totals {
  if (totals.grossAmount ?? totals.netAmount) return totals;
  const sums = entitiesOfType(document.annotations, "Amount").filter(
    ({ entity, segment }) =>
      entity.value.amount > 0 &&
      !document.prose.has(segment) &&
      (entity.value.currency || entity.score >= scores.unlabelledTotal.min),
  );
  const money = sums.filter(({ entity }) => entity.value.currency);
  const withCents = money.filter(({ segment, entity }) =>
    /[.,]\d{2}(?!\d)/u.test(segment.text.slice(entity.start, entity.end)),
  );
  const ofMoney = withCents.length > 0 ? withCents : money;
  const distinct = new Set(ofMoney.map(({ entity }) => entity.value.amount));
  const twice = sums.filter(({ entity }, at) =>
    sums.slice(0, at).some((other) => other.entity.value.amount === entity.value.amount),
  );
  const [sum = ofMoney.find(({ segment }) => !isOfTax(document, segment))] =
    distinct.size === 1 ? ofMoney : twice.sort((a, b) => b.entity.value.amount - a.entity.value.amount);
  if (!sum) return totals;
  const currency = totals.currency?.value ?? sum.entity.value.currency;
  return {
    ...totals,
    grossAmount: entityValue(sum.entity.value.amount, sum, scores.unlabelledTotal.value),
    ...(currency && { currency: totals.currency ?? entityValue(currency, sum, scores.unlabelledTotal.currency) }),
  };
}

const isOfTax = ({ annotations }: DocumentContext, { index }: Segment): boolean =>
  (annotations.entitiesIn[index] ?? []).some(({ type }) => type === "Percent");

/** Extracts a till receipt. Undefined if the document is of another kind. */
export function extractReceipt(
  document: DocumentContext,
  locale: DocumentLocale,
): ExtractedItem<ReceiptView> | undefined {
  const totals = withSum(document, totalsIn(document, locale, undefined, paidSums));
  const paid = totals.grossAmount ?? totals.netAmount;
  const naming = namingOf(document);
  const isShort = document.annotations.layout.segments.reduce((sum, { tokens }) => sum + tokens.length, 0) <= maxTokens;
  if (!paid || isOtherKind(document, naming) || (!naming && (!isShort || titled(document, otherTitles))))
    return undefined;
  return withChecks<ReceiptView>(draftOf(document, locale, totals), document, checkReceipt);
}

function draftOf(document: DocumentContext, locale: DocumentLocale, totals: Totals): ReceiptDraft {
  const items = itemsIn(document, locale, totals);
  const plate = plateIn(document);
  const draft: ReceiptDraft = {
    number: numberIn(document),
    issuedAt: issuedAtIn(document, locale),
    merchant: merchantIn(document),
    category: categoryOf(
      document,
      items.flatMap(({ description }) => description?.span?.segment ?? []),
    ),
    items,
    ...totals,
    licensePlate: plate,
    cardLast4: cardIn(document),
    odometer: odometerIn(document),
  };
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as ReceiptDraft;
}

function numberIn(document: DocumentContext): FieldValue<string> | undefined {
  const ranks: readonly (readonly ConceptId[])[] = [
    ["receiptNumber"],
    ["titleReceipt", "invoiceNumber"],
    ["orderNumber", "titleInvoice"],
    ["reference"],
  ];
  for (const concepts of ranks) {
    const best = findCodes(document, concepts).find(
      ({ score, label, span }) =>
        score >= scores.number.labelled.min && label.standing !== "Loose" && !isQuantity(span),
    );
    if (best) return new FieldValue(best.span.text, best.score, best.span);
  }
  return besideTitle(document) ?? behindTitle(document) ?? bareNumber(document);
}

const timesBehind = /^\s*(?:\p{L}{1,5}\.?\s*)?[x×*@]\s*\d/iu;

/** In "250.000 L x 7.45", the first number is not that of the receipt. */
const isQuantity = ({ segment, end }: TextRange): boolean => timesBehind.test(segment.text.slice(end));

const code = /^(?=(?:[^\d]*\d){3})[\p{Lu}\d][\p{Lu}\d/_-]{2,30}$/u;

/** Finds "0118/00442" in "NYUGTA   0118/00442". */
function besideTitle({ annotations }: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, meanings, standing } of annotations.labels) {
    if (standing !== "Head" || !meanings.some(({ concept }) => receiptTitles.includes(concept))) continue;
    const row = annotations.layout.pages[segment.page - 1]?.rows.find((each) => each.includes(segment)) ?? [];
    const next = row[row.indexOf(segment) + 1];
    if (next && code.test(next.text)) return segmentValue(next.text, next, scores.number.besideTitle);
  }
  return undefined;
}

const behind =
  /^\s*(?:(?:nr|no|n[°ºr]?|№|č|c|br|sz)[.:]{0,2}\s*)?[#:]?\s*((?=(?:[^\d\s]*\d){3})[\p{Lu}\d][\p{Lu}\d/_-]{2,30})(?=\s|$)(?!\s?[.,:]\d)/iu;

/** Finds "55-20418" in "Bon 55-20418   27.01.2026". */
function behindTitle({ annotations }: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, meanings, standing, end } of annotations.labels) {
    if (standing === "Loose" || !meanings.some(({ concept }) => receiptTitles.includes(concept))) continue;
    const match = behind.exec(segment.text.slice(end));
    const [, number] = match ?? [];
    if (!match || !number || /^\d{1,2}[./-]\d{1,2}[./-]/u.test(number)) continue;
    const to = end + match[0].length;
    return new FieldValue(number, scores.number.besideTitle, { segment, start: to - number.length, end: to });
  }
  return undefined;
}

const bare =
  /^(?:no|nr|n[°ºr]|№|num|nro|br|št|č|sz|numer|numero|#)[.:]{0,2}\s?:?\s?((?=(?:[^\d]*\d){3})[\p{Lu}\d][\p{Lu}\d/_-]{2,30})$/iu;
const topRows = 14;

/** Finds "0418-7-551" in "No 0418-7-551". */
function bareNumber({ annotations }: DocumentContext): FieldValue<string> | undefined {
  for (const segment of annotations.layout.segments) {
    if (segment.page > 1 || segment.row > topRows) break;
    const match = bare.exec(segment.text);
    if (!match?.[1]) continue;
    const end = match[0].length;
    return new FieldValue(match[1], scores.number.bare, { segment, start: end - match[1].length, end });
  }
  return undefined;
}

function plateIn(document: DocumentContext): FieldValue<string> | undefined {
  const { vehicles, trailers } = vehiclesIn(document);
  const [labelled] = [...vehicles, ...trailers];
  if (labelled) return labelled;
  for (const row of document.annotations.layout.pages.flatMap(({ rows }) => rows)) {
    const [named] = findNamedPlates(row.map(({ text }) => text).join(" "));
    if (named) return new FieldValue(named.plate, scores.plateInText, rangeInRow(row, named.start, named.end));
  }
  return undefined;
}

/** Converts a range of a row's joined text to a range in the segment in which it starts. */
function rangeInRow(row: readonly Segment[], from: number, to: number): TextRange {
  let offset = 0;
  const segment = row.find(({ text }) => from < (offset += text.length + 1))!;
  const start = from - (offset - segment.text.length - 1);
  return { segment, start, end: Math.min(segment.text.length, start + to - from) };
}

const words = Object.entries(categories).map(
  ([category, list]) => [category as Category, list.map((word) => ` ${foldText(word)} `)] as const,
);

function categoryOf(document: DocumentContext, bought: readonly Segment[]): FieldValue<Category> | undefined {
  for (const [segments, confidence] of [
    [bought, scores.category.items],
    [document.annotations.layout.segments, scores.category.wholeText],
  ] as const) {
    const hits = segments.flatMap((segment) => {
      const text = ` ${fold(segment.text).text.replace(/[^\p{L}\p{N}]+/gu, " ")} `;
      return words.flatMap(([category, list]) =>
        list.some((word) => text.includes(word)) ? [{ category, segment }] : [],
      );
    });
    const [first] = [...Map.groupBy(hits, ({ category }) => category).values()].sort((a, b) => b.length - a.length);
    const hit = first?.[0];
    if (hit) return segmentValue(hit.category, hit.segment, confidence);
  }
  return undefined;
}

const distance = /(?<![\d_-])\d{1,3}(?:[ .,']\d{3})+(?!\d)|(?<!\d)\d{3,7}(?![\d-])/u;

function odometerIn(document: DocumentContext): FieldValue<number> | undefined {
  for (const label of document.annotations.labels) {
    if (!label.meanings.some(({ concept, weight }) => concept === "odometer" && weight >= scores.odometerLabel))
      continue;
    for (const { segment, start, end, order } of valueAreasOf(document.annotations, label)) {
      const match = order === 0 ? distance.exec(segment.text.slice(start, end)) : null;
      if (!match) continue;
      const value = Number(match[0].replace(/\D/gu, ""));
      return new FieldValue(value, scores.odometer.labelled, {
        segment,
        start: start + match.index,
        end: start + match.index + match[0].length,
      });
    }
  }
  return unlabelledOdometer(document);
}

const kmBefore = /(?<![\p{L}\d])km[.:]{0,2}\s{0,2}(\d{2,3}[ .]\d{3}|\d{5,7})(?![\d.,])/iu;
const kmBehind = /(?<![\d.,/-])(\d{2,3}[ .]\d{3}|\d{5,7})\s?km(?![\p{L}/])/iu;

/** The number in "Km 512.044" has too many digits for a distance. */
function unlabelledOdometer({ annotations }: DocumentContext): FieldValue<number> | undefined {
  for (const segment of annotations.layout.segments) {
    const match = kmBefore.exec(segment.text) ?? kmBehind.exec(segment.text);
    if (!match?.[1]) continue;
    const start = match.index + match[0].indexOf(match[1]);
    const value = Number(match[1].replace(/\D/gu, ""));
    return new FieldValue(value, scores.odometer.unlabelled, { segment, start, end: start + match[1].length });
  }
  return undefined;
}
