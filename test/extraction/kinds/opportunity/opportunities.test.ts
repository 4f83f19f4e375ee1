import { writeXlsx } from "hucre";
import { describe, expect, test } from "vitest";
import { items, request, requests, result, route } from "../../../support/extract-requests.ts";
import { withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

describe("requests in sentences", () => {
  test.each([
    [
      "looking for a truck 24 t from Gdańsk to Lyon, loading Thursday, tautliner.\nPlease quote.",
      "L PL Gdańsk 2026-11-26 > U FR Lyon",
      { trailerTypes: [3], capacity: 24 },
    ],
    [
      "Hallo, wir suchen für morgen früh einen Tautliner von Kassel nach Hamburg, ca. 22 to, 13,6 ldm. Entladung am Montag.",
      "L DE Kassel 2026-11-21/2026-11-21T12:00:00 > U DE Hamburg 2026-11-23",
      { trailerTypes: [3], capacity: 22, ldm: 13.6 },
    ],
    [
      "Dzień dobry, poszukuję auta 24t plandeka z Wrocławia do Hamburga, załadunek w czwartek, rozładunek poniedziałek.",
      "L PL Wrocław 2026-11-26 > U DE Hamburg 2026-11-30",
      { trailerTypes: [1], capacity: 24 },
    ],
    [
      "Bonjour, merci de coter un transport de Lille à Barcelone, chargement mardi matin, livraison vendredi 27/11 avant 12h. 10 palettes, 6,5 t, 4 mpl, hayon obligatoire.",
      "L FR Lille 2026-11-24/2026-11-24T12:00:00 > U ES Barcelone 2026-11-27/2026-11-27T12:00:00",
      { pallets: 10, capacity: 6.5, ldm: 4, capabilities: [4] },
    ],
    [
      "Necesitamos un camión lona completo desde Zaragoza (50197) hasta Milán (20090) para cargar el lunes 23/11 y descargar el miércoles 25/11. 24.000 kg de bobinas.",
      "L ES 50197 Zaragoza 2026-11-23 > U IT 20090 Milán 2026-11-25",
      { trailerTypes: [1], capacity: 24 },
    ],
    [
      "Richiesta quotazione: carico a 37135 Verona il 24/11 dalle 8 alle 12, scarico a 70565 Stuttgart il 26/11. Vino, 15 bancali, 11.200 kg, frigo +12/+14°C.",
      "L IT 37135 Verona 2026-11-24T08:00:00/2026-11-24T12:00:00 > U DE 70565 Stuttgart 2026-11-26",
      { trailerTypes: [2], pallets: 15, capacity: 11.2, temperature: { min: 12, max: 14 } },
    ],
    [
      "Reikia tento iš Kauno į Hamburgą, pakrovimas rytoj, iškrovimas pirmadienį. 22 t, 33 paletės.",
      "L LT Kaunas 2026-11-21 > U DE Hamburg 2026-11-23",
      { trailerTypes: [1], capacity: 22, pallets: 33 },
    ],
    [
      "Poptávám přepravu z Prahy do Vídně, nakládka zítra dopoledne, vykládka v pondělí. 5 palet, 2,4 t, 2 ldm.",
      "L CZ Praha 2026-11-21/2026-11-21T12:00:00 > U AT Wien 2026-11-23",
      { pallets: 5, capacity: 2.4, ldm: 2 },
    ],
    [
      "Caut camion prelată de la Arad la Torino, încărcare mâine, descărcare marți, 21 tone.",
      "L RO Arad 2026-11-21 > U IT Torino 2026-11-24",
      { trailerTypes: [1], capacity: 21 },
    ],
    [
      "Ajánlatot kérünk: Győr - Graz, felrakás csütörtök 8-12, lerakás péntek. 12 raklap, 7,5 t, ponyvás.",
      "L HU Győr 2026-11-26T08:00:00/2026-11-26T12:00:00 > U AT Graz 2026-11-27",
      { trailerTypes: [1], pallets: 12, capacity: 7.5 },
    ],
    [
      "Добрий день! Потрібна машина тент 22т з Києва до Варшави, завантаження завтра, вивантаження у п'ятницю.",
      "L UA Київ 2026-11-21 > U PL Warszawa 2026-11-27",
      { trailerTypes: [1], capacity: 22 },
    ],
    [
      "Tere! Otsime veokit Tallinnast Hamburgi, laadimine reedel, mahalaadimine teisipäeval, 20 t, tent.",
      "L EE Tallinn 2026-11-27 > U DE Hamburg 2026-12-01",
      { trailerTypes: [1], capacity: 20 },
    ],
    [
      "Hej! Söker bil från Malmö till Hamburg, lastning imorgon, lossning fredag, 20 pall, 14 ton, gardinbil.",
      "L SE Malmö 2026-11-21 > U DE Hamburg 2026-11-27",
      { trailerTypes: [3], pallets: 20, capacity: 14 },
    ],
    [
      "Bom dia, preciso de cotação: Porto -> Lyon, carga amanhã, descarga segunda-feira, 24 t, lona",
      "L PT Porto 2026-11-21 > U FR Lyon 2026-11-23",
      { trailerTypes: [1], capacity: 24 },
    ],
  ])("%s", async (text, expected, requirements) => {
    const data = await request(text);
    expect(route(data)).toBe(expected);
    expect(data.requirements).toMatchObject(requirements);
  });
});

describe("short notes", () => {
  test.each([
    [
      "DE 34 - PL 50 mega 24t 2.12 450e",
      "L DE 34 2026-12-02 > U PL 50",
      { trailerTypes: [6], capacity: 24 },
      { from: 450, currency: "EUR" },
    ],
    [
      "F-69 -> D-50, frigo +2/+6, 18t 33ep, load 24/11 unload 26/11, 1.4k eur",
      "L FR 69 2026-11-24 > U DE 50 2026-11-26",
      { trailerTypes: [2], capacity: 18, pallets: 33, temperature: { min: 2, max: 6 } },
      { from: 1400, currency: "EUR" },
    ],
    [
      "ASAP! 1x full truck, IT 20 Milano > FR 13 Marseille, 33 plt 15 t, ready now, tautliner, 950€ all in",
      "L IT 20 Milano 2026-11-20 > U FR 13 Marseille",
      { ftl: true, pallets: 33, capacity: 15 },
      { from: 950, currency: "EUR" },
    ],
    [
      "DE 34123 Kassel - AT 4020 Linz, KW 49, 12 pal, LTL, 60 Tage",
      "L DE 34123 Kassel 2026-11-30/2026-12-06 > U AT 4020 Linz",
      { ftl: false, pallets: 12 },
      { term: 60 },
    ],
  ])("%s", async (text, expected, requirements, payment) => {
    const data = await request(text);
    expect(route(data)).toBe(expected);
    expect(data.requirements).toMatchObject(requirements);
    expect(data.payment).toEqual(payment);
  });

  test("a requirement that the text negates is not extracted", async () => {
    const { requirements } = await request(
      "Gdańsk - Hamburg 24/11, 12 t, two drivers, tail lift not needed, no ADR, tautliner, no mega",
    );
    expect(requirements?.capabilities).toEqual([6]);
    expect(requirements?.trailerTypes).toEqual([3]);
  });

  test("fields that are not given are listed as missing, and never guessed", async () => {
    const data = await request("PL 50 - DE 34, tautliner, 24/11");
    expect(data.missing).toEqual(["unloadingDate", "weight", "price"]);
    expect(data.payment).toBeUndefined();
  });

  test.each(["Prices valid for 30 days.", "Our warehouse is 25 km from the port.", "Goods worth 25 000 EUR."])(
    "'%s' contains no price, no payment term and no distance",
    async (sentence) => {
      const data = await request(`PL 50 - DE 34, tautliner, 24/11\n${sentence}`);
      expect(data.payment).toBeUndefined();
      expect(data.totalDistance).toBeUndefined();
    },
  );
});

describe("forms, lists and mails", () => {
  const form = `Quote request

Reference:        Q-2026-118
Loading place:    PL 62-200 Gniezno
Loading date:     30/11/2026 07:00-15:00
Unloading place:  DE 34123 Kassel
Unloading date:   02/12/2026
Trailer:          Mega
Weight:           18.5 t
Pallets:          26
ADR:              no
Distance:         780 km
Payment:          45 days
Target price:     1,100 EUR`;

  test("a form is read", async () => {
    const data = await request(form);
    expect(route(data)).toBe(
      "L PL 62-200 Gniezno 2026-11-30T07:00:00/2026-11-30T15:00:00 > U DE 34123 Kassel 2026-12-02",
    );
    expect(data).toMatchObject({
      externalNumber: "Q-2026-118",
      requirements: { trailerTypes: [6], capacity: 18.5, pallets: 26 },
      payment: { from: 1100, currency: "EUR", term: 45 },
      totalDistance: 780,
    });
    expect(data.requirements?.capabilities).toBeUndefined();
    expect(data.missing).toBeUndefined();
  });

  test("every value has the text that it was read from", async () => {
    const [reading] = await items(form);
    const price = reading?.evidence.find(({ pointer }) => pointer === "/payment/from");
    expect(price).toMatchObject({ value: 1100, text: "1,100 EUR", page: 1 });
  });

  test("each lane of a list is a request of its own, with the common terms", async () => {
    const lanes = await requests(
      "Guten Tag,\nbitte um Preise:\n\n1) DE 34 - PL 50, 24t, Mega, 24.11.\n2) DE 20 - CZ 11, 12t, Plane, 25.11.\n3) AT 40 - DE 80, 33 EP, Kühler +5°C, 26.11.\n\nZahlungsziel 30 Tage\nMfG",
    );
    expect(lanes.map(route)).toEqual([
      "L DE 34 2026-11-24 > U PL 50",
      "L DE 20 2026-11-25 > U CZ 11",
      "L AT 40 2026-11-26 > U DE 80",
    ]);
    expect(lanes.map(({ requirements, payment }) => [requirements?.trailerTypes, payment?.term])).toEqual([
      [[6], 30],
      [[1], 30],
      [[2], 30],
    ]);
  });

  test("a list with too many lanes is refused with a reason", async () => {
    const lanes = Array.from({ length: 600 }, (_, at) => `DE ${10 + (at % 80)} - PL ${10 + Math.floor(at / 80)} 24t`);
    expect(await result(lanes.join("\n"))).toMatchObject({ status: "Failed", reason: "too_many_pages", items: [] });
  });

  test("each row of a sheet is a request of its own", async () => {
    const file = await writeXlsx({
      sheets: [
        {
          name: "Lanes",
          rows: [
            [
              "Ref",
              "Loading country",
              "Loading postcode",
              "Loading city",
              "Loading date",
              "Delivery country",
              "Delivery postcode",
              "Delivery city",
              "Delivery date",
              "Weight kg",
              "Trailer",
              "Target price EUR",
            ],
            [
              "R-1001",
              "PL",
              "61-001",
              "Poznań",
              "24.11.2026",
              "DE",
              "34123",
              "Kassel",
              "25.11.2026",
              12400,
              "Mega",
              850,
            ],
            [
              "R-1002",
              "FR",
              "59000",
              "Lille",
              "25.11.2026",
              "DE",
              "80331",
              "München",
              "27.11.2026",
              21000,
              "Tautliner",
              1190,
            ],
          ],
        },
      ],
    });
    const lanes = await requests(file, "lanes.xlsx");
    expect(lanes.map(route)).toEqual([
      "L PL 61-001 Poznań 2026-11-24 > U DE 34123 Kassel 2026-11-25",
      "L FR 59000 Lille 2026-11-25 > U DE 80331 München 2026-11-27",
    ]);
    expect(
      lanes.map(({ requirements, payment }) => [requirements?.capacity, requirements?.trailerTypes, payment?.from]),
    ).toEqual([
      [12.4, [6], 850],
      [21, [3], 1190],
    ]);
  });

  test("the company that reads the request is not its sender: its VAT code identifies it, also without a country code", async () => {
    const asking = (vatCode: string) =>
      [
        "Request for a quote",
        `Customer: Przewozy Przykład Sp. z o.o., ul. Polna 7, 63-300 Pleszew, VAT ${vatCode}`,
        "Loading: DE-04158 Leipzig, 24.11.2026",
        "Unloading: PL 53-609 Wroclaw, 25.11.2026",
        "22 t, 33 pallets, tautliner",
      ].join("\n");
    expect((await request(asking("PL1234563218"))).requestedBy).toMatchObject({ vatCode: "PL1234563218" });
    expect((await request(asking("PL5260250274"))).requestedBy).toBeUndefined();
  });

  test("relative dates count from the mail's date, the subject is read, and the sender is the customer", async () => {
    const mail = [
      "From: Ute Brandt <ute@nordhandel.example>",
      "To: dispatch@ourtrucks.example",
      "Subject: Anfrage Kassel - Hamburg",
      "Date: Mon, 23 Nov 2026 09:14:00 +0000",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "Hallo, haben Sie morgen einen Mega frei? 22 t, Preis?",
      "",
    ].join("\r\n");
    const data = await request(mail, "mail.eml");
    expect(route(data)).toBe("L DE Kassel 2026-11-24 > U DE Hamburg");
    expect(data.requirements).toMatchObject({ trailerTypes: [6], capacity: 22 });
    expect(data.requestedBy?.contactPerson).toMatchObject({ name: "Ute Brandt", email: "ute@nordhandel.example" });
  });

  test.each([
    [
      "an invoice",
      "INVOICE No. 77/2026\nSeller: Alfa GmbH, Hafenstr. 4, 20457 Hamburg\nTotal due: 900.00 EUR\nDue date: 20/12/2026",
    ],
    ["small talk", "Hi Tom, thanks for lunch yesterday, see you at the fair in Hamburg next week. Best regards, Ann"],
  ])("%s is not a request for transport", async (_, text) => {
    expect(await requests(text)).toEqual([]);
  });
});
