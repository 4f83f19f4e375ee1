import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { asking, type Asking } from "./asking.ts";
import { feedbackRows } from "./bad-input/feedback.ts";
import { refusalOf, refused } from "./bad-input/refusing.ts";
import { greeting, waiting } from "./posting.ts";
import { oddSenders } from "./senders.ts";
import type { OwnerObject } from "../src/kit/owners.ts";
import { newId } from "../src/kit/ids.ts";
import { openService, type TestService } from "./service.ts";

interface Order {
  sequenceId: number;
  status: string;
  message?: string;
  data?: Record<string, unknown> & { orderNumber?: string; payments?: Record<string, unknown> };
}

interface Given {
  feedbackId: string;
  status: string;
  lessons?: number;
  corrections: { path: string; before?: unknown; value: unknown }[];
  fields: { field: string; right: number; wrong: number }[];
}

interface Proof {
  fields: Record<string, { value: unknown; source: string; confidence: number; text?: string; feedbackId?: string }>;
  checks: { name: string; passed: boolean }[];
}

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => asking(service, service.company().key);
const root = "/api/v1/feedback";

async function posted(ask: Asking, inputText: string): Promise<{ id: string; order: Order }> {
  const { body } = await ask<{ orderId: string; orders: Order[] }>("POST", "/api/v1/orders", {
    json: { inputText },
    headers: waiting,
  });
  return { id: body.orderId, order: body.orders[0]! };
}

const orderOf = async (ask: Asking, id: string) => (await ask<Order>("GET", `/api/v1/orders/${id}`)).body;
const proofOf = async (ask: Asking, id: string) => (await ask<Proof>("GET", `/api/v1/orders/${id}/extraction`)).body;

const give = (ask: Asking, id: string, json: object, headers: Record<string, string> = {}) =>
  ask<Given>("POST", root, { json: { subject: { type: "Order", id }, rating: "Bad", ...json }, headers });

/** Says it, and waits until it is learnt. */
async function taught(ask: Asking, id: string, corrections: object[], rating = "Bad"): Promise<Given> {
  const { status, body } = await give(ask, id, { corrections, rating });
  expect(status, JSON.stringify(body)).toBe(201);
  return vi.waitUntil(
    async () => {
      const now = (await ask<Given>("GET", `${root}/${body.feedbackId}`)).body;
      return now.status === "Learnt" ? now : undefined;
    },
    { timeout: 20_000, interval: 50 },
  );
}

