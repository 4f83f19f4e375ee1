import type { InvoiceLine, InvoiceView, VatShare } from "./view.ts";
import type { Party } from "../../document/shapes.ts";
import { sumOfAmounts, omitEmpty, defined, bareCode } from "../structured-values.ts";
import { all, mapAll, dateAt, first, numberAt, numberOf, textAt, type Element } from "./xml-tree.ts";

const kinds: Record<string, InvoiceView["kind"]> = {
  VAT: "Invoice",
  ROZ: "Invoice",
  UPR: "Invoice",
  KOR: "Correction",
  KOR_ZAL: "Correction",
  KOR_ROZ: "Correction",
  ZAL: "Prepayment",
};
/** Payment methods by their number in the schema. */
const methods: Record<string, InvoiceView["paymentMethod"]> = { 1: "Cash", 2: "Card", 6: "BankTransfer" };
/** VAT rates by the suffix of their elements: P_13_1 and P_14_1 are net amount and VAT at 23 %. */
const rates: Record<string, number> = { 1: 23, 2: 8, 3: 5, "6_1": 0, "6_2": 0, "6_3": 0, 7: 0 };

/** Maps a Polish structured invoice in the format FA (2) or FA (3). Undefined for another root element. */
export function invoiceInKsef(root: Element): InvoiceView | undefined {
  const body = root.name === "Faktura" ? first(root, "Fa") : undefined;
  if (!body) return undefined;
  const shares = sharesOf(body);
  const nets = defined(
    body.children.filter(({ name }) => name.startsWith("P_13_")).map((each) => numberOf(each.text.trim())),
  );
  const taxes = defined(
    body.children.filter(({ name }) => /^P_14_\d$/.test(name)).map((each) => numberOf(each.text.trim())),
  );
  const gross = numberAt(body, "P_15");
  const payment = first(body, "Platnosc");
  return omitEmpty<InvoiceView>({
    number: textAt(body, "P_2"),
    kind: kinds[textAt(body, "RodzajFaktury") ?? ""],
    issueDate: dateAt(body, "P_1"),
    saleDate: dateAt(body, "P_6"),
    dueDate: dateAt(payment, "TerminPlatnosci/Termin"),
    seller: partyOf(first(root, "Podmiot1")),
    buyer: partyOf(first(root, "Podmiot2")),
    iban: accountOf(textAt(payment, "RachunekBankowy/NrRB")),
    currency: textAt(body, "KodWaluty"),
    lines: mapAll(body, "FaWiersz", lineOf),
    netAmount: sumOfAmounts(nets),
    vatAmount: sumOfAmounts(taxes),
    grossAmount: gross,
    vatBreakdown: shares,
    paymentMethod: methods[textAt(payment, "FormaPlatnosci") ?? ""],
    orderNumbers: defined(all(body, "WarunkiTransakcji/Zamowienia").map((order) => textAt(order, "NrZamowienia"))),
    exchangeRate: numberAt(body, "FaWiersz/KursWaluty") ?? numberAt(body, "KursWalutyZ"),
  });
}

function accountOf(printed: string | undefined): string | undefined {
  const account = bareCode(printed);
  return account && /^\d{26}$/.test(account) ? `PL${account}` : account;
}

function partyOf(party: Element | undefined): Party | undefined {
  const identity = first(party, "DaneIdentyfikacyjne");
  const [nip, union] = [textAt(identity, "NIP"), textAt(identity, "NrVatUE")];
  const printed = textAt(party, "Adres/AdresL2");
  const [, postalCode, city] = /^([\d-]{5,6})\s+(.+)$/.exec(printed ?? "") ?? [];
  return omitEmpty<Party>({
    name: textAt(identity, "Nazwa"),
    vatCode: nip ? `PL${nip}` : union && bareCode(`${textAt(identity, "KodUE") ?? ""}${union}`),
    country: textAt(party, "Adres/KodKraju"),
    postalCode,
    city: city ?? printed,
    street: textAt(party, "Adres/AdresL1"),
    contactPerson: omitEmpty({
      email: textAt(party, "DaneKontaktowe/Email"),
      phone: textAt(party, "DaneKontaktowe/Telefon"),
    }),
  });
}

function lineOf(line: Element): InvoiceLine | undefined {
  return omitEmpty<InvoiceLine>({
    description: textAt(line, "P_7"),
    quantity: numberAt(line, "P_8B"),
    unit: textAt(line, "P_8A"),
    unitPrice: numberAt(line, "P_9A"),
    netAmount: numberAt(line, "P_11"),
    vatRate: numberOf(/^\d+/.exec(textAt(line, "P_12") ?? "")?.[0]),
    vatAmount: numberAt(line, "P_11Vat"),
    grossAmount: numberAt(line, "P_11A"),
  });
}

function sharesOf(body: Element): VatShare[] {
  return Object.entries(rates).flatMap(([place, vatRate]) => {
    const netAmount = numberAt(body, `P_13_${place}`);
    const vatAmount = numberAt(body, `P_14_${place}`);
    return netAmount === undefined ? [] : [{ vatRate, netAmount, ...(vatAmount !== undefined && { vatAmount }) }];
  });
}
