import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ratesInFile } from "../../../src/areas/exchange-rates/ecb.ts";
import { converted, rateBetween, type DayRates } from "../../../src/areas/exchange-rates/rates.ts";
import { expectedDay } from "../../../src/areas/exchange-rates/refresh.ts";
import { ExternalErrorViewModel } from "../../../src/http/openapi/problems.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { refusal, type Refusal } from "../../support/carriers.ts";
import { simulateInternet, type ReceiverResponse } from "../../support/simulated-internet.ts";
import { openService, type TestService } from "../../support/service.ts";

const root = "/api/v1/exchange-rates";
const internet = simulateInternet();
const services: TestService[] = [];

/**
 * Opens a separate service, because all companies share the rates. Returns clients of the operator and of companies.
 */
async function opened(vars: Record<string, string> = {}) {
  const service = await openService({ internet: internet.answer, vars });
  services.push(service);
  const operator = (json?: unknown, source = "ECB") =>
    apiClient(service)<Record<string, unknown> & Refusal>("PUT", `${root}/${source}`, {
      ...(json !== undefined && { json }),
      headers: { authorization: "Bearer operator-of-the-tests" },
    });
  return { ask: apiClient(service, service.company().key), operator };
}

let ask: ApiClient;
let operator: Awaited<ReturnType<typeof opened>>["operator"];

beforeAll(async () => {
  ({ ask, operator } = await opened());
  await operator({
    rates: [
      { date: "2026-11-19", base: "EUR", currency: "PLN", rate: 4.24 },
      { date: "2026-11-20", base: "EUR", currency: "PLN", rate: 4.25 },
      { date: "2026-11-20", base: "EUR", currency: "CZK", rate: 25 },
      { date: "2026-11-20", base: "EUR", currency: "ISK", rate: 146.1 },
    ],
  });
  await operator({ rates: [{ date: "2026-11-18", base: "EUR", currency: "PLN", rate: 4.23 }] }, "NBP");
});

afterAll(async () => {
  internet.close();
  await Promise.all(services.map((service) => service.stop()));
});

const xml = (days: Record<string, Record<string, number>>) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><Cube>${Object.entries(days)
    .map(
      ([day, rates]) =>
        `<Cube time="${day}">${Object.entries(rates)
          .map(([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`)
          .join("")}</Cube>`,
    )
    .join("")}</Cube></gesmes:Envelope>`;

describe("a file of the European Central Bank", () => {
  test.each([
    ["as XML", xml({ "2026-11-20": { USD: 1.05, PLN: 4.25 }, "2026-11-19": { PLN: 4.24 } })],
    [
      "as XML with single quotes",
      xml({ "2026-11-20": { USD: 1.05, PLN: 4.25 }, "2026-11-19": { PLN: 4.24 } }).replaceAll('"', "'"),
    ],
    ["as CSV", "\ufeffDate,USD,PLN,\r\n2026-11-20,1.05,4.25,\r\n2026-11-19,N/A,4.24,\r\n"],
  ])("is read %s", (_, text) => {
    expect([...ratesInFile(text)]).toEqual([
      ["2026-11-20", { "EUR/USD": 1.05, "EUR/PLN": 4.25 }],
      ["2026-11-19", { "EUR/PLN": 4.24 }],
    ]);
  });

  test.each([
    "",
    "<",
    "<html>",
    "{}",
    "Date",
    "Date,USD\n2026-11-20,-1\n",
    "<Cube time='2026-11-20'><Cube currency='USD' rate='0'/>",
    "<Cube time='2026-11-20'><Cube currency='USD' rate='1e-300'/>",
    "<Cube time='2026-11-20'><Cube currency='EUR' rate='2'/>",
    "<Cube time='2026-02-31'><Cube currency='USD' rate='1.05'/>",
    "Date,USD\n2026-99-19,1.05\n",
  ])("without valid rates is read as no rates: %j", (text) => expect(ratesInFile(text).size).toBe(0));
});