describe("what somebody puts right", () => {
  const [german] = oddSenders;

  test("is in the record, is sure, is told of and changes the version", async () => {
    const ask = anyone();
    const { id } = await posted(ask, german!.paper("99001", "BX-4711/26", 37));
    const before = await ask("GET", `/api/v1/orders/${id}`);
    const { status, body, headers } = await give(ask, id, {
      corrections: [
        { path: "/orderNumber", value: "BX-4711/26", comment: "That is the tour." },
        { path: "locations[1].street", value: "ul. Fabryczna 20" },
        { path: "data.payments.paymentDays", value: 37 },
      ],
    });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`${root}/${body.feedbackId}`);
    expect(body.corrections[0]).toEqual({
      path: "/orderNumber",
      before: "99001",
      value: "BX-4711/26",
      comment: "That is the tour.",
    });
    const after = await ask<Order>("GET", `/api/v1/orders/${id}`);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(after.body.data).toMatchObject({
      orderNumber: "BX-4711/26",
      payments: { paymentDays: 37 },
      locations: [{}, { street: "ul. Fabryczna 20", normalizedStreet: "ul. Fabryczna 20" }],
    });
    const { fields } = await proofOf(ask, id);
    expect(fields["/orderNumber"]).toEqual({
      value: "BX-4711/26",
      confidence: 1,
      source: "Human",
      feedbackId: body.feedbackId,
    });
    await vi.waitFor(
      async () => {
        const { items } = (
          await ask<{ items: { eventType: string; resource: { id: string } }[] }>("GET", "/api/v1/events")
        ).body;
        expect(items.filter(({ eventType }) => eventType === "OrderCorrected").map((each) => each.resource.id)).toEqual(
          [id],
        );
      },
      { timeout: 10_000, interval: 100 },
    );
    const list = await vi.waitUntil(
      async () => {
        const { items } = (
          await ask<{ items: { orderNumber?: string }[] }>("GET", "/api/v1/orders?orderNumber=BX471126")
        ).body;
        return items.length > 0 ? items : undefined;
      },
      { timeout: 10_000, interval: 100 },
    );
    expect(list).toMatchObject([{ orderNumber: "BX-4711/26" }]);
  });

  test("makes of what was read in part, or not at all, a whole order", async () => {
    const ask = anyone();
    const old = german!.paper("99002", "BX-4712/26", 30).replace("TRANSPORTAUFTRAG", "TRANSPORTAUFTRAG vom 20.11.2021");
    const { id, order } = await posted(ask, old);
    expect(order.status).toBe("Partial");
    const year = new Date().getFullYear();
    await taught(ask, id, [{ path: "/orderDate", value: `${year}-01-20` }]);
    expect(await orderOf(ask, id)).toMatchObject({ status: "Succeeded", data: { orderDate: `${year}-01-20` } });
    expect(await orderOf(ask, id)).not.toHaveProperty("message");
    const failed = await posted(ask, greeting);
    expect(failed.order.status).toBe("Failed");
    await taught(ask, failed.id, [
      { path: "/orderNumber", value: "N-1" },
      { path: "/locations/-", value: { type: "Loading", countryCode: "pl", city: "Gdynia" } },
      { path: "/locations/-", value: { type: "Unloading", city: "Brno" } },
    ]);
    const mended = await orderOf(ask, failed.id);
    expect(mended).toMatchObject({
      status: "Succeeded",
      data: {
        orderNumber: "N-1",
        locations: [
          { sequence: 1, city: "Gdynia" },
          { sequence: 2, city: "Brno" },
        ],
      },
    });
    expect(mended).not.toHaveProperty("errorCode");
    expect((await proofOf(ask, failed.id)).fields["/locations/1/city"]).toMatchObject({
      source: "Human",
      value: "Brno",
    });
  });

  test("can be taken out", async () => {
    const ask = anyone();
    const { id } = await posted(ask, german!.paper("99003", "BX-4713/26", 30));
    await taught(ask, id, [
      { path: "/locations/0", value: null },
      { path: "/orderNumber", value: null },
    ]);
    const { data } = await orderOf(ask, id);
    expect(data).not.toHaveProperty("orderNumber");
    expect(data?.["locations"]).toMatchObject([{ sequence: 1, city: "Wrocław" }]);
    const { fields } = await proofOf(ask, id);
    expect(fields["/locations/0/city"]?.value).toBe("Wrocław");
    expect(fields).not.toHaveProperty(["/locations/1/city"]);
    expect(fields).not.toHaveProperty(["/orderNumber"]);
  });

  test.each([
    ["a path that is none", [{ path: "/orderNumbre", value: "1" }], "/corrections/0/path"],
    ["a path of its prototype", [{ path: "/__proto__/a", value: "1" }], "/corrections/0/path"],
    ["a place in a list that is no number", [{ path: "/locations/first/city", value: "x" }], "/corrections/0/path"],
    ["a stop behind the last", [{ path: "/locations/9/city", value: "x" }], "/corrections/0/path"],
    ["what the service counts", [{ path: "/locations/0/sequence", value: 2 }], "/corrections/0/path"],
    ["a text for a number", [{ path: "/payments/price", value: "much" }], "/corrections/0/value"],
    ["an unknown country", [{ path: "/locations/0/countryCode", value: "XX" }], "/corrections/0/value"],
    ["a day that is none", [{ path: "/orderDate", value: "2026-02-31" }], "/corrections/0/value"],
    ["a VAT number that cannot be", [{ path: "/customer/vatCode", value: "DE123456789" }], "/corrections/0/value"],
    ["an unknown kind of stop", [{ path: "/locations/0/type", value: "Lading" }], "/corrections/0/value"],
    ["nothing", [{ path: "/orderNumber" }], "/corrections/0/value"],
    [
      "one wrong value among right ones",
      [
        { path: "/orderNumber", value: "A-1" },
        { path: "/payments/paymentDays", value: 1.5 },
      ],
      "/corrections/1/value",
    ],
  ])("is refused as a whole when it is %s", async (_, corrections, pointer) => {
    const ask = anyone();
    const { id, order } = await posted(ask, german!.paper("99004", "BX-4714/26", 30));
    const { status, body } = await give(ask, id, { corrections });
    expect({ code: status, ...body }).toMatchObject({
      code: 400,
      errorCode: "validation_failed",
      errors: [{ pointer }],
    });
    expect(await orderOf(ask, id)).toEqual(order);
    expect((await ask("GET", root)).body).toEqual({ items: [] });
  });

  test("of others is not found, nor is what nobody has", async () => {
    const [ours, theirs] = [anyone(), anyone()];
    const { id, order } = await posted(ours, german!.paper("99005", "BX-4715/26", 30));
    const corrections = [{ path: "/orderNumber", value: "A-1" }];
    for (const [ask, subject] of [
      [theirs, { type: "Order", id }],
      [ours, { type: "Document", id }],
      [ours, { type: "Transaction", id }],
      [ours, { type: "Classification", id }],
    ] as const)
      expect(await ask("POST", root, { json: { subject, rating: "Bad", corrections } })).toMatchObject({
        status: 404,
        body: { errorCode: "not_found" },
      });
    expect(await orderOf(ours, id)).toEqual(order);
    const { feedbackId } = (await give(ours, id, { rating: "Good" })).body;
    expect((await theirs("GET", `${root}/${feedbackId}`)).status).toBe(404);
  });

  test("with the same Idempotency-Key is put right once", async () => {
    const ask = anyone();
    const { id } = await posted(ask, german!.paper("99006", "BX-4716/26", 30));
    const send = () =>
      give(ask, id, { corrections: [{ path: "/links/-", value: "https://a.example" }] }, { "idempotency-key": "f-1" });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect((await orderOf(ask, id)).data?.["links"]).toEqual(["https://a.example"]);
  });
});

