import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeXlsx } from "hucre";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { OrderView } from "../../../../src/extraction/kinds/order/view.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractOrders } from "../../../../src/extraction/extract.ts";
import type { ExtractionResult } from "../../../../src/extraction/document/extraction-result.ts";
import { line, pdf } from "../../../support/files/make-pdf.ts";

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(
  file: string | Uint8Array,
  name = "orders.csv",
  milliseconds = 10_000,
): Promise<ExtractionResult<OrderView>> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const company = { names: [], vatCodes: [], emailDomains: [] };
  return extractOrders(
    { bytes, name },
    { company, today: "2026-11-20" },
    { gazetteer, budget: new Budget(milliseconds) },
  );
}

async function orders(file: string | Uint8Array, name?: string): Promise<OrderView[]> {
  const result = await read(file, name);
  expect(result.status, result.message).toBe("Read");
  return result.items.map(({ data }) => data);
}

/** Returns the main fields of an order. Each stop is one line of text. */
const brief = ({ orderNumber, locations = [], payments }: OrderView) => ({
  number: orderNumber,
  stops: locations.map(({ type, name, street, countryCode, postalCode, city, startDate }) =>
    [type, name, street, countryCode, postalCode, city, startDate?.slice(0, 16)]
      .map((value) => value ?? "-")
      .join(" | "),
  ),
  price: payments?.price,
  currency: payments?.currency,
});

