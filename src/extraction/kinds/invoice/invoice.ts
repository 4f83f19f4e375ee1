import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import type { Check, Reading, ReadingContext } from "../../document/reading.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { paymentTermsIn } from "../../fields/money/payment-terms.ts";
import { titled } from "../../fields/labels/titles.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { checkedReading } from "../checks.ts";
import { selfBilledIn } from "./party-names.ts";
import type { InvoiceView } from "./view.ts";
import { classifyDocument } from "../classify.ts";
import { checkInvoice } from "./checks.ts";
import { invoiceDates, daysToPay } from "./days.ts";
import { linesIn, vatSharesIn } from "./lines.ts";
import { invoiceNumberIn } from "./number.ts";
import { orderNumbersIn, platesIn } from "./references.ts";
import { invoiceParties } from "./parties.ts";
import { exchangeRateIn, ibanIn, methodIn } from "./payment.ts";
import { totalsIn } from "./totals.ts";

/** An invoice under construction. */
export type InvoiceDraft = NonNullable<FieldValues<InvoiceView>>;

/** Titles of an invoice. */
const invoiceTitles: readonly ConceptId[] = ["titleInvoice", "titleCreditNote", "titleProforma", "invoiceNumber"];

/** Extracts an invoice, credit note or the like; undefined where the document is of another kind. */
export function extractInvoice(
  around: DocumentContext,
  seeing: DocumentLocale,
  context: ReadingContext,
  mail: MailHead | undefined,
): Reading<InvoiceView> | undefined {
  if (!isInvoice(around) && !announced(around, mail)) return undefined;
  return settledInvoice(invoiceOnPage(around, seeing, context), around);
}

/** Data, evidence and checks of a draft; `more` are checks against its source. */
export function settledInvoice(
  draft: InvoiceDraft,
  around: DocumentContext,
  more: readonly Check[] = [],
): Reading<InvoiceView> {
  const reading = checkedReading<InvoiceView>(draft, around, (data) => [...checkInvoice(data), ...more]);
  return { ...reading, data: { ...reading.data, checks: reading.checks } };
}

/** All fields found on the page. */
export function invoiceOnPage(around: DocumentContext, seeing: DocumentLocale, context: ReadingContext): InvoiceDraft {
  const exchangeRate = exchangeRateIn(around);
  const totals = totalsIn(around, seeing, exchangeRate?.value);
  const number = invoiceNumberIn(around, seeing);
  const kind = kindIn(around);
  const iban = ibanIn(around, totals.currency?.value);
  const days = invoiceDates(around, seeing);
  const paymentDays = paymentTermsIn(around, undefined).paymentDays ?? daysToPay(around, seeing, days);
  const paymentMethod = methodIn(around, iban);
  const lines = linesIn(around, seeing, totals);
  const descriptions = lines.flatMap(({ description }) => description ?? []);
  const licensePlates = platesIn(around, descriptions);
  const plates = licensePlates.map(({ value }) => value);
  return {
    ...(number && { number }),
    ...(kind && { kind }),
    ...days,
    ...invoiceParties(around, context.company),
    ...(iban && { iban }),
    ...totals,
    lines,
    vatBreakdown: vatSharesIn(around, seeing, totals),
    ...(paymentMethod && { paymentMethod }),
    ...(paymentDays && { paymentDays }),
    orderNumbers: orderNumbersIn(around, { own: number?.value, plates, descriptions }),
    licensePlates,
    ...(exchangeRate && { exchangeRate }),
  };
}

/** Minimum probability of the classifier to accept a document without an invoice title. */
const surely = 0.5;

/** Has an invoice title and an amount, or is classified as one. A transport order that only mentions an invoice is none. */
function isInvoice(around: DocumentContext): boolean {
  const money = entitiesOfType(around.annotations, "Amount").some(({ entity }) => entity.score >= 0.4);
  const [likeliest] = classifyDocument(around);
  if (money && likeliest?.kind === "invoice" && likeliest.confidence >= surely) return true;
  if (!money || !(titled(around, invoiceTitles) || opened(around))) return false;
  return !titled(around, ["titleTransportOrder"]) || firstAt(around, invoiceTitles) < firstAt(around, orderTitles);
}

/** A mail with an amount whose subject names an invoice. */
function announced(around: DocumentContext, mail: MailHead | undefined): boolean {
  const sums = entitiesOfType(around.annotations, "Amount").some(({ entity }) => entity.score >= 0.8);
  const named = findLabels(mail?.subject ?? "").some(
    ({ concept, weight }) => invoiceTitles.includes(concept) && weight >= 0.6,
  );
  return sums && named && !titled(around, orderTitles);
}

const orderTitles: readonly ConceptId[] = ["titleTransportOrder"];

/** Position of the first of these titles: an invoice names itself before the order it is for. */
function firstAt({ annotations: marks }: DocumentContext, titles: readonly ConceptId[]): number {
  const first = marks.labels.find(
    ({ standing, meanings }) => standing !== "Loose" && meanings.some(({ concept }) => titles.includes(concept)),
  );
  return first?.index ?? Number.POSITIVE_INFINITY;
}

const topRows = 4;

/** A word for an invoice that stands as a heading at the top of the page. */
function opened({ annotations: marks }: DocumentContext): boolean {
  return marks.labels.some(
    ({ segment, standing, meanings }) =>
      segment.page === 1 &&
      segment.row < topRows &&
      standing === "Head" &&
      meanings.some(({ concept }) => invoiceTitles.includes(concept)),
  );
}

const kinds: readonly (readonly [NonNullable<InvoiceView["kind"]>, ConceptId])[] = [
  ["Proforma", "titleProforma"],
  ["CreditNote", "titleCreditNote"],
  ["Invoice", "titleInvoice"],
];

/** By the topmost title of the first pages. */
function kindIn(around: DocumentContext): FieldValue<NonNullable<InvoiceView["kind"]>> | undefined {
  const selfBilled = selfBilledIn(around);
  if (selfBilled)
    return new FieldValue("SelfBilled", 0.75, { segment: selfBilled, start: 0, end: selfBilled.text.length });
  for (const label of around.annotations.labels) {
    if (label.standing === "Loose" || label.segment.page > 2 || around.prose.has(label.segment)) continue;
    const known = kinds.find(([, concept]) => label.meanings.some((each) => each.concept === concept));
    if (known && titled(around, [known[1]]))
      return new FieldValue(known[0], 0.85, { segment: label.segment, start: label.start, end: label.end });
  }
  return undefined;
}
