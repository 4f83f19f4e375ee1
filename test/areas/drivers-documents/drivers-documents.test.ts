import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { openService, type TestService } from "../../support/service.ts";

interface View {
  documentId: string;
  status: string;
  errorCode?: string;
  type?: string;
  number?: string;
  expiresAt?: string;
  daysLeft?: number;
  driver?: { name?: string; phone?: string; email?: string };
  holder?: { name?: string };
  replacedBy?: string;
  updatedAt: string;
  metadata?: Record<string, string>;
}

interface Received {
  documentId: string;
  duplicateOf?: string;
  status?: string;
  document?: View;
}

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const waiting = { prefer: "wait=20" };
const root = "/api/v1/drivers-documents";
const dayMilliseconds = 24 * 60 * 60 * 1000;

const isoAhead = (days: number) => new Date(Date.now() + days * dayMilliseconds).toISOString().slice(0, 10);
const printed = (iso: string) => iso.split("-").toReversed().join(".");

const licence = (number: string, expires: string, surname = "PRZYKŁADOWY") =>
  [
    "DRIVING LICENCE",
    "REPUBLIC OF POLAND",
    `1. ${surname}`,
    "2. JAN",
    "3. 17.05.1984 WARSZAWA",
    "4a. 01.02.2022",
    `4b. ${printed(expires)}`,
    "4c. PREZYDENT M.ST. WARSZAWY",
    `5. ${number}`,
    "9. B, C, CE",
  ].join("\n");

const post = (ask: ApiClient, text: string, fields: Record<string, string> = {}) =>
  ask<Received>("POST", root, { body: form({ name: "licence.txt", bytes: text }, fields), headers: waiting });
const read = async (ask: ApiClient, id: string) => (await ask<View>("GET", `${root}/${id}`)).body;