describe("one row for each order", () => {
  test("stop and attribute in one header", async () => {
    const [first, second, ...more] = await orders(
      `Zlecenie nr;Załadunek Firma;Załadunek Ulica;Załadunek Kod;Załadunek Miasto;Załadunek Data;Rozładunek Firma;Rozładunek Ulica;Rozładunek Kod;Rozładunek Miasto;Rozładunek Data;Towar;Waga;Fracht
AL/11/2026;Alfa Stal Sp. z o.o.;ul. Hutnicza 4, hala 2;40-001;Katowice;23.11.2026;Beta Bau GmbH;Hafenstr. 9;20457;Hamburg;24.11.2026;blacha;12 400 kg;1 150,00 EUR
AL/12/2026;Gamma S.A.;ul. Polna 1;60-001;Poznań;24.11.2026;Delta Handel GmbH;Ringstr. 7;80331;München;26.11.2026;meble;4 200 kg;1 480,00 EUR
`,
    );
    expect(more).toEqual([]);
    expect(brief(first!)).toEqual({
      number: "AL/11/2026",
      stops: [
        "Loading | Alfa Stal Sp. z o.o. | ul. Hutnicza 4, hala 2 | PL | 40-001 | Katowice | 2026-11-23T00:00",
        "Unloading | Beta Bau GmbH | Hafenstr. 9 | DE | 20457 | Hamburg | 2026-11-24T00:00",
      ],
      price: 1150,
      currency: "EUR",
    });
    expect(first?.locations?.[0]?.cargo).toEqual([expect.objectContaining({ cargoType: "blacha", weight: 12400 })]);
    expect(brief(second!)).toMatchObject({ number: "AL/12/2026", price: 1480 });
  });

  test("headers as programs write them", async () => {
    const [order] = await orders(
      `order_number,pickup_name,pickup_street,pickup_postcode,pickup_city,pickup_country,pickup_date,deliveryName,deliveryStreet,deliveryPostcode,deliveryCity,deliveryCountry,deliveryDate,weight_kg,price,currency
X-5001,North Works,4 Mill Lane,75001,Paris,FR,2026-11-23,South Stores,9 Dock Road,10115,Berlin,DE,2026-11-25,8000,990.00,EUR
`,
    );
    expect(brief(order!)).toEqual({
      number: "X-5001",
      stops: [
        "Loading | North Works | 4 Mill Lane | FR | 75001 | Paris | 2026-11-23T00:00",
        "Unloading | South Stores | 9 Dock Road | DE | 10115 | Berlin | 2026-11-25T00:00",
      ],
      price: 990,
      currency: "EUR",
    });
    expect(order?.locations?.[0]?.cargo?.[0]?.weight).toBe(8000);
  });

  test("a second header row above the first", async () => {
    const rows = [
      ["Transportaufträge KW 48"],
      ["", "", "Beladung", "", "", "Entladung", "", "", "", ""],
      ["Auftragsnr.", "Auftragsdatum", "Firma", "Ort", "Datum", "Firma", "Ort", "Datum", "Gewicht", "Preis EUR"],
      [
        "K-77",
        "19.11.2026",
        "Alfa Stahl GmbH",
        "45127 Essen",
        "23.11.2026",
        "Beta Handel AG",
        "4051 Basel",
        "24.11.2026",
        "9.800 kg",
        "870,00",
      ],
      [
        "K-78",
        "19.11.2026",
        "Gamma KG",
        "28195 Bremen",
        "24.11.2026",
        "Delta GmbH",
        "70173 Stuttgart",
        "25.11.2026",
        "11.200 kg",
        "910,00",
      ],
      ["", "", "", "", "", "", "", "Summe", "21.000 kg", "1.780,00"],
    ];
    const list = await orders(await writeXlsx({ sheets: [{ name: "KW 48", rows }] }), "kw48.xlsx");
    expect(list.map(brief)).toEqual([
      {
        number: "K-77",
        stops: [
          "Loading | Alfa Stahl GmbH | - | DE | 45127 | Essen | 2026-11-23T00:00",
          "Unloading | Beta Handel AG | - | CH | 4051 | Basel | 2026-11-24T00:00",
        ],
        price: 870,
        currency: "EUR",
      },
      expect.objectContaining({ number: "K-78", price: 910 }),
    ]);
  });

  test("columns that belong to the stop before them", async () => {
    const [order] = await orders(
      `N° d'ordre;Lieu de chargement;Code postal;Ville;Date;Heure;Lieu de livraison;Code postal;Ville;Date;Heure;Marchandise;Poids (kg);Prix
F-310;Alfa SARL;69003;Lyon;23/11/2026;08:00-10:00;Beta SAS;33000;Bordeaux;24/11/2026;14:00;carton;6500;740,00 €
`,
    );
    expect(brief(order!)).toEqual({
      number: "F-310",
      stops: [
        "Loading | Alfa SARL | - | FR | 69003 | Lyon | 2026-11-23T08:00",
        "Unloading | Beta SAS | - | FR | 33000 | Bordeaux | 2026-11-24T14:00",
      ],
      price: 740,
      currency: "EUR",
    });
  });

  test("stops and companies under unknown headers are recognised by their values", async () => {
    const [order] = await orders(
      `Order no;Zorba Name;Zorba VAT;Zorba Email;Zorba City;Quimba Name;Quimba Street;Quimba City;Quimba Date;Trella Name;Trella Street;Trella City;Trella Date;Weight;Price
Z-9001;Omega Trans Sp. z o.o.;PL5260001246;office@omega.example;00-001 Warszawa;Alfa GmbH;Hafenstr. 4;20457 Hamburg;23/11/2026;Beta GmbH;Ringstr. 9;80331 München;24/11/2026;7000 kg;650.00 EUR
`,
    );
    expect(brief(order!).stops).toEqual([
      "Loading | Alfa GmbH | Hafenstr. 4 | DE | 20457 | Hamburg | 2026-11-23T00:00",
      "Unloading | Beta GmbH | Ringstr. 9 | DE | 80331 | München | 2026-11-24T00:00",
    ]);
    expect(order?.carrier).toMatchObject({ name: "Omega Trans Sp. z o.o.", city: "Warszawa" });
  });

  test("several numbers in one cell, a fixed time, a carrier", async () => {
    const [order] = await orders(
      `Load no,Carrier Name,Carrier Phone,Collection Name,Collection City,Collection Date,Collection Time,Collection Ref,Delivery Name,Delivery City,Delivery Date,Delivery Time,Rate
L-6601,Hill Haulage Ltd,+44 20 7946 0018,Alfa Ltd,"Leeds, GB LS1 4AP",23/11/2026,fixed 09:00,"AB-1001, CD-2002",Beta Ltd,"Bristol, GB BS1 5TR",24/11/2026,before 14:00,GBP 480.00
`,
    );
    const [loading, unloading] = order?.locations ?? [];
    expect(loading).toMatchObject({
      fixTime: true,
      refrenceNumbers: ["AB-1001", "CD-2002"],
      startDate: "2026-11-23T09:00:00",
    });
    expect(unloading).toMatchObject({ endDate: "2026-11-24T14:00:00" });
    expect(order?.carrier).toMatchObject({ name: "Hill Haulage Ltd", contactPerson: { phone: "+44 20 7946 0018" } });
  });
});