describe("the next document of the same sender", () => {
  test.each(oddSenders.map((sender) => [sender.language, sender] as const))(
    "in %s is read better and says so",
    async (_, { paper }) => {
      const ask = anyone();
      const other = anyone();
      const first = await posted(ask, paper("99001", "BX-4711/26", 37));
      expect(first.order.data?.orderNumber).toBe("99001");
      const { feedbackId, lessons } = await taught(ask, first.id, [
        { path: "/orderNumber", value: "BX-4711/26" },
        { path: "/payments/paymentDays", value: 37 },
      ]);
      expect(lessons).toBeGreaterThanOrEqual(2);
      const second = await posted(ask, paper("99377", "KQ-20815/26", 52));
      expect(second.order.data).toMatchObject({ orderNumber: "KQ-20815/26", payments: { paymentDays: 52 } });
      const { fields } = await proofOf(ask, second.id);
      expect(fields["/orderNumber"]).toMatchObject({ source: "Learned", text: "KQ-20815/26", feedbackId });
      expect(fields["/payments/paymentDays"]).toMatchObject({ source: "Learned", feedbackId });
      const elsewhere = await posted(other, paper("99377", "KQ-20815/26", 52));
      expect(elsewhere.order.data?.orderNumber).toBe("99377");
      expect((await proofOf(other, elsewhere.id)).fields["/orderNumber"]?.source).toBe("Document");
    },
  );

  test("is not read by what another sender's papers taught", async () => {
    const ask = anyone();
    const [german, polish] = oddSenders;
    const first = await posted(ask, german!.paper("99001", "BX-4711/26", 37));
    await taught(ask, first.id, [{ path: "/orderNumber", value: "BX-4711/26" }]);
    const other = await posted(ask, polish!.paper("77001", "ZZ-1/26", 37));
    expect(other.order.data?.orderNumber).toBe("77001");
  });

  test("has what stands on no paper, and what a name means", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const first = await posted(ask, paper("99001", "BX-1/26", 30));
    await taught(ask, first.id, [
      { path: "/customer/internalId", value: "KD-77" },
      { path: "/incoterms", value: "DAP" },
    ]);
    const second = await posted(ask, paper("99002", "BX-2/26", 31));
    expect(second.order.data).toMatchObject({ customer: { internalId: "KD-77" }, incoterms: "DAP" });
    expect((await proofOf(ask, second.id)).fields["/incoterms"]).toMatchObject({ source: "Learned" });
  });

  test("is no longer read by a lesson that was wrong twice", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const misled = (number: string) => paper(number, `BX-${number}/26`, 30);
    const first = await posted(ask, misled("1001"));
    await taught(ask, first.id, [{ path: "/orderNumber", value: "BX-1001/26" }]);
    for (const number of ["1002", "1003"]) {
      const next = await posted(ask, misled(number));
      expect(next.order.data?.orderNumber).toBe(`BX-${number}/26`);
      await taught(ask, next.id, [{ path: "/orderNumber", value: null }]);
    }
    const last = await posted(ask, misled("1004"));
    expect(last.order.data?.orderNumber).toBe("1004");
  });

  test("is read by a lesson the more surely the oftener it was right", async () => {
    const ask = anyone();
    const { paper } = oddSenders[0]!;
    const first = await posted(ask, paper("2001", "BX-2001/26", 30));
    await taught(ask, first.id, [{ path: "/orderNumber", value: "BX-2001/26" }]);
    const sure: number[] = [];
    for (const number of ["2002", "2003"]) {
      const next = await posted(ask, paper(number, `BX-${number}/26`, 30));
      sure.push((await proofOf(ask, next.id)).fields["/orderNumber"]!.confidence);
      await taught(ask, next.id, [], "Good");
    }
    expect(sure[1]).toBeGreaterThan(sure[0]!);
  });
});

