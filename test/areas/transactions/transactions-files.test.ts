import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeXlsx } from "hucre";
import { openService, type TestService } from "../../support/service.ts";
import { transactionClient, type TransactionClient } from "../../support/transactions.ts";

let service: TestService;
const fresh = (): TransactionClient => transactionClient(service, service.company());

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stop());

const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
/** Encodes each letter as one byte. `letters` contains the letters whose byte differs from their character code. */
const coded = (text: string, letters: Record<string, number>): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...text], (letter) => letters[letter] ?? letter.charCodeAt(0));

/** Statements of one diesel purchase, in the formats of card companies of different countries. */
const statements: [name: string, file: string | Uint8Array<ArrayBuffer>, told: object][] = [
  [
    "Polish, semicolons, decimal comma, Windows-1250",
    coded(
      "Zestawienie transakcji\r\nData;Godzina;Nr karty;Nr rej.;Stacja;Kraj;Towar;Ilość;J.m.;Cena jedn.;Wartość netto;VAT %;Kwota VAT;Wartość brutto;Waluta;Przebieg\r\n05.10.2026;08:14;7040123456789012;WGM 12345;Łódź Północ;PL;Olej napędowy;400,00;l;4,8500;1940,00;23;446,20;2386,20;PLN;602118\r\n;;;;;;Razem;400,00;;;1940,00;;446,20;2386,20;PLN;\r\n",
      { ś: 0x9c, ć: 0xe6, Ł: 0xa3, ó: 0xf3, ź: 0x9f, ę: 0xea, ł: 0xb3 },
    ),
    {
      station: "Łódź Północ",
      currency: "PLN",
      quantity: 400,
      unitPrice: 4.85,
      netAmount: 1940,
      vatAmount: 446.2,
      grossAmount: 2386.2,
      occurredAt: "2026-10-05T06:14:00.000Z",
    },
  ],
  [
    "French, tabs, apostrophes and a comma",
    "Date et heure\tN° carte\tImmatriculation\tStation-service\tPays\tProduit\tQuantité\tPrix unitaire\tMontant HT\tTVA\tMontant TTC\tDevise\tKilométrage\n05/10/2026 08:14\t7040 1234 5678 9012\tWGM-12345\tAire de l'Exemple\tFrance\tGazole\t1 000,50\t1,352\t1 352,68\t270,54\t1 623,22\tEUR\t602 118\n",
    {
      station: "Aire de l'Exemple",
      countryCode: "FR",
      quantity: 1000.5,
      unitPrice: 1.352,
      netAmount: 1352.68,
      vatAmount: 270.54,
      grossAmount: 1623.22,
      odometer: 602_118,
    },
  ],
  [
    "American day order, commas and quotes",
    'Transaction ID,Trans Date,Trans Time,Card Number,License Plate,Merchant Name,City,Country,Product,Qty,Unit,Unit Price,Net Amount,VAT Amount,Total Amount,Currency\n"T-1","10/05/2026","8:14 PM","7040123456789012","WGM 12345","Truck Stop, Example","Dover","GB","Diesel","400.00","L","1.25","500.00","100.00","600.00","GBP"\n"T-2","10/17/2026","9:00 AM","7040123456789012","WGM 12345","Truck Stop, Example","Dover","GB","AdBlue","40.00","L","0.50","20.00","4.00","24.00","GBP"\n',
    {
      externalId: "T-1",
      station: "Truck Stop, Example",
      city: "Dover",
      occurredAt: "2026-10-05T19:14:00.000Z",
      netAmount: 500,
      vatAmount: 100,
      grossAmount: 600,
    },
  ],
  [
    "Hungarian, year first",
    "Tranzakció azonosító;Dátum;Időpont;Kártyaszám;Rendszám;Kút;Ország;Termék;Mennyiség;Egység;Egységár;Nettó összeg;ÁFA;Bruttó összeg;Pénznem;Km óraállás\nA-17;2026.10.05.;08:14;7040123456789012;WGM12345;Példa kút;Magyarország;Gázolaj;400,00;liter;600,00;240000,00;64800,00;304800,00;HUF;602118\n",
    {
      externalId: "A-17",
      countryCode: "HU",
      currency: "HUF",
      grossAmount: 304_800,
      occurredAt: "2026-10-05T06:14:00.000Z",
    },
  ],
  [
    "Romanian, pipes",
    "Nr tranzacție|Data|Ora|Număr card|Nr. înmatriculare|Stație|Țara|Produs|Cantitate|UM|Preț unitar|Valoare fără TVA|TVA|Valoare cu TVA|Moneda\n881|05.10.2026|08:14|7040123456789012|WGM 12345|Stația Exemplu|RO|Motorină|400,00|L|6,20|2480,00|471,20|2951,20|RON\n",
    { externalId: "881", countryCode: "RO", currency: "RON", netAmount: 2480, vatAmount: 471.2, grossAmount: 2951.2 },
  ],
  [
    "Lithuanian",
    "Operacijos data;Laikas;Kortelės Nr.;Valst. Nr.;Degalinė;Šalis;Prekė;Kiekis;Mat. vnt.;Kaina;Suma be PVM;PVM suma;Suma su PVM;Valiuta;Rida\n2026-10-05;08:14:20;7040123456789012;WGM 12345;Pavyzdžio degalinė;LT;Dyzelinas;400,00;l;1,250;500,00;105,00;605,00;EUR;602118\n",
    {
      countryCode: "LT",
      quantity: 400,
      unitPrice: 1.25,
      netAmount: 500,
      vatAmount: 105,
      grossAmount: 605,
      odometer: 602_118,
    },
  ],
  [
    "Spanish, without a heading for the plate",
    "Fecha;Hora;Nº tarjeta;;Estación;País;Producto;Litros;Precio;Base imponible;Cuota IVA;Importe total;Divisa\n05/10/2026;08:14;7040123456789012;WGM 12345;Área Ejemplo;ES;Gasóleo A;400,00;1,250;500,00;105,00;605,00;EUR\n06/10/2026;09:14;7040123456789012;WGM 12345;Área Ejemplo;ES;Gasóleo A;300,00;1,250;375,00;78,75;453,75;EUR\n",
    { countryCode: "ES", productName: "Gasóleo A", quantity: 400, netAmount: 500, grossAmount: 605 },
  ],
  [
    "no headings at all",
    "2026-10-05 08:14;7040123456789012;WGM 12345;DE;Diesel;400,00;1,2500;500,00;95,00;595,00;EUR\n2026-10-06 09:14;7040123456789012;WGM 12345;DE;Diesel;300,00;1,2500;375,00;71,25;446,25;EUR\n2026-10-07 10:14;7040123456789012;WGM 12345;DE;Diesel;200,00;1,2500;250,00;47,50;297,50;EUR\n",
    {
      countryCode: "DE",
      quantity: 400,
      unitPrice: 1.25,
      netAmount: 500,
      vatAmount: 95,
      grossAmount: 595,
      currency: "EUR",
    },
  ],
  [
    "cards as groups, sums between them",
    "Card: 7040123456789012   Plate: WGM 12345\nDate,Time,Site,Country,Product,Quantity,Price,Net,VAT,Gross,Currency\n2026-10-05,08:14,Example,DE,Diesel,400.00,1.25,500.00,95.00,595.00,EUR\nTotal,,,,,400.00,,500.00,95.00,595.00,EUR\n",
    { cardLast4: "9012", licensePlate: "WGM12345", grossAmount: 595 },
  ],
  [
    "UTF-16 with a byte order mark",
    new Uint8Array(
      Buffer.from(
        "\uFEFFDatum;Uhrzeit;Kennzeichen;Produkt;Menge;Brutto;Währung;Land\r\n05.10.2026;08:14;WGM 12345;Diesel;400,00;595,00;EUR;DE\r\n",
        "utf16le",
      ),
    ),
    { quantity: 400, grossAmount: 595, currency: "EUR" },
  ],
];