const published = fc.dictionary(
  fc.constantFrom("USD", "PLN", "CZK", "GBP", "HUF"),
  fc.double({ min: 0.001, max: 1e5, noNaN: true }),
  {
    minKeys: 2,
  },
);
const dayOf = (rates: Record<string, number>): DayRates =>
  Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [`EUR/${currency}`, rate]));

describe("a rate", () => {
  test("times its inverse is 1, and it equals the rate via a third currency", () => {
    fc.assert(
      fc.property(published, (rates) => {
        const day = dayOf(rates);
        const [one, other] = Object.keys(rates) as [string, string];
        const [there, back] = [rateBetween(day, one, other)!, rateBetween(day, other, one)!];
        expect(there * back).toBeCloseTo(1, 9);
        expect((rateBetween(day, one, "EUR")! * rateBetween(day, "EUR", other)!) / there).toBeCloseTo(1, 9);
      }),
    );
  });

  test("of two currencies that are quoted in a third one is derived from both quotes", () => {
    expect(rateBetween({ "EUR/PLN": 4.25, "CZK/PLN": 0.17 }, "EUR", "CZK")).toBeCloseTo(25, 12);
    expect(rateBetween({ "EUR/PLN": 4.25 }, "EUR", "CZK")).toBeUndefined();
  });

  test("that is too small or too large for any amount is unknown", () => {
    for (const rate of [1e-300, 1e300]) {
      expect(rateBetween({ "EUR/PLN": rate }, "EUR", "PLN")).toBeUndefined();
      expect(rateBetween({ "EUR/PLN": rate }, "PLN", "EUR")).toBeUndefined();
    }
  });

  test.each([
    [780, 4.2512, "PLN", 3315.94],
    [1.005, 1, "EUR", 1.01],
    [-1.005, 1, "EUR", -1.01],
    [0.1, 0.15, "EUR", 0.02],
    [100, 146.15, "ISK", 14615],
    [0.01, 50, "JPY", 1],
    [0, 4, "PLN", 0],
  ])("converts %d at the rate %d to %s as %d", (amount, rate, currency, expected) => {
    expect(converted(amount, rate, currency)).toBe(expected);
  });
});

test.each([
  ["2026-11-24T15:29:00Z", "2026-11-23"],
  ["2026-11-24T15:31:00Z", "2026-11-24"],
  ["2026-11-22T18:00:00Z", "2026-11-20"],
  ["2026-11-23T08:00:00Z", "2026-11-20"],
])("at %s the latest expected rates are those of %s", (now, day) => expect(expectedDay(Date.parse(now))).toBe(day));

