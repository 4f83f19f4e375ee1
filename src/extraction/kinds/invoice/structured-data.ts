import type { StructuredPart } from "../../document/document.ts";
import type { Check, ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { invoiceInCii } from "./cii.ts";
import { invoiceInFattura } from "./fattura.ts";
import { invoiceInKsef } from "./ksef.ts";
import { invoiceInUbl } from "./ubl.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { plain } from "../../fields/parties/party.ts";
import { paymentTermsIn } from "../../fields/money/payment-terms.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import type { Budget } from "../../problem.ts";
import { invoiceOnPage, checkedInvoice, type InvoiceDraft } from "./invoice.ts";
import { scores } from "./scores.ts";
import type { InvoiceView } from "./view.ts";
import { treeOf, type Element } from "./xml-tree.ts";

const mappings: Partial<Record<StructuredPart["format"], readonly ((root: Element) => InvoiceView | undefined)[]>> = {
  Cii: [invoiceInCii],
  Ubl: [invoiceInUbl],
  Xml: [invoiceInFattura, invoiceInKsef],
};

/**
 * Extracts invoices from structured data in the file (Factur-X, ZUGFeRD, XRechnung, Peppol, FatturaPA, KSeF). The
 * printed page only adds missing fields to the first invoice, and is checked against it.
 */
export function invoicesInData(
  structured: readonly StructuredPart[],
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
): ExtractedItem<InvoiceView>[] {
  const [first, ...others] = structured.flatMap((part) => invoiceInPart(part, document.budget) ?? []);
  if (!first) return [];
  const printed = document.annotations.layout.parts.some(({ format }) => format !== "Xml");
  const page = printed ? invoiceOnPage(document, locale, context) : termsAlone(document);
  const draft = { ...missingIn(first, page), ...draftOfView(first, document, locale) };
  const whole = checkedInvoice(draft, document, printed ? agreementWithPage(first, draft, document) : []);
  return [whole, ...others.map((view) => checkedInvoice(draftOfView(view, document, locale), document))];
}

function invoiceInPart({ format, text }: StructuredPart, budget: Budget): InvoiceView | undefined {
  const root = mappings[format] && treeOf(text, budget);
  if (!root) return undefined;
  return mappings[format]?.map((mapping) => mapping(root)).find((view) => view?.number);
}

function termsAlone(document: DocumentContext): InvoiceDraft {
  const { paymentDays } = paymentTermsIn(document, undefined);
  return { ...(paymentDays && { paymentDays }) };
}

function missingIn(view: InvoiceView, page: InvoiceDraft): InvoiceDraft {
  const fromText = { ...page };
  if (fromText.paymentMethod && fromText.paymentMethod.confidence <= scores.paymentMethod.fromAccount)
    delete fromText.paymentMethod;
  return Object.fromEntries(Object.entries(fromText).filter(([name]) => !(name in view))) as InvoiceDraft;
}

type Span = FieldValue<unknown>["span"];

/** The evidence of each value is its position on the printed page. */
function draftOfView(view: InvoiceView, document: DocumentContext, locale: DocumentLocale): InvoiceDraft {
  const positionOf = positionsIn(document, locale);
  const draft = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(draft);
    if (typeof node === "object" && node !== null)
      return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, draft(value)]));
    return node === undefined ? undefined : new FieldValue(node, scores.structuredData, positionOf(node));
  };
  return draft(view) as InvoiceDraft;
}

function positionsIn(document: DocumentContext, locale: DocumentLocale): (value: unknown) => Span {
  const positions = new Map<string, Span>();
  const note = (key: string, span: NonNullable<Span>) => positions.has(key) || positions.set(key, span);
  const numbers = ["Amount", "Percent", "Date", "Iban", "Vat"] as const;
  for (const { segment, entity } of numbers.flatMap((type) => [
    ...entitiesOfType<(typeof numbers)[number]>(document.annotations, type),
  ])) {
    const span = { segment, start: entity.start, end: entity.end };
    if (entity.type === "Amount") note(`${Math.abs(entity.value.amount)}`, span);
    else if (entity.type === "Percent") note(`${entity.value}`, span);
    else if (entity.type === "Date") note(completed(entity.value, locale), span);
    else note(entity.type === "Vat" ? entity.value.code.replace(/\s/gu, "") : entity.value, span);
  }
  const words = wordsIn(document);
  return (value) => {
    if (typeof value === "number") return positions.get(`${Math.abs(value)}`);
    return positions.get(String(value)) ?? words(String(value));
  };
}

/**
 * Finds the segment that contains a text, otherwise a segment that differs from it only in punctuation. All segments
 * are searched as one string.
 */
function wordsIn({ annotations, budget }: DocumentContext): (words: string) => Span {
  const { segments } = annotations.layout;
  const whole = new Map<string, Segment>();
  const starts: number[] = [];
  let length = 0;
  for (const segment of segments) {
    starts.push(length);
    length += segment.text.length + 1;
    const bare = plain(segment.text);
    if (bare.length >= minBareLength && !whole.has(bare)) whole.set(bare, segment);
  }
  const all = segments.map(({ text }) => text).join("\n");
  const byWords = new Map<string, Span>();
  const find = (words: string): Span => {
    budget.check();
    const at = all.indexOf(words);
    const index = at < 0 ? -1 : lastUpTo(starts, at);
    const segment = segments[index] ?? whole.get(plain(words));
    if (!segment) return undefined;
    const start = index < 0 ? 0 : at - starts[index]!;
    return { segment, start, end: index < 0 ? segment.text.length : start + words.length };
  };
  return (words) => {
    if (!byWords.has(words)) byWords.set(words, find(words));
    return byWords.get(words);
  };
}

const minBareLength = 3;

/** Returns the index of the last number that is not greater than `max`. */
function lastUpTo(sorted: readonly number[], max: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= max) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Only values that matter for the payment are compared. */
function agreementWithPage(
  view: InvoiceView,
  draft: FieldValues<InvoiceView>,
  { annotations }: DocumentContext,
): Check[] {
  if (annotations.layout.segments.every(({ tokens }) => tokens.length === 0)) return [];
  const names = ["number", "issueDate", "grossAmount", "iban"] as const;
  const missing = names.filter((name) => view[name] !== undefined && !draft?.[name]?.span);
  return [
    {
      name: "PageAgreesWithXml",
      passed: missing.length === 0,
      detail: `The page must show the same values as the structured data of the file${missing.length > 0 ? `: ${missing.join(", ")}` : ""}.`,
      pointers: missing.map((name) => `/${name}`),
    },
  ];
}
