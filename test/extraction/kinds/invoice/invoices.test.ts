import { describe, expect, test } from "vitest";
import type { ExtractedItem } from "../../../../src/extraction/document/extraction-result.ts";
import type { InvoiceView } from "../../../../src/extraction/kinds/invoice/view.ts";
import { extractPosted, reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const invoice = (text: string, name?: string): Promise<ExtractedItem<InvoiceView>> => reading("invoice", text, name);

/** The labels of the invoice in one language. */
interface Words {
  language: string;
  head: [title: string, number: string, issued: string, due: string, seller: string, buyer: string];
  table: [item: string, quantity: string, price: string, net: string];
  sums: [net: string, tax: string, gross: string];
}

const languages: Words[] = [
  {
    language: "en",
    head: ["INVOICE", "Invoice no.", "Invoice date", "Due date", "Seller", "Buyer"],
    table: ["Description", "Quantity", "Unit price", "Net amount"],
    sums: ["Net total", "VAT 20%", "Total"],
  },
  {
    language: "de",
    head: ["RECHNUNG", "Rechnungsnummer", "Rechnungsdatum", "Fällig am", "Verkäufer", "Käufer"],
    table: ["Leistung", "Menge", "Einzelpreis", "Nettobetrag"],
    sums: ["Nettobetrag", "MwSt 20%", "Gesamtbetrag"],
  },
  {
    language: "pl",
    head: ["FAKTURA VAT", "Numer faktury", "Data wystawienia", "Termin płatności", "Sprzedawca", "Nabywca"],
    table: ["Nazwa usługi", "Ilość", "Cena jednostkowa", "Wartość netto"],
    sums: ["Razem netto", "Kwota VAT", "Razem brutto"],
  },
  {
    language: "lt",
    head: ["PVM SĄSKAITA FAKTŪRA", "Sąskaitos Nr.", "Sąskaitos data", "Apmokėti iki", "Pardavėjas", "Pirkėjas"],
    table: ["Pavadinimas", "Kiekis", "Vieneto kaina", "Suma be PVM"],
    sums: ["Iš viso be PVM", "PVM suma", "Iš viso su PVM"],
  },
  {
    language: "fr",
    head: ["FACTURE", "N° de facture", "Date de facture", "Échéance", "Vendeur", "Client"],
    table: ["Désignation", "Quantité", "Prix unitaire HT", "Montant HT"],
    sums: ["Total HT", "Total TVA", "Total TTC"],
  },
  {
    language: "es",
    head: ["FACTURA", "Número de factura", "Fecha de factura", "Vencimiento", "Vendedor", "Cliente"],
    table: ["Concepto", "Cantidad", "Precio unitario", "Importe"],
    sums: ["Base imponible", "Cuota IVA", "Total con IVA"],
  },
  {
    language: "it",
    head: ["FATTURA", "Numero fattura", "Data fattura", "Scadenza", "Fornitore", "Cliente"],
    table: ["Descrizione", "Quantità", "Prezzo unitario", "Imponibile"],
    sums: ["Totale imponibile", "Importo IVA", "Totale fattura"],
  },
  {
    language: "cs",
    head: ["FAKTURA", "Číslo faktury", "Datum vystavení", "Datum splatnosti", "Dodavatel", "Odběratel"],
    table: ["Popis", "Množství", "Jednotková cena", "Cena bez DPH"],
    sums: ["Celkem bez DPH", "DPH celkem", "Celkem s DPH"],
  },
  {
    language: "ro",
    head: ["FACTURĂ FISCALĂ", "Număr factură", "Data facturii", "Data scadenței", "Furnizor", "Cumpărător"],
    table: ["Denumire", "Cantitate", "Preț unitar", "Valoare fără TVA"],
    sums: ["Total fără TVA", "Total TVA", "Total cu TVA"],
  },
  {
    language: "hu",
    head: ["SZÁMLA", "Számlaszám", "Számla kelte", "Fizetési határidő", "Eladó", "Vevő"],
    table: ["Megnevezés", "Mennyiség", "Egységár", "Nettó érték"],
    sums: ["Nettó összesen", "ÁFA összege", "Bruttó összesen"],
  },
  {
    language: "nl",
    head: ["FACTUUR", "Factuurnummer", "Factuurdatum", "Vervaldatum", "Verkoper", "Klant"],
    table: ["Omschrijving", "Aantal", "Prijs per eenheid", "Bedrag excl. btw"],
    sums: ["Totaal excl. btw", "Btw-bedrag", "Totaal incl. btw"],
  },
];

const lines = [
  ["Transport Hamburg - Lyon", 1, 1250, 1250],
  ["Transport Lyon - Bilbao", 2, 480, 960],
] as const;
const figure = (amount: number, point: boolean) => amount.toFixed(2).replace(".", point ? "." : ",");
const seller = ["Alfa Haulage GmbH", "Hafenstr. 4", "20457 Hamburg", "DE811128135"];
const buyer = ["Beta Forwarding GmbH", "Ringstr. 9", "80331 München", "DE136695976"];

/** Prints the invoice as text. Each label has its own line, and the table has fixed columns. */
function printed({ language, head, table, sums }: Words): string {
  const money = (amount: number) => figure(amount, language === "en");
  const row = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(44) : cell.padStart(20))).join("");
  const party = (title: string, [name, street, town, vat]: string[]) => [
    `${title}:`,
    name,
    street,
    town,
    `VAT ${vat}`,
    "",
  ];
  return [
    head[0],
    `${head[1]}: TR/26/0417`,
    `${head[2]}: 12.10.2026`,
    `${head[3]}: 11.11.2026`,
    "",
    ...party(head[4], seller),
    ...party(head[5], buyer),
    row(table),
    ...lines.map(([text, quantity, price, net]) => row([text, String(quantity), money(price), money(net)])),
    "",
    ...[2210, 442, 2652].map((sum, at) => row([sums[at]!, "", "", `${money(sum)} EUR`])),
    "",
    "IBAN: DE89 3704 0044 0532 0130 00",
  ].join("\n");
}

