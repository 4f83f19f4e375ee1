import type { MailHead } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import type { Check, ExtractedItem, ExtractionContext } from "../../document/extraction-result.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import type { FieldValues } from "../../fields/confidence/field-value.ts";
import { gridsIn } from "../../fields/grid/grid.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { paymentTermsIn } from "../../fields/money/payment-terms.ts";
import { titled } from "../../fields/labels/titles.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { withChecks } from "../checks.ts";
import { classifyDocument } from "../classify.ts";
import { checkInvoice } from "./checks.ts";
import { invoiceDates, daysToPay } from "./dates.ts";
import { linesIn, vatSharesIn } from "./lines.ts";
import { invoiceNumberIn } from "./number.ts";
import { orderNumbersIn, platesIn } from "./references.ts";
import { invoiceParties } from "./parties.ts";
import { kindIn } from "./invoice-kind.ts";
import { exchangeRateIn, ibanIn, methodIn } from "./payment.ts";
import { scores } from "./scores.ts";
import { totalsIn } from "./totals.ts";
import type { InvoiceView } from "./view.ts";

/** The field values of an invoice before they are checked. */
export type InvoiceDraft = NonNullable<FieldValues<InvoiceView>>;

const invoiceTitles: readonly ConceptId[] = ["titleInvoice", "titleCreditNote", "titleProforma", "invoiceNumber"];

/** Extracts an invoice, credit note or similar document. Undefined if the document is of another kind. */
export function extractInvoice(
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
  mail: MailHead | undefined,
): ExtractedItem<InvoiceView> | undefined {
  if (!isInvoice(document, locale) && !isAnnounced(document, mail)) return undefined;
  return checkedInvoice(invoiceOnPage(document, locale, context), document);
}

/**
 * Runs the checks on a draft.
 * @param more results of further checks, such as the comparison of structured data with the page
 */
export function checkedInvoice(
  draft: InvoiceDraft,
  document: DocumentContext,
  more: readonly Check[] = [],
): ExtractedItem<InvoiceView> {
  const invoice = withChecks<InvoiceView>(draft, document, (data) => [...checkInvoice(data), ...more]);
  return { ...invoice, data: { ...invoice.data, checks: invoice.checks } };
}

/** Extracts all invoice fields from the text of the document. */
export function invoiceOnPage(
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
): InvoiceDraft {
  const exchangeRate = exchangeRateIn(document);
  const totals = totalsIn(document, locale, exchangeRate?.value);
  const number = invoiceNumberIn(document, locale);
  const kind = kindIn(document, totals.grossAmount?.value ?? totals.netAmount?.value);
  const iban = ibanIn(document, totals.currency?.value);
  const days = invoiceDates(document, locale, number);
  const paymentDays = paymentTermsIn(document, undefined).paymentDays ?? daysToPay(document, locale, days);
  const paymentMethod = methodIn(document, iban);
  const grids = gridsIn(document, locale);
  const lines = linesIn(document, locale, totals);
  const descriptions = lines.flatMap(({ description }) => description ?? []);
  const licensePlates = platesIn(document, { grids, descriptions });
  const plates = licensePlates.map(({ value }) => value);
  return {
    ...(number && { number }),
    kind,
    ...days,
    ...invoiceParties(document, context.company),
    ...(iban && { iban }),
    ...totals,
    lines,
    vatBreakdown: vatSharesIn(document, locale, totals),
    ...(paymentMethod && { paymentMethod }),
    ...(paymentDays && { paymentDays }),
    orderNumbers: orderNumbersIn(document, { grids, own: number?.value, plates, descriptions }),
    licensePlates,
    ...(exchangeRate && { exchangeRate }),
  };
}

/** A transport order that only mentions an invoice is not an invoice. */
function isInvoice(document: DocumentContext, locale: DocumentLocale): boolean {
  const money =
    gridsIn(document, locale).length > 0 ||
    entitiesOfType(document.annotations, "Amount").some(({ entity }) => entity.score >= scores.recognition.amount);
  const [likeliest] = classifyDocument(document);
  if (money && likeliest?.kind === "invoice" && likeliest.confidence >= scores.recognition.classified) return true;
  if (!money || !(titled(document, invoiceTitles) || hasHeading(document))) return false;
  return (
    !titled(document, ["titleTransportOrder"]) || firstAt(document, invoiceTitles) < firstAt(document, orderTitles)
  );
}

function isAnnounced(document: DocumentContext, mail: MailHead | undefined): boolean {
  const sums = entitiesOfType(document.annotations, "Amount").some(
    ({ entity }) => entity.score >= scores.recognition.amountInMail,
  );
  const named = findLabels(mail?.subject ?? "").some(
    ({ concept, weight }) => invoiceTitles.includes(concept) && weight >= scores.label.field,
  );
  return sums && named && !titled(document, orderTitles);
}

const orderTitles: readonly ConceptId[] = ["titleTransportOrder"];

/** An invoice has its own title before that of the order that it bills. */
function firstAt({ annotations }: DocumentContext, titles: readonly ConceptId[]): number {
  const first = annotations.labels.find(
    ({ standing, meanings }) => standing !== "Loose" && meanings.some(({ concept }) => titles.includes(concept)),
  );
  return first?.index ?? Number.POSITIVE_INFINITY;
}

const topRows = 4;

function hasHeading({ annotations }: DocumentContext): boolean {
  return annotations.labels.some(
    ({ segment, standing, meanings }) =>
      segment.page === 1 &&
      segment.row < topRows &&
      standing === "Head" &&
      meanings.some(({ concept }) => invoiceTitles.includes(concept)),
  );
}