test("twenty order numbers in one cell, separated by blanks, end in time", async () => {
  const numbers = Array.from({ length: 20 }, (_, at) => `45001234${at + 10}`).join(" ");
  const [order] = await orders(
    `Load no,Order numbers,Collection Name,Collection City,Collection Date,Delivery Name,Delivery City,Delivery Date,Rate
L-6601,${numbers},Alfa Ltd,"Leeds, GB LS1 4AP",23/11/2026,Beta Ltd,"Bristol, GB BS1 5TR",24/11/2026,GBP 480.00
`,
  );
  expect(order?.locations).toHaveLength(2);
});

describe("several rows for one order", () => {
  test("one row for each delivery under one number", async () => {
    const list = await orders(
      `Order no;Loading name;Loading city;Loading date;Unloading name;Unloading city;Unloading date;Weight
M-1;Alfa GmbH;DE-20457 Hamburg;23/11/2026;Beta GmbH;DE-80331 München;24/11/2026;4000 kg
M-1;Alfa GmbH;DE-20457 Hamburg;23/11/2026;Gamma GmbH;DE-70173 Stuttgart;25/11/2026;4000 kg
M-2;Delta GmbH;DE-28195 Bremen;23/11/2026;Beta GmbH;DE-80331 München;26/11/2026;3000 kg
`,
    );
    expect(
      list.map(({ orderNumber, locations }) => [
        orderNumber,
        ...(locations ?? []).map(({ type, city }) => `${type} ${city}`),
      ]),
    ).toEqual([
      ["M-1", "Loading Hamburg", "Unloading München", "Unloading Stuttgart"],
      ["M-2", "Loading Bremen", "Unloading München"],
    ]);
  });

  test("one row for each stop, its type in a cell", async () => {
    const list = await orders(
      `Auftrag Nr.;Art;Firma;PLZ;Ort;Datum;Uhrzeit
S-1;Beladung;Alfa GmbH;20457;Hamburg;23.11.2026;08:00
S-1;Entladung;Beta GmbH;80331;München;24.11.2026;10:00
S-2;Beladung;Gamma GmbH;28195;Bremen;24.11.2026;07:00
S-2;Beladung;Delta GmbH;45127;Essen;24.11.2026;13:00
S-2;Entladung;Omega GmbH;70173;Stuttgart;25.11.2026;09:00
`,
    );
    expect(list.map(brief).map(({ number, stops }) => [number, ...stops])).toEqual([
      [
        "S-1",
        "Loading | Alfa GmbH | - | DE | 20457 | Hamburg | 2026-11-23T08:00",
        "Unloading | Beta GmbH | - | DE | 80331 | München | 2026-11-24T10:00",
      ],
      [
        "S-2",
        "Loading | Gamma GmbH | - | DE | 28195 | Bremen | 2026-11-24T07:00",
        "Loading | Delta GmbH | - | DE | 45127 | Essen | 2026-11-24T13:00",
        "Unloading | Omega GmbH | - | DE | 70173 | Stuttgart | 2026-11-25T09:00",
      ],
    ]);
  });
});