/** Formats the invoice as an HTML page with tables, and with the parties side by side. */
function paged({ language, head, table, sums }: Words): string {
  const money = (amount: number) => figure(amount, language === "en");
  const row = (cells: readonly string[], tag = "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const party = (title: string, [name, street, town, vat]: string[]) =>
    `<b>${title}</b><br>${name}<br>${street}<br>${town}<br>VAT ${vat}`;
  return `<html><body><h1>${head[0]}</h1>
<table>${row([head[1], "TR/26/0417"])}${row([head[2], "12.10.2026"])}${row([head[3], "11.11.2026"])}</table>
<table>${row([party(head[4], seller), party(head[5], buyer)])}</table>
<table border="1">${row(table, "th")}${lines.map(([text, quantity, price, net]) => row([text, String(quantity), money(price), money(net)])).join("")}</table>
<table>${[2210, 442, 2652].map((sum, at) => row([sums[at]!, `${money(sum)} EUR`])).join("")}</table>
<p>IBAN: DE89 3704 0044 0532 0130 00</p></body></html>`;
}

const truth = {
  number: "TR/26/0417",
  kind: "Invoice",
  issueDate: "2026-10-12",
  dueDate: "2026-11-11",
  seller: {
    name: "Alfa Haulage GmbH",
    street: "Hafenstr. 4",
    postalCode: "20457",
    city: "Hamburg",
    vatCode: "DE811128135",
  },
  buyer: {
    name: "Beta Forwarding GmbH",
    street: "Ringstr. 9",
    postalCode: "80331",
    city: "München",
    vatCode: "DE136695976",
  },
  iban: "DE89370400440532013000",
  currency: "EUR",
  lines: lines.map(([description, quantity, unitPrice, netAmount]) => ({
    description,
    quantity,
    unitPrice,
    netAmount,
  })),
  netAmount: 2210,
  vatAmount: 442,
  grossAmount: 2652,
};

describe.each(languages)("an invoice in $language", (words) => {
  test("as text in columns", async () => {
    expect((await invoice(printed(words))).data).toMatchObject(truth);
  });
  test("as HTML with tables", async () => {
    expect((await invoice(paged(words), "invoice.html")).data).toMatchObject(truth);
  });
});

const english = languages[0]!;

describe("content of an invoice", () => {
  test("every value has evidence on the page, and every check passes", async () => {
    const { evidence, checks } = await invoice(printed(english));
    expect(evidence.filter(({ text, source }) => source === "Document" && !text)).toEqual([]);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "NetAndVatMakeGross",
        "LinesMakeTotal",
        "IbanChecksum",
        "VatCodeChecksum",
        "DueAfterIssue",
      ]),
    );
  });

  test("sums that do not add up are kept, reported, and have a lower confidence", async () => {
    const wrong = paged(english).replace("2652.00", "2662.00");
    const [right, doubtful] = [await invoice(paged(english), "a.html"), await invoice(wrong, "a.html")];
    expect(doubtful.data.grossAmount).toBe(2662);
    expect(doubtful.checks).toContainEqual(expect.objectContaining({ name: "NetAndVatMakeGross", passed: false }));
    const sure = ({ evidence }: ExtractedItem<InvoiceView>) =>
      evidence.find(({ pointer }) => pointer === "/grossAmount")!.confidence;
    expect(sure(doubtful)).toBeLessThan(sure(right));
  });

  test("an account number with wrong check digits is kept and reported", async () => {
    const { data, checks } = await invoice(printed(english).replace("DE89 3704", "DE88 3704"));
    expect(data.iban).toBe("DE88370400440532013000");
    expect(checks).toContainEqual(
      expect.objectContaining({ name: "IbanChecksum", passed: false, pointers: ["/iban"] }),
    );
  });

  test("a line printed twice is reported", async () => {
    const twice = printed(english).replace(/(Transport Hamburg - Lyon.*\n)/, "$1$1");
    const { checks } = await invoice(twice);
    expect(checks).toContainEqual(expect.objectContaining({ name: "NoLineTwice", passed: false }));
  });

  test.each([
    ["CREDIT NOTE", "CreditNote"],
    ["PROFORMA INVOICE", "Proforma"],
    ["INVOICE", "Invoice"],
  ])("%s is a %s", async (title, kind) => {
    expect((await invoice(printed(english).replace("INVOICE", title))).data.kind).toBe(kind);
  });

  test("orders, plates, payment terms and exchange rate are extracted", async () => {
    const text = printed(english)
      .replace("Transport Hamburg - Lyon ", "Transport Hamburg - Lyon, order ZT/2026/117 ".padEnd(25))
      .concat(
        "\nPayment terms: 30 days by bank transfer\nExchange rate: 1 EUR = 4.2418 PLN\nTruck: HH-AB 123, trailer: HH-CD 456",
      );
    const { data } = await invoice(text);
    expect(data).toMatchObject({
      orderNumbers: ["ZT/2026/117"],
      licensePlates: ["HHAB123", "HHCD456"],
      paymentDays: 30,
      paymentMethod: "BankTransfer",
      exchangeRate: 4.2418,
    });
  });

  test.each([
    "Reklamationen nur innerhalb von 8 Tagen.",
    "Standzeit 2 Tage",
    "Transit 3 days",
    "Reklamacje w ciągu 7 dni",
  ])("not a number of payment days: %s", async (line) => {
    expect((await invoice(`${printed(english)}\n${line}`)).data).not.toHaveProperty("paymentDays");
  });

  test.each(["Zahlbar innerhalb von 14 Tagen", "Zahlungsziel 14 Tage", "Termin płatności 14 dni"])(
    "payment days: %s",
    async (line) => {
      expect((await invoice(`${printed(english)}\n${line}`)).data).toMatchObject({ paymentDays: 14 });
    },
  );

  test("fields that the invoice lacks are left out", async () => {
    const { data } = await invoice(printed(english));
    for (const field of ["saleDate", "exchangeRate", "paymentDays", "licensePlates", "orderNumbers"] as const)
      expect(data[field], field).toBeUndefined();
  });

  test("a file of two invoices yields two, a second page of one invoice does not", async () => {
    const other = printed(english).replace("TR/26/0417", "TR/26/0418").replace("2652.00", "2652.00 ");
    const two = await extractPosted("invoice", `${printed(english)}\f${other}`, "two.txt");
    expect(two.items.map(({ data }) => data.number)).toEqual(["TR/26/0417", "TR/26/0418"]);
    expect(two.items.map(({ data }) => data.lines?.length)).toEqual([2, 2]);
    const one = await extractPosted("invoice", `${printed(english)}\fInvoice no.: TR/26/0417\nPage 2`, "one.txt");
    expect(one.items).toHaveLength(1);
  });

  test("the buyer may issue the invoice for the seller (self-billing)", async () => {
    const text = `Beta Forwarding GmbH, Ringstr. 9, 80331 München

An
Alfa Haulage GmbH
Hafenstr. 4
20457 Hamburg

GUTSCHRIFT Nr. G-26-118          Datum: 12.10.2026
Abrechnung im Gutschriftsverfahren

Leistung                                   Menge   Einzelpreis     Betrag
Transport Hamburg - Lyon                       1      1.250,00   1.250,00

Nettobetrag      1.250,00
MwSt 19 %          237,50
Gesamtbetrag     1.487,50 EUR`;
    const { data } = await invoice(text);
    expect(data).toMatchObject({
      kind: "SelfBilled",
      seller: { name: "Alfa Haulage GmbH", city: "Hamburg" },
      buyer: { name: "Beta Forwarding GmbH", city: "München" },
    });
  });

  test("a transport order is not an invoice", async () => {
    const order =
      "TRANSPORT ORDER No. A-1001\nLoading: 20457 Hamburg 24/11/2026\nUnloading: 80331 München 25/11/2026\nPrice: 900.00 EUR";
    expect((await extractPosted("invoice", order, "order.txt")).status).toBe("Failed");
  });
});