describe("stored rates", () => {
  test("are those of the latest day up to the date, of any source or of the named one", async () => {
    const rates = async (query: string) => (await ask<Record<string, unknown>>("GET", `${root}?${query}`)).body;
    expect(await rates("date=2026-11-22&currencies=pln,CZK,USD")).toEqual({
      base: "EUR",
      date: "2026-11-20",
      source: "ECB",
      rates: [
        { currency: "PLN", rate: 4.25 },
        { currency: "CZK", rate: 25 },
      ],
    });
    expect(await rates("date=2026-11-20&base=PLN&currencies=EUR,CZK")).toMatchObject({
      rates: [
        { currency: "EUR", rate: 0.2352941176 },
        { currency: "CZK", rate: 5.882352941 },
      ],
    });
    expect(await rates("date=2026-11-19")).toMatchObject({
      date: "2026-11-19",
      rates: [{ currency: "PLN", rate: 4.24 }],
    });
    for (const none of ["", ",,", "%20,"])
      expect(await rates(`date=2026-11-19&currencies=${none}`)).toMatchObject({
        rates: [{ currency: "PLN", rate: 4.24 }],
      });
    expect(await rates("date=2026-11-20&source=NBP")).toMatchObject({ date: "2026-11-18", source: "NBP" });
  });

  test("convert an amount", async () => {
    const convert = async (query: string) => (await ask("GET", `${root}/convert?${query}`)).body;
    expect(await convert("amount=100&from=czk&to=PLN&date=2026-11-21")).toEqual({
      amount: 100,
      from: "CZK",
      to: "PLN",
      convertedAmount: 17,
      rate: 0.17,
      date: "2026-11-20",
      source: "ECB",
    });
    expect(await convert("amount=-12.34&from=EUR&to=ISK&date=2026-11-20")).toMatchObject({ convertedAmount: -1803 });
  });

  test("are replaced pair by pair when they are loaded again", async () => {
    const load = (currency: string, rate: number) =>
      operator({ rates: [{ date: "2026-10-20", base: "EUR", currency, rate }] }, "Own");
    await load("PLN", 4.2);
    await load("CZK", 25);
    expect((await load("PLN", 4.3)).body).toEqual({
      source: "Own",
      days: 1,
      rates: 1,
      from: "2026-10-20",
      to: "2026-10-20",
    });
    expect((await ask("GET", `${root}?date=2026-10-20`)).body).toMatchObject({
      rates: [
        { currency: "CZK", rate: 25 },
        { currency: "PLN", rate: 4.3 },
      ],
    });
  });

  test.each([
    ["a currency without quotes", "/convert?amount=1&from=EUR&to=XAF&date=2026-11-20"],
    ["a day before all others", "?date=2020-01-01"],
    ["rates that are older than 31 days", "?date=2026-12-31"],
    ["an unknown source", "?date=2026-11-20&source=Nobody"],
  ])("are not found for %s", async (_, query) => {
    expect(refusal(await ask<Refusal>("GET", root + query))).toMatchObject({ status: 404, code: "not_found" });
  });

  test.each([
    ["/convert?amount=1.234&from=EUR&to=PLN", "/amount"],
    ["/convert?amount=1&from=EURO&to=PLN", "/from"],
    ["/convert?amount=1&from=EUR", "/to"],
    ["?date=20.11.2026", "/date"],
    ["?currencies=EUR,pounds", "/currencies/1"],
  ])("are refused for the query %s", async (query, pointer) => {
    expect(refusal(await ask<Refusal>("GET", root + query))).toMatchObject({ status: 400, pointers: [pointer] });
  });
});

describe("loading rates", () => {
  test("requires the operator", async () => {
    const body = { rates: [{ date: "2026-11-20", base: "EUR", currency: "PLN", rate: 1 }] };
    expect((await ask("PUT", `${root}/ECB`, { json: body })).status).toBe(401);
  });

  test.each<[string, object, string]>([
    ["an empty list", { rates: [] }, "/rates"],
    ["a negative rate", { rates: [{ date: "2026-11-20", base: "EUR", currency: "PLN", rate: -1 }] }, "/rates/0/rate"],
    ["an invalid date", { rates: [{ date: "2026-02-30", base: "EUR", currency: "PLN", rate: 1 }] }, "/rates/0/date"],
    ["a future date", { rates: [{ date: "9999-12-31", base: "EUR", currency: "PLN", rate: 1 }] }, "/rates/0/date"],
    [
      "a rate near zero",
      { rates: [{ date: "2026-11-20", base: "EUR", currency: "PLN", rate: 1e-300 }] },
      "/rates/0/rate",
    ],
    [
      "a currency quoted in itself",
      { rates: [{ date: "2026-11-20", base: "EUR", currency: "eur", rate: 2 }] },
      "/rates/0/currency",
    ],
    ["a file with future dates", { document: xml({ "9999-12-31": { PLN: 4.25 } }) }, "/document"],
    ["a file with an invalid date", { document: xml({ "2026-02-31": { PLN: 4.25 } }) }, "/document"],
    ["an HTML page", { document: "<html></html>" }, "/document"],
    [
      "both a list and a file",
      { rates: [{ date: "2026-11-20", base: "EUR", currency: "PLN", rate: 1 }], document: "x" },
      "/document",
    ],
    ["an empty body", {}, "/rates"],
  ])("is refused for %s", async (_, json, pointer) => {
    expect(refusal(await operator(json))).toMatchObject({ status: 400, pointers: [pointer] });
  });

  test("is refused for a blank source name, and without rates for a source that cannot be fetched", async () => {
    const rates = [{ date: "2026-11-20", base: "EUR", currency: "PLN", rate: 1 }];
    expect(refusal(await operator({ rates }, "%20"))).toMatchObject({ status: 400, pointers: ["/source"] });
    expect(refusal(await operator(undefined, "NBP"))).toMatchObject({ status: 400, pointers: ["/rates"] });
  });

  test("from a file needs no network", async () => {
    const document = xml({ "2026-09-03": { USD: 1.05, PLN: 4.25 }, "2026-09-02": { PLN: 4.24 } });
    const { body } = await operator({ document });
    expect(body).toEqual({ source: "ECB", days: 2, rates: 3, from: "2026-09-02", to: "2026-09-03" });
    const query = "amount=105&from=USD&to=PLN&date=2026-09-03";
    expect((await ask("GET", `${root}/convert?${query}`)).body).toMatchObject({ convertedAmount: 425 });
  });
});

