import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { post as postFreight } from "../../support/freights.ts";
import { xlsx } from "../../support/papers/office.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Stop {
  type: string;
  address?: { countryCode?: string; postalCode?: string; city?: string };
  period?: { startDate?: string; endDate?: string };
}

interface Envelope {
  sequenceId: number;
  status: string;
  message?: string;
  errorCode?: string;
  data?: {
    externalNumber?: string;
    locations?: Stop[];
    requirements?: Record<string, unknown>;
    payment?: { from?: number; currency?: string };
    totalDistance?: number;
  };
  requestedBy?: { name?: string; contactPerson?: { email?: string } };
  missing?: string[];
  defaulted?: string[];
  transitTime?: string;
  metadata?: Record<string, string>;
}

interface Received {
  opportunityId: string;
  duplicateOf?: string;
  status?: string;
  opportunities?: Envelope[];
}

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const waiting = { prefer: "wait=20" };
const root = "/api/v1/opportunities";

const dayMilliseconds = 24 * 60 * 60 * 1000;
/** Formats the date that is this many days from today, such as 26.11.2026. */
const dayAhead = (days: number) => {
  const [year, month, day] = new Date(Date.now() + days * dayMilliseconds).toISOString().slice(0, 10).split("-");
  return `${day}.${month}.${year}`;
};
const isoAhead = (days: number) => new Date(Date.now() + days * dayMilliseconds).toISOString().slice(0, 10);

const request = (more = "") => `Hello,

we are looking for a tautliner, 24 t, for the following transport:

Loading: DE-04158 Leipzig, ${dayAhead(5)} 08:00 - 12:00
Unloading: PL-53-609 Wrocław, ${dayAhead(6)}
Goods: 33 pallets of paper, 22 t
Price: 780 EUR
${more}
Best regards
Anna Beispiel
Beispiel Spedition GmbH`;

const ask = (said: ApiClient, json: object) => said<Received>("POST", root, { json, headers: waiting });

