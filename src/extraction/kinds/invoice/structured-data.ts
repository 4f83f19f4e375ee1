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
import type { InvoiceView } from "./view.ts";
import { invoiceOnPage, settledInvoice, type InvoiceDraft } from "./invoice.ts";
import { inferred } from "./payment.ts";

/** How sure data is that was data in the file. */
const sure = 0.99;
const formats = [invoiceInCii, invoiceInUbl, invoiceInFattura, invoiceInKsef];

/**
 * Invoices that are data in the file (Factur-X, ZUGFeRD, XRechnung, Peppol, FatturaPA, KSeF): their values are taken as they
 * are, the page adds only what they leave out and is asked whether it says the same.
 */
export function invoicesInData(
  structured: readonly StructuredPart[],
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
): ExtractedItem<InvoiceView>[] {
  const views = structured.flatMap((part) => {
    for (const read of formats) {
      const view = read(part, document.budget);
      if (view?.number) return [view];
    }
    return [];
  });
  const [first, ...others] = views;
  if (!first) return [];
  const printed = document.annotations.layout.parts.some(({ format }) => format !== "Xml");
  const page = printed ? invoiceOnPage(document, locale, context) : termsAlone(document);
  const draft = { ...missingIn(first, page), ...draftOfView(first, document, locale) };
  const whole = settledInvoice(draft, document, printed ? agreement(first, draft, document) : []);
  return [whole, ...others.map((view) => settledInvoice(draftOfView(view, document, locale), document))];
}

function termsAlone(document: DocumentContext): InvoiceDraft {
  const { paymentDays } = paymentTermsIn(document, undefined);
  return { ...(paymentDays && { paymentDays }) };
}

function missingIn(view: InvoiceView, page: InvoiceDraft): InvoiceDraft {
  const fromText = { ...page };
  if (fromText.paymentMethod && fromText.paymentMethod.confidence <= inferred) delete fromText.paymentMethod;
  return Object.fromEntries(Object.entries(fromText).filter(([name]) => !(name in view))) as InvoiceDraft;
}

type Piece = FieldValue<unknown>["span"];

/** The view as a draft, each value with the place where the page says it too. */
function draftOfView(view: InvoiceView, document: DocumentContext, locale: DocumentLocale): InvoiceDraft {
  const place = placesOf(document, locale);
  const draft = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(draft);
    if (typeof node === "object" && node !== null)
      return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, draft(value)]));
    return node === undefined ? undefined : new FieldValue(node, sure, place(node));
  };
  return draft(view) as InvoiceDraft;
}

/** Finds where the page says a value: a number, a date, or words. */
function placesOf(document: DocumentContext, locale: DocumentLocale): (value: unknown) => Piece {
  const places = new Map<string, Piece>();
  const note = (key: string, piece: NonNullable<Piece>) => places.has(key) || places.set(key, piece);
  const numbers = ["Amount", "Percent", "Date", "Iban", "Vat"] as const;
  for (const { segment, entity } of numbers.flatMap((type) => [
    ...entitiesOfType<(typeof numbers)[number]>(document.annotations, type),
  ])) {
    const piece = { segment, start: entity.start, end: entity.end };
    if (entity.type === "Amount") note(`${Math.abs(entity.value.amount)}`, piece);
    else if (entity.type === "Percent") note(`${entity.value}`, piece);
    else if (entity.type === "Date") note(completed(entity.value, locale), piece);
    else note(entity.type === "Vat" ? entity.value.code.replace(/\s/gu, "") : entity.value, piece);
  }
  const words = wordsIn(document);
  return (value) => {
    if (typeof value === "number") return places.get(`${Math.abs(value)}`);
    return places.get(String(value)) ?? words(String(value));
  };
}

/** Finds the segment in which words stand as they are, else one that says nothing else: all segments in one, searched once. */
function wordsIn({ annotations: marks, budget }: DocumentContext): (words: string) => Piece {
  const { segments } = marks.layout;
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
  const byWords = new Map<string, Piece>();
  const find = (words: string): Piece => {
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

/** The place of the last number that is no greater. */
function lastUpTo(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The values by which an invoice is paid must be on its page too. */
function agreement(
  view: InvoiceView,
  draft: FieldValues<InvoiceView>,
  { annotations: marks }: DocumentContext,
): Check[] {
  if (marks.layout.segments.every(({ tokens }) => tokens.length === 0)) return [];
  const names = ["number", "issueDate", "grossAmount", "iban"] as const;
  const missing = names.filter((name) => view[name] !== undefined && !draft?.[name]?.span);
  return [
    {
      name: "PageAgreesWithXml",
      passed: missing.length === 0,
      detail: `The page must state the values of the data in the file${missing.length > 0 ? `: ${missing.join(", ")}` : ""}.`,
      pointers: missing.map((name) => `/${name}`),
    },
  ];
}
