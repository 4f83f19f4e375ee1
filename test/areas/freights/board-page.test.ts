import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { inFuture, growing, hour, createFreight, read, stops, withdraw } from "../../support/freights.ts";
import { visitorOf } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;
let anyone: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  service = await openService({ vars: { LOCAL_MAIL: "true" }, own: true });
  ask = apiClient(service, service.company().key);
  anyone = visitorOf(service);
});

afterAll(() => service.stop());

const [loading, unloading] = stops();

/** Makes the locations of a freight from this town to Wrocław. */
const from = (city: string, countryCode: string, postalCode: string, latitude: number, longitude: number) => ({
  locations: [
    { ...loading, address: { countryCode, postalCode, city, coordinates: { latitude, longitude } } },
    unloading,
  ],
});

/** Waits until the board lists the freight. */
const onBoard = (freightId: string) =>
  vi.waitUntil(async () => (await anyone.visit("/board/freights.json?limit=200")).body.includes(freightId), {
    timeout: 50_000,
    interval: 100,
  });

interface Mail {
  to: string;
  text: string;
}

async function mailsTo(address: string): Promise<Mail[]> {
  const { body } = await apiClient(service)<{ items: Mail[] }>("GET", "/dev/mail", {
    headers: { accept: "application/json" },
  });
  return body.items.filter(({ to }) => to === address);
}

