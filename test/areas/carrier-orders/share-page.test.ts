import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatShareLink } from "../../../src/platform/share-link.ts";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { setDocumentStatus, createCarrierOrder } from "../../support/carriers.ts";
import { openService, type TestService } from "../../support/service.ts";
import { uploadFormOf, guestOf, json, note, shareOrder, type UploadReply } from "../../support/share-links.ts";

let service: TestService;
let ask: ApiClient;
let guest: ReturnType<typeof guestOf>;

beforeAll(async () => {
  service = await openService({ vars: { CORS_ORIGINS: "*" } });
  ask = apiClient(service, service.company().key);
  guest = guestOf(service);
  await ask("PUT", "/api/v1/company", { json: { name: "Beispiel Spedition" } });
});

afterAll(() => service.stop());

describe("the page", () => {
  test("shows the order without internal data of the company", async () => {
    const { path } = await shareOrder(ask, { orderNumber: "SP-2026-0001", requiredDocumentTypes: "cmr,invoice" });
    const { status, headers, body } = await guest.visit(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const text of [
      "Beispiel Spedition",
      "SP-2026-0001",
      "Leipzig → Wrocław",
      "Drukarnia Przykład",
      "CMR consignment note",
    ])
      expect(body).toContain(text);
    expect(body).toContain("Still missing: CMR consignment note and invoice");
    expect(body).not.toContain("Second trip");
    expect(body).not.toContain("CZ12345679");
  });

  test("loads nothing from other hosts, is not cached, and sends no referrer", async () => {
    const { path } = await shareOrder(ask);
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
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(body).not.toMatch(
      /https?:\/\/|\sstyle=|\son\w+=|<style|<script(?! src="\/share\/share\.js\?v=[\w-]{12}"><)/,
    );
    const head = await guest.visit(path, {}, "HEAD");
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  test("is small, and its script and styles are cached by their version", async () => {
    const { path } = await shareOrder(ask, { requiredDocumentTypes: "cmr,invoice,packingList,palletReceipt" });
    const { body } = await guest.visit(path);
    const files = [...body.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files).toHaveLength(3);
    let size = Buffer.byteLength(body);
    for (const file of files) {
      const { headers, body } = await guest.visit(file);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect((await guest.visit(file.split("?")[0]!)).headers.get("cache-control")).toBe("no-cache");
      size += Buffer.byteLength(body);
    }
    expect(size).toBeLessThan(40_000);
  });

  test("shows times in the time zone of each stop", async () => {
    const at = (type: string, countryCode: string, city: string, startDate: string, endDate?: string) => ({
      type,
      countryCode,
      city,
      startDate,
      endDate,
    });
    const { path } = await shareOrder(ask, {
      locations: [
        at("Loading", "PT", "Lisboa", "2026-07-01T08:00:00Z", "2026-07-01T10:00:00Z"),
        at("Customs", "GR", "Athina", "2026-07-03T21:30:00Z", "2026-07-04T05:00:00Z"),
        at("Unloading", "GR", "Athina", "2026-07-06"),
        { type: "Unloading", city: "Somewhere", startDate: "2026-07-07T10:15:00Z" },
      ],
    });
    const { body } = await guest.visit(path);
    const times = [...body.matchAll(/class="times">([^<]+)/g)].map(([, text]) => text!.replace(/\s/gu, " "));
    expect(times[0]).toMatch(/^Wed,? 1 Jul 2026, 09:00.+11:00$/);
    expect(times[1]).toMatch(/^Sat,? 4 Jul 2026, 00:30.+08:00$/);
    expect(times[2]).toMatch(/^Mon,? 6 Jul 2026$/);
    expect(times[3]).toMatch(/^Tue,? 7 Jul 2026, 10:15 UTC$/);
  });

  test.each([
    ["dead", "/share/nothing"],
    ["dead", `/share/${"A".repeat(64)}`],
    ["dead", "/share/"],
    ["dead", "/share/a/b/c"],
    ["dead", "/share/%00%ff"],
  ] as const)("of a %s link is a 404 page in the visitor's language: %s", async (_, path) => {
    const { status, body, headers } = await guest.visit(path, { "accept-language": "de" });
    expect(status).toBe(404);
    expect(body).toContain("Dieser Link ist nicht mehr gültig");
    expect(headers.get("x-robots-tag")).toBe("noindex");
  });

  test("does not disclose to a forged link whether an order exists, its kind or its status", async () => {
    const { id, key } = service.company();
    const own = apiClient(service, key);
    const [live, cancelled] = [await createCarrierOrder(own), await createCarrierOrder(own)];
    await own("DELETE", `/api/v1/orders/${cancelled.orderId}`);
    const { body: read } = await own<{ orderId: string }>("POST", "/api/v1/orders", { json: { inputText: "Nothing" } });
    const none = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
    const ids = [live.orderId, cancelled.orderId, read.orderId, none];
    const answers = await Promise.all(
      ids.map(async (orderId) => {
        const path = `/share/${formatShareLink(id, orderId, "A".repeat(22))}`;
        const asked = [
          await guest.visit(path, json),
          await guest.visit(`${path}/documents/${none}`, json),
          await guest.send<Record<string, unknown>>(path, uploadFormOf([note("forged")]), json),
        ];
        return asked.map(({ status, body }) => [status, { ...(body as object), requestId: undefined }]);
      }),
    );
    for (const answer of answers) {
      expect(answer.map(([status]) => status)).toEqual([404, 404, 404]);
      expect(answer).toEqual(answers[3]);
    }
  });

  test("is a 404 for a replaced link, and a 410 for a cancelled order", async () => {
    const order = { orderNumber: "SP-2026-0002", carrier: { vatCode: "CZ12345679" } };
    const old = await shareOrder(ask, order);
    await ask("POST", "/api/v1/orders/upsert", { json: { ...order, carrier: { vatCode: "PL5260250274" } } });
    expect((await guest.visit(old.path)).status).toBe(404);
    expect((await guest.send(old.path, uploadFormOf([note("late")]), json)).status).toBe(404);

    const link = await shareOrder(ask);
    await ask("DELETE", `/api/v1/orders/${link.orderId}`);
    const { status, body } = await guest.visit(link.path);
    expect(status).toBe(410);
    expect(body).toContain("This order has been cancelled");
    expect(await guest.visit(link.path, json)).toMatchObject({
      status: 410,
      body: { status: 410, errorCode: "invalid_state", currentStatus: "Cancelled", instance: "/share" },
    });
    expect((await guest.send(link.path, uploadFormOf([note("late")]))).status).toBe(410);
    expect(await guest.send(link.path, uploadFormOf([note("late")]), json)).toMatchObject({
      status: 409,
      body: { errorCode: "invalid_state", currentStatus: "Cancelled" },
    });
  });

  test.each(["PUT", "DELETE", "PATCH", "OPTIONS"])("refuses %s", async (method) => {
    const { path, token } = await shareOrder(ask);
    const { status, headers, body } = await guest.visit(path, { origin: "https://tms.beispiel.de" }, method);
    expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD, POST" });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test("has a rate limit of ten requests a second for each link", async () => {
    const [busy, calm] = [await shareOrder(ask), await shareOrder(ask)];
    const answers = await Promise.all(Array.from({ length: 60 }, () => guest.visit(busy.path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(refused[0]!.headers.get("retry-after")).toBe("1");
    expect(refused[0]!.body).toContain("Too many requests");
    expect((await guest.visit(calm.path)).status).toBe(200);
  });
});

describe("the language of the page", () => {
  const spoken = async (path: string, accepted?: string) => {
    const { body, headers } = await guest.visit(path, accepted === undefined ? {} : { "accept-language": accepted });
    const lang = /<html lang="(\w+)"/.exec(body)?.[1];
    expect(headers.get("content-language")).toBe(lang);
    return lang;
  };

  test.each([
    ["pl-PL,pl;q=0.9,en-US;q=0.8", "pl"],
    ["xx, lt;q=0.3, de;q=0.7", "de"],
    ["fr;q=0, es", "es"],
    ["sr-Latn-RS, en;q=0.5", "hr"],
    ["nb-NO", "da"],
    ["ja", "en"],
    [";;q=,,*;q=x", "en"],
    ["", "en"],
  ])('for Accept-Language "%s" is %s', async (accepted, language) => {
    expect(await spoken("/share/none", accepted)).toBe(language);
  });

  test("can be selected, and stays selected", async () => {
    const { path } = await shareOrder(ask);
    expect(await spoken(`${path}?lang=ro`, "de")).toBe("ro");
    expect(await spoken(`${path}?lang=constructor`, "de")).toBe("de");
    const { status, headers } = await guest.send(`${path}?lang=ro`, uploadFormOf([note("chosen")]));
    expect({ status, location: headers.get("location") }).toEqual({
      status: 303,
      location: `${path}?sent=1&known=0&lang=ro`,
    });
  });
});

test("user input is escaped", async () => {
  const evil = `"><img src=x onerror=alert(1)>'&amp;<script>alert(2)</script>`;
  const own = apiClient(service, service.company().key);
  await own("PUT", "/api/v1/company", { json: { name: `Firma ${evil}` } });
  const { shareUrl, orderId } = await createCarrierOrder(own, {
    orderNumber: evil,
    carrier: { name: evil, vatCode: "CZ12345679" },
    locations: [{ type: "Loading", name: evil, city: evil, street: evil, countryCode: "DE" }],
  });
  const { pathname } = new URL(shareUrl);
  const { documentId } = (
    await guest.send<UploadReply>(
      pathname,
      uploadFormOf([{ name: `${evil}.txt`, bytes: "A note" }], { documentType: "cmr", comment: evil }),
      json,
    )
  ).body.documents[0]!;
  await setDocumentStatus(own, orderId, documentId, "Rejected", evil);
  for (const query of ["", `?lang=${encodeURIComponent(evil)}`, `?sent=${encodeURIComponent(evil)}`]) {
    const { body } = await guest.visit(pathname + query);
    expect(body).toContain("&lt;script&gt;alert(2)&lt;/script&gt;");
    expect(body).not.toMatch(/<img src|<script>|onerror=alert\(1\)>/);
  }
});
