import type { ConceptId } from "../../lexicon/concepts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { containsAnswer } from "../../fields/labels/answers.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { segmentsInGrids } from "../../fields/grid/grid.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";

type Day = LocatedEntity<"Date"> & { score: number; label?: Label };

/** The days of an invoice. */
export interface InvoiceDates {
  issueDate?: FieldValue<string>;
  saleDate?: FieldValue<string>;
  dueDate?: FieldValue<string>;
}

/** The days of issue, of sale and the last day to pay. */
export function invoiceDates(document: DocumentContext, locale: DocumentLocale): InvoiceDates {
  const taken = new Set<unknown>();
  const best = (concepts: readonly ConceptId[], least: number): Day | undefined => {
    const candidate = findCandidates(document, { concepts, types: ["Date"] }).find(
      (day) =>
        day.score >= least &&
        !taken.has(day.entity) &&
        isSaid(document, day) &&
        !isDiscounted(day) &&
        !isOfOrder(document, day),
    );
    if (candidate) taken.add(candidate.entity);
    return candidate;
  };
  const due = best(["dueDate"], 0.35) ?? saidInSentence(document, ["dueDate"], taken) ?? best(["paymentTerm"], 0.45);
  const sale = best(["saleDate"], 0.35);
  const labelled = best(["invoiceDate"], 0.35) ?? best(["orderDate"], 0.35) ?? best(["date", "timeWindow"], 0.4);
  const issue = labelled ?? inOneWith(document, sale) ?? first(document, taken);
  const say = (day: Day | undefined) =>
    day &&
    new FieldValue(completed(day.entity.value, locale), day.score, {
      segment: day.segment,
      start: day.entity.start,
      end: day.entity.end,
    });
  const [issueDate, saleDate, dueDate] = [
    say(issue),
    say(sale ?? saidInSentence(document, ["saleDate"], taken)),
    say(due ?? besidePayment(document, locale, taken, issue)),
  ];
  return { ...(issueDate && { issueDate }), ...(saleDate && { saleDate }), ...(dueDate && { dueDate }) };
}

const orders: ReadonlySet<ConceptId> = new Set(["orderNumber", "customerReference", "titleTransportOrder"]);

/** "Your order A-118 of 12.10.2026": the order's day, not the invoice's. */
function isOfOrder({ annotations: marks }: DocumentContext, { segment, entity, label }: Day): boolean {
  const own = label?.meanings.some(({ concept }) => concept === "orderDate" || concept === "date");
  if (!own) return false;
  return (marks.labelsIn[segment.index] ?? []).some(
    (other) =>
      other !== label &&
      other.end <= entity.start &&
      other.meanings.some(({ concept, weight }) => orders.has(concept) && weight >= 0.6),
  );
}

const isSaid = (document: DocumentContext, { segment }: Day): boolean => !document.prose.has(segment);

const sentenceEnd = /[.!?;]\s+(?=\p{Lu})|[\n;]/gu;

/** The sentence of a text in which something stands. */
function sentenceAround(text: string, start: number, end: number): string {
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index);
  const from = ends.findLast((at) => at < start) ?? -1;
  return text.slice(from + 1, ends.find((at) => at >= end) ?? text.length);
}

/** "Until 29.10. with 2 % discount" is not the last day to pay. */
function isDiscounted({ segment, entity }: LocatedEntity<"Date">): boolean {
  return containsAnswer("discount", sentenceAround(segment.text, entity.start, entity.end));
}

const nearest = 14;

/** "Payable by 18.11.2026 without deduction." in running text: the day right behind the words. */
function saidInSentence(
  document: DocumentContext,
  concepts: readonly ConceptId[],
  taken: Set<unknown>,
): Day | undefined {
  const candidate = findCandidates(document, { concepts, types: ["Date"] }).find(
    ({ label, segment, entity, way }) =>
      way === "Same" &&
      !taken.has(entity) &&
      entity.score >= 0.5 &&
      entity.start - label.end <= nearest &&
      document.annotations.layout.parts[segment.part]?.quoted !== true &&
      !isDiscounted({ segment, entity }),
  );
  if (candidate) taken.add(candidate.entity);
  return candidate && { ...candidate, score: 0.7 };
}

/** "Tax point / date: 9 October": one day under both names. */
function inOneWith(document: DocumentContext, sale: Day | undefined): Day | undefined {
  if (!sale?.label) return undefined;
  const words = sale.label.segment.text.slice(sale.label.start, sale.label.end);
  if (/\/|&/u.test(words)) return { ...sale, score: 0.6 };
  const both = (document.annotations.labelsIn[sale.label.segment.index] ?? []).some(
    ({ start, meanings }) =>
      start <= Math.max(sale.label?.end ?? 0, sale.entity.start) &&
      meanings.some(({ concept }) => concept === "date" || concept === "invoiceDate"),
  );
  return both ? { ...sale, score: 0.7 } : undefined;
}

