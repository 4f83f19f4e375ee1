import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { feedbackRows } from "../../http/bad-input/feedback.ts";
import { refusalOf, refused } from "../../http/bad-input/refusals.ts";
import { greeting, waiting } from "../../support/orders.ts";
import { oddSenders } from "../../support/unusual-orders.ts";
import { openService, type TestService } from "../../support/service.ts";
import {
  sendFeedback,
  readOrder,
  createOrder,
  readEvidence,
  root,
  sendAndLearn,
  type FeedbackAnswer,
  type Order,
  type EvidenceAnswer,
} from "../../support/feedback.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe("a correction", () => {
  const [german] = oddSenders;

  test("is applied to the record with confidence 1, emits an event and changes the version", async () => {
    const ask = anyone();
    const { id } = await createOrder(ask, german!.paper("TA-99001/26", "BX-4711/26", 37));
    const before = await ask("GET", `/api/v1/orders/${id}`);
    const { status, body, headers } = await sendFeedback(ask, id, {
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
      before: "TA-99001/26",
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
    const { fields } = await readEvidence(ask, id);
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
      { timeout: 50_000, interval: 100 },
    );
    const list = await vi.waitUntil(
      async () => {
        const { items } = (
          await ask<{ items: { orderNumber?: string }[] }>("GET", "/api/v1/orders?orderNumber=BX471126")
        ).body;
        return items.length > 0 ? items : undefined;
      },
      { timeout: 50_000, interval: 100 },
    );
    expect(list).toMatchObject([{ orderNumber: "BX-4711/26" }]);
  });

  test("completes an order that was extracted in part or not at all", async () => {
    const ask = anyone();
    const old = german!
      .paper("TA-99002/26", "BX-4712/26", 30)
      .replace("TRANSPORTAUFTRAG", "TRANSPORTAUFTRAG vom 20.11.2021");
    const { id, order } = await createOrder(ask, old);
    expect(order.status).toBe("Partial");
    const year = new Date().getFullYear();
    await sendAndLearn(ask, id, [{ path: "/orderDate", value: `${year}-01-20` }]);
    expect(await readOrder(ask, id)).toMatchObject({ status: "Succeeded", data: { orderDate: `${year}-01-20` } });
    expect(await readOrder(ask, id)).not.toHaveProperty("message");
    const failed = await createOrder(ask, greeting);
    expect(failed.order.status).toBe("Failed");
    await sendAndLearn(ask, failed.id, [
      { path: "/orderNumber", value: "N-1" },
      { path: "/locations/-", value: { type: "Loading", countryCode: "pl", city: "Gdynia" } },
      { path: "/locations/-", value: { type: "Unloading", city: "Brno" } },
    ]);
    const mended = await readOrder(ask, failed.id);
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
    expect((await readEvidence(ask, failed.id)).fields["/locations/1/city"]).toMatchObject({
      source: "Human",
      value: "Brno",
    });
  });

  test("can remove a value", async () => {
    const ask = anyone();
    const { id } = await createOrder(ask, german!.paper("TA-99003/26", "BX-4713/26", 30));
    await sendAndLearn(ask, id, [
      { path: "/locations/0", value: null },
      { path: "/orderNumber", value: null },
    ]);
    const { data } = await readOrder(ask, id);
    expect(data).not.toHaveProperty("orderNumber");
    expect(data?.["locations"]).toMatchObject([{ sequence: 1, city: "Wrocław" }]);
    const { fields } = await readEvidence(ask, id);
    expect(fields["/locations/0/city"]?.value).toBe("Wrocław");
    expect(fields).not.toHaveProperty(["/locations/1/city"]);
    expect(fields).not.toHaveProperty(["/orderNumber"]);
  });

  test.each([
    ["an unknown path", [{ path: "/orderNumbre", value: "1" }], "/corrections/0/path"],
    ["a path into the prototype", [{ path: "/__proto__/a", value: "1" }], "/corrections/0/path"],
    ["a list index that is not a number", [{ path: "/locations/first/city", value: "x" }], "/corrections/0/path"],
    ["a stop after the last one", [{ path: "/locations/9/city", value: "x" }], "/corrections/0/path"],
    ["a field that the service computes", [{ path: "/locations/0/sequence", value: 2 }], "/corrections/0/path"],
    ["a text for a number", [{ path: "/payments/price", value: "much" }], "/corrections/0/value"],
    ["an unknown country", [{ path: "/locations/0/countryCode", value: "XX" }], "/corrections/0/value"],
    ["an invalid date", [{ path: "/orderDate", value: "2026-02-31" }], "/corrections/0/value"],
    ["an invalid VAT number", [{ path: "/customer/vatCode", value: "DE123456789" }], "/corrections/0/value"],
    ["an unknown type of stop", [{ path: "/locations/0/type", value: "Lading" }], "/corrections/0/value"],
    ["no value", [{ path: "/orderNumber" }], "/corrections/0/value"],
    [
      "one invalid value among valid ones",
      [
        { path: "/orderNumber", value: "A-1" },
        { path: "/payments/paymentDays", value: 1.5 },
      ],
      "/corrections/1/value",
    ],
  ])("with %s is refused as a whole", async (_, corrections, pointer) => {
    const ask = anyone();
    const { id, order } = await createOrder(ask, german!.paper("TA-99004/26", "BX-4714/26", 30));
    const { status, body } = await sendFeedback(ask, id, { corrections });
    expect({ code: status, ...body }).toMatchObject({
      code: 400,
      errorCode: "validation_failed",
      errors: [{ pointer }],
    });
    expect(await readOrder(ask, id)).toEqual(order);
    expect((await ask("GET", root)).body).toEqual({ items: [] });
  });

  test("of a record of another company, or of an unknown record, is not found", async () => {
    const [ours, theirs] = [anyone(), anyone()];
    const { id, order } = await createOrder(ours, german!.paper("TA-99005/26", "BX-4715/26", 30));
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
    expect(await readOrder(ours, id)).toEqual(order);
    const { feedbackId } = (await sendFeedback(ours, id, { rating: "Good" })).body;
    expect((await theirs("GET", `${root}/${feedbackId}`)).status).toBe(404);
  });

  test("with the same Idempotency-Key is applied once", async () => {
    const ask = anyone();
    const { id } = await createOrder(ask, german!.paper("TA-99006/26", "BX-4716/26", 30));
    const send = () =>
      sendFeedback(
        ask,
        id,
        { corrections: [{ path: "/links/-", value: "https://a.example" }] },
        { "idempotency-key": "f-1" },
      );
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect((await readOrder(ask, id)).data?.["links"]).toEqual(["https://a.example"]);
  });
});

