import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

/** Documents as they are printed in practice, each in its own layout and language. */
const documents: { name: string; file: string; data: object; text: string }[] = [
  {
    name: "Dutch parking: paid when driving out",
    file: "document.txt",
    data: {
      number: "0033-188241",
      issuedAt: "2026-09-21T17:46",
      merchant: {
        name: "PARKEERGARAGE STATIONSKWARTIER",
        street: "Stationsweg 44",
        postalCode: "3511 CE",
        city: "UTRECHT",
      },
      currency: "EUR",
      grossAmount: 22.5,
      vatAmount: 3.9,
      licensePlate: "V412XK",
      cardLast4: "4417",
    },
    text: `PARKEERGARAGE STATIONSKWARTIER
Stationsweg 44
3511 CE UTRECHT
BTW NL001234567B55

PARKEERTICKET
Ticketnr: 0033-188241
In:   21-09-2026 08:12
Uit:  21-09-2026 17:46
Kenteken: V-412-XK
Parkeerduur 9u 34m
Te betalen EUR      22,50
BTW 21%   3,90
PIN  MAESTRO **** 4417
BEDANKT EN GOEDE REIS`,
  },
  {
    name: "Dutch parking without a word for a receipt",
    file: "document.txt",
    data: {
      issuedAt: "2026-09-12T16:20",
      merchant: { name: "Parkeren Oude Haven B.V." },
      currency: "EUR",
      grossAmount: 18,
      vatAmount: 3.12,
      cardLast4: "1122",
    },
    text: `Parkeren Oude Haven B.V.
Havenkade 3 2011 HA Haarlem
Btw: NL850000123B01
Inrijden    12-09-26 07:58
Uitrijden   12-09-26 16:20
Kaart 0118-2044
Bedrag            EUR 18,00
Waarvan btw 21%        3,12
Pinbetaling ****1122`,
  },
  {
    name: "French fuel: volume, price and sum each on a line",
    file: "document.txt",
    data: {
      number: "004417",
      issuedAt: "2026-09-17T22:31",
      merchant: { name: "RELAIS DE LA CROIX BLANCHE", postalCode: "21200", city: "BEAUNE", vatCode: "FR40404833048" },
      items: [{ quantity: 355.4, unitPrice: 1.642, grossAmount: 583.57 }],
      currency: "EUR",
      grossAmount: 583.57,
      vatAmount: 97.26,
      cardLast4: "5520",
      licensePlate: "FD118KE",
      odometer: 288104,
    },
    text: `RELAIS DE LA CROIX BLANCHE
Z.A. Les Ormeaux
21200 BEAUNE
SIRET 40483304800022
TVA FR40404833048

TICKET No: 004417     le 17/09/2026 a 22:31
POMPE 03  GAZOLE
VOLUME      355,40 L
PRIX/L        1,642 EUR
MONTANT     583,57 EUR
TVA 20,00%   97,26
TOTAL TTC   583,57 EUR
CARTE BANCAIRE
XXXX XXXX XXXX 5520
IMMAT: FD-118-KE
KM: 288 104
MERCI DE VOTRE VISITE`,
  },
  {
    name: "Polish fuel: letters set apart, price tied to its sign, time far from the day",
    file: "document.txt",
    data: {
      issuedAt: "2026-10-08T18:57",
      merchant: { vatCode: "PL9270005128", street: "ul. Poznańska 211", postalCode: "66-100", city: "Sulechów" },
      items: [
        { quantity: 511.2, unitPrice: 6.29, grossAmount: 3215.45 },
        { quantity: 60, unitPrice: 3.89, grossAmount: 233.4 },
        { grossAmount: 12.99, quantity: 1, unitPrice: 12.99 },
      ],
      currency: "PLN",
      grossAmount: 3461.84,
      vatAmount: 645.87,
      licensePlate: "ZGX71KA",
      odometer: 611204,
    },
    text: `        STACJA PALIW ZACHODNIA
          Jan Wrzos i Wspólnicy s.c.
       ul. Poznańska 211, 66-100 Sulechów
            NIP 927-00-05-128
        2026-10-08            W004412
          P A R A G O N  F I S K A L N Y
ON EKODIESEL  (A)
      511,200 x6,29           3 215,45A
ADBLUE LUZ    (A)
       60,000 x3,89             233,40A
HOT DOG       (B)
        1,000 x12,99             12,99B
SPRZEDAŻ OPODATKOWANA A       3 448,85
PTU A 23,00%                    644,91
SPRZEDAŻ OPODATKOWANA B          12,99
PTU B 8,00%                       0,96
SUMA PTU                        645,87
SUMA PLN                      3 461,84
KARTA FLOTOWA                 3 461,84
00218/0044  #3  KAS. 2    18:57
NR REJ. ZGX 71KA   LICZNIK 611 204`,
  },
  {
    name: "Hungarian toll: forints without cents",
    file: "document.txt",
    data: {
      number: "NY-44180/26",
      issuedAt: "2026-10-03T11:20",
      merchant: { street: "Szabadság út 117.", postalCode: "2040", city: "Budaörs" },
      items: [
        { description: "Útdíj viszonylati jegy", quantity: 1, grossAmount: 18240 },
        { description: "Kávé", quantity: 2, grossAmount: 1100 },
      ],
      currency: "HUF",
      grossAmount: 19340,
      cardLast4: "0442",
      licensePlate: "AABK118",
    },
    text: `NEMZETI ÚT ZRT. ÉRTÉKESÍTÉS
2040 Budaörs, Szabadság út 117.
Adószám: 12345676-2-13
Nyugtaszám: NY-44180/26
Dátum: 2026.10.03. 11:20
Útdíj viszonylati jegy   1 db    18 240 Ft
Kávé                     2 db     1 100 Ft
Összesen:                        19 340 Ft
Bankkártya ************0442
Rendszám: AA BK-118`,
  },
  {
    name: "Portuguese fuel: a road that has kilometres too",
    file: "document.txt",
    data: {
      number: "2026/11882",
      issuedAt: "2026-10-07T19:05",
      merchant: {
        name: "POSTO DE ABASTECIMENTO SERRA NOVA LDA",
        postalCode: "7350-021",
        city: "ELVAS",
        vatCode: "PT501442600",
      },
      items: [{ quantity: 288.91, unitPrice: 1.619, grossAmount: 467.75 }],
      currency: "EUR",
      grossAmount: 467.75,
      vatAmount: 87.47,
      cardLast4: "4418",
      licensePlate: "44XK18",
      odometer: 618220,
    },
    text: `POSTO DE ABASTECIMENTO SERRA NOVA LDA
EN 118 KM 44 7350-021 ELVAS
CONTRIBUINTE 501442600
TALAO DE VENDA 2026/11882
DATA 07/10/26  HORA 19:05
BOMBA 4 GASOLEO SIMPLES
 288,91 LT   1,619 EUR/LT
 VALOR            467,75 EUR
 IVA 23% INCL      87,47
MULTIBANCO CARTAO *********4418
MATRICULA 44-XK-18
KMS 618.220
OBRIGADO BOA VIAGEM`,
  },
  {
    name: "Danish fuel: kilometres behind their unit",
    file: "document.txt",
    data: {
      number: "4-11822",
      issuedAt: "2026-10-09T04:51",
      merchant: { name: "Tank & Go Padborg ApS", street: "Industrivej 22", postalCode: "6330", city: "Padborg" },
      items: [{ description: "Diesel", quantity: 298.7, unitPrice: 12.89, grossAmount: 3850.24 }],
      currency: "DKK",
      grossAmount: 3850.24,
      vatAmount: 770.05,
      cardLast4: "3310",
      licensePlate: "AB44118",
      odometer: 512044,
    },
    text: `Tank & Go Padborg ApS
Industrivej 22
6330 Padborg
CVR 88146328
Kvittering nr. 4-11822
09.10.26 kl. 04:51
Diesel      298,70 l á 12,89    3.850,24
I alt DKK                       3.850,24
Heraf moms 25%                    770,05
Dankort ************3310
Reg.nr. AB 44 118  Km 512.044`,
  },
  {
    name: "Bulgarian toll: names in Cyrillic",
    file: "document.txt",
    data: {
      number: "0004418",
      issuedAt: "2026-10-06T09:12",
      merchant: { name: "ПЪТНИ УСЛУГИ ЮГ ЕООД", vatCode: "BG131071587" },
      items: [
        { description: "Маршрутна карта ТОЛ", grossAmount: 118.4 },
        { description: "Ел. винетка уикенд", grossAmount: 10 },
      ],
      currency: "EUR",
      grossAmount: 128.4,
      vatAmount: 21.4,
      licensePlate: "CB4418KX",
    },
    text: `ПЪТНИ УСЛУГИ ЮГ ЕООД
гр. Свиленград, ул. Гранична 4
ЕИК 131071587   ДДС № BG131071587
КАСОВА БЕЛЕЖКА № 0004418
Дата 06.10.2026 г. 09:12 ч.
Маршрутна карта ТОЛ      118,40
Ел. винетка уикенд        10,00
ОБЩО EUR                 128,40
в т.ч. ДДС 20%            21,40
Плащане в брой
Рег. № CB 4418 KX`,
  },
  {
    name: "Slovak wash: how many before what",
    file: "document.txt",
    data: {
      number: "118/10/2026",
      issuedAt: "2026-10-05T15:40",
      merchant: {
        name: "AUTOUMYVÁREŇ KAMIÓN, s.r.o.",
        street: "Diaľničná 8",
        postalCode: "900 27",
        city: "Bernolákovo",
        vatCode: "SK2020317068",
      },
      items: [
        { description: "umytie súpravy ťahač+náves", grossAmount: 65 },
        { description: "vnútorné čistenie", grossAmount: 20 },
      ],
      currency: "EUR",
      grossAmount: 85,
      vatAmount: 15.89,
      netAmount: 69.11,
      licensePlate: "BL882KX",
    },
    text: `AUTOUMYVÁREŇ KAMIÓN, s.r.o.
Diaľničná 8, 900 27 Bernolákovo
IČ DPH: SK2020317068
DOKLAD č. 118/10/2026
Dátum: 05.10.2026 Čas: 15:40
1 x umytie súpravy ťahač+náves   65,00
1 x vnútorné čistenie            20,00
SPOLU: 85,00 EUR
DPH 23%: 15,89   základ: 69,11
Hotovosť: 100,00  Vydané: 15,00
EČV: BL882KX`,
  },
  {
    name: "German toll: valid longer than paid, stars between blanks",
    file: "document.txt",
    data: {
      number: "118-4420-77",
      issuedAt: "2026-10-11T04:12",
      currency: "EUR",
      grossAmount: 109.71,
      licensePlate: "EBETK4418",
      cardLast4: "5518",
    },
    text: `Mautstellen-Terminal 0441
Rasthof Hirschgrund West
Einbuchungsbeleg
Datum 11.10.2026 04:12
Kennzeichen EBE TK 4418
Achsen 5  Euro 6
Gültig bis 11.10.2026 23:59
Strecke 318 km
Mautbetrag 109,71 EUR
Tankkarte 7002 **** **** 5518
Beleg 118-4420-77`,
  },
  {
    name: "Ukrainian motel",
    file: "document.txt",
    data: {
      number: "0044182",
      issuedAt: "2026-10-08T22:14",
      items: [
        { description: "Проживання 1 доба", grossAmount: 850 },
        { description: "Паркування вантажівки", grossAmount: 120 },
      ],
      currency: "UAH",
      grossAmount: 970,
      vatAmount: 161.67,
      cardLast4: "5512",
    },
    text: `Мотель "Придорожній"
м. Стрий, вул. Львівська 118
ФІСКАЛЬНИЙ ЧЕК № 0044182
08.10.2026 22:14
Проживання 1 доба      850,00
Паркування вантажівки  120,00
СУМА                   970,00 грн
ПДВ 20%                161,67
КАРТКА XXXX 5512`,
  },
];

describe("receipts in practical layouts", () => {
  test.each(documents)("$name", async ({ text, file, data }) => {
    expect((await reading("receipt", text, file)).data).toMatchObject(data);
  });
});