describe("a source of rates", () => {
  const day = expectedDay(Date.now());
  const fetching = async (
    said: () => ReceiverResponse | Promise<ReceiverResponse>,
    vars: Record<string, string> = {},
  ) => {
    const source = internet.address();
    source.respondWith(said);
    const one = await opened({ EXCHANGE_RATES_URL: source.url, ...vars });
    return { ...one, source };
  };

  test("is requested once for five concurrent requests", async () => {
    const { ask: someone, source } = await fetching(() => ({ status: 200, body: xml({ [day]: { PLN: 4.25 } }) }));
    for (const { body } of await Promise.all(Array.from({ length: 5 }, () => someone("GET", root))))
      expect(body).toMatchObject({ date: day, source: "ECB", rates: [{ rate: 4.25 }] });
    expect(source.received).toHaveLength(1);
  });

  test("is requested although rates of a future date are stored", async () => {
    const {
      ask: someone,
      operator: load,
      source,
    } = await fetching(() => ({ status: 200, body: xml({ [day]: { PLN: 4.25 } }) }));
    const [tomorrow, before] = [1, -7].map((days) =>
      new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10),
    );
    const rates = [tomorrow, before].map((date) => ({ date, base: "EUR", currency: "PLN", rate: 4 }));
    expect((await load({ rates })).status).toBe(200);
    expect((await someone("GET", root)).body).toMatchObject({ date: day, rates: [{ rate: 4.25 }] });
    expect(source.received).toHaveLength(1);
  });

  test("that fails is reported with its error, unless older rates are stored", async () => {
    const {
      ask: someone,
      operator: load,
      source,
    } = await fetching(() => ({ status: 500 }), {
      WEBHOOK_TIMEOUT_MS: "3000",
    });
    const faults: [() => ReceiverResponse | Promise<ReceiverResponse>, number, object][] = [
      [() => ({ status: 500 }), 502, { externalStatus: 500 }],
      [() => ({ status: 503, headers: { "retry-after": "7" } }), 503, { externalStatus: 503 }],
      [() => internet.silence(), 504, { externalErrors: [{ code: "timeout" }] }],
      [() => ({ status: 200, body: "<html>" }), 502, { externalErrors: [{ code: "unreadable_answer" }] }],
    ];
    source.respondWith(faults[0]![0]);
    expect((await someone("GET", root)).status).toBe(502);
    for (const [said, status, how] of faults) {
      source.respondWith(said);
      // For a minute after a failure, further requests get the same error, and the source gets no request.
      for (const answer of [await load(), await someone("GET", root), await someone("GET", `${root}?base=PLN`)]) {
        expect(answer.status).toBe(status);
        expect(ExternalErrorViewModel.parse(answer.body)).toMatchObject({ status, source: "ExchangeRates", ...how });
        expect(answer.headers.get("retry-after")).toBe(status === 503 ? "7" : null);
      }
    }
    const asked = 1 + faults.length;
    for (const date of ["2020-01-01", "2130-01-01"])
      expect((await someone("GET", `${root}?date=${date}`)).status).toBe(404);
    expect(source.received).toHaveLength(asked);
    const before = new Date(Date.parse(day) - 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    await load({ rates: [{ date: before, base: "EUR", currency: "PLN", rate: 4.2 }] });
    expect(await someone("GET", root)).toMatchObject({ status: 200, body: { date: before } });
  });
});