describe("a request for a quote", () => {
  test("is accepted at once with its Location, and becomes the body of a freight", async () => {
    const caller = anyone();
    const taken = await caller<Received>("POST", root, {
      json: { inputText: request(), metadata: { internalId: "Q-1" } },
    });
    const { opportunityId } = taken.body;
    expect(taken.status).toBe(202);
    expect(taken.body).toEqual({ opportunityId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(taken.headers.get("location")).toBe(`${root}/${opportunityId}`);

    const envelope = await vi.waitUntil(
      async () => {
        const { body } = await caller<Envelope>("GET", `${root}/${opportunityId}`);
        return body.status === "Processing" ? undefined : body;
      },
      { timeout: 50_000, interval: 50 },
    );
    expect(envelope).toMatchObject({
      sequenceId: 0,
      status: "Succeeded",
      metadata: { internalId: "Q-1" },
      data: {
        locations: [
          { sequence: 1, type: "Loading", address: { countryCode: "DE", postalCode: "04158", city: "Leipzig" } },
          { sequence: 2, type: "Unloading", address: { countryCode: "PL", postalCode: "53-609" } },
        ],
        payment: { from: 780, currency: "EUR" },
      },
    });
    expect(envelope.data).not.toHaveProperty("missing");
    expect(envelope.data).not.toHaveProperty("requestedBy");
    expect(envelope.missing).not.toContain("price");
  });

  test("sent with subject and sender is stored as a mail", async () => {
    const caller = anyone();
    const { body } = await ask(caller, {
      html: `<p>${request().replaceAll("\n", "<br>")}</p>`,
      subject: "Anfrage ANF-26-0771 Łódź – Österreich",
      from: "Anna Beispiel <anna@spedition.beispiel.de>",
    });
    expect(body.status).toMatch(/Succeeded|Partial/);
    const file = await caller<string>("GET", `${root}/${body.opportunityId}/file`);
    expect(file.headers.get("content-type")).toBe("message/rfc822");
    expect(file.body).toContain("From: Anna Beispiel <anna@spedition.beispiel.de>");
    expect(body.opportunities?.[0]?.requestedBy?.contactPerson?.email).toBe("anna@spedition.beispiel.de");
  });

  test("with several rows has several lanes, each with its own number", async () => {
    const caller = anyone();
    const rows = [
      [
        "Ref",
        "Loading country",
        "Loading zip",
        "Loading city",
        "Unloading country",
        "Unloading zip",
        "Unloading city",
        "Loading date",
        "Weight kg",
        "Price EUR",
      ],
      ["L-1", "DE", "04158", "Leipzig", "PL", "53-609", "Wrocław", dayAhead(4), "22000", "700"],
      ["L-2", "DE", "20457", "Hamburg", "AT", "4600", "Wels", dayAhead(5), "18000", "1100"],
      ["L-3", "CZ", "602 00", "Brno", "FR", "69200", "Vénissieux", dayAhead(6), "9000", "1350"],
    ];
    const { body } = await caller<Received>("POST", `${root}/file`, {
      body: form({ name: "lanes.xlsx", bytes: xlsx(rows) }, { "metadata[internalId]": "R" }),
      headers: waiting,
    });
    expect(body.opportunities?.map(({ sequenceId }) => sequenceId)).toEqual([0, 1, 2]);
    const at = (place: number) => caller<Envelope>("GET", `${root}/${body.opportunityId}?sequenceId=${place}`);
    expect((await at(2)).body).toEqual(body.opportunities?.[2]);
    expect((await at(2)).body.data?.locations?.[1]?.address).toMatchObject({ countryCode: "FR", city: "Vénissieux" });
    expect(await at(3)).toMatchObject({ status: 404, body: { errorCode: "not_found" } });
    const lanes = await caller<{ status: string; lanes: Envelope[] }>("GET", `${root}/${body.opportunityId}/lanes`);
    expect(lanes.body.lanes).toEqual(body.opportunities);
    const evidence = await caller<{ sequenceId: number; fields: Record<string, { value: unknown }> }>(
      "GET",
      `${root}/${body.opportunityId}/extraction?sequenceId=1`,
    );
    expect(evidence.body.sequenceId).toBe(1);
    expect(evidence.body.fields["/locations/0/address/city"]?.value).toBe("Hamburg");
  });

  test("without a lane fails, in every format", async () => {
    const caller = anyone();
    const { body } = await ask(caller, {
      inputText: "Happy new year to all of you, and many thanks for the good work!",
    });
    expect(body).toMatchObject({ status: "Failed", opportunities: [{ errorCode: "input_not_freight" }] });
    await caller("PUT", "/api/v1/mapping-profiles/opportunities", { json: {} });
    for (const form_ of ["", "/default", "/custom"])
      expect(await caller("GET", `${root}/${body.opportunityId}${form_}`), form_).toMatchObject({
        status: 200,
        body: { status: "Failed", errorCode: "input_not_freight" },
      });
  });

  test("can be sent to the old operation for images", async () => {
    const { body, status } = await anyone()<Received>("POST", `${root}/image`, {
      body: form({ name: "request.txt", bytes: request() }),
      headers: waiting,
    });
    expect({ status, read: body.opportunities?.length }).toEqual({ status: 200, read: 1 });
  });

  test("repeated on the same day is the same record; for another company it is a new one", async () => {
    const [ours, theirs] = [anyone(), anyone()];
    const first = await ask(ours, { inputText: request() });
    const again = await ask(ours, { inputText: request() });
    expect(again.body).toMatchObject({
      opportunityId: first.body.opportunityId,
      duplicateOf: first.body.opportunityId,
    });
    const other = await ask(theirs, { inputText: request() });
    expect(other.body.duplicateOf).toBeUndefined();
    for (const part of ["", "/default", "/custom", "/lanes", "/file", "/extraction"])
      expect(await theirs("GET", `${root}/${first.body.opportunityId}${part}`), part).toMatchObject({
        status: 404,
        body: { errorCode: "not_found" },
      });
  });
});

describe("a request completed with defaults", () => {
  const bodies: [string, string][] = [
    ["a mail with nearly everything", request()],
    ["a short note", `DE 34 - PL 50 mega 24t ${dayAhead(3).slice(0, 6)} 450e`],
    [
      "one without an unloading day",
      `Loading: DE-20457 Hamburg ${dayAhead(4)}\nUnloading: IT-20121 Milano\nTautliner 24 t, price 1900 EUR`,
    ],
    [
      "one in German",
      `Wir suchen einen Kühler.\nLadestelle: 49716 Meppen, Deutschland, ${dayAhead(4)} 06:00-10:00\nEntladestelle: 4600 Wels, Österreich\n33 Paletten, 21,5 t, -20 °C\nPreis: 1.350,00 EUR`,
    ],
    [
      "one with dates in the past",
      `Loading: DE-20457 Hamburg ${dayAhead(-3)}\nUnloading: PL-61-022 Poznań ${dayAhead(-2)}\nTautliner 24 t, price 900 EUR`,
    ],
    ["one without dates", "Loading: DE-20457 Hamburg\nUnloading: PL-61-022 Poznań\nTautliner 24 t, price 900 EUR"],
  ];

  test.each(bodies)("can be posted as a freight unchanged: %s", async (_, inputText) => {
    const caller = anyone();
    const { body } = await ask(caller, { inputText });
    expect(body.status, JSON.stringify(body)).toMatch(/Succeeded|Partial/);
    const { body: full } = await caller<Envelope>("GET", `${root}/${body.opportunityId}/default`);
    const freight = await postFreight<Record<string, unknown>>(caller, full.data);
    expect(freight.status, JSON.stringify([full, freight.body])).toBe(200);
    expect(freight.body["status"]).toBe("Draft");
    expect(full.data?.requirements?.["trailerTypes"]).not.toEqual([]);
  });

  test("lists the defaults, and keeps extracted values", async () => {
    const caller = anyone();
    const { body } = await ask(caller, { inputText: bodies[2]![1] });
    const read = body.opportunities![0]!;
    expect(read.missing).toContain("unloadingDate");
    const { body: full } = await caller<Envelope>("GET", `${root}/${body.opportunityId}/default`);
    expect(full.data?.totalDistance).toBeGreaterThan(500);
    const [loading, unloading] = full.data!.locations!;
    expect(loading!.period).toEqual({ startDate: `${isoAhead(4)}T08:00:00`, endDate: `${isoAhead(4)}T18:00:00` });
    expect(unloading!.period!.startDate! > loading!.period!.startDate!).toBe(true);
    expect(unloading!.period!.startDate!.slice(11)).toBe("08:00:00");
    expect([0, 6]).not.toContain(new Date(unloading!.period!.startDate!.slice(0, 10)).getUTCDay());
    expect(full.missing).not.toContain("unloadingDate");
    expect(full.defaulted).toEqual(expect.arrayContaining(["/locations/1/period", "/totalDistance"]));
    expect(full.transitTime).toMatch(/^\d\d+:\d\d:00$/);
    expect(full.data!.payment).toEqual(read.data!.payment);
  });

  test("has time windows widened by an hour on both sides", async () => {
    const caller = anyone();
    const { body } = await ask(caller, { inputText: request() });
    const { body: full } = await caller<Envelope>("GET", `${root}/${body.opportunityId}/default`);
    expect(full.data!.locations![0]!.period).toEqual({
      startDate: `${isoAhead(5)}T07:00:00`,
      endDate: `${isoAhead(5)}T13:00:00`,
    });
  });
});

describe("a request in the format of a mapping profile", () => {
  const path = "/api/v1/mapping-profiles/opportunities";
  const profile = {
    of: "Read",
    renames: {
      externalNumber: "reference",
      "locations[].address.postalCode": "stops[].zip",
      "locations[].period.startDate": "stops[].from",
      "payment.from": "money.amount",
      "requirements.trailerTypes[]": "equipment[]",
    },
    onlyRenamed: true,
    constants: { "order.type": "SPOT", "stops[].open": true },
    ids: { "requirements.trailerTypes[]": { 3: "CURTAIN", 1: "CURTAIN" } },
    dateFormat: "dd.MM.yyyy HH:mm",
  };

  test("is refused without a profile, and after the profile is deleted", async () => {
    const caller = anyone();
    const { opportunityId } = (await ask(caller, { inputText: request() })).body;
    const custom = () => caller<Envelope & { errorCode: string }>("GET", `${root}/${opportunityId}/custom`);
    expect(await custom()).toMatchObject({ status: 409, body: { errorCode: "mapping_not_configured" } });
    expect((await caller("GET", path)).body).toMatchObject({ configured: false, of: "Default", renames: {} });
    expect(await caller("PUT", path, { json: profile })).toMatchObject({
      status: 200,
      body: { configured: true, ...profile },
    });
    expect((await caller("GET", path)).body).toMatchObject({ configured: true, dateFormat: profile.dateFormat });
    expect((await custom()).status).toBe(200);
    expect((await caller("DELETE", path)).status).toBe(204);
    expect((await caller("DELETE", path)).status).toBe(204);
    expect((await custom()).status).toBe(409);
  });

  test("has renamed fields, mapped ids, constants and date formats", async () => {
    const caller = anyone();
    await caller("PUT", path, { json: { ...profile, constants: { "order.type": "SPOT" } } });
    const { opportunityId } = (await ask(caller, { inputText: request() })).body;
    const { body } = await caller<Envelope>("GET", `${root}/${opportunityId}/custom`);
    const [year, month, day] = isoAhead(5).split("-");
    const [nextYear, nextMonth, nextDay] = isoAhead(6).split("-");
    expect(body.data).toEqual({
      stops: [
        { zip: "04158", from: `${day}.${month}.${year} 08:00` },
        { zip: "53-609", from: `${nextDay}.${nextMonth}.${nextYear} 00:00` },
      ],
      money: { amount: 780 },
      equipment: ["CURTAIN"],
      order: { type: "SPOT" },
    });
    expect(body.missing).toBeDefined();
  });

  test("keeps all other fields, unless `onlyRenamed` is set", async () => {
    const caller = anyone();
    await caller("PUT", path, { json: { renames: { "payment.from": "price" } } });
    const { opportunityId } = (await ask(caller, { inputText: request() })).body;
    const { body: full } = await caller<Envelope>("GET", `${root}/${opportunityId}/default`);
    const { body } = await caller<Envelope & { data: Record<string, unknown> }>(
      "GET",
      `${root}/${opportunityId}/custom`,
    );
    const { from, ...payment } = full.data!.payment!;
    expect(body.data).toEqual({ ...full.data, payment, price: from });
  });
});

test("the list finds a request by its fields and text", async () => {
  const caller = anyone();
  const { opportunityId } = (
    await ask(caller, { inputText: request(), metadata: { internalId: "FIND-1" }, from: "anna@spedition.beispiel.de" })
  ).body;
  await ask(caller, { inputText: "Loading: CZ-602 00 Brno\nUnloading: FR-69200 Vénissieux\nMega, 24 t, 1500 EUR" });
  const list = async (query: string) =>
    (await caller<{ items: { opportunityId: string }[] }>("GET", `${root}?${query}`)).body.items;
  await vi.waitUntil(async () => (await list("")).length === 2, { timeout: 50_000, interval: 100 });
  await vi.waitUntil(async () => (await list("status=Processing")).length === 0, { timeout: 50_000, interval: 100 });
  const finds = [
    "internalId=FIND-1",
    "loadingCountry=DE",
    "unloadingCountry=pl",
    "text=leip",
    "requestedByEmail=Anna@Spedition.Beispiel.de",
    `loadingFrom=${isoAhead(5)}&loadingTo=${isoAhead(5)}`,
  ];
  for (const query of finds)
    expect(
      (await list(query)).map((row) => row.opportunityId),
      query,
    ).toEqual([opportunityId]);
  expect(await list("loadingCountry=IT")).toEqual([]);
});

test("a processed request emits an event", async () => {
  const caller = anyone();
  const { opportunityId } = (await ask(caller, { inputText: request() })).body;
  await vi.waitFor(
    async () => {
      const { body } = await caller<{ items: { eventType: string; resource: object }[] }>("GET", "/api/v1/events");
      expect(body.items).toMatchObject([
        {
          eventType: "OpportunityProcessed",
          status: "Succeeded",
          previousStatus: "Processing",
          resource: {
            type: "Opportunity",
            id: opportunityId,
            url: expect.stringContaining(`${root}/${opportunityId}`),
          },
        },
      ]);
    },
    { timeout: 50_000, interval: 100 },
  );
});