describe("a document of a driver", () => {
  test("is accepted at once and extracted, with the days until its expiry", async () => {
    const ask = anyone();
    const expiresAt = isoAhead(400);
    const taken = await ask<Received>("POST", root, {
      json: {
        file: Buffer.from(licence("00512/18/1465", expiresAt)).toString("base64"),
        driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01", email: null },
        type: "drivinglicence",
        metadata: { internalId: "DRIVER-1" },
      },
    });
    expect(taken.status).toBe(202);
    expect(taken.headers.get("location")).toBe(`${root}/${taken.body.documentId}`);
    const view = await vi.waitUntil(
      async () => {
        const now = await read(ask, taken.body.documentId);
        return now.status === "Processing" ? undefined : now;
      },
      { timeout: 50_000, interval: 50 },
    );
    expect(view).toMatchObject({
      status: "Valid",
      type: "DrivingLicence",
      number: "00512/18/1465",
      issuingCountry: "PL",
      issuedAt: "2022-02-01",
      expiresAt,
      driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01" },
      metadata: { internalId: "DRIVER-1" },
    });
    expect(view.daysLeft).toBeGreaterThanOrEqual(399);
    expect((await ask<string>("GET", `${root}/${view.documentId}/file`)).body).toContain("DRIVING LICENCE");
    const evidence = await ask<{ fields: Record<string, { value: unknown }> }>(
      "GET",
      `${root}/${view.documentId}/extraction`,
    );
    expect(evidence.body.fields["/expiresAt"]?.value).toBe(expiresAt);
  });

  test.each([
    ["a name", { driver: "Jan Przykładowy" }, { name: "Jan Przykładowy" }],
    [
      "JSON in a form",
      { driver: '{"name":"Jan","email":"jan@trans.example"}' },
      { name: "Jan", email: "jan@trans.example" },
    ],
  ])("takes its driver from %s", async (_, fields, driver) => {
    const { body } = await post(anyone(), licence("00513/18/1465", isoAhead(300)), fields);
    expect(body.document?.driver).toEqual(driver);
  });

  test("without a named driver belongs to its holder", async () => {
    const { body } = await post(anyone(), licence("00514/18/1465", isoAhead(300)));
    expect(body.document?.driver?.name).toMatch(/jan/i);
  });

  test("that is not recognised fails, until its data is set with PUT", async () => {
    const ask = anyone();
    const { body } = await post(ask, "Happy new year to all of you, and many thanks for the good work together!");
    expect(body.document).toMatchObject({ status: "Failed", errorCode: "input_not_a_document_of_this_kind" });
    const said = { type: "Adr", number: "ADR-1", expiresAt: isoAhead(20), driver: "Jan Przykładowy" };
    const { body: put } = await ask<View>("PUT", `${root}/${body.documentId}`, { json: said });
    expect(put).toMatchObject({ status: "ExpiringSoon", type: "Adr", number: "ADR-1" });
    expect(put).not.toHaveProperty("errorCode");
  });

  test("prefers data set with PUT over extracted data, and keeps its version if nothing changes", async () => {
    const ask = anyone();
    const { body } = await post(ask, licence("00515/18/1465", isoAhead(300)));
    const path = `${root}/${body.documentId}`;
    const first = await ask<View>("PUT", path, { json: { number: "00515/18/1466" } });
    expect(first.body).toMatchObject({ number: "00515/18/1466", type: "DrivingLicence", expiresAt: isoAhead(300) });
    const etag = (await ask("GET", path)).headers.get("etag")!;
    const again = await ask<View>("PUT", path, { json: { number: "00515/18/1466" }, headers: { "if-match": etag } });
    expect(again.body.updatedAt).toBe(first.body.updatedAt);
    const stale = await ask("PUT", path, { json: { number: "X" }, headers: { "if-match": '"1"' } });
    expect(stale).toMatchObject({ status: 412, body: { errorCode: "version_mismatch" } });
    const back = await ask<View>("PUT", path, { json: {} });
    expect(back.body.number).toBe("00515/18/1465");
  });

  test("that is deleted is removed with its file, and can be posted again", async () => {
    const ask = anyone();
    const text = licence("00516/18/1465", isoAhead(300));
    const { documentId } = (await post(ask, text)).body;
    const path = `${root}/${documentId}`;
    for (let times = 0; times < 2; times++) expect((await ask("DELETE", path)).status).toBe(204);
    for (const part of ["", "/file", "/extraction"]) expect((await ask("GET", path + part)).status, part).toBe(404);
    expect((await ask("PUT", path, { json: {} })).status).toBe(404);
    await vi.waitFor(
      async () => {
        const { body } = await ask("GET", "/api/v1/events?eventType=DriverDocumentDeleted&payload=Full");
        const resource = { id: documentId };
        expect(body).toMatchObject({ items: [{ previousStatus: "Valid", resource, data: { documentId } }] });
      },
      { timeout: 50_000 },
    );
    const again = await vi.waitUntil(
      async () => {
        const reply = await post(ask, text);
        return reply.status === 409 ? undefined : reply.body;
      },
      { timeout: 50_000, interval: 100 },
    );
    expect(again.documentId).not.toBe(documentId);
    expect(again.document?.status).toBe("Valid");
  });

  test("posted by two companies is two documents", async () => {
    const [ours, theirs] = [anyone(), anyone()];
    const text = licence("00517/18/1465", isoAhead(300));
    const { documentId } = (await post(ours, text)).body;
    expect((await post(ours, text)).body).toMatchObject({ documentId, duplicateOf: documentId });
    expect((await post(theirs, text)).body.duplicateOf).toBeUndefined();
    for (const [method, part] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["GET", "/file"],
      ["GET", "/extraction"],
    ] as const)
      expect(await theirs(method, `${root}/${documentId}${part}`, method === "PUT" ? { json: {} } : {})).toMatchObject({
        status: 404,
        body: { errorCode: "not_found" },
      });
  });
});

