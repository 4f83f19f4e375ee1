import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatShareLink } from "../../../src/platform/share-link.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { freight, growing, createFreight, put, read, stops, withdraw } from "../../support/freights.ts";
import { answerOffer, carrier, offerOf, seenOn, shareFreight, shareWith, visitorOf } from "../../support/guests.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;
let guest: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
  guest = visitorOf(service);
  await ask("PUT", "/api/v1/company", { json: { name: "Beispiel Spedition" } });
});

afterAll(() => service.stop());

const offer = { action: "Offer", price: "1.250,50", name: carrier.name };

/** Sends an offer on the guest's page, and returns the page that follows. */
async function submitOfferForm(path: string, fields: Record<string, string> = {}) {
  const { status, headers } = await guest.send(path, { ...offer, ...fields });
  expect({ status, location: headers.get("location") }).toEqual({ status: 303, location: path });
  return (await guest.visit(path)).body;
}

/** Returns the cookie that a browser would send back. */
const cookieOf = ({ headers }: { headers: Headers }) => headers.get("set-cookie")!.split(";")[0]!;

describe("the page", () => {
  test("shows the freight without private fields of the owner", async () => {
    const payment = { ...growing(), term: 45 };
    const { path } = await shareFreight(ask, { payment, internalComments: "Keep it low" });
    const { status, headers, body } = await guest.visit(path);
    expect(status).toBe(200);
    expect(body).not.toContain(payment.until.slice(0, 16));
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const text of ["Beispiel Spedition", "Leipzig → Wrocław", "€1,000", "45 days", "372\u00a0km", "Curtainsider"])
      expect(body).toContain(text);
    expect(body).toContain("Printing paper, clean floor please");
    expect(body).toContain(carrier.email);
    expect(body).not.toMatch(
      /(?<![\w-])1[,.]?(?:300|060)(?![\w-])|growTo|until":|updateRate|Keep it low|dispo@trans\.example/,
    );
  });

  test("requests no other host, is not cached, and sends no referrer", async () => {
    const { path } = await shareFreight(ask);
    const { headers, body } = await guest.visit(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(headers.get("set-cookie")).toBeNull();
    expect(body).not.toMatch(/https?:\/\/|\sstyle=|\son\w+=|<style|<script(?! src="\/freight\/freight\.js\?v=)/);
    expect(await guest.visit(path, {}, "HEAD")).toMatchObject({ status: 200, body: "" });
  });

  test("is smaller than 40 kB with its script and styles", async () => {
    const { path } = await shareFreight(ask);
    const { body } = await guest.visit(path);
    const files = [...body.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files).toHaveLength(3);
    const bodies = await Promise.all(files.map(async (file) => (await guest.visit(file)).body));
    expect([body, ...bodies].reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(40_000);
  });

  test("shows no price if the share hides it", async () => {
    const { path } = await shareFreight(ask, {}, { hidePrice: true, message: "What would you take it for?" });
    const { body } = await guest.visit(path);
    expect(body).not.toMatch(/1,000/);
    expect(body).toContain("Name your price");
    expect(body).toContain("What would you take it for?");
  });

  test("shows local times of each stop", async () => {
    const [first, last] = stops();
    const day = first!.period.startDate.slice(0, 10);
    const locations = [
      { ...first, period: { startDate: `${day}T08:00`, endDate: `${day}T12:00` } },
      { ...last, period: { startDate: last!.period.startDate.slice(0, 10) } },
    ];
    const { body } = await guest.visit((await shareFreight(ask, { locations })).path);
    const times = [...body.matchAll(/class="times">([^<]+)/g)].map(([, text]) => text!.replace(/\s/gu, " ").trim());
    expect(times[0]).toMatch(/, 08:00.12:00$/);
    expect(times[1]).toMatch(/\d{4}$/);
  });

  test.each(["/freight/", "/freight/nothing", `/freight/${"A".repeat(64)}`, "/freight/a/b", "/freight/%00%ff"])(
    "of an invalid link is a 404 page in the visitor's language: %s",
    async (path) => {
      const { status, body, headers } = await guest.visit(path, { "accept-language": "de" });
      expect(status).toBe(404);
      expect(body).toContain("Dieser Link ist nicht gültig");
      expect(headers.get("x-robots-tag")).toBe("noindex");
    },
  );

  test("does not reveal to a forged link whether the freight exists", async () => {
    const { id, key } = service.company();
    const { freightId } = await createFreight(apiClient(service, key));
    const none = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
    const pages = await Promise.all(
      [freightId, none].map(async (one) => {
        const path = `/freight/${formatShareLink(id, one, "A".repeat(22))}`;
        return [await guest.visit(path), await guest.send(path, offer)].map(({ status, body }) => [status, body]);
      }),
    );
    expect(pages[0]!.map(([status]) => status)).toEqual([404, 404]);
    expect(pages[0]).toEqual(pages[1]);
  });

  test("shows the outcome of the offer once the freight is archived", async () => {
    const { path, freightId } = await shareFreight(ask);
    await submitOfferForm(path);
    await withdraw(ask, freightId);
    const { status, body } = await guest.visit(path);
    expect(status).toBe(410);
    expect(body).toContain("This freight is no longer available");
    expect(body).toContain("Your offer of €1,250.50 has been declined.");
    expect(body).not.toContain("<form");
    const late = await guest.send(path, offer);
    expect(late.status).toBe(410);
    expect(late.body).toContain("This freight is no longer available");
  });

  test.each(["PUT", "DELETE", "PATCH", "OPTIONS"])("refuses %s", async (method) => {
    const { path, token } = await shareFreight(ask);
    const { status, headers, body } = await guest.visit(path, { origin: "https://tms.beispiel.de" }, method);
    expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD, POST" });
    expect(body).not.toContain(token);
  });

  test("has a rate limit of ten requests a second", async () => {
    const { path } = await shareFreight(ask);
    const answers = await Promise.all(Array.from({ length: 60 }, () => guest.visit(path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.headers.get("retry-after")).toBe("1");
    expect(refused[0]!.body).toContain("Too many requests");
  });
});

describe("an offer", () => {
  test("is made with all fields", async () => {
    const { path, freightId, shareId } = await shareFreight(ask);
    const validUntil = `${stops()[0]!.period.startDate.slice(0, 10)}T07:00`;
    const body = await submitOfferForm(path, {
      vatCode: "cz 12345679",
      vehicle: "1BX 4821",
      comments: "Empty in Halle\r\nfrom seven",
      validUntil,
    });
    expect(body).toContain("Beispiel Spedition has received your offer of €1,250.50. The answer will appear here.");
    const { body: list } = await ask<{ items: Record<string, unknown>[] }>(
      "GET",
      `/api/v1/freights/offers?freightId=${freightId}`,
    );
    expect(list.items).toMatchObject([
      {
        status: "Submitted",
        price: 1250.5,
        currency: "EUR",
        carrier: { name: carrier.name, email: carrier.email, vatCode: "CZ12345679" },
        source: "Guest",
        shareId,
        comments: "Empty in Halle\r\nfrom seven",
        vehicle: { licensePlates: ["1BX4821"] },
      },
    ]);
    expect(list.items[0]!["validUntil"]).toBe(new Date(`${validUntil}+01:00`).toISOString());
  });

  test.each([
    [{ price: "" }, "price", "Please fill this in."],
    [{ price: "twelve" }, "price", "Please enter an amount"],
    [{ price: "-5" }, "price", "Please enter an amount"],
    [{ price: "0" }, "price", "Please enter an amount"],
    [{ price: "12.345,678" }, "price", "Please enter an amount"],
    [{ name: " " }, "name", "Please fill this in."],
    [{ vatCode: "?" }, "vatCode", "This VAT number is not valid."],
    [{ validUntil: "2020-01-01T08:00" }, "validUntil", "Please choose a time in the future."],
    [{ comments: "x".repeat(5001) }, "comments", "This text is too long."],
  ])("with %o is shown again with the error", async (wrong, field, sentence) => {
    const { path, freightId } = await shareFreight(ask);
    const { status, body } = await guest.send(path, { ...offer, vehicle: "Kept <b>", ...wrong });
    expect(status).toBe(400);
    expect(new RegExp(`id="new-${field}-error">.*?</svg\\s*>([^<]+)`, "s").exec(body)?.[1]).toContain(sentence);
    expect(body).toContain('value="Kept &lt;b&gt;"');
    expect((await read(ask, freightId)).body.offers).toEqual({ open: 0 });
  });

  test.each([
    ["1250", 1250],
    ["1 250", 1250],
    ["€ 1.250,5", 1250.5],
    ["1,250.50 EUR", 1250.5],
    ["1.250", 1250],
    ["1250,05", 1250.05],
  ])("with the price %s is an offer of %d", async (price, expected) => {
    const { path, freightId } = await shareFreight(ask);
    await submitOfferForm(path, { price });
    expect((await offerOf(ask, freightId)).price).toBe(expected);
  });

  test("goes through counter-offers, is withdrawn, and is made again", async () => {
    const { path, freightId } = await shareFreight(ask);
    await submitOfferForm(path);
    await answerOffer(ask, freightId, { action: "Counter", price: 1100, comment: "A regular run" });
    const { body } = await guest.visit(path);
    for (const text of ["Beispiel Spedition proposes €1,100.", "Accept €1,100", "A regular run", "€1,250.50"])
      expect(body).toContain(text);
    const countered = await guest.send(path, { action: "Counter", price: "1175", comment: "Toll", seen: seenOn(body) });
    const submitted = await guest.visit(path, { cookie: cookieOf(countered) });
    expect(submitted.body).toContain("Your price has been sent.");
    const updated = await guest.send(path, { action: "Update", price: "1150", seen: seenOn(submitted.body) });
    expect(updated.status).toBe(303);
    expect(await offerOf(ask, freightId)).toMatchObject({ status: "Submitted", price: 1150 });
    const withdrawn = await guest.send(path, { action: "Withdraw", seen: seenOn((await guest.visit(path)).body) });
    expect(withdrawn.status).toBe(303);
    const { body: after } = await guest.visit(path);
    expect(after).toContain("You have withdrawn your offer of €1,150.");
    expect(after).toContain("Make a new offer");
    expect((await guest.send(path, offer)).status).toBe(303);
  });

  test("shows the result of a form once, and only to its sender", async () => {
    const { path } = await shareFreight(ask);
    const said = (body: string) => body.includes("Your offer has been sent.");
    const sent = await guest.send(path, offer);
    expect(sent.headers.get("set-cookie")).toBe(`done=Offer; Path=${path}; Max-Age=60; HttpOnly; SameSite=Strict`);
    const first = await guest.visit(path, { cookie: cookieOf(sent) });
    expect(said(first.body)).toBe(true);
    expect(first.headers.get("set-cookie")).toContain(`done=; Path=${path}; Max-Age=0;`);
    for (const other of [await guest.visit(path), await guest.visit(`${path}?done=Offer`)])
      expect({ isSaid: said(other.body), cookie: other.headers.get("set-cookie") }).toEqual({
        isSaid: false,
        cookie: null,
      });
  });

  test("that accepts the owner's price books the freight, and remains visible", async () => {
    const { path, freightId } = await shareFreight(ask);
    await submitOfferForm(path);
    await answerOffer(ask, freightId, { action: "Counter", price: 1100 });
    const { body } = await guest.visit(path);
    expect((await guest.send(path, { action: "Accept", seen: seenOn(body) })).status).toBe(303);
    const { status, body: after } = await guest.visit(path);
    expect(status).toBe(200);
    expect(after).toContain("Your offer of €1,100 has been accepted. The freight is yours.");
    expect(after).not.toContain("<form");
    expect((await read(ask, freightId)).status).toBe(410);
  });

  test("with a counter-offer can be declined with a reason", async () => {
    const { path, freightId } = await shareFreight(ask);
    await submitOfferForm(path);
    await answerOffer(ask, freightId, { action: "Counter", price: 900 });
    const { body } = await guest.visit(path);
    await guest.send(path, { action: "Decline", reason: "Too low", seen: seenOn(body) });
    expect(await offerOf(ask, freightId)).toMatchObject({ status: "Declined", reason: "Too low" });
    expect((await guest.visit(path)).body).toContain("You have declined €900.");
  });

  test("can be confirmed after the freight has changed", async () => {
    const { path, freightId } = await shareFreight(ask);
    await submitOfferForm(path);
    const { status } = await put(ask, freightId, freight({ requirements: { trailerTypes: [2] } }));
    expect(status).toBe(200);
    const { body } = await guest.visit(path);
    expect(body).toContain("The freight has changed.");
    expect((await guest.send(path, { action: "Confirm", price: "1300", seen: seenOn(body) })).status).toBe(303);
    expect(await offerOf(ask, freightId)).toMatchObject({ status: "Submitted", price: 1300 });
  });

  test("cannot be answered from an outdated page", async () => {
    const { path, freightId } = await shareFreight(ask);
    await submitOfferForm(path);
    await answerOffer(ask, freightId, { action: "Counter", price: 1100 });
    const { body } = await guest.visit(path);
    await answerOffer(ask, freightId, { action: "Update", price: 950 });
    const late = await guest.send(path, { action: "Accept", seen: seenOn(body) });
    expect(late.status).toBe(409);
    expect(late.body).toContain("something has changed in the meantime");
    expect(late.body).toContain("Accept €950");
    expect(await offerOf(ask, freightId)).toMatchObject({ status: "Countered" });
  });

  test("of another carrier is not shown", async () => {
    const { freightId } = await createFreight(ask);
    const [one, other] = [
      await shareWith(ask, freightId, { email: "one@carrier.example" }),
      await shareWith(ask, freightId, { email: "other@carrier.example" }),
    ];
    await submitOfferForm(one.path, { price: "1111", name: "First Carrier" });
    expect((await guest.visit(other.path)).body).not.toMatch(/1,111|First Carrier|one@carrier/);
  });

  test("sent from another site is refused", async () => {
    const { path, freightId } = await shareFreight(ask);
    expect((await guest.send(path, offer, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await read(ask, freightId)).body.offers).toEqual({ open: 0 });
  });

  test("with an unknown action, in a body that is no form, or in too large a body is refused", async () => {
    const { path } = await shareFreight(ask);
    expect((await guest.send(path, { action: "Burn" })).status).toBe(400);
    const { status } = await service.fetch(path, { method: "POST", body: JSON.stringify(offer) });
    expect(status).toBe(415);
    expect((await guest.send(path, { ...offer, comments: "x".repeat(70_000) })).status).toBe(413);
  });
});

describe("the language of the page", () => {
  test("can be chosen, and is kept", async () => {
    const { path } = await shareFreight(ask);
    const spoken = async (address: string) =>
      /<html lang="(\w+)"/.exec((await guest.visit(address, { "accept-language": "de" })).body)?.[1];
    expect(await spoken(path)).toBe("de");
    expect(await spoken(`${path}?lang=ro`)).toBe("ro");
    expect((await guest.send(`${path}?lang=ro`, offer)).headers.get("location")).toBe(`${path}?lang=ro`);
  });
});

test("user input is escaped", async () => {
  const evil = `"><img src=x onerror=alert(1)>'&amp;<script>alert(2)</script>`;
  const own = apiClient(service, service.company().key);
  await own("PUT", "/api/v1/company", { json: { name: `Firma ${evil}` } });
  const [first, last] = stops();
  const locations = [{ ...first, address: { ...first!.address, city: evil } }, last];
  const { path } = await shareFreight(own, { locations, comments: evil }, { message: evil });
  await guest.send(path, { ...offer, name: evil, comments: evil, vehicle: evil, action: evil });
  await guest.send(path, { ...offer, name: evil, comments: evil, vehicle: evil });
  const visits = [
    guest.visit(path),
    guest.visit(`${path}?lang=${encodeURIComponent(evil)}`),
    guest.visit(path, { cookie: `done=${encodeURIComponent(evil)}` }),
  ];
  for (const { body } of await Promise.all(visits)) {
    expect(body).toContain("&lt;script&gt;alert(2)&lt;/script&gt;");
    expect(body).not.toMatch(/<img src|<script>|onerror=alert\(1\)>/);
  }
});