const maxTermLength = 120;
const day = 86_400_000;
const payment: ReadonlySet<ConceptId> = new Set(["paymentTerm", "paymentMethod", "dueDate", "amountDue"]);

const isOf = (concepts: ReadonlySet<ConceptId>, { meanings }: Label) =>
  meanings.some(({ concept, weight }) => concepts.has(concept) && weight >= 0.4);

/** A later day on a line that speaks of payment: "Payment: transfer 30 days   date: 05.11.2026". */
function besidePayment(
  document: DocumentContext,
  locale: DocumentLocale,
  taken: ReadonlySet<unknown>,
  issue: Day | undefined,
): Day | undefined {
  if (!issue) return undefined;
  const issued = Date.parse(completed(issue.entity.value, locale));
  const date = entitiesOfType(document.annotations, "Date").find(({ segment, entity }) => {
    if (taken.has(entity) || entity.value.year === undefined || entity.score < 0.5) return false;
    if (document.prose.has(segment) || isDiscounted({ segment, entity })) return false;
    const away = (Date.parse(completed(entity.value, locale)) - issued) / day;
    const label = labelOf(document.annotations, segment, entity.start);
    const free = !label || isOf(new Set([...payment, "date", "dateTo"]), label);
    return away > 0 && away <= maxTermLength && free && paidOnLine(document, segment, entity.start);
  });
  return date && { ...date, score: 0.6 };
}

function paidOnLine({ annotations: marks }: DocumentContext, segment: LocatedEntity["segment"], at: number): boolean {
  return marks.labels.some(
    (label) =>
      label.segment.page === segment.page &&
      label.segment.row === segment.row &&
      (label.segment !== segment || label.end <= at) &&
      isOf(payment, label),
  );
}

/**
 * Days to pay in: those that lead from the day of issue to the last day to pay, else days of a row that speaks of payment,
 * outside the table and the small print. Days with a discount are none.
 */
export function daysToPay(
  document: DocumentContext,
  locale: DocumentLocale,
  days: InvoiceDates,
): FieldValue<number> | undefined {
  const inTable = segmentsInGrids(document, locale);
  const all = entitiesOfType(document.annotations, "Quantity").filter(
    ({ segment, entity }) =>
      entity.value.unit === "days" &&
      entity.value.amount > 0 &&
      entity.value.amount <= maxTermLength &&
      !inTable.has(segment) &&
      !containsAnswer("discount", sentenceAround(segment.text, entity.start, entity.end)),
  );
  const say = (chosen: (typeof all)[number] | undefined, confidence: number) =>
    chosen &&
    new FieldValue(Math.round(chosen.entity.value.amount), confidence, {
      segment: chosen.segment,
      start: chosen.entity.start,
      end: chosen.entity.end,
    });
  const { issueDate, dueDate } = days;
  const between = issueDate && dueDate ? (Date.parse(dueDate.value) - Date.parse(issueDate.value)) / day : undefined;
  const exact = all.find(({ entity }) => between !== undefined && Math.abs(between - entity.value.amount) < 0.5);
  if (exact) return say(exact, 0.85);
  const paying = document.annotations.labels.filter(({ meanings }) =>
    meanings.some(({ concept }) => payment.has(concept)),
  );
  const beside = all.find(
    ({ segment }) =>
      !document.prose.has(segment) &&
      paying.some((label) => label.segment.page === segment.page && label.segment.row === segment.row),
  );
  return say(beside, 0.6);
}

const headRows = 22;
const general: ReadonlySet<ConceptId> = new Set([
  "date",
  "place",
  "titleInvoice",
  "invoiceNumber",
  "invoiceDate",
  "orderDate",
]);

/** The first full date of the first page that no other label has. */
function first(document: DocumentContext, taken: ReadonlySet<unknown>): Day | undefined {
  const date = entitiesOfType(document.annotations, "Date").find(({ segment, entity }) => {
    if (segment.page !== 1 || segment.row > headRows || entity.value.year === undefined || entity.score < 0.4)
      return false;
    const label = labelOf(document.annotations, segment, entity.start);
    const day = { segment, entity, score: 0, ...(label && { label }) };
    if (document.prose.has(segment) || isDiscounted(day) || isOfOrder(document, day)) return false;
    return !taken.has(entity) && (!label || label.meanings.some(({ concept }) => general.has(concept)));
  });
  return date && { ...date, score: 0.55 };
}