describe("documents of one driver", () => {
  const settledAs = (ask: ApiClient, id: string, status: string) =>
    vi.waitFor(async () => expect((await read(ask, id)).status).toBe(status), { timeout: 50_000, interval: 50 });

  test("the document with the latest expiry replaces the others, in any order of upload", async () => {
    const ask = anyone();
    const old = (await post(ask, licence("OLD/1", isoAhead(100)))).body.documentId;
    const renewed = (await post(ask, licence("NEW/1", isoAhead(1900)))).body.documentId;
    await settledAs(ask, old, "Replaced");
    expect(await read(ask, old)).toMatchObject({ replacedBy: renewed });
    expect((await read(ask, renewed)).status).toBe("Valid");
    const oldest = (await post(ask, licence("OLD/0", isoAhead(50)))).body.documentId;
    await settledAs(ask, oldest, "Replaced");
    const another = (await post(ask, licence("OTHER/1", isoAhead(100), "INNY"))).body.documentId;
    await settledAs(ask, another, "Valid");
  });

  test("a replaced document is valid again when its expiry is moved behind that of its successor", async () => {
    const ask = anyone();
    const first = (await post(ask, licence("TURN/1", isoAhead(100)))).body.documentId;
    const second = (await post(ask, licence("TURN/2", isoAhead(200)))).body.documentId;
    await settledAs(ask, first, "Replaced");
    await ask("PUT", `${root}/${first}`, { json: { expiresAt: isoAhead(300) } });
    await settledAs(ask, first, "Valid");
    await settledAs(ask, second, "Replaced");
    expect(await read(ask, second)).toMatchObject({ replacedBy: first });
  });

  test.each<[string, string, { driver?: object; type?: string; expiresAt: string } | undefined]>([
    ["is deleted", "DELETE", undefined],
    ["gets an earlier expiry", "PUT", { expiresAt: isoAhead(40) }],
    ["is assigned to another driver", "PUT", { driver: { name: "Piotr Inny" }, expiresAt: isoAhead(300) }],
    ["gets another type", "PUT", { type: "Other", expiresAt: isoAhead(300) }],
  ])("a replaced document is valid again when its successor %s", async (_, method, json) => {
    const ask = anyone();
    const first = (await post(ask, licence("BACK/1", isoAhead(100)))).body.documentId;
    const second = (await post(ask, licence("BACK/2", isoAhead(200)))).body.documentId;
    await settledAs(ask, first, "Replaced");
    await ask(method, `${root}/${second}`, json && { json });
    await settledAs(ask, first, "Valid");
    expect(await read(ask, first)).not.toHaveProperty("replacedBy");
    if (json) await settledAs(ask, second, json.driver || json.type ? "Valid" : "Replaced");
  });

  test("of many concurrent documents with the same expiry one stays valid", async () => {
    const ask = anyone();
    const posts = Array.from({ length: 30 }, (_, at) => post(ask, licence(`ONCE/${at}`, isoAhead(100))));
    const ids = (await Promise.all(posts)).map(({ body }) => body.documentId);
    await vi.waitFor(
      async () => {
        const statuses = await Promise.all(ids.map(async (id) => (await read(ask, id)).status));
        expect(statuses.toSorted()).toEqual([...ids.slice(1).map(() => "Replaced"), "Valid"]);
      },
      { timeout: 50_000, interval: 250 },
    );
  });

  test("a replaced document is valid again when it gets a type that is never replaced", async () => {
    const ask = anyone();
    const first = (await post(ask, licence("TYPE/1", isoAhead(100)))).body.documentId;
    await post(ask, licence("TYPE/2", isoAhead(200)));
    await settledAs(ask, first, "Replaced");
    expect((await ask("PUT", `${root}/${first}`, { json: { type: "Other" } })).status).toBe(200);
    await settledAs(ask, first, "Valid");
  });

  test("documents of two drivers with the same name do not replace each other", async () => {
    const ask = anyone();
    const first = (await post(ask, licence("NAME/1", isoAhead(100)))).body.documentId;
    const namesake = licence("NAME/2", isoAhead(200)).replace("17.05.1984", "18.06.1990");
    const second = (await post(ask, namesake)).body.documentId;
    const renewal = (await post(ask, licence("NAME/3", isoAhead(300)))).body.documentId;
    await settledAs(ask, first, "Replaced");
    expect((await read(ask, first)).replacedBy).toBe(renewal);
    await settledAs(ask, second, "Valid");
  });
});

