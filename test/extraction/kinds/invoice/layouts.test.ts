import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

/** Documents as they are printed in practice, each in its own layout and language. */
const documents: { name: string; file: string; data: object; text: string }[] = [
  {
    name: "Spanish: orders and a plate on the second line of a service, two columns on top",
    file: "document.txt",
    data: {
      number: "A/2026-0318",
      issueDate: "2026-09-30",
      dueDate: "2026-11-29",
      seller: {
        name: "TRANSPORTES HERMANOS LUQUE, S.L.",
        postalCode: "14550",
        city: "Montilla",
        vatCode: "ESB14010342",
      },
      buyer: {
        name: "CÍTRICOS LA SENIA COOP. V.",
        street: "Camí Vell, 22",
        postalCode: "46560",
        city: "Massalfassar",
        vatCode: "ESF46024196",
      },
      iban: "ES9121000418450200051332",
      currency: "EUR",
      lines: [
        { quantity: 1, unitPrice: 680, netAmount: 680 },
        { quantity: 1, unitPrice: 590, netAmount: 590 },
        { quantity: 3, unitPrice: 40, netAmount: 120 },
      ],
      netAmount: 1390,
      vatAmount: 291.9,
      grossAmount: 1681.9,
      paymentMethod: "BankTransfer",
      paymentDays: 60,
      orderNumbers: ["7781/26", "7803/26"],
      licensePlates: ["2204LPD"],
    },
    text: `TRANSPORTES HERMANOS LUQUE, S.L.                      FACTURA
Polígono El Cañuelo, nave 8
14550 Montilla (Córdoba)                              Nº factura:  A/2026-0318
C.I.F.: B14010342                                     Fecha:       30/09/2026
                                                      Vencimiento: 29/11/2026
CLIENTE
CÍTRICOS LA SENIA COOP. V.
Camí Vell, 22
46560 Massalfassar (Valencia)
C.I.F.: F46024196

Fecha    Concepto                                    Ud.   Precio    Importe
14/09    Porte Montilla - Massalfassar                 1   680,00     680,00
         Ref. pedido 7781/26  Matr. 2204-LPD
21/09    Porte Silla - Montilla, ref. pedido 7803/26   1   590,00     590,00
21/09    Paralización 3 h                              3    40,00     120,00

                              Base imponible                         1.390,00
                              I.V.A. 21 %                              291,90
                              TOTAL FACTURA                          1.681,90 €

Forma de pago: transferencia a 60 días. ES91 2100 0418 4502 0005 1332`,
  },
  {
    name: "French letter: lines with dots and no headings, days in sentences",
    file: "document.txt",
    data: {
      number: "F26-1187",
      issueDate: "2026-10-02",
      saleDate: "2026-09-28",
      dueDate: "2026-11-01",
      seller: { name: "TRANSPORTS VALLERY ET FILS", postalCode: "21500", city: "MONTBARD", vatCode: "FR83404833048" },
      buyer: { name: "PAPETERIES DU LAC SAS", street: "8 quai des Tanneurs", postalCode: "74000", city: "ANNECY" },
      iban: "FR1420041010050500013M02606",
      currency: "EUR",
      lines: [{ netAmount: 870 }, { netAmount: 56.55 }],
      netAmount: 926.55,
      vatAmount: 185.31,
      grossAmount: 1111.86,
      paymentMethod: "BankTransfer",
      orderNumbers: ["CL-448120"],
      licensePlates: ["GK204TR"],
    },
    text: `TRANSPORTS VALLERY ET FILS
SARL au capital de 20 000 €
Route de Semur
21500 MONTBARD
RCS Dijon 404 833 048  TVA FR83404833048
                                        Monsieur le Directeur
                                        PAPETERIES DU LAC SAS
                                        8 quai des Tanneurs
                                        74000 ANNECY

                                        Montbard, le 2 octobre 2026

FACTURE N° F26-1187
Votre commande CL-448120

Nous vous facturons le transport de 24 palettes de Montbard à Annecy
effectué le 28 septembre 2026 (véhicule GK-204-TR) :

    Transport forfaitaire .................................. 870,00 €
    Supplément gazole 6,5 % ................................  56,55 €

    Total HT ...............................................  926,55 €
    TVA 20 % ...............................................  185,31 €
    Net à payer ............................................ 1 111,86 €

A régler par virement au plus tard le 1er novembre 2026
IBAN FR14 2004 1010 0505 0001 3M02 606   BIC PSSTFRPPDIJ
Pénalités de retard : trois fois le taux légal. Indemnité forfaitaire 40 €.`,
  },
  {
    name: "Lithuanian: seller and buyer on one line",
    file: "document.txt",
    data: {
      issueDate: "2026-10-09",
      dueDate: "2026-11-08",
      seller: {
        name: 'UAB "Nemuno tėkmė"',
        street: "Taikos pr. 118",
        postalCode: "51230",
        city: "Kaunas",
        vatCode: "LT100538423",
      },
      buyer: {
        name: 'UAB "Medžio linija"',
        street: "Pramonės g. 4",
        postalCode: "91100",
        city: "Klaipėda",
        vatCode: "LT100000007915",
      },
      iban: "LT121000011101001000",
      currency: "EUR",
      lines: [
        { quantity: 1, unitPrice: 310, netAmount: 310 },
        { quantity: 2, unitPrice: 35, netAmount: 70 },
      ],
      netAmount: 380,
      vatAmount: 79.8,
      grossAmount: 459.8,
      orderNumbers: ["ML-2026/88"],
      licensePlates: ["KLP418"],
    },
    text: `PVM SĄSKAITA FAKTŪRA
Serija TRK Nr. 000418
2026-10-09

Pardavėjas: UAB "Nemuno tėkmė"            Pirkėjas: UAB "Medžio linija"
Įm. kodas 110053842                       Įm. kodas 300060819
PVM kodas LT100538423                     PVM kodas LT100000007915
Taikos pr. 118, LT-51230 Kaunas           Pramonės g. 4, LT-91100 Klaipėda
A/s LT12 1000 0111 0100 1000, AB bankas

Eil. Nr. Pavadinimas                               Mato vnt. Kiekis  Kaina    Suma
1        Krovinio vežimas Kaunas - Klaipėda        vnt.      1       310,00   310,00
         užsakymas Nr. ML-2026/88, vilkikas KLP 418
2        Prastova                                  val.      2        35,00    70,00

                                                   Iš viso be PVM    380,00
                                                   PVM 21%            79,80
                                                   Bendra suma       459,80 EUR
Apmokėti iki 2026-11-08`,
  },
  {
    name: "Swedish: rounded to whole crowns, paid to an account",
    file: "document.txt",
    data: {
      number: "10418",
      issueDate: "2026-10-06",
      dueDate: "2026-11-05",
      seller: {
        name: "Norrlands Timmerfrakt AB",
        street: "Skogsvägen 3",
        postalCode: "931 36",
        city: "Skellefteå",
        vatCode: "SE556012579001",
      },
      buyer: { name: "Bottenviken Såg AB", street: "Box 118", postalCode: "952 21", city: "Kalix" },
      iban: "SE4550000000058398257466",
      currency: "SEK",
      lines: [
        { quantity: 3, unitPrice: 4250, netAmount: 12750 },
        { quantity: 2, unitPrice: 780, netAmount: 1560 },
      ],
      netAmount: 14310,
      vatAmount: 3577.5,
      grossAmount: 17888,
      paymentMethod: "BankTransfer",
      orderNumbers: ["88120"],
      licensePlates: ["ABC41D"],
    },
    text: `Norrlands Timmerfrakt AB                         FAKTURA
Skogsvägen 3                                     Fakturanummer: 10418
931 36 Skellefteå                                Fakturadatum:  2026-10-06
Org.nr 556012-5790                               Förfallodatum: 2026-11-05
                                                 Ert ordernummer: 88120
Bottenviken Såg AB
Box 118
952 21 Kalix

Specifikation                     Antal  Enhet   á-pris      Belopp
Transport Skellefteå-Kalix          3     st    4 250,00   12 750,00
 Bil: ABC 41D
Tilläggstid                         2     tim     780,00    1 560,00

                          Summa exkl. moms                14 310,00
                          Moms 25 %                        3 577,50
                          Öresavrundning                       0,50
                          Att betala                SEK   17 888,00

Bankgiro 118-4420   IBAN SE45 5000 0000 0583 9825 7466
Momsreg.nr SE556012579001. Godkänd för F-skatt.`,
  },
  {
    name: "Hungarian: town above the street, sums without cents, totals in columns",
    file: "document.txt",
    data: {
      number: "2026/00418",
      issueDate: "2026-10-08",
      saleDate: "2026-10-05",
      dueDate: "2026-11-07",
      seller: {
        name: "Gyorsfuvar 2000 Bt.",
        street: "Makói út 44.",
        postalCode: "6800",
        city: "Hódmezővásárhely",
        vatCode: "HU12345676",
      },
      buyer: {
        name: "Délalföldi Gabona Zrt.",
        street: "Tisza Lajos krt. 9.",
        postalCode: "6720",
        city: "Szeged",
        vatCode: "HU10773381",
      },
      iban: "HU42117730161111101800000000",
      currency: "HUF",
      lines: [
        { quantity: 1, unitPrice: 185000, netAmount: 185000, vatRate: 27, vatAmount: 49950, grossAmount: 234950 },
        { quantity: 2, unitPrice: 12000, netAmount: 24000, vatRate: 27, vatAmount: 6480, grossAmount: 30480 },
      ],
      netAmount: 209000,
      vatAmount: 56430,
      grossAmount: 265430,
      paymentMethod: "BankTransfer",
      orderNumbers: ["DG/1188"],
      licensePlates: ["RKL418"],
    },
    text: `SZÁMLA
Sorszám: 2026/00418
Eladó:                              Vevő:
Gyorsfuvar 2000 Bt.                 Délalföldi Gabona Zrt.
6800 Hódmezővásárhely               6720 Szeged
Makói út 44.                        Tisza Lajos krt. 9.
Adószám: 12345676-2-06              Adószám: 10773381-2-06
Bankszámla: HU42 1177 3016 1111 1018 0000 0000
Teljesítés       Kelte          Fizetési határidő   Fizetési mód
2026.10.05.      2026.10.08.    2026.11.07.         Átutalás

Megnevezés                 Menny. Me.   Egységár    Nettó       ÁFA %   ÁFA       Bruttó
Belföldi fuvar Szeged-Győr   1    db   185 000    185 000    27    49 950    234 950
 rsz: RKL-418, megrendelés DG/1188
Állásidő                     2    óra   12 000     24 000    27     6 480     30 480
Összesen:                                           209 000          56 430    265 430 Ft`,
  },
  {
    name: 'Danish: fields parted by bars, the buyer behind "Til"',
    file: "document.txt",
    data: {
      number: "4418",
      issueDate: "2026-10-08",
      dueDate: "2026-10-22",
      seller: {
        name: "Vestjysk Fragt I/S",
        street: "Havnegade 12",
        postalCode: "7680",
        city: "Thyborøn",
        vatCode: "DK88146328",
      },
      buyer: { name: "Limfjordens Muslinger A/S", street: "Fiskerivej 8", postalCode: "7900", city: "Nykøbing Mors" },
      iban: "DK5000400440116243",
      currency: "DKK",
      lines: [
        { quantity: 1, unitPrice: 9400, netAmount: 9400 },
        { quantity: 2, unitPrice: 450, netAmount: 900 },
        { quantity: 1, unitPrice: 375, netAmount: 375 },
      ],
      netAmount: 10675,
      vatAmount: 2668.75,
      grossAmount: 13343.75,
      paymentMethod: "BankTransfer",
      licensePlates: ["CK44188"],
    },
    text: `Vestjysk Fragt I/S
Havnegade 12 | 7680 Thyborøn | CVR-nr. 88146328

Til: Limfjordens Muslinger A/S
     Fiskerivej 8
     7900 Nykøbing Mors

Faktura 4418                              Dato 08-10-2026
Betales senest 22-10-2026                 Deres ordre: LM 8812-26

Vare                                   Antal      Pris       I alt
Kørsel Thyborøn - Hamburg, vogn CK 44 188  1   9.400,00   9.400,00
Ventetid, timer                            2     450,00     900,00
Broafgift                                  1     375,00     375,00

Subtotal                                                 10.675,00
Moms 25%                                                  2.668,75
Total DKK                                                13.343,75

Betalingen kan overføres til IBAN DK50 0040 0440 1162 43`,
  },
  {
    name: "Bulgarian: a long description pushes the figures aside",
    file: "document.txt",
    data: {
      number: "0000004418",
      issueDate: "2026-10-05",
      saleDate: "2026-10-02",
      dueDate: "2026-11-04",
      seller: { name: "Дунав Карго ЕООД", postalCode: "7000", city: "Русе", vatCode: "BG131071587" },
      buyer: { name: "Пристис Строй АД", postalCode: "9000", city: "Варна", vatCode: "BG175074752" },
      iban: "BG80BNBG96611020345678",
      currency: "EUR",
      lines: [
        { quantity: 1, unitPrice: 520, netAmount: 520 },
        { quantity: 2, unitPrice: 30, netAmount: 60 },
      ],
      netAmount: 580,
      vatAmount: 116,
      grossAmount: 696,
      paymentMethod: "BankTransfer",
      orderNumbers: ["118/26"],
    },
    text: `ФАКТУРА № 0000004418 / 05.10.2026 г.                    ОРИГИНАЛ
Доставчик: Дунав Карго ЕООД            Получател: Пристис Строй АД
ЕИК: 131071587                         ЕИК: 175074752
ДДС №: BG131071587                     ДДС №: BG175074752
Адрес: 7000 Русе, бул. Липник 44       Адрес: 9000 Варна, ул. Девня 8
МОЛ: Иван Петков

No  Наименование на услугата                     Мярка  К-во  Ед. цена   Стойност
1   Транспорт Русе-Варна по заявка 118/26, рег. № Р 4418 КХ   бр.   1   520,00     520,00
2   Престой                                      час     2    30,00      60,00
                                        Данъчна основа:   580,00
                                        ДДС 20 %:         116,00
                                        Сума за плащане:  696,00 EUR
Дата на данъчно събитие: 02.10.2026    Падеж: 04.11.2026
Плащане: по банков път   IBAN: BG80 BNBG 9661 1020 3456 78`,
  },
];

describe("invoices in practical layouts", () => {
  test.each(documents)("$name", async ({ text, file, data }) => {
    expect((await reading("invoice", text, file)).data).toMatchObject(data);
  });
});