describe("text around a table", () => {
  const table = (number: string) => `<table>
<tr><th>Order no</th><th>Loading name</th><th>Loading city</th><th>Loading date</th><th>Delivery name</th><th>Delivery city</th><th>Delivery date</th><th>Price</th></tr>
<tr><td>${number}1</td><td>Alfa GmbH</td><td>DE-20457 Hamburg</td><td>23/11/2026</td><td>Beta GmbH</td><td>DE-80331 München</td><td>24/11/2026</td><td>700.00 EUR</td></tr>
<tr><td>${number}2</td><td>Gamma GmbH</td><td>DE-28195 Bremen</td><td>24/11/2026</td><td>Delta GmbH</td><td>DE-70173 Stuttgart</td><td>25/11/2026</td><td>800.00 EUR</td></tr>
</table>`;

  test("text below the table applies to every order in it", async () => {
    const list = await orders(
      `<html><body><p>Please confirm these loads.</p>${table("H-90")}<p>Payment terms: 45 days</p></body></html>`,
      "loads.html",
    );
    expect(list.map(({ orderNumber, payments }) => [orderNumber, payments?.price, payments?.paymentDays])).toEqual([
      ["H-901", 700, 45],
      ["H-902", 800, 45],
    ]);
  });

  test("evidence refers to the printed cell", async () => {
    const { items } = await read(`<html><body>${table("E-10")}</body></html>`, "loads.html");
    const [first, second] = items.map(({ evidence }) =>
      evidence.find(({ pointer }) => pointer === "/locations/0/city"),
    );
    expect(first?.text).toContain("Hamburg");
    expect(second?.text).toContain("Bremen");
    expect(second?.page).toBe(1);
    expect(second!.box![1]).toBeGreaterThan(first!.box![1]);
    expect(second!.box![0]).toBeCloseTo(first!.box![0], 2);
  });

  test("numbered stops of one order stay one order", async () => {
    const rows = [
      ["TRANSPORT ORDER No. A-1001"],
      ["#", "Type", "Company", "City", "Date"],
      ["1", "Loading", "Alfa GmbH", "DE-20457 Hamburg", "23/11/2026"],
      ["2", "Unloading", "Beta GmbH", "DE-80331 München", "24/11/2026"],
      ["3", "Unloading", "Gamma GmbH", "DE-70173 Stuttgart", "25/11/2026"],
    ];
    const list = await orders(await writeXlsx({ sheets: [{ name: "Order", rows }] }), "order.xlsx");
    expect(list.map(({ orderNumber, locations }) => [orderNumber, locations?.length])).toEqual([["A-1001", 3]]);
  });

  test("a list of many rows ends within the time budget", async () => {
    const row = (at: number) =>
      `N-${1000 + at};Alfa GmbH;DE-20457 Hamburg;23/11/2026;Beta GmbH;DE-80331 München;24/11/2026`;
    const header = "Order no;Loading name;Loading city;Loading date;Unloading name;Unloading city;Unloading date";
    const list = await orders([header, ...Array.from({ length: 60 }, (_, at) => row(at))].join("\n"));
    expect(list).toHaveLength(60);
  });
});