describe("the board", () => {
  let brno: string;
  let kaunas: string;
  let tours: string;

  beforeAll(async () => {
    const payment = growing();
    brno = (await createFreight(ask, { ...from("Brno", "CZ", "602 00", 49.195, 16.608), payment })).freightId;
    kaunas = (
      await createFreight(ask, {
        ...from("Kaunas", "LT", "44001", 54.897, 23.886),
        requirements: { trailerTypes: [2] },
      })
    ).freightId;
    tours = (
      await createFreight(ask, { ...from("Tours", "FR", "37000", 47.394, 0.685), owner: "secret@owner.example" })
    ).freightId;
    await Promise.all([brno, kaunas, tours].map((id) => onBoard(id)));
  });

  const found = async (query: string) => {
    const { status, body } = await anyone.visit(`/board${query}`);
    expect(status).toBe(200);
    return [...body.matchAll(/href="\/board\/([0-9a-f-]{36})/g)].map(([, id]) => id!).sort();
  };

  test("shows open freights without private fields of the owner", async () => {
    expect(await found("")).toEqual([brno, kaunas, tours].sort());
    const { body, headers } = await anyone.visit("/board");
    for (const text of ["Brno → Wrocław", "€1,000", "372\u00a0km", "Refrigerated"]) expect(body).toContain(text);
    expect(body).not.toMatch(/(?<![\w-])1[,.]?300(?![\w-])|growTo|updateRate|secret@owner/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(body).not.toMatch(/https?:\/\/|\sstyle=|\son\w+=|<script/);
  });

  test.each([
    ["?country=CZ", () => [brno]],
    ["?country=FR&postalCode=37", () => [tours]],
    ["?country=FR&postalCode=38", () => []],
    ["?trailer=2", () => [kaunas]],
    ["?toCountry=PL", () => [brno, kaunas, tours]],
    ["?toCountry=DE", () => []],
    ["?near=Brno&km=25", () => [brno]],
    ["?near=602%2000%20Brno&km=25", () => [brno]],
    ["?near=CZ%20602%2000%20Brno&km=25", () => [brno]],
    ["?near=Blois&country=FR&km=100", () => [tours]],
    [`?to=${inFuture(0).slice(0, 10)}`, () => []],
    ["?country=&postalCode=&near=&km=50&trailer=&from=&to=", () => [brno, kaunas, tours]],
  ])("finds freights by %s", async (query, expected) => {
    expect(await found(query)).toEqual(expected().sort());
  });

  test("collapses the search form above results, and summarises the parameters", async () => {
    const day = inFuture(0).slice(0, 10);
    const { body } = await anyone.visit(`/board?near=Brno&km=25&country=CZ&toCountry=PL&from=${day}`);
    expect(body).toMatch(/<span class="wished">Czechia · Brno \(25\u00a0km\) · → Poland · \w{3},? \d+ \w{3,4}<\/span>/);
    expect(body).not.toMatch(/class="card search"\s+open/);
    expect((await anyone.visit("/board?country=DE")).body).toMatch(/class="card search"\s+open/);
    expect((await anyone.visit("/board?near=Nowhereatall")).body).toMatch(/class="card search"\s+open/);
  });

  test("shows that there are no results, and keeps the parameters", async () => {
    const { body } = await anyone.visit("/board?country=DE&near=Dresden&km=200&trailer=13");
    expect(body).toContain("No freight matches this search");
    expect(body).toMatch(/<option value="DE"\s+selected/);
    expect(body).toMatch(/<option value="200"\s+selected/);
    expect(body).toContain('value="Dresden"');
  });

  test.each([
    ["?near=Nowhereatall", "We do not know this place"],
    ["?near=12345", "Which country is this postal code in?"],
    ["?near=XX%2012345", "Which country is this postal code in?"],
    ["?near=99999&country=DE", "We do not know this place"],
    ["?country=XX", "The form has an error"],
    ["?from=tomorrow", "The form has an error"],
    ["?cursor=none", "The form has an error"],
  ])("refuses %s with a message", async (query, sentence) => {
    const { status, body } = await anyone.visit(`/board${query}`);
    expect(status).toBe(400);
    expect(body).toContain(sentence);
  });

  test("links to the feeds of the same search", async () => {
    const { body } = await anyone.visit("/board?country=CZ");
    const links = [...body.matchAll(/href="(\/board\/(?:freights\.json|feed\.rss)[^"]*)"/g)].map(([, link]) => link!);
    expect(new Set(links)).toEqual(
      new Set(["/board/freights.json?loadingCountry=CZ", "/board/feed.rss?loadingCountry=CZ"]),
    );
    expect((await anyone.visit(links[0]!)).body).toContain(brno);
  });

  test("is paged, and the next page keeps search and language", async () => {
    const own = apiClient(service, service.company().key);
    const place = from("Porto", "PT", "4000-001", 41.149, -8.61);
    const ids = await Promise.all(Array.from({ length: 30 }, async () => (await createFreight(own, place)).freightId));
    await Promise.all(ids.map((id) => onBoard(id)));
    const { body } = await anyone.visit("/board?country=PT&lang=de");
    const next = /rel="next"\s+href="([^"]+)"/.exec(body)![1]!.replaceAll("&amp;", "&");
    expect(next).toMatch(/country=PT&.*lang=de/);
    const rest = (await anyone.visit(next)).body;
    const listed = [body, rest].flatMap((page) =>
      [...page.matchAll(/href="\/board\/([0-9a-f-]{36})/g)].map(([, id]) => id!),
    );
    expect(listed.sort()).toEqual(ids.sort());
    expect(rest).not.toContain('rel="next"');
    expect(body).toContain("Die ersten 25 Frachten");
    expect(rest).toContain("Weitere Frachten");
  });
});

describe("a freight of the board", () => {
  test("has a page with the current price, until it is archived", async () => {
    const { freightId } = await createFreight(ask, { payment: growing(), internalComments: "Keep it low" });
    await onBoard(freightId);
    const path = `/board/${freightId}`;
    const { status, body } = await anyone.visit(path);
    expect(status).toBe(200);
    for (const text of ["Leipzig → Wrocław", "€1,000", "Printing paper", "Make an offer"]) expect(body).toContain(text);
    expect(body).not.toMatch(/(?<![\w-])1[,.]?300(?![\w-])|growTo|updateRate|Keep it low|dispo@trans\.example/);
    await withdraw(ask, freightId);
    const gone = await anyone.visit(path);
    expect(gone.status).toBe(404);
    expect(gone.body).toContain("This freight is no longer available");
  });

  test("that is not published on the board has the same 404 page as an unknown one", async () => {
    const { freightId } = await createFreight(ask, { sources: [2] });
    const none = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
    const [one, other] = [await anyone.visit(`/board/${freightId}`), await anyone.visit(`/board/${none}`)];
    expect(one).toMatchObject({ status: 404, body: other.body });
  });

  test("mails its link in the language of the page", async () => {
    const { freightId } = await createFreight(ask);
    await onBoard(freightId);
    const email = "dyspozytor@przewozy.example";
    await anyone.send(`/board/${freightId}`, { name: "Przewozy", email }, { "accept-language": "pl" });
    await expect.poll(async () => (await mailsTo(email)).length, { timeout: 50_000 }).toBe(1);
    const [{ text }] = (await mailsTo(email)) as [Mail];
    expect(text).toContain("Załadunek: DE 04158 Leipzig");
    expect(text).toMatch(/\/freight\/[\w-]{64}\?lang=pl\n/);
  });

  test("mails a requested link once, and answers a repeated request in the same way", async () => {
    const { freightId } = await createFreight(ask);
    await onBoard(freightId);
    const email = "anfrage@frachtfuehrer.example";
    for (const _ of [1, 2]) {
      const { status, body } = await anyone.send(`/board/${freightId}`, { name: "Frachtführer AG", email });
      expect(status).toBe(200);
      expect(body).toContain(`is on its way to ${email}`);
      expect(body).not.toMatch(/freight\/[\w-]{64}/);
    }
    await expect.poll(async () => (await mailsTo(email)).length, { timeout: 50_000 }).toBe(1);
    const [{ text }] = (await mailsTo(email)) as [Mail];
    expect(text).not.toContain("Frachtführer");
    const { status, body } = await anyone.visit(new URL(/https?:\/\/\S+\/freight\/\S+/.exec(text)![0]).pathname);
    expect(status).toBe(200);
    expect(body).toContain('value="Frachtführer AG"');
    expect((await read(ask, freightId)).body.shares).toMatchObject([{ email, name: "Frachtführer AG" }]);
  });

  test.each([
    [{ name: "", email: "a@b.example" }, "Please fill this in."],
    [{ name: "A", email: "" }, "Please fill this in."],
    [{ name: "A", email: "nobody" }, "Please enter an e-mail address."],
  ])("refuses a request for its link with %o", async (fields, sentence) => {
    const { freightId } = await createFreight(ask);
    await onBoard(freightId);
    const { status, body } = await anyone.send(`/board/${freightId}`, fields);
    expect(status).toBe(400);
    expect(body).toContain(sentence);
    expect((await read(ask, freightId)).body.shares).toEqual([]);
  });

  test("limits requests for its link by visitor, by address and by freight", async () => {
    const { freightId } = await createFreight(ask, {
      locations: [{ ...loading, period: { startDate: inFuture(hour) } }, unloading],
    });
    await onBoard(freightId);
    const asked = async (count: number, email: (number: number) => string, visitor: (number: number) => string) => {
      const answers = [];
      for (let number = 0; number < count; number++) {
        const fields = { name: "A", email: email(number) };
        answers.push(await anyone.send(`/board/${freightId}`, fields, { "cf-connecting-ip": visitor(number) }));
      }
      return answers;
    };
    const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);
    const taken = (count: number) => Array.from({ length: count }, () => 200);
    // The refused requests of one visitor do not count towards the limit of the freight.
    const one = await asked(
      40,
      (number) => `a${number}@many.example`,
      () => "203.0.113.1",
    );
    expect(statuses(one)).toEqual([...taken(10), ...Array.from({ length: 30 }, () => 429)]);
    expect(one.at(-1)!.body).toContain("Too many requests");
    const same = await asked(
      12,
      () => "same@many.example",
      (number) => `203.0.113.${number + 2}`,
    );
    expect(statuses(same)).toEqual([...taken(10), 429, 429]);
    const all = await asked(
      12,
      (number) => `b${number}@many.example`,
      (number) => `198.51.100.${number}`,
    );
    expect(statuses(all)).toEqual([...taken(10), 429, 429]);
    expect((await read(ask, freightId)).body.shares).toHaveLength(21);
  });

  test("accepts requests for its link only from its own form", async () => {
    const { freightId } = await createFreight(ask);
    await onBoard(freightId);
    const fields = { name: "A", email: "other-site@b.example" };
    expect((await anyone.send(`/board/${freightId}`, fields, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await anyone.visit(`/board/${freightId}`, {}, "PUT")).status).toBe(405);
    expect((await anyone.visit("/board", {}, "POST")).status).toBe(405);
  });
});

test("without a mail service the page has no form for requesting a link", async () => {
  const silent = await openService();
  const own = apiClient(silent, silent.company().key);
  const { freightId } = await createFreight(own);
  const visitor = visitorOf(silent);
  await expect.poll(async () => (await visitor.visit(`/board/${freightId}`)).status, { timeout: 50_000 }).toBe(200);
  expect((await visitor.visit(`/board/${freightId}`)).body).not.toContain("<form");
  expect((await visitor.send(`/board/${freightId}`, { name: "A", email: "a@b.example" })).status).toBe(404);
  await silent.stop();
});