describe("statements as text", () => {
  test.each(statements)("are imported: %s", async (_, file, told) => {
    const mine = fresh();
    const feed = await mine.file(typeof file === "string" ? utf8(file) : file, "statement.csv", {
      provider: "Beispielkarte",
    });
    expect(feed).toMatchObject({ status: "Imported", rejected: [], duplicates: 0 });
    const [first] = await mine.list(`feedId=${feed.feedId}&sort=occurredAt`);
    expect(first).toMatchObject({
      kind: "Fuel",
      type: "Purchase",
      licensePlate: "WGM12345",
      provider: "Beispielkarte",
      ...told,
    });
    expect(["9012", undefined]).toContain(first!["cardLast4"]);
  });

  test("are not imported a second time", async () => {
    const mine = fresh();
    const [, file] = statements[2]!;
    expect(await mine.file(utf8(file as string), "statement.csv", { provider: "X" })).toMatchObject({ accepted: 2 });
    expect(await mine.file(utf8(file as string), "again.csv", { provider: "X" })).toMatchObject({
      accepted: 0,
      duplicates: 2,
    });
  });

  test("have the kind and type of each row from its product and sign", async () => {
    const mine = fresh();
    const lines = [
      ["AdBlue", "40,00", "Fuel", "AdBlue", "Purchase"],
      ["Maut DE", "12,00", "", "Toll", "Purchase"],
      ["Fähre Rostock - Gedser", "310,00", "", "Ferry", "Purchase"],
      ["Parkgebühr", "22,00", "", "Parking", "Purchase"],
      ["LKW-Wäsche", "70,00", "", "Wash", "Purchase"],
      ["Kaffee", "3,00", "", "Other", "Purchase"],
      ["Diesel Gutschrift", "-34,00", "", "Fuel", "Refund"],
      ["Dieselkraftstoff", "-34,50", "", "Fuel", "Refund"],
      ["Diesel Storno", "34,70", "", "Fuel", "Void"],
    ];
    const rows = lines.map(
      ([product, gross], at) => `B-${at};05.10.2026;0${at}:14;WGM 12345;${product};${gross};EUR;DE`,
    );
    await mine.file(
      utf8(`Beleg-Nr.;Datum;Uhrzeit;Kennzeichen;Produkt;Brutto;Währung;Land\n${rows.join("\n")}\n`),
      "statement.csv",
    );
    const found = await mine.list("sort=occurredAt");
    expect(found.map(({ productName, kind, type }) => [productName, kind, type])).toEqual(
      lines.map(([product, , , kind, type]) => [product, kind, type]),
    );
  });

  test("report each row that is a transaction with invalid values", async () => {
    const mine = fresh();
    const feed = await mine.file(
      utf8(
        "Date;Plate;Product;Gross;Currency\n2026-10-05;WGM 12345;Diesel;595,00;EUR\n2026-10-06;WGM 12345;Diesel;much;EUR\n32.13.2026;WGM 12345;Diesel;12,00;EUR\n2026-10-07 05:42 +99:30;WGM 12345;Diesel;12,00;EUR\nTotal;;;607,00;EUR\n",
      ),
      "statement.csv",
    );
    expect(feed).toMatchObject({ accepted: 1, rejectedCount: 3 });
    expect(feed.rejected).toMatchObject([
      { row: 3, errors: [{ field: "grossAmount", code: "invalid" }] },
      { row: 4, errors: [{ field: "occurredAt", code: "invalid" }] },
      { row: 5, errors: [{ field: "occurredAt", code: "invalid" }] },
    ]);
  });
});

