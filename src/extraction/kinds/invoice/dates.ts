import type { ConceptId } from "../../lexicon/concepts.ts";
import { daysBetweenDates } from "../../entities/calendar.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { containsAnswer } from "../../fields/labels/answers.ts";
import type { FieldValue } from "../../fields/confidence/field-value.ts";
import { segmentsInGrids } from "../../fields/grid/grid.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import { dateValue, entityValue } from "../field-values.ts";
import { saidDate, type DateMeaning } from "./date-words.ts";
import { scores } from "./scores.ts";

type Day = LocatedEntity<"Date"> & { score: number; label?: Label };

export interface InvoiceDates {
  issueDate?: FieldValue<string>;
  saleDate?: FieldValue<string>;
  dueDate?: FieldValue<string>;
}

export function invoiceDates(
  document: DocumentContext,
  locale: DocumentLocale,
  number: FieldValue<string> | undefined,
): InvoiceDates {
  const taken = new Set<unknown>();
  const inTable = segmentsInGrids(document, locale);
  const best = (concepts: readonly ConceptId[], { min }: { min: number }): Day | undefined => {
    const candidate = findCandidates(document, { concepts, types: ["Date"] }).find(
      (day) =>
        day.score >= min &&
        !taken.has(day.entity) &&
        !document.prose.has(day.segment) &&
        !(day.way === "Below" && inTable.has(day.segment)) &&
        !isDiscounted(day) &&
        !isOfOrder(document, day) &&
        !isOfInvoice(document, day, number),
    );
    if (candidate) taken.add(candidate.entity);
    return candidate;
  };
  const said = (meaning: DateMeaning): Day | undefined => {
    const date = saidDate(
      document,
      meaning,
      (day) =>
        !taken.has(day.entity) &&
        !inTable.has(day.segment) &&
        day.entity.value.year !== undefined &&
        day.entity.score >= scores.date.inSentence.min &&
        !isDiscounted(day),
    );
    if (date) taken.add(date.entity);
    return date && { ...date, score: scores.date.inSentence.value };
  };
  const { ownLabel, generalLabel, paymentTerm } = scores.date;
  const beside = besideNumber(document, number, taken);
  const due =
    best(["dueDate"], ownLabel) ?? dateInSentence(document, ["dueDate"], taken) ?? best(["paymentTerm"], paymentTerm);
  const sale = best(["saleDate"], ownLabel);
  const labelled =
    best(["invoiceDate"], ownLabel) ??
    beside ??
    behindTown(document, taken) ??
    best(["orderDate"], ownLabel) ??
    best(["date", "timeWindow"], generalLabel);
  const later = sale ?? dateInSentence(document, ["saleDate"], taken) ?? said("sale");
  const payable = due ?? said("due");
  const issue = labelled ?? said("issue") ?? issuedOnSaleDate(document, sale) ?? firstDate(document, taken) ?? later;
  const toField = (day: Day | undefined) => day && dateValue(day, locale, day.score);
  const [issueDate, saleDate, dueDate] = [
    toField(issue),
    toField(later),
    toField(payable ?? besidePayment(document, locale, taken, issue)),
  ];
  return { ...(issueDate && { issueDate }), ...(saleDate && { saleDate }), ...(dueDate && { dueDate }) };
}

/** Only small words stand between a number and its date, as in "No. 214/2026 del 31/10/2026". */
const fromNumber = /^[\s,.;:·|()–—-]*(?:\p{L}{1,6}\.?\s+){0,2}(?:\p{L}{1,8}:\s*)?$/u;

/** Finds the date directly after the number of the invoice. */
function besideNumber(
  { annotations }: DocumentContext,
  number: FieldValue<string> | undefined,
  taken: Set<unknown>,
): Day | undefined {
  const { span } = number ?? {};
  if (!span) return undefined;
  const date = entitiesOfType(annotations, "Date", [span.segment]).find(
    ({ entity }) =>
      entity.start >= span.end &&
      entity.score >= scores.date.inSentence.min &&
      fromNumber.test(span.segment.text.slice(span.end, entity.start)),
  );
  if (date) taken.add(date.entity);
  return date && { ...date, score: scores.date.besideNumber };
}