describe("the expiry of a driver's document", () => {
  test.each([
    [
      "the month before the day",
      "1. SMITH\n2. JOHN\n3. 01.02.1980\n4a. 01.05.2024\n4b. 12.31.2031\n5. D1234567\n9. B, C",
    ],
    [
      "a machine-readable zone with an impossible month",
      "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F3100107ZE184226B<<<<<10",
    ],
  ])("is left out if the date is impossible, and the document is listed: %s", async (_, text) => {
    const ask = anyone();
    const { documentId, document } = (await post(ask, text)).body;
    expect(document?.expiresAt).toBeUndefined();
    await vi.waitFor(
      async () => {
        const { items } = (await ask<{ items: View[] }>("GET", root)).body;
        expect(items.map((item) => [item.documentId, item.status])).toEqual([[documentId, document?.status]]);
      },
      { timeout: 50_000, interval: 100 },
    );
  });

  const heard = async (ask: ApiClient, id: string) => {
    interface Heard {
      items: { eventType: string; status: string; resource: { id: string }; data?: View }[];
    }
    const { body } = await ask<Heard>("GET", "/api/v1/events");
    return body.items.filter(({ resource }) => resource.id === id).map(({ eventType, status }) => [eventType, status]);
  };

  test.each([
    ["in 20 days", 20, ["DriverDocumentExpiring", "ExpiringSoon"]],
    ["since yesterday", -3, ["DriverDocumentExpired", "Expired"]],
  ])("emits an event at once if it is near or past: %s", async (_, days, event) => {
    const ask = anyone();
    const { body } = await post(ask, licence(`SOON/${days}`, isoAhead(days)));
    expect(body.document?.status).toBe(event[1]);
    await vi.waitFor(
      async () => expect(await heard(ask, body.documentId)).toEqual([["DriverDocumentProcessed", event[1]], event]),
      { timeout: 50_000, interval: 100 },
    );
  });

  test("restarts the reminders if it is changed", async () => {
    const ask = anyone();
    const { body } = await post(ask, licence("ANEW/1", isoAhead(20)));
    await vi.waitFor(async () => expect(await heard(ask, body.documentId)).toHaveLength(2), {
      timeout: 50_000,
      interval: 100,
    });
    await ask("PUT", `${root}/${body.documentId}`, { json: { expiresAt: isoAhead(5) } });
    await vi.waitFor(async () => expect(await heard(ask, body.documentId)).toHaveLength(3), {
      timeout: 50_000,
      interval: 100,
    });
  });
});

test("the list finds a document by its data, sorted by expiry", async () => {
  const ask = anyone();
  const first = (await post(ask, licence("LIST/1", isoAhead(30)), { driver: "Jan Przykładowy" })).body.documentId;
  const json = {
    file: Buffer.from(licence("LIST/2", isoAhead(500), "INNY")).toString("base64"),
    driver: { name: "Piotr Inny", email: "piotr@trans.example" },
    metadata: { internalId: "FIND-2" },
  };
  const second = (await ask<Received>("POST", root, { json, headers: waiting })).body.documentId;
  const gone = (await post(ask, licence("LIST/3", isoAhead(500), "TRZECI"))).body.documentId;
  await ask("DELETE", `${root}/${gone}`);
  const list = async (query: string) =>
    (await ask<{ items: View[] }>("GET", `${root}?${query}`)).body.items.map((item) => item.documentId);
  await vi.waitFor(async () => expect(await list("sort=expiresAt&issuingCountry=PL")).toEqual([first, second]), {
    timeout: 50_000,
    interval: 100,
  });
  const finds: [string, string][] = [
    ["status=ExpiringSoon", first],
    ["status=Valid", second],
    ["number=list%201", first],
    ["driverEmail=Piotr@trans.example", second],
    ["internalId=FIND-2", second],
    ["text=piotr", second],
    [`expiresTo=${isoAhead(31)}`, first],
  ];
  for (const [query, id] of finds) expect(await list(query), query).toEqual([id]);
  expect(await list("type=Passport")).toEqual([]);
});
