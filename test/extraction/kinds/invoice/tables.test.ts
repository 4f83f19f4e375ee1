import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const invoice = async (text: string) => (await reading("invoice", text, "invoice.txt")).data;

describe("the table of an invoice", () => {
  test("lines with an amount alone are lines, a subtotal is none", async () => {
    const { lines } = await invoice(`Alfa Haulage GmbH, Hafenstr. 4, 20457 Hamburg

RECHNUNG Nr. R-118        Datum: 12.10.2026

Bezeichnung                    Menge     Einzelpreis        Betrag
Fracht Zone 3                     24           38,50        924,00
Dieselzuschlag 4 %                                           36,96
Zwischensumme                                               960,96
Fracht Zone 2                     11           31,00        341,00

Nettobetrag      1.301,96
MwSt 19 %          247,37
Gesamtbetrag     1.549,33 EUR`);
    expect(lines).toMatchObject([
      { description: "Fracht Zone 3", quantity: 24, unitPrice: 38.5, netAmount: 924 },
      { description: "Dieselzuschlag 4 %", netAmount: 36.96 },
      { description: "Fracht Zone 2", quantity: 11, unitPrice: 31, netAmount: 341 },
    ]);
  });

  test("has the route as description; its columns name the orders and the plates", async () => {
    const data = await invoice(`Beta Spedition GmbH, Ringstr. 9, 80331 München

RECHNUNG Nr. 4711         Datum: 12.10.2026

Auftrag       Relation                  Kennzeichen     Netto EUR
A26-1001      Hamburg - Lyon            HH-AB 1234         890,00
A26-1002      Lyon - Hamburg            HH-CD 5678         760,00

Nettobetrag      1.650,00
MwSt 19 %          313,50
Gesamtbetrag     1.963,50 EUR`);
    expect(data).toMatchObject({
      lines: [
        { description: "Hamburg - Lyon", netAmount: 890 },
        { description: "Lyon - Hamburg", netAmount: 760 },
      ],
      orderNumbers: ["A26-1001", "A26-1002"],
      licensePlates: ["HHAB1234", "HHCD5678"],
    });
  });

  test("rates need no percent sign", async () => {
    const { lines } = await invoice(`Gamma Trasporti S.r.l., Via Roma 1, 37135 Verona

FATTURA n. 12/2026 del 12/10/2026

Descrizione                 Q.tà     Prezzo     Importo    IVA
Trasporto Verona - Lyon        1     620,00      620,00     22
Sosta                          3      30,00       90,00     22

Imponibile        710,00
IVA 22 %          156,20
Totale documento  866,20 EUR`);
    expect(lines?.map(({ vatRate }) => vatRate)).toEqual([22, 22]);
  });
});

describe("the kind of an invoice", () => {
  test.each([
    ["FAKTURA KORYGUJĄCA nr 9/2026", "Correction"],
    ["ADVANCE PAYMENT INVOICE No. 9/2026", "Prepayment"],
    ["NOTA DI CREDITO n. 9/2026", "CreditNote"],
    ["FAKTÚRA č. 9/2026", "Invoice"],
  ])("%s", async (title, kind) => {
    const data = await invoice(`Alfa Haulage GmbH, Hafenstr. 4, 20457 Hamburg

${title}        12.10.2026

Netto     100,00 EUR
VAT 20 %   20,00 EUR
Total     120,00 EUR`);
    expect(data).toMatchObject({ kind, issueDate: "2026-10-12" });
  });

  test("a number of another invoice is not its own", async () => {
    const data = await invoice(`Alfa Haulage Ltd, Dock Road 4, Hull HU1 1AA

CREDIT NOTE        No. CN-0418
                   12 October 2026
Against invoice INV-88120 of 29 September 2026

Net       -100.00 GBP
VAT 20 %   -20.00 GBP
Total     -120.00 GBP`);
    expect(data).toMatchObject({ number: "CN-0418", issueDate: "2026-10-12", grossAmount: -120 });
  });
});

test("words before a date say which it is", async () => {
  const data = await invoice(`Beta Spedition GmbH, Ringstr. 9, 80331 München

RECHNUNG 4711   vom 12.10.2026   fällig 11.11.2026
Leistung 08.10.2026

Transport Hamburg - Lyon      1.000,00
Nettobetrag      1.000,00
MwSt 19 %          190,00
Gesamtbetrag     1.190,00 EUR`);
  expect(data).toMatchObject({ issueDate: "2026-10-12", saleDate: "2026-10-08", dueDate: "2026-11-11" });
});