test("the label of a mail can be corrected", async () => {
  const ask = anyone();
  const tell = () =>
    ask<{ classificationId: string; label: string }>("POST", "/api/v1/classifications/email", {
      json: { subject: "Hello", text: "Please find attached our transport order 4711, confirm please." },
      headers: { "idempotency-key": "mail-4711" },
    });
  const { body } = await tell();
  const say = (path: string, value: unknown) =>
    ask<FeedbackAnswer>("POST", root, {
      json: {
        subject: { type: "Classification", id: body.classificationId },
        rating: "Bad",
        corrections: [{ path, value }],
      },
    });
  expect((await say("label", "complaint")).status).toBe(201);
  expect((await tell()).body).toEqual(body);
  expect((await say("label", "Other")).body).toMatchObject({ corrections: [{ before: "Complaint", value: "Other" }] });
  expect((await say("language", "de")).body).toMatchObject({ errors: [{ pointer: "/corrections/0/path" }] });
  expect((await say("label", "Love")).body).toMatchObject({ errors: [{ pointer: "/corrections/0/value" }] });
});

test("the requesting party of a request for a quote can be corrected", async () => {
  const ask = anyone();
  const inputText =
    "Please quote: loading 04158 Leipzig, Germany on 24.11.2026, unloading 53-609 Wroclaw, Poland, 22 t paper, tent trailer.";
  const taken = await ask<{ opportunityId: string; status: string }>("POST", "/api/v1/opportunities", {
    json: { inputText },
    headers: waiting,
  });
  const { opportunityId: id } = taken.body;
  const { status, body } = await ask<FeedbackAnswer>("POST", root, {
    json: {
      subject: { type: "Opportunity", id },
      rating: "Bad",
      corrections: [
        { path: "requestedBy.name", value: "Beispiel Spedition GmbH" },
        { path: "/requirements/capacity", value: 21.5 },
        { path: "/payment/from", value: 900 },
      ],
    },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  expect((await ask("GET", `/api/v1/opportunities/${id}`)).body).toMatchObject({
    requestedBy: { name: "Beispiel Spedition GmbH" },
    data: { requirements: { capacity: 21.5 }, payment: { from: 900 } },
    missing: expect.not.arrayContaining(["price"]) as string[],
  });
  const proof = (await ask<EvidenceAnswer>("GET", `/api/v1/opportunities/${id}/extraction`)).body;
  expect(proof.fields["/requestedBy/name"]).toMatchObject({ source: "Human", confidence: 1 });
});

test("feedback needs the scope of the corrected record", async () => {
  const { key } = service.company();
  const all = apiClient(service, key);
  const { id } = await createOrder(all, oddSenders[0]!.paper("TA-99001/26", "BX-1/26", 30));
  const keyOf = async (scopes: string[]) =>
    apiClient(service, (await all<{ key: string }>("POST", "/api/v1/keys", { json: { scopes } })).body.key);
  const corrections = [{ path: "/orderNumber", value: "BX-1/26" }];
  expect(await sendFeedback(await keyOf(["documents:write"]), id, { corrections })).toMatchObject({
    status: 403,
    body: { errorCode: "missing_scope", scope: "orders:write" },
  });
  expect((await sendFeedback(await keyOf(["documents:write", "orders:write"]), id, { corrections })).status).toBe(201);
});

test("feedback counts extracted values, not computed or looked-up ones", async () => {
  const ask = anyone();
  const { id } = await createOrder(ask, oddSenders[0]!.paper("TA-99001/26", "BX-1/26", 30));
  const { fields } = await readEvidence(ask, id);
  const ofSource = (...sources: string[]) =>
    Object.entries(fields)
      .filter(([, { source }]) => sources.includes(source))
      .map(([pointer]) => pointer.replace(/\/\d+/g, "/*"));
  const counted = async (corrections?: object[]) => {
    const { body } = await sendFeedback(ask, id, { rating: corrections ? "Bad" : "Good", corrections });
    return body.fields;
  };
  const [read, others] = [new Set(ofSource("Document")), ofSource("Computed", "Registry")];
  expect(others).toEqual(
    expect.arrayContaining([
      "/locations/*/sequence",
      "/locations/*/normalizedCity",
      "/locations/*/coordinates/latitude",
    ]),
  );
  const named = (judged: { field: string }[]) => judged.map(({ field }) => field).sort();
  expect(named(await counted())).toEqual([...read].sort());
  const stop = await counted([{ path: "/locations/1", value: null }]);
  const [place, sequence] = ["/locations/*/city", "/locations/*/sequence"].map((name) =>
    stop.find(({ field }) => field === name),
  );
  expect(place).toEqual({ field: "/locations/*/city", right: 1, wrong: 1 });
  expect(sequence).toBeUndefined();
});

test("feedback is listed, and counted by field and week", async () => {
  const ask = anyone();
  const { paper } = oddSenders[0]!;
  const first = await createOrder(ask, paper("TA-99001/26", "BX-1/26", 30));
  const second = await createOrder(ask, paper("TA-99002/26", "BX-2/26", 30));
  await sendFeedback(ask, first.id, {
    corrections: [{ path: "/orderNumber", value: "BX-1/26", comment: "Tourennummer" }],
  });
  await sendFeedback(ask, second.id, { rating: "Good" });
  const list = async (query = "") => (await ask<{ items: FeedbackAnswer[] }>("GET", `${root}${query}`)).body.items;
  await vi.waitUntil(async () => (await list()).length === 2, { timeout: 50_000, interval: 100 });
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