describe("documents of other kinds", () => {
  const invoice = (tour: string, number: string) =>
    [
      "Vzorová Doprava s.r.o.",
      "Dlouhá 27, 602 00 Brno, Czech Republic",
      "VAT ID: CZ12345679",
      `Invoice No. ${tour}`,
      `Ledger key: ${number}`,
      "Issue date: 20.11.2026",
      "Due date: 20.12.2026",
      "Buyer: Beispiel Spedition GmbH, Hafenstraße 12, 20457 Hamburg, Germany",
      "VAT ID: DE123456788",
      "Description                         Quantity   Net amount   VAT %   VAT amount   Gross amount",
      "Transport Leipzig - Wroclaw         1          980,00       23      225,40       1 205,40",
      "Net amount: 980,00 EUR",
      "VAT 23 %: 225,40 EUR",
      "Gross amount: 1 205,40 EUR",
    ].join("\n");

  test("learn as well", async () => {
    const ask = anyone();
    const send = async (text: string) =>
      (
        await ask<{ documentId: string; document: Order }>("POST", "/api/v1/documents", {
          json: { type: "Invoices", file: Buffer.from(text).toString("base64"), fileName: "invoice.txt" },
          headers: waiting,
        })
      ).body;
    const first = await send(invoice("T-1", "LK-900-1"));
    const { status, body } = await ask<Given>("POST", root, {
      json: {
        subject: { type: "Document", id: first.documentId },
        rating: "Bad",
        corrections: [{ path: "number", value: "LK-900-1" }],
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    await vi.waitFor(
      async () => expect((await ask<Given>("GET", `${root}/${body.feedbackId}`)).body.status).toBe("Learnt"),
      { timeout: 20_000, interval: 50 },
    );
    const second = await send(invoice("T-2", "LK-900-2"));
    expect(second.document.data).toMatchObject({ number: "LK-900-2" });
  });

  test("of mails the label is put right", async () => {
    const ask = anyone();
    const { body } = await ask<{ classificationId: string; label: string }>("POST", "/api/v1/classifications/email", {
      json: { subject: "Hello", text: "Please find attached our transport order 4711, confirm please." },
    });
    const say = (path: string, value: unknown) =>
      ask<Given>("POST", root, {
        json: {
          subject: { type: "Classification", id: body.classificationId },
          rating: "Bad",
          corrections: [{ path, value }],
        },
      });
    expect((await say("label", "complaint")).status).toBe(201);
    expect((await say("language", "de")).body).toMatchObject({ errors: [{ pointer: "/corrections/0/path" }] });
    expect((await say("label", "Love")).body).toMatchObject({ errors: [{ pointer: "/corrections/0/value" }] });
  });
});

test("is listed and counted by field and week", async () => {
  const ask = anyone();
  const { paper } = oddSenders[0]!;
  const first = await posted(ask, paper("99001", "BX-1/26", 30));
  const second = await posted(ask, paper("99002", "BX-2/26", 30));
  await give(ask, first.id, { corrections: [{ path: "/orderNumber", value: "BX-1/26", comment: "Tourennummer" }] });
  await give(ask, second.id, { rating: "Good" });
  const list = async (query = "") => (await ask<{ items: Given[] }>("GET", `${root}${query}`)).body.items;
  await vi.waitUntil(async () => (await list()).length === 2, { timeout: 10_000, interval: 100 });
  expect(await list(`?subjectId=${first.id}&rating=Bad&type=Order&kind=order&text=touren`)).toHaveLength(1);
  expect(await list("?rating=Good&text=touren")).toEqual([]);
  const { body } = await ask<{
    kinds: { kind: string; feedback: number; right: number; wrong: number; accuracy: number }[];
    fields: { week: string; kind: string; field: string; right: number; wrong: number; accuracy: number }[];
  }>("GET", `${root}/metrics?kind=order`);
  const number = body.fields.find(({ field }) => field === "/orderNumber");
  expect(number).toMatchObject({ kind: "order", right: 1, wrong: 1, accuracy: 0.5 });
  expect(new Date(number!.week).getUTCDay()).toBe(1);
  expect(body.fields.find(({ field }) => field === "/locations/*/city")).toMatchObject({ wrong: 0, accuracy: 1 });
  expect(body.kinds).toMatchObject([{ kind: "order", feedback: 2, wrong: 1 }]);
  expect((await ask("GET", `${root}/metrics?from=2026-02-01&to=2026-01-01`)).status).toBe(400);
});

test.each(feedbackRows)("feedback $what is refused", async (row) => {
  expect(await refused(anyone(), row)).toEqual(refusalOf(row));
});

test("that was written down is put into the record and learnt, though whoever took it in died right after", async () => {
  const company = service.company();
  const ask = asking(service, company.key);
  const { paper } = oddSenders[0]!;
  const { id } = await posted(ask, paper("99001", "BX-1/26", 30));
  const objects = await service.mf.getDurableObjectNamespace("FEEDBACK", "lorry");
  const feedbackId = newId();
  const object = objects.get(objects.idFromName(`${company.id}/${feedbackId}`)) as unknown as OwnerObject;
  const said = {
    subject: { type: "Order", id, sequenceId: 0 },
    kind: "order",
    rating: "Bad",
    corrections: [{ pointer: "/orderNumber", before: "99001", value: "BX-1/26" }],
    fields: [{ field: "/orderNumber", right: 0, wrong: 1 }],
  };
  await object.perform(JSON.stringify({ company: company.id, id: feedbackId, name: "feedback.give", ask: said }));
  await vi.waitFor(
    async () => expect((await ask<Given>("GET", `${root}/${feedbackId}`)).body).toMatchObject({ status: "Learnt" }),
    { timeout: 20_000, interval: 50 },
  );
  expect((await orderOf(ask, id)).data?.orderNumber).toBe("BX-1/26");
  const next = await posted(ask, paper("99002", "BX-2/26", 30));
  expect(next.order.data?.orderNumber).toBe("BX-2/26");
});