describe("the stops of one order in a ruled table", () => {
  const [left, top, height] = [40, 600, 60];

  /** Draws a grid. A line break in a cell begins a new line of text. */
  const grid = (rows: string[][], width = 100) => {
    const [right, bottom] = [left + (rows[0]?.length ?? 0) * width, top - rows.length * height];
    const level = rows.concat([[]]).map((_, at) => `${left} ${top - at * height} m ${right} ${top - at * height} l S `);
    const upright = Array.from(
      { length: (right - left) / width + 1 },
      (_, at) => `${left + at * width} ${top} m ${left + at * width} ${bottom} l S `,
    );
    const words = rows.flatMap((row, y) =>
      row.flatMap((cell, x) =>
        cell.split("\n").map((text, at) => line(text, left + 4 + x * width, top - y * height - 14 - at * 11)),
      ),
    );
    return [...level, ...upright, ...words].join("");
  };
  const around = (table: string) =>
    pdf({ pages: [line("TRANSPORT ORDER No. A-2002", 40, 740) + table + line("Freight price: 900.00 EUR", 40, 200)] });
  const stops = [
    ["", "Company", "Date", "Goods", "Weight"],
    [
      "Loading 1",
      "Northern Timber and\nBoards GmbH\nHafenstr. 4\n20457 Hamburg",
      "23/11/2026\n08:00",
      "boards",
      "4000 kg",
    ],
    ["Loading 2", "Delta GmbH\nAm Wall 12\n28195 Bremen", "24/11/2026", "panels", "3000 kg"],
    ["Unloading", "Beta GmbH\nRingstr. 9\n80331 München", "25/11/2026", "", ""],
  ];
  const expected = [
    "Loading | Northern Timber and Boards GmbH | Hafenstr. 4 | DE | 20457 | Hamburg | 2026-11-23T08:00",
    "Loading | Delta GmbH | Am Wall 12 | DE | 28195 | Bremen | 2026-11-24T00:00",
    "Unloading | Beta GmbH | Ringstr. 9 | DE | 80331 | München | 2026-11-25T00:00",
  ];

  test.each([
    ["a row for each", stops],
    ["a column for each", stops[0]!.map((_, x) => stops.map((row) => row[x]!))],
  ])("%s", async (_, rows) => {
    const [order, ...more] = await orders(around(grid(rows)), "order.pdf");
    expect(more).toEqual([]);
    expect(brief(order!)).toEqual({ number: "A-2002", stops: expected, price: 900, currency: "EUR" });
    expect(order?.locations?.map(({ cargo }) => cargo?.[0]?.weight)).toEqual([4000, 3000, undefined]);
  });

  test("one row for each stop, with date and number in cells of their own, slightly lower", async () => {
    const carrier = line("Auftragnehmer:", 40, 625) + line("Wheel and Axle Ltd, Mill Lane 4, 20457 Hamburg", 40, 611);
    const rows = [
      ["Beladestelle\nAlfa GmbH\nAm Wall 12\n28195 Bremen", "\nBeladedatum: 23.11.2026\n08:00 - 12:00\nRef.: LP-770"],
      ["Entladestelle\nBeta GmbH\nRingstr. 9\n80331 München", "\nEntladedatum: 24.11.2026\n07:00 - 15:00\nRef.: WR-90"],
    ];
    const [order] = await orders(around(carrier + grid(rows, 260)), "order.pdf");
    expect(
      order?.locations?.map(({ startDate, endDate, refrenceNumbers }) => [startDate, endDate, refrenceNumbers]),
    ).toEqual([
      ["2026-11-23T08:00:00", "2026-11-23T12:00:00", ["LP-770"]],
      ["2026-11-24T07:00:00", "2026-11-24T15:00:00", ["WR-90"]],
    ]);
  });
});

test("a form with the stops side by side is one order", async () => {
  const form = [
    "PICKUP 1;PICKUP 2;DELIVERY 1;DELIVERY 2",
    "Alfa GmbH;Gamma AG;Beta GmbH;Delta KG",
    "Am Wall 12;Hafenstr. 4;Ringstr. 9;Parkweg 7",
    "28195 Bremen;20457 Hamburg;80331 München;34123 Kassel",
    "23.11.2026;23.11.2026;24.11.2026;25.11.2026",
    "08:00;11:00;07:00;09:00",
    "LP 770;LP 771;WR 90;WR 91",
  ].join("\n");
  expect(await orders(`Transport order;T-4711;Price;980 EUR\n${form}\n`)).toHaveLength(1);
});

describe("long lists", () => {
  const header =
    "order number;loading postcode;loading city;loading date;delivery postcode;delivery city;delivery date;price EUR";
  const rows = (count: number) =>
    [
      header,
      ...Array.from(
        { length: count },
        (_, at) => `L-${1000 + at};20457;Hamburg;24.11.2026;34123;Kassel;25.11.2026;${400 + at}`,
      ),
    ].join("\n");

  test("every row is an order", async () => {
    const all = await orders(rows(150));
    expect(all).toHaveLength(150);
    expect(brief(all[149]!)).toMatchObject({ number: "L-1149", price: 549 });
  });

  test("a list with too many rows is refused with a reason", async () => {
    const { status, reason, message } = await read(rows(1201), "orders.csv", 120_000);
    expect({ status, reason }).toEqual({ status: "Failed", reason: "too_many_pages" });
    expect(message).toContain("1201 orders");
  });
});
