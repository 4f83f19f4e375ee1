import type { InvoiceLine, InvoiceView, VatShare } from "./view.ts";
import type { Party } from "../../document/shapes.ts";
import { omitEmpty, unique, defined, bareCode } from "../structured-values.ts";
import { kindByCode, methodByCode } from "./edifact-codes.ts";
import { all, mapAll, dateAt, first, numberAt, numberOf, textAt, wordsOf, type Element } from "./xml-tree.ts";

/*
 * Element names of the UN/CEFACT Cross Industry Invoice (Factur-X, ZUGFeRD 2, XRechnung), with the longer names of
 * ZUGFeRD 1.
 */
const document = "ExchangedDocument|HeaderExchangedDocument";
const transaction = "SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction";
const agreement = "ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement";
const delivery = "ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery";
const settlement = "ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement";
const lineAgreement = "SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement";
const lineDelivery = "SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery";
const lineSettlement = "SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement";
const lineSum = "SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation";
const headerSum = "SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation";
const rate = "RateApplicablePercent|ApplicablePercent";

/** Maps a CII document to an invoice. Undefined for another root element. */
export function invoiceInCii(root: Element): InvoiceView | undefined {
  const head = first(root, document);
  if (!head) return undefined;
  const trade = first(root, transaction);
  const [agreed, delivered, settled] = [first(trade, agreement), first(trade, delivery), first(trade, settlement)];
  const currency = textAt(settled, "InvoiceCurrencyCode");
  return omitEmpty<InvoiceView>({
    number: textAt(head, "ID"),
    kind: kindByCode[textAt(head, "TypeCode") ?? ""],
    issueDate: dateAt(head, "IssueDateTime/DateTimeString"),
    saleDate: dateAt(delivered, "ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString"),
    dueDate: dateAt(settled, "SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString"),
    seller: partyOf(first(agreed, "SellerTradeParty")),
    buyer: partyOf(first(agreed, "BuyerTradeParty")),
    iban: bareCode(textAt(settled, "SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID")),
    currency,
    lines: linesOf(trade),
    ...sumsOf(settled, currency),
    vatBreakdown: mapAll(settled, "ApplicableTradeTax", shareOf),
    paymentMethod: methodByCode[textAt(settled, "SpecifiedTradeSettlementPaymentMeans/TypeCode") ?? ""],
    orderNumbers: ordersOf(trade, agreed),
    exchangeRate: numberAt(settled, "TaxApplicableTradeCurrencyExchange/ConversionRate"),
  });
}

function partyOf(party: Element | undefined): Party | undefined {
  const address = first(party, "PostalTradeAddress");
  const contact = first(party, "DefinedTradeContact");
  const vat = all(party, "SpecifiedTaxRegistration/ID").find(({ attributes }) => attributes.schemeID === "VA");
  return omitEmpty<Party>({
    name: textAt(party, "Name"),
    vatCode: bareCode(wordsOf(vat)),
    country: textAt(address, "CountryID"),
    postalCode: textAt(address, "PostcodeCode"),
    city: textAt(address, "CityName"),
    street: textAt(address, "LineOne"),
    contactPerson: omitEmpty({
      name: textAt(contact, "PersonName"),
      email: textAt(contact, "EmailURIUniversalCommunication/URIID"),
      phone: textAt(contact, "TelephoneUniversalCommunication/CompleteNumber"),
    }),
  });
}

/**
 * Leaves out remarks (lines with the code for information, or with neither quantity nor amount) and group lines, whose
 * members would be counted twice.
 */
function linesOf(trade: Element | undefined): InvoiceLine[] {
  return all(trade, "IncludedSupplyChainTradeLineItem").flatMap((item) => {
    const reason = textAt(item, "AssociatedDocumentLineDocument/LineStatusReasonCode");
    const line = reason === "GROUP" || reason === "INFORMATION" ? undefined : lineOf(item);
    return line && (line.quantity !== undefined || line.netAmount !== undefined) ? [line] : [];
  });
}

function lineOf(item: Element): InvoiceLine | undefined {
  const quantity = first(first(item, lineDelivery), "BilledQuantity");
  const price = first(first(item, lineAgreement), "NetPriceProductTradePrice");
  const settled = first(item, lineSettlement);
  const tax = first(settled, "ApplicableTradeTax");
  return omitEmpty<InvoiceLine>({
    description: textAt(item, "SpecifiedTradeProduct/Name"),
    quantity: numberOf(wordsOf(quantity)),
    unit: quantity?.attributes.unitCode,
    unitPrice: eachOf(numberAt(price, "ChargeAmount"), numberAt(price, "BasisQuantity")),
    netAmount: numberAt(first(settled, lineSum), "LineTotalAmount"),
    vatRate: numberAt(tax, rate),
    vatAmount: numberAt(tax, "CalculatedAmount"),
  });
}

function eachOf(price: number | undefined, basis: number | undefined): number | undefined {
  return price === undefined || !basis ? price : price / basis;
}

function sumsOf(settled: Element | undefined, currency: string | undefined): Partial<InvoiceView> {
  const sum = first(settled, headerSum);
  const taxes = all(sum, "TaxTotalAmount");
  const tax = taxes.find(({ attributes }) => attributes.currencyID === currency) ?? taxes[0];
  return {
    netAmount: numberAt(sum, "TaxBasisTotalAmount"),
    vatAmount: numberOf(wordsOf(tax)),
    grossAmount: numberAt(sum, "GrandTotalAmount"),
  };
}

function shareOf(tax: Element): VatShare | undefined {
  return omitEmpty<VatShare>({
    vatRate: numberAt(tax, rate),
    netAmount: numberAt(tax, "BasisAmount"),
    vatAmount: numberAt(tax, "CalculatedAmount"),
  });
}

function ordersOf(trade: Element | undefined, agreed: Element | undefined): string[] {
  const number = "BuyerOrderReferencedDocument/IssuerAssignedID|ID";
  const inLines = all(trade, "IncludedSupplyChainTradeLineItem").map((item) =>
    textAt(first(item, lineAgreement), number),
  );
  return unique(defined([textAt(agreed, number), ...inLines]));
}