const head = [
  "Lp.",
  "Nr transakcji",
  "Data i godzina",
  "Nr rej.",
  "Produkt",
  "Ilość",
  "Cena jedn. netto",
  "Netto",
  "VAT",
  "Brutto",
  "Waluta",
  "Kraj",
];
const sheetRow = (at: number) => [
  at,
  `VT-${at}`,
  new Date(Date.UTC(2026, 9, 1 + (at % 28), 6, 14)),
  "WGM 12345",
  "ON",
  400.5,
  1.352,
  541.48,
  124.54,
  666.02,
  "EUR",
  "PL",
];

test("a workbook is imported from its visible sheet, below its title", async () => {
  const mine = fresh();
  const bytes = await writeXlsx({
    sheets: [
      { name: "Old", rows: [head, sheetRow(99)], hidden: true },
      {
        name: "Transakcje",
        rows: [["Zestawienie transakcji"], [], head, sheetRow(1), sheetRow(2), [null, null, null, null, "Razem", 801]],
      },
    ],
  });
  const feed = await mine.file(new Uint8Array(bytes), "statement.xlsx");
  expect(feed).toMatchObject({ status: "Imported", accepted: 2, rejected: [] });
  expect(await mine.list("externalId=VT-1")).toMatchObject([
    {
      occurredAt: "2026-10-02T04:14:00.000Z",
      quantity: 400.5,
      unitPrice: 1.352,
      netAmount: 541.48,
      vatAmount: 124.54,
      grossAmount: 666.02,
    },
  ]);
});

