import type { StructuredPart } from "../../document/document.ts";
import type { Check, Reading, ReadingContext } from "../../document/reading.ts";
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
  around: DocumentContext,
  seeing: DocumentLocale,
  context: ReadingContext,
): Reading<InvoiceView>[] {
  const views = structured.flatMap((part) => {
    for (const read of formats) {
      const view = read(part, around.budget);
      if (view?.number) return [view];
    }
    return [];
  });
  const [first, ...others] = views;
  if (!first) return [];
  const printed = around.annotations.layout.parts.some(({ format }) => format !== "Xml");
  const page = printed ? invoiceOnPage(around, seeing, context) : termsAlone(around);
  const draft = { ...missingIn(first, page), ...said(first, around, seeing) };
  const whole = settledInvoice(draft, around, printed ? agreement(first, draft, around) : []);
  return [whole, ...others.map((view) => settledInvoice(said(view, around, seeing), around))];
}

function termsAlone(around: DocumentContext): InvoiceDraft {
  const { paymentDays } = paymentTermsIn(around, undefined);
  return { ...(paymentDays && { paymentDays }) };
}

function missingIn(view: InvoiceView, page: InvoiceDraft): InvoiceDraft {
  const said = { ...page };
  if (said.paymentMethod && said.paymentMethod.confidence <= inferred) delete said.paymentMethod;
  return Object.fromEntries(Object.entries(said).filter(([name]) => !(name in view))) as InvoiceDraft;
}

type Piece = FieldValue<unknown>["span"];

/** The view as a draft, each value with the place where the page says it too. */
function said(view: InvoiceView, around: DocumentContext, seeing: DocumentLocale): InvoiceDraft {
  const place = placesOf(around, seeing);
  const draft = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(draft);
    if (typeof node === "object" && node !== null)
      return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, draft(value)]));
    return node === undefined ? undefined : new FieldValue(node, sure, place(node));
  };
  return draft(view) as InvoiceDraft;
}

/** Finds where the page says a value: a number, a date, or words. */
function placesOf(around: DocumentContext, seeing: DocumentLocale): (value: unknown) => Piece {
  const places = new Map<string, Piece>();
  const note = (key: string, piece: NonNullable<Piece>) => places.has(key) || places.set(key, piece);
  const numbers = ["Amount", "Percent", "Date", "Iban", "Vat"] as const;
  for (const { segment, entity } of numbers.flatMap((type) => [
    ...entitiesOfType<(typeof numbers)[number]>(around.annotations, type),
  ])) {
    const piece = { segment, start: entity.start, end: entity.end };
    if (entity.type === "Amount") note(`${Math.abs(entity.value.amount)}`, piece);
    else if (entity.type === "Percent") note(`${entity.value}`, piece);
    else if (entity.type === "Date") note(completed(entity.value, seeing), piece);
    else note(entity.type === "Vat" ? entity.value.code.replace(/\s/gu, "") : entity.value, piece);
  }
  const words = wordsIn(around);
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
    if (bare.length >= leastBare && !whole.has(bare)) whole.set(bare, segment);
  }
  const all = segments.map(({ text }) => text).join("\n");
  const known = new Map<string, Piece>();
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
    if (!known.has(words)) known.set(words, find(words));
    return known.get(words);
  };
}

const leastBare = 3;

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
  const unsaid = names.filter((name) => view[name] !== undefined && !draft?.[name]?.span);
  return [
    {
      name: "PageAgreesWithXml",
      passed: unsaid.length === 0,
      detail:
        unsaid.length === 0
          ? "The page says the same as the data in the file."
          : `The page does not say: ${unsaid.join(", ")}.`,
      pointers: unsaid.map((name) => `/${name}`),
    },
  ];
}
