import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

/** Receipts with unusual positions, such as a quantity above its goods or a price above the name of the goods. */
const documents: { name: string; data: object; text: string }[] = [
  {
    name: "Romanian: quantity and price stand above the name, the odometer behind the plate",
    data: {
      number: "0612",
      odometer: 402118,
      licensePlate: "CJ44TRK",
      items: [{ description: "MOTORINA EXTRA", quantity: 310.5, unitPrice: 7.92, grossAmount: 2459.16 }],
    },
    text: `S.C. PETRO EXEMPLU S.R.L.
STR. FABRICII 12, 400001 CLUJ-NAPOCA
C.I.F.: RO12345674
BON FISCAL
310.500 L x 7.92
MOTORINA EXTRA   2459.16 A
TOTAL LEI   2459.16
TVA A 21.00%   426.80
CARD   2459.16
NR AUTO CJ44TRK KM 402118
BF. 0612   Z: 88
DATA 03/11/2026   ORA 10:14`,
  },
  {
    name: "Hungarian: sums without cents below the words",
    data: { items: [{ description: "ZUHANYZÓ", quantity: 3, unitPrice: 1200, grossAmount: 3600 }], grossAmount: 3600 },
    text: `PÉLDA PIHENŐ KFT.
9024 Győr, Ipar utca 3.
NYUGTA
3 x 1 200 ZUHANYZÓ
3 600 Ft
ÖSSZESEN   3 600 Ft
KÉSZPÉNZ   3 600 Ft
2026.11.02.  06:40
NYUGTASZÁM: 0093/00017`,
  },
  {
    name: "Spanish: count, words, price, sum",
    data: {
      items: [
        { description: "LAVADO INTERIOR CISTERNA", quantity: 1, unitPrice: 90, grossAmount: 90 },
        { description: "CAFÉ CON LECHE", quantity: 2, unitPrice: 1.5, grossAmount: 3 },
      ],
    },
    text: `LAVADOS EJEMPLO, S.L.
CIF B12345674
FACTURA SIMPLIFICADA  T1-00091
Fecha 04/11/2026  Hora 11:05

1  LAVADO INTERIOR CISTERNA     90,00   90,00
2  CAFÉ CON LECHE     1,50   3,00

TOTAL EUR          93,00`,
  },
  {
    name: "German: the pump behind the name, a plate with blanks behind its word",
    data: {
      licensePlate: "NORBX551",
      items: [
        { description: "Diesel", quantity: 200, unitPrice: 1.5, grossAmount: 300 },
        { description: "AdBlue", quantity: 20, unitPrice: 0.8, grossAmount: 16 },
      ],
    },
    text: `TANKHOF MUSTERTAL
Industriestr. 3
04158 Leipzig
Beleg-Nr. 4410/0009
05.11.2026   05:38 Uhr
Diesel Säule 4
200,00 L x 1,500   300,00 A
* AdBlue Säule 11
20,00 L x 0,800   16,00 A
SUMME EUR   316,00
KFZ NOR BX 551`,
  },
  {
    name: "Danish: the pump behind the name",
    data: { items: [{ description: "Diesel B7", quantity: 100, unitPrice: 12, grossAmount: 1200 }] },
    text: `EKSEMPEL ENERGI A/S
Havnevej 5
6000 Kolding
KVITTERING 118-4410
06-11-2026 08:15
Diesel B7 Stander 6
100,00 L x 12,00   1.200,00
TOTAL DKK   1.200,00`,
  },
  {
    name: "French: the motorway's name on top, entry and exit below, the number behind Réf.",
    data: { number: "26301-04-001188", merchant: { name: "AREBE - AUTOROUTES DU NORD" } },
    text: `AREBE - AUTOROUTES DU NORD
RECU / TICKET PEAGE
TVA FR83404833048
Entrée : BEAUNE NORD
Sortie : LYON SUD
Le 06/11/2026 à 09H12
Réf. 26301-04-001188
MONTANT TTC   31,20 EUR
HT 26,00   TVA 20% 5,20`,
  },
  {
    name: "Polish: count and words before the price",
    data: { items: [{ description: "Parking strzeżony", quantity: 2, unitPrice: 45, grossAmount: 90 }] },
    text: `Przykładowa Stacja Sp. z o.o.
ul. Polna 7, 63-300 Pleszew
NIP 5260250274
PARAGON FISKALNY
2 Parking strzeżony   45,00   90,00
SUMA PLN   90,00
2026-11-07 21:10`,
  },
  {
    name: "Czech: price above the name",
    data: { items: [{ description: "NAFTA MOTOROVÁ", quantity: 150, unitPrice: 34.9, grossAmount: 5235 }] },
    text: `Vzorová čerpací stanice s.r.o.
Polní 4, 602 00 Brno
DIČ CZ12345679
ÚČTENKA č. 2611-0044
150,00 l x 34,90
NAFTA MOTOROVÁ   5 235,00
CELKEM CZK   5 235,00
08.11.2026 17:30`,
  },
];

describe("lines of receipts", () => {
  test.each(documents)("$name", async ({ text, data }) => {
    const read = await reading("receipt", text);
    expect(read.data).toMatchObject(data);
  });
});