/** A town, a comma and at most one word, as in "Wien, am 7. Jänner 2026". */
const town = /^\p{Lu}[\p{L} .'-]{2,30},\s*(?:\p{L}{1,5}\.?\s*)?$/u;

/** Finds the date of a letter: "Bielsko-Biała, 2026-02-27". */
function behindTown({ annotations }: DocumentContext, taken: Set<unknown>): Day | undefined {
  const date = entitiesOfType(annotations, "Date").find(
    ({ segment, entity }) =>
      segment.page === 1 &&
      segment.row <= headRows &&
      !taken.has(entity) &&
      town.test(segment.text.slice(0, entity.start)) &&
      /^[\s.]*(?:\p{L}\.?)?$/u.test(segment.text.slice(entity.end)),
  );
  if (date) taken.add(date.entity);
  return date && { ...date, score: scores.date.behindTown };
}

const invoices: ReadonlySet<ConceptId> = new Set(["titleInvoice", "invoiceNumber"]);

/** Whether a date is that of another invoice, as in "Against invoice 88120 of 29.05.2026". */
function isOfInvoice({ annotations }: DocumentContext, { segment, entity }: Day, own?: FieldValue<string>): boolean {
  const label = (annotations.labelsIn[segment.index] ?? []).findLast(
    ({ end, meanings }) => end <= entity.start && meanings.some(({ concept }) => invoices.has(concept)),
  );
  const between = label && segment.text.slice(label.end, entity.start);
  return between !== undefined && /\d{3}/u.test(between) && !(own && between.includes(own.value));
}

const orders: ReadonlySet<ConceptId> = new Set(["orderNumber", "customerReference", "titleTransportOrder"]);

/** Whether a date is that of an order, as in "Your order A-118 of 12.10.2026". */
function isOfOrder({ annotations }: DocumentContext, { segment, entity, label }: Day): boolean {
  const own = label?.meanings.some(({ concept }) => concept === "orderDate" || concept === "date");
  if (!own) return false;
  return (annotations.labelsIn[segment.index] ?? []).some(
    (other) =>
      other !== label &&
      other.end <= entity.start &&
      other.meanings.some(({ concept, weight }) => orders.has(concept) && weight >= scores.label.field),
  );
}

const sentenceEnd = /[.!?;]\s+(?=\p{Lu})|[\n;]/gu;

function sentenceAround(text: string, start: number, end: number): string {
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index);
  const from = ends.findLast((at) => at < start) ?? -1;
  return text.slice(from + 1, ends.find((at) => at >= end) ?? text.length);
}

/** A date such as "Until 29.10. with 2 % discount" is not the due date. */
function isDiscounted({ segment, entity }: LocatedEntity<"Date">): boolean {
  return containsAnswer("discount", sentenceAround(segment.text, entity.start, entity.end));
}

const maxCharactersToDate = 14;

/** Finds the date in a sentence such as "Payable by 18.11.2026 without deduction." */
function dateInSentence(
  document: DocumentContext,
  concepts: readonly ConceptId[],
  taken: Set<unknown>,
): Day | undefined {
  const candidate = findCandidates(document, { concepts, types: ["Date"] }).find(
    ({ label, segment, entity, way }) =>
      way === "Same" &&
      !taken.has(entity) &&
      entity.score >= scores.date.inSentence.min &&
      entity.start - label.end <= maxCharactersToDate &&
      document.annotations.layout.parts[segment.part]?.quoted !== true &&
      !isDiscounted({ segment, entity }),
  );
  if (candidate) taken.add(candidate.entity);
  return candidate && { ...candidate, score: scores.date.inSentence.value };
}

/**
 * The sale date is also the issue date if its label names both ("Tax point / date: 9 October"), or if the line also has
 * a label of the issue date.
 */
