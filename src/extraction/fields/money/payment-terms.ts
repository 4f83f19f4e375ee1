import type { Payments } from "../../document/shapes.ts";
import mailboxes from "../../lexicon/invoice-mailboxes.json" with { type: "json" };
import units from "../../lexicon/units.json" with { type: "json" };
import { fold, foldText } from "../../lexicon/fold.ts";
import { containsAnswer } from "../labels/answers.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { findBareNumbers } from "../labels/figures.ts";
import { FieldValue, type FieldValues } from "../confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../labels/annotations.ts";
import { findCandidates, type DocumentContext } from "../labels/values.ts";
import { scores } from "../scores.ts";

type PaymentsDraft = NonNullable<FieldValues<Payments>>;

/** Finds the payment term in days, the payment method, and whether VAT is paid in zlotys. */
export function paymentTermsIn(document: DocumentContext, price: LocatedEntity<"Amount"> | undefined): PaymentsDraft {
  const labelledDays = findCandidates(document, {
    concepts: ["paymentTerm", "paymentMethod"],
    types: ["Quantity"],
  }).find(
    ({ segment, entity, score }) =>
      entity.value.unit === "days" &&
      entity.value.amount <= 180 &&
      score >= scores.payment.labelled &&
      !containsAnswer("discount", segment.text),
  );
  const beside = labelledDays ? undefined : (underTerms(document) ?? besidePrice(document, price) ?? netDays(document));
  const countedDays = labelledDays || beside ? undefined : toldDays(document);
  const bare = findBareNumbers(document, ["paymentTerm"], () => true).find(({ value }) => value > 0 && value <= 120);
  const days = labelledDays
    ? new FieldValue(Math.round(labelledDays.entity.value.amount), labelledDays.score, {
        segment: labelledDays.segment,
        start: labelledDays.entity.start,
        end: labelledDays.entity.end,
      })
    : (beside ?? countedDays ?? (bare && new FieldValue(Math.round(bare.value), bare.score, bare.area)));
  const method = methodOf(document, days?.span?.segment);
  const inPln = document.annotations.layout.segments.find(({ text }) =>
    /\b(?:vat|ptu)\b.{0,40}\bpln\b|\bpln\b.{0,25}\bvat\b/u.test(fold(text).text),
  );
  return {
    ...(days && { paymentDays: days }),
    ...(method && { paymentMethod: method }),
    ...(inPln && {
      isVatInPln: new FieldValue(true, scores.payment.vatInPln, { segment: inPln, start: 0, end: inPln.text.length }),
    }),
  };
}

/** Finds days directly after a label for terms: "Terms: 28 days", "Conditions: 30 days net". */
function underTerms(document: DocumentContext): FieldValue<number> | undefined {
  for (const label of document.annotations.labels) {
    if (label.standing === "Loose" || !label.meanings.some(({ concept }) => concept === "terms")) continue;
    const [area] = valueAreasOf(document.annotations, label);
    const [, figures = ""] = (area && openingDays.exec(area.segment.text.slice(area.start, area.end))) ?? [];
    if (!area || !figures || Number(figures) > longest) continue;
    const start = area.segment.text.indexOf(figures, area.start);
    return new FieldValue(Number(figures), scores.payment.days.underTerms, {
      segment: area.segment,
      start,
      end: start + figures.length,
    });
  }
  return undefined;
}

const dayWords = units.days.map((word) => word.replaceAll(".", "\\.")).toSorted((a, b) => b.length - a.length);
const openingDays = new RegExp(`^\\W*(?:net\\W+)?(\\d{1,3})(?:\\s?(?:${dayWords.join("|")})(?!\\p{L})|$)`, "iu");

function besidePrice(
  document: DocumentContext,
  price: LocatedEntity<"Amount"> | undefined,
): FieldValue<number> | undefined {
  const days =
    price &&
    entitiesOfType(document.annotations, "Quantity", [price.segment]).find(
      ({ entity }) => entity.value.unit === "days" && entity.start > price.entity.end,
    );
  return (
    days &&
    new FieldValue(Math.round(days.entity.value.amount), scores.payment.days.besidePrice, {
      segment: days.segment,
      start: days.entity.start,
      end: days.entity.end,
    })
  );
}

const invoiceWords = new Set(mailboxes.words.map(foldText));
const proofs = new Set([
  "cmr",
  "pod",
  "pods",
  "receipt",
  "documents",
  "dokument",
  "dokumenty",
  "documente",
  "documenti",
]);
const [shortest, longest, reach] = [7, 120, 70];

/**
 * Finds days that are counted from a document or marked as net: "30 days from receipt of invoice and CMR", "net 30
 * days". Returns undefined if the document states different numbers of such days.
 */
function toldDays({ annotations }: DocumentContext): FieldValue<number> | undefined {
  const found = entitiesOfType(annotations, "Quantity").flatMap(({ segment, entity }) => {
    const { amount, unit } = entity.value;
    if (unit !== "days" || amount < shortest || amount > longest) return [];
    const words =
      foldText(segment.text.slice(entity.end, entity.end + reach).split(/[.;]\s/u)[0] ?? "").match(/\p{L}+/gu) ?? [];
    const counted = words.some((word) => invoiceWords.has(word) || proofs.has(word));
    const alone = /(?:^|\W)net(?:to|t)?\W{1,2}$/iu.test(segment.text.slice(0, entity.start));
    const behind = /^\s?net(?:to|t)?(?:\W|$)/iu.test(segment.text.slice(entity.end));
    return counted || alone || behind
      ? [
          new FieldValue(Math.round(amount), scores.payment.days.fromDocument, {
            segment,
            start: entity.start,
            end: entity.end,
          }),
        ]
      : [];
  });
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;
}

const net = /^\W*net(?:to|t)?\.?\s+(\d{1,3})\b/iu;

function netDays(document: DocumentContext): FieldValue<number> | undefined {
  for (const label of document.annotations.labels) {
    if (!label.meanings.some((each) => each.concept === "paymentTerm" || each.concept === "terms")) continue;
    for (const { segment, start, end, order } of valueAreasOf(document.annotations, label)) {
      const match = order === 0 ? net.exec(segment.text.slice(start, end)) : null;
      if (match)
        return new FieldValue(Number(match[1]), scores.payment.days.net, {
          segment,
          start,
          end: start + match[0].length,
        });
    }
  }
  return undefined;
}

const methods = [
  ["transfer", "BankTransfer"],
  ["cash", "Cash"],
  ["card", "Card"],
] as const;
/**
 * Payment methods that count anywhere in the document. Cash and cards count only near a payment term or payment label,
 * because they are also mentioned for other reasons.
 */
const onlyTransfer = [methods[0]] as const;

function methodOf(document: DocumentContext, term: Segment | undefined): PaymentsDraft["paymentMethod"] {
  const labelled = document.annotations.labels.filter((label) =>
    label.meanings.some((each) => each.concept === "paymentMethod" || each.concept === "paymentTerm"),
  );
  const near = new Set([...(term ? [term] : []), ...labelled.map((label) => label.segment)]);
  for (const [segments, confidence, candidates] of [
    [[...near], scores.payment.method.nearTerm, methods],
    [document.annotations.layout.segments, scores.payment.method.elsewhere, onlyTransfer],
  ] as const) {
    for (const segment of segments) {
      const method = candidates.find(([word]) => containsAnswer(word, segment.text));
      if (method) return new FieldValue(method[1], confidence, { segment, start: 0, end: segment.text.length });
    }
  }
  return undefined;
}
