import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { fold, foldText } from "../../lexicon/fold.ts";
import categories from "../../lexicon/receipt-words.json" with { type: "json" };
import type { ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { findNamedPlates } from "../../fields/vehicles/named-plates.ts";
import { titled } from "../../fields/labels/titles.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { vehiclesIn } from "../../fields/vehicles/vehicles.ts";
import { withChecks } from "../checks.ts";
import { checkReceipt } from "./checks.ts";
import type { ReceiptView } from "./view.ts";
import { totalsIn, type SumLabel, type Totals } from "../invoice/totals.ts";
import { classifyDocument, type DocumentKind } from "../classify.ts";
import { cardIn, merchantIn, momentIn } from "./header.ts";
import { itemsIn } from "./items.ts";

type ReceiptDraft = NonNullable<FieldValues<ReceiptView>>;
type Category = NonNullable<ReceiptView["category"]>;

/** Titles of a receipt. */
export const receiptTitles: readonly ConceptId[] = ["titleReceipt", "receiptNumber"];

const otherTitles: readonly ConceptId[] = ["titleTransportOrder", "titleCmr", "titleFine", "titleInsurance"];
const others: ReadonlySet<DocumentKind> = new Set([
  "order",
  "opportunity",
  "fine",
  "insurance",
  "cmr",
  "driver-document",
]);
const [fewWords, likely, certain] = [320, 0.75, 0.9];

/** The page calls itself a receipt, or speaks of one in passing. */
type Name = "Said" | "Mentioned" | undefined;

function nameIn(document: DocumentContext): Name {
  const called = document.annotations.labels.filter(({ meanings }) =>
    meanings.some(({ concept }) => receiptTitles.includes(concept)),
  );
  if (called.length === 0) return undefined;
  return called.some(({ standing }) => standing !== "Loose") ? "Said" : "Mentioned";
}

/** Whether the page is of another kind: surely, where it calls itself a receipt. An invoice that speaks of one is both. */
function isAnother(document: DocumentContext, name: Name): boolean {
  const [first] = classifyDocument(document);
  if (!first || first.confidence < (name === "Said" ? certain : likely)) return false;
  return others.has(first.kind) || (first.kind === "invoice" && !name);
}

/** On a slip with a single amount its label varies: amount, price, paid. */
const paidSums: readonly SumLabel[] = [
  ["gross", ["price", "lineAmount", "prepaidAmount"], 0.55],
  ["gross", ["paymentMethod", "cardNumber", "toll"], 0.42],
];

/** Without a labelled total: the only amount of money, or the largest that is printed twice (due and paid). */
function withSum(document: DocumentContext, totals: Totals): Totals {
  if (totals.grossAmount ?? totals.netAmount) return totals;
  const sums = entitiesOfType(document.annotations, "Amount").filter(
    ({ entity, segment }) =>
      entity.value.amount > 0 && !document.prose.has(segment) && (entity.value.currency || entity.score >= 0.45),
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
  const [sum] = distinct.size === 1 ? ofMoney : twice.sort((a, b) => b.entity.value.amount - a.entity.value.amount);
  if (!sum) return totals;
  const piece = { segment: sum.segment, start: sum.entity.start, end: sum.entity.end };
  const currency = totals.currency?.value ?? sum.entity.value.currency;
  return {
    ...totals,
    grossAmount: new FieldValue(sum.entity.value.amount, 0.5, piece),
    ...(currency && { currency: totals.currency ?? new FieldValue(currency, 0.7, piece) }),
  };
}

/** Extracts a till receipt; undefined where the document is of another kind. */
export function extractReceipt(
  document: DocumentContext,
  locale: DocumentLocale,
  _context: ExtractionContext,
  _mail: MailHead | undefined,
): ExtractedItem<ReceiptView> | undefined {
  const totals = withSum(document, totalsIn(document, locale, undefined, paidSums));
  const paid = totals.grossAmount ?? totals.netAmount;
  const name = nameIn(document);
  const short = document.annotations.layout.segments.reduce((sum, { tokens }) => sum + tokens.length, 0) <= fewWords;
  if (!paid || isAnother(document, name) || (!name && (!short || titled(document, otherTitles)))) return undefined;
  return withChecks<ReceiptView>(draftOf(document, locale, totals), document, checkReceipt);
}

function draftOf(document: DocumentContext, locale: DocumentLocale, totals: ReturnType<typeof totalsIn>): ReceiptDraft {
  const items = itemsIn(document, locale, totals);
  const plate = plateIn(document);
  const draft: ReceiptDraft = {
    number: numberIn(document),
    issuedAt: momentIn(document, locale),
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
      ({ score, label, span: piece }) => score >= 0.25 && label.standing !== "Loose" && !isCount(piece),
    );
    if (best) return new FieldValue(best.span.text, best.score, best.span);
  }
  return besideTitle(document) ?? bareNumber(document);
}

const timesBehind = /^\s*(?:\p{L}{1,5}\.?\s*)?[x×*@]\s*\d/iu;

/** "250.000 L x 7.45": a quantity is not the number of the receipt. */
const isCount = ({ segment, end }: TextSpan): boolean => timesBehind.test(segment.text.slice(end));

const code = /^(?=(?:[^\d]*\d){3})[\p{Lu}\d][\p{Lu}\d/_-]{2,30}$/u;

/** "NYUGTA   0118/00442": a code alone beside the title. */
function besideTitle({ annotations: marks }: DocumentContext): FieldValue<string> | undefined {
  for (const { segment, meanings, standing } of marks.labels) {
    if (standing !== "Head" || !meanings.some(({ concept }) => receiptTitles.includes(concept))) continue;
    const row = marks.layout.pages[segment.page - 1]?.rows.find((each) => each.includes(segment)) ?? [];
    const next = row[row.indexOf(segment) + 1];
    if (next && code.test(next.text))
      return new FieldValue(next.text, 0.6, { segment: next, start: 0, end: next.text.length });
  }
  return undefined;
}

const bare =
  /^(?:no|nr|n[°ºr]|№|num|nro|br|št|č|sz|numer|numero|#)[.:]{0,2}\s?:?\s?((?=(?:[^\d]*\d){3})[\p{Lu}\d][\p{Lu}\d/_-]{2,30})$/iu;
const upperRows = 14;

/** "No 0418-7-551": a number without another label, in the upper part of the slip. */
function bareNumber({ annotations: marks }: DocumentContext): FieldValue<string> | undefined {
  for (const segment of marks.layout.segments) {
    if (segment.page > 1 || segment.row > upperRows) break;
    const match = bare.exec(segment.text);
    if (!match?.[1]) continue;
    return new FieldValue(match[1], 0.45, { segment, start: match[0].length - match[1].length, end: match[0].length });
  }
  return undefined;
}

/** After its label, else after a word for a vehicle. */
function plateIn(document: DocumentContext): FieldValue<string> | undefined {
  const { vehicles, trailers } = vehiclesIn(document);
  const [labelled] = [...vehicles, ...trailers];
  if (labelled) return labelled;
  for (const row of document.annotations.layout.pages.flatMap(({ rows }) => rows)) {
    const [named] = findNamedPlates(row.map(({ text }) => text).join(" "));
    if (named) return new FieldValue(named.plate, 0.7, pieceOf(row, named.start, named.end));
  }
  return undefined;
}

/** Where a stretch of the row's words stands: in one segment, or from where its first begins. */
function pieceOf(row: readonly Segment[], from: number, to: number): Pick<TextSpan, "segment" | "start" | "end"> {
  let offset = 0;
  const segment = row.find(({ text }) => from < (offset += text.length + 1))!;
  const start = from - (offset - segment.text.length - 1);
  return { segment, start, end: Math.min(segment.text.length, start + to - from) };
}

const words = Object.entries(categories).map(
  ([category, list]) => [category as Category, list.map((word) => ` ${foldText(word)} `)] as const,
);

/** By the names of the items, else by the text of the whole receipt. */
function categoryOf(document: DocumentContext, bought: readonly Segment[]): FieldValue<Category> | undefined {
  for (const [segments, confidence] of [
    [bought, 0.9],
    [document.annotations.layout.segments, 0.7],
  ] as const) {
    const hits = segments.flatMap((segment) => {
      const text = ` ${fold(segment.text).text.replace(/[^\p{L}\p{N}]+/gu, " ")} `;
      return words.flatMap(([category, list]) =>
        list.some((word) => text.includes(word)) ? [{ category, segment }] : [],
      );
    });
    const [first] = [...Map.groupBy(hits, ({ category }) => category).values()].sort((a, b) => b.length - a.length);
    const hit = first?.[0];
    if (hit)
      return new FieldValue(hit.category, confidence, { segment: hit.segment, start: 0, end: hit.segment.text.length });
  }
  return undefined;
}

const distance = /(?<!\d)\d{1,3}(?:[ .,']\d{3})+(?!\d)|(?<!\d)\d{3,7}(?![\d-])/u;

/** Kilometres after their label. */
function odometerIn(document: DocumentContext): FieldValue<number> | undefined {
  for (const label of document.annotations.labels) {
    if (!label.meanings.some(({ concept, weight }) => concept === "odometer" && weight >= 0.5)) continue;
    for (const { segment, start, end, order } of valueAreasOf(document.annotations, label)) {
      const match = order === 0 ? distance.exec(segment.text.slice(start, end)) : null;
      if (!match) continue;
      const value = Number(match[0].replace(/\D/gu, ""));
      return new FieldValue(value, 0.8, {
        segment,
        start: start + match.index,
        end: start + match.index + match[0].length,
      });
    }
  }
  return drivenIn(document);
}

const drivenBefore = /(?<![\p{L}\d])km[.:]{0,2}\s{0,2}(\d{2,3}[ .]\d{3}|\d{5,7})(?![\d.,])/iu;
const drivenBehind = /(?<![\d.,/-])(\d{2,3}[ .]\d{3}|\d{5,7})\s?km(?![\p{L}/])/iu;

/** "Km 512.044": too many kilometres for a distance between two stops. */
function drivenIn({ annotations: marks }: DocumentContext): FieldValue<number> | undefined {
  for (const segment of marks.layout.segments) {
    const match = drivenBefore.exec(segment.text) ?? drivenBehind.exec(segment.text);
    if (!match?.[1]) continue;
    const start = match.index + match[0].indexOf(match[1]);
    return new FieldValue(Number(match[1].replace(/\D/gu, "")), 0.6, { segment, start, end: start + match[1].length });
  }
  return undefined;
}