function issuedOnSaleDate(document: DocumentContext, sale: Day | undefined): Day | undefined {
  if (!sale?.label) return undefined;
  const words = sale.label.segment.text.slice(sale.label.start, sale.label.end);
  if (/\/|&/u.test(words)) return { ...sale, score: scores.date.jointLabel };
  const both = (document.annotations.labelsIn[sale.label.segment.index] ?? []).some(
    ({ start, meanings }) =>
      start <= Math.max(sale.label?.end ?? 0, sale.entity.start) &&
      meanings.some(({ concept }) => concept === "date" || concept === "invoiceDate"),
  );
  return both ? { ...sale, score: scores.date.twoLabels } : undefined;
}

const maxPaymentDays = 120;
const halfADay = 0.5;
const payment: ReadonlySet<ConceptId> = new Set(["paymentTerm", "paymentMethod", "dueDate", "amountDue"]);

const isOf = (concepts: ReadonlySet<ConceptId>, { meanings }: Label) =>
  meanings.some(({ concept, weight }) => concepts.has(concept) && weight >= scores.label.besidePaymentDate);

/** Finds the due date in a line such as "Payment: transfer 30 days   date: 05.11.2026". */
function besidePayment(
  document: DocumentContext,
  locale: DocumentLocale,
  taken: ReadonlySet<unknown>,
  issue: Day | undefined,
): Day | undefined {
  if (!issue) return undefined;
  const issued = completed(issue.entity.value, locale);
  const date = entitiesOfType(document.annotations, "Date").find(({ segment, entity }) => {
    if (taken.has(entity) || entity.value.year === undefined || entity.score < scores.date.besidePayment.min)
      return false;
    if (document.prose.has(segment) || isDiscounted({ segment, entity })) return false;
    const away = daysBetweenDates(issued, completed(entity.value, locale));
    const label = labelOf(document.annotations, segment, entity.start);
    const free = !label || isOf(new Set([...payment, "date", "dateTo"]), label);
    return away > 0 && away <= maxPaymentDays && free && paidOnLine(document, segment, entity.start);
  });
  return date && { ...date, score: scores.date.besidePayment.value };
}

function paidOnLine({ annotations }: DocumentContext, segment: LocatedEntity["segment"], at: number): boolean {
  return annotations.labels.some(
    (label) =>
      label.segment.page === segment.page &&
      label.segment.row === segment.row &&
      (label.segment !== segment || label.end <= at) &&
      isOf(payment, label),
  );
}

/**
 * Finds the payment term in days: the number that equals the days between issue date and due date, otherwise a number
 * on a row about payment. Terms of a discount do not count.
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
      entity.value.amount <= maxPaymentDays &&
      !inTable.has(segment) &&
      !containsAnswer("discount", sentenceAround(segment.text, entity.start, entity.end)),
  );
  const toField = (chosen: (typeof all)[number] | undefined, confidence: number) =>
    chosen && entityValue(Math.round(chosen.entity.value.amount), chosen, confidence);
  const { issueDate, dueDate } = days;
  const between = issueDate && dueDate ? daysBetweenDates(issueDate.value, dueDate.value) : undefined;
  const exact = all.find(({ entity }) => between !== undefined && Math.abs(between - entity.value.amount) < halfADay);
  if (exact) return toField(exact, scores.paymentDays.betweenDates);
  const paying = document.annotations.labels.filter(({ meanings }) =>
    meanings.some(({ concept }) => payment.has(concept)),
  );
  const beside = all.find(
    ({ segment }) =>
      !document.prose.has(segment) &&
      paying.some((label) => label.segment.page === segment.page && label.segment.row === segment.row),
  );
  return toField(beside, scores.paymentDays.besidePayment);
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

function firstDate(document: DocumentContext, taken: ReadonlySet<unknown>): Day | undefined {
  const date = entitiesOfType(document.annotations, "Date").find(({ segment, entity }) => {
    if (
      segment.page !== 1 ||
      segment.row > headRows ||
      entity.value.year === undefined ||
      entity.score < scores.date.firstOfPage.min
    )
      return false;
    const label = labelOf(document.annotations, segment, entity.start);
    const day = { segment, entity, score: 0, ...(label && { label }) };
    if (document.prose.has(segment) || isDiscounted(day) || isOfOrder(document, day)) return false;
    return !taken.has(entity) && (!label || label.meanings.some(({ concept }) => general.has(concept)));
  });
  return date && { ...date, score: scores.date.firstOfPage.value };
}