test("an XML statement is imported with its transactions nested in cards", async () => {
  const mine = fresh();
  const line = (at: number) =>
    `<Transaction id="X-${at}"><TransactionDate>2026-10-0${at}T08:14:00</TransactionDate><Station country="DE"><StationName>Muster &amp; Co</StationName></Station><Product>Diesel</Product><Quantity unit="L">400.5</Quantity><NetAmount>500.63</NetAmount><VatAmount>95.12</VatAmount><GrossAmount>595.75</GrossAmount><Currency>EUR</Currency></Transaction>`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Statement number="7"><Card><CardNumber>7040123456789012</CardNumber><LicensePlate>WGM 12345</LicensePlate><Transactions>${line(1)}${line(2)}</Transactions></Card><Card><CardNumber>7040123456780000</CardNumber><LicensePlate>PO 99999</LicensePlate><Transactions>${line(3)}</Transactions></Card></Statement>`;
  const feed = await mine.file(utf8(xml), "statement.xml");
  expect(feed).toMatchObject({ status: "Imported", accepted: 3, rejected: [] });
  expect(await mine.list("externalId=X-2")).toMatchObject([
    {
      station: "Muster & Co",
      countryCode: "DE",
      licensePlate: "WGM12345",
      cardLast4: "9012",
      quantity: 400.5,
      grossAmount: 595.75,
      occurredAt: "2026-10-02T06:14:00.000Z",
    },
  ]);
  expect(await mine.list("licensePlate=PO99999")).toMatchObject([{ externalId: "X-3", cardLast4: "0000" }]);
});

test("a file repeated with its idempotency key gets the same response, and another file with that key is refused", async () => {
  const mine = fresh();
  const posted = (gross: string) => {
    const form = new FormData();
    form.set(
      "file",
      new File([`Date;Plate;Product;Gross;Currency\n2026-10-05;WGM 12345;Diesel;${gross};EUR\n`], "a.csv"),
    );
    return mine.asked("/transactions-feed", { method: "POST", body: form, headers: { "idempotency-key": "once" } });
  };
  const [first, second, other] = [await posted("595,00"), await posted("595,00"), await posted("596,00")];
  expect([first.status, second.status, other.status]).toEqual([202, 202, 422]);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect(await second.json()).toEqual(await first.json());
  expect(await mine.list()).toHaveLength(1);
});

test("a file can be sent as the raw body", async () => {
  const mine = fresh();
  const answer = await mine.asked("/transactions-feed?provider=Beispielkarte", {
    method: "POST",
    body: "Date;Plate;Product;Gross;Currency\n2026-10-05;WGM 12345;Diesel;595,00;EUR\n",
    headers: { "content-type": "text/csv" },
  });
  expect(answer.status).toBe(202);
  expect(await answer.json()).toMatchObject({ accepted: 1, provider: "Beispielkarte" });
});

describe("hostile files", () => {
  test.each([
    [
      "a picture",
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Uint8Array(100)]),
      400,
      "unsupported_file_type",
    ],
    ["an empty file", new Uint8Array(), 400, "file_empty"],
    [
      "a long picture",
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Uint8Array(3_000_000)]),
      400,
      "unsupported_file_type",
    ],
    ["a damaged workbook", Uint8Array.from([0x50, 0x4b, 0x03, 0x04, ...new Uint8Array(200)]), 400, "file_unreadable"],
    [
      "a program",
      Uint8Array.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 255, 255]),
      400,
      "unsupported_file_type",
    ],
  ])("%s is refused", async (_, bytes, status, code) => {
    const form = new FormData();
    form.set("file", new File([bytes], "statement.csv"));
    const answer = await fresh().asked("/transactions-feed", { method: "POST", body: form });
    expect([answer.status, (await answer.json<{ errorCode: string }>()).errorCode]).toEqual([status, code]);
  });

  test.each([
    ["prose", "Dear Sir,\nplease find enclosed our offer; it is valid until tomorrow.\n"],
    ["a table of something else", "Name;Street;Town\nMuster;Weg 1;Ulm\nBeispiel;Weg 2;Bonn\n"],
    ["an XML of something else", "<note><to>You</to><from>Me</from></note>"],
    ["one very long line", "a;".repeat(200_000)],
    ["many columns", `${"Date;".repeat(5000)}\n${"2026-10-05;".repeat(5000)}\n`],
  ])("the import of %s fails", async (_, text) => {
    const feed = await fresh().file(utf8(text), "statement.csv");
    expect(feed).toMatchObject({ status: "Failed", accepted: 0 });
    expect(feed["errorCode"]).toMatch(/^(input_not_a_document_of_this_kind|no_text_found)$/);
  });

  test("an unclosed quote swallows no rows", async () => {
    const lines = Array.from(
      { length: 200 },
      (_, at) =>
        `T-${at};2026-10-05 08:${String(at % 60).padStart(2, "0")};WGM 12345;Diesel;${at + 1}.00;EUR;DE;${at === 3 ? '"Rasthof' : "Rasthof"}`,
    );
    const text = `Transaction ID;Date and time;Plate;Product;Gross;Currency;Country;Station\n${lines.join("\n")}\n`;
    expect(await fresh().file(utf8(text), "statement.csv")).toMatchObject({ status: "Imported", accepted: 200 });
  });

  test("formulas, markup and long cells are stored as text, cut to the maximum length", async () => {
    const mine = fresh();
    const text = `Date;Plate;Product;Gross;Currency;Station\n2026-10-05;WGM 12345;Diesel;595,00;EUR;=cmd|'/c calc'!A1\n2026-10-06;WGM 12345;Diesel;596,00;EUR;${"x".repeat(5000)}\n`;
    expect(await mine.file(utf8(text), "statement.csv")).toMatchObject({ accepted: 2 });
    const [first, second] = await mine.list("sort=occurredAt");
    expect(first!["station"]).toBe("=cmd|'/c calc'!A1");
    expect(second!["station"]).toHaveLength(200);
  });

  test("cells with thousands of blanks are read within the time limit", async () => {
    const [blanks, digits] = [" ".repeat(5000), `1${" 1".repeat(2000)}x`];
    const text = `Date;Plate;Product;Gross;Currency;Station\n2026-10-05;WGM 12345;Diesel;595,00;EUR;x${blanks}x\n2026-10-06;WGM 12345;1${blanks}x1;596,00;EUR;${digits}\n`;
    expect(await fresh().file(utf8(text), "statement.csv")).toMatchObject({ accepted: 2 });
  });

  test("a truncated form, a form with two files and an unsupported media type are refused", async () => {
    const mine = fresh();
    const broken = await mine.asked("/transactions-feed", {
      method: "POST",
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nDate;',
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect([broken.status, (await broken.json<{ errorCode: string }>()).errorCode]).toEqual([400, "validation_failed"]);
    const form = new FormData();
    for (const name of ["a.csv", "b.csv"]) form.append("file", new File(["Date;Gross\n2026-10-05;12,00\n"], name));
    expect((await mine.asked("/transactions-feed", { method: "POST", body: form })).status).toBe(400);
    const other = await mine.asked("/transactions-feed", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/pdf" },
    });
    expect(other.status).toBe(415);
  });
});
