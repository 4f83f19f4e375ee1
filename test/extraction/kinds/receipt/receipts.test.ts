import { describe, expect, test } from "vitest";
import type { ReceiptView } from "../../../../src/extraction/kinds/receipt/view.ts";
import { extractPosted, reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const receipt = async (text: string): Promise<ReceiptView> => (await reading("receipt", text)).data;

describe("receipts", () => {
  test.each([
    {
      name: "fuel, each item on two lines",
      text: `      TANKHOF NORDRING GmbH\n          Nordring 14\n        30855 Langenhagen\n    USt-IdNr. DE811128135\n\nBeleg-Nr.: 0071-22918\nDatum 12.11.2026   Uhrzeit 06:41\nKennzeichen: H-TR 2231\nkm-Stand: 412.771\n\nDiesel\n  388,20 l  x 1,599 EUR/l      620,73 A\nAdBlue\n   25,00 l  x 0,899 EUR/l       22,48 A\n-------------------------------\nSumme EUR                      643,21\nMwSt A 19,00 %   Netto 540,51  MwSt 102,70\nTankkarte ************5521`,
      data: {
        number: "0071-22918",
        issuedAt: "2026-11-12T06:41",
        merchant: {
          name: "TANKHOF NORDRING GmbH",
          vatCode: "DE811128135",
          postalCode: "30855",
          city: "Langenhagen",
          street: "Nordring 14",
        },
        category: "Fuel",
        items: [
          { description: "Diesel", quantity: 388.2, unitPrice: 1.599, grossAmount: 620.73 },
          { description: "AdBlue", quantity: 25, unitPrice: 0.899, grossAmount: 22.48 },
        ],
        currency: "EUR",
        netAmount: 540.51,
        vatAmount: 102.7,
        grossAmount: 643.21,
        licensePlate: "HTR2231",
        cardLast4: "5521",
        odometer: 412_771,
      },
    },
    {
      name: "parking, paid in cash with change",
      text: `PARKING TIR Krzywa Sp. z o.o.\nul. Autostradowa 3, 59-225 Chojnów\nNIP 5252344078\nPARAGON FISKALNY nr 001829\n2026-11-03 21:17\nParking TIR doba   1 szt x 60,00   60,00 A\nKawa duża          2 szt x 9,50    19,00 B\nSUMA PTU    12,63\nSUMA PLN    79,00\nGotówka     100,00\nReszta       21,00`,
      data: {
        number: "001829",
        issuedAt: "2026-11-03T21:17",
        category: "Parking",
        items: [
          { description: "Parking TIR doba", quantity: 1, unitPrice: 60, grossAmount: 60 },
          { description: "Kawa duża", quantity: 2, unitPrice: 9.5, grossAmount: 19 },
        ],
        currency: "PLN",
        grossAmount: 79,
      },
    },
    {
      name: "toll, in French",
      text: `AUTOROUTE DU SUD SAS\n12 avenue des Alpes\n69003 Lyon\nREÇU n° 88-1204\nDate : 04/11/2026 Heure : 13:05\nPéage classe 4      41,50\nTOTAL TTC EUR       41,50\nTVA 20,00 %          6,92\nCarte bancaire **** 0912`,
      data: {
        number: "88-1204",
        issuedAt: "2026-11-04T13:05",
        category: "Toll",
        vatAmount: 6.92,
        grossAmount: 41.5,
        currency: "EUR",
        cardLast4: "0912",
      },
    },
    {
      name: "washing, in Czech",
      text: `Mycí centrum Haná s.r.o.\nTovární 12\n779 00 Olomouc\nÚčtenka č. 26-0031\nDatum: 05.11.2026 10:15\nMytí soupravy   1 ks x 1200,00   1200,00\nCelkem CZK      1200,00\nZáklad daně      991,74\nDPH 21 %         208,26`,
      data: {
        number: "26-0031",
        issuedAt: "2026-11-05T10:15",
        category: "Wash",
        netAmount: 991.74,
        vatAmount: 208.26,
        grossAmount: 1200,
        currency: "CZK",
      },
    },
  ])("$name", async ({ text, data }) => {
    expect(await receipt(text)).toMatchObject(data);
  });

  test.each(["Summe ......... 1250", "Faktura 2x 4711.... 2026", "Kasse nr ..0012", `Summe ${".".repeat(5000)} 41,50`])(
    "a card number after a dotted line is found: %s",
    async (line) => {
      const data = await receipt(`Kiosk Nord GmbH\nQuittung Nr. 12\n05.11.2026 10:15\nSumme EUR  1250,00\n${line}`);
      expect(data.cardLast4).toBeUndefined();
    },
  );

  test.each(["VISA **** **** **** 9012", "xxxx-xxxx-xxxx-9012", "VISA .... .... .... 9012", "#9 ************9012"])(
    "a masked card number is found: %s",
    async (line) => {
      const data = await receipt(`Kiosk Nord GmbH\nQuittung Nr. 12\n05.11.2026 10:15\nSumme EUR  3,20\n${line}`);
      expect(data.cardLast4).toBe("9012");
    },
  );

  test.each([
    [
      "a fine",
      "Bußgeldstelle Beispielstadt\nBußgeldbescheid\nAktenzeichen: 505.118.442-7\nGeldbuße 90,00\nGebühr 25,00\nAuslagen 3,50\nGesamtbetrag: 118,50 EUR",
    ],
    [
      "a policy",
      "Beispiel Versicherung AG\nVersicherungspolice\nVersicherungsschein-Nr.: OCP-118\nVersicherungszeitraum: 01.01.2026 - 31.12.2026\nGesamtbetrag: 118,50 EUR",
    ],
    [
      "an invoice",
      "Rechnung Nr. 4711\nBeispiel Transport GmbH, Musterallee 1, 80331 München\nAn: Alfa Papier GmbH, Hafenstraße 4, 20457 Hamburg\nRechnungsdatum: 05.11.2026\nFracht Hamburg - Berlin   1.000,00 EUR\nNetto 1.000,00 EUR\nMwSt 19 % 190,00 EUR\nGesamtbetrag 1.190,00 EUR\nZahlbar bis 05.12.2026\nIBAN DE89 3704 0044 0532 0130 00",
    ],
  ])("%s is not a receipt", async (_, text) => {
    const { reason } = await extractPosted("receipt", text, "document.txt");
    expect(reason).toBe("input_not_a_document_of_this_kind");
  });

  test("a receipt with only net amounts yields no gross amount", async () => {
    const data = await receipt("Kiosk Nord GmbH\nQuittung Nr. 12\n05.11.2026 10:15\nNettobetrag EUR  41,50");
    expect(data).toMatchObject({ netAmount: 41.5 });
    expect(data).not.toHaveProperty("grossAmount");
  });

  test("fields that the receipt lacks are left out", async () => {
    const data = await receipt("Kiosk Nord GmbH\nQuittung Nr. 12\n05.11.2026 10:15\nKaffee   3,20\nSumme EUR  3,20");
    for (const field of ["cardLast4", "odometer", "licensePlate", "vatAmount"] as const)
      expect(data[field], field).toBeUndefined();
  });
});
