import type { InvoiceLine, InvoiceView, VatShare } from "./view.ts";
import type { Party } from "../../document/shapes.ts";
import { omitEmpty, unique, bareCode } from "../structured-values.ts";
import { kindByCode, methodByCode } from "./edifact-codes.ts";
import { all, mapAll, dateAt, first, numberAt, numberOf, textAt, wordsOf, type Element } from "./xml-tree.ts";

/** Maps a UBL 2.1 invoice or credit note (Peppol BIS 3, XRechnung). Undefined for another root element. */
export function invoiceInUbl(root: Element): InvoiceView | undefined {
  if (root.name !== "Invoice" && root.name !== "CreditNote") return undefined;
  const currency = textAt(root, "DocumentCurrencyCode");
  const sum = first(root, "LegalMonetaryTotal");
  const taxes = all(root, "TaxTotal");
  const tax = taxes.find((each) => first(each, "TaxAmount")?.attributes.currencyID === currency) ?? taxes[0];
  const means = first(root, "PaymentMeans");
  return omitEmpty<InvoiceView>({
    number: textAt(root, "ID"),
    kind: kindByCode[textAt(root, "InvoiceTypeCode|CreditNoteTypeCode") ?? (root.name === "Invoice" ? "380" : "381")],
    issueDate: dateAt(root, "IssueDate"),
    saleDate: dateAt(root, "Delivery/ActualDeliveryDate") ?? dateAt(root, "TaxPointDate"),
    dueDate: dateAt(root, "DueDate") ?? dateAt(means, "PaymentDueDate"),
    seller: partyOf(first(root, "AccountingSupplierParty/Party")),
    buyer: partyOf(first(root, "AccountingCustomerParty/Party")),
    iban: bareCode(textAt(means, "PayeeFinancialAccount/ID")),
    currency,
    lines: mapAll(root, "InvoiceLine|CreditNoteLine", lineOf),
    netAmount: numberAt(sum, "TaxExclusiveAmount"),
    vatAmount: numberAt(tax, "TaxAmount"),
    grossAmount: numberAt(sum, "TaxInclusiveAmount"),
    vatBreakdown: mapAll(tax, "TaxSubtotal", shareOf),
    paymentMethod: methodByCode[textAt(means, "PaymentMeansCode") ?? ""],
    orderNumbers: unique([
      textAt(root, "OrderReference/ID"),
      ...all(root, "InvoiceLine|CreditNoteLine").map((line) => textAt(line, "OrderLineReference/OrderReference/ID")),
    ]),
    exchangeRate: numberAt(root, "TaxExchangeRate/CalculationRate"),
  });
}

function partyOf(party: Element | undefined): Party | undefined {
  const address = first(party, "PostalAddress");
  const contact = first(party, "Contact");
  const vat = all(party, "PartyTaxScheme").find((scheme) => textAt(scheme, "TaxScheme/ID") === "VAT");
  return omitEmpty<Party>({
    name: textAt(party, "PartyLegalEntity/RegistrationName") ?? textAt(party, "PartyName/Name"),
    vatCode: bareCode(textAt(vat, "CompanyID")),
    country: textAt(address, "Country/IdentificationCode"),
    postalCode: textAt(address, "PostalZone"),
    city: textAt(address, "CityName"),
    street: textAt(address, "StreetName"),
    contactPerson: omitEmpty({
      name: textAt(contact, "Name"),
      email: textAt(contact, "ElectronicMail"),
      phone: textAt(contact, "Telephone"),
    }),
  });
}

function lineOf(line: Element): InvoiceLine | undefined {
  const quantity = first(line, "InvoicedQuantity|CreditedQuantity");
  const price = numberAt(line, "Price/PriceAmount");
  const basis = numberAt(line, "Price/BaseQuantity");
  return omitEmpty<InvoiceLine>({
    description: textAt(line, "Item/Name") ?? textAt(line, "Item/Description"),
    quantity: numberOf(wordsOf(quantity)),
    unit: quantity?.attributes.unitCode,
    unitPrice: price !== undefined && basis ? price / basis : price,
    netAmount: numberAt(line, "LineExtensionAmount"),
    vatRate: numberAt(line, "Item/ClassifiedTaxCategory/Percent"),
    vatAmount: numberAt(line, "TaxTotal/TaxAmount"),
  });
}

function shareOf(share: Element): VatShare | undefined {
  return omitEmpty<VatShare>({
    vatRate: numberAt(share, "TaxCategory/Percent") ?? numberAt(share, "Percent"),
    netAmount: numberAt(share, "TaxableAmount"),
    vatAmount: numberAt(share, "TaxAmount"),
  });
}
