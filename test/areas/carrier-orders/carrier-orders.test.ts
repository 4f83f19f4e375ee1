import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import {
  carrierOrder,
  freshNumber,
  uploadDocument,
  createCarrierOrder,
  readOrder,
  type CarrierAnswer,
  refusal,
  type Refusal,
} from "../../support/carriers.ts";
import { simulateInternet } from "../../support/simulated-internet.ts";
import { openService, type TestService } from "../../support/service.ts";

const internet = simulateInternet();
let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService({ internet: internet.answer });
  ask = apiClient(service, service.company().key);
});

afterAll(async () => {
  internet.close();
  await service.stop();
});

describe("a carrier order", () => {
  test("is created with all seven keys, its id and its link", async () => {
    const sent = carrierOrder({ metadata: { internalId: "TMS-1" } });
    const { status, headers, body } = await ask<CarrierAnswer>("POST", "/api/v1/orders", { json: sent });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/orders/${body.orderId}`);
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toMatchObject({
      sequenceId: 0,
      status: "Succeeded",
      message: "",
      errorCode: "",
      orderSubType: "Regular",
      metadata: { internalId: "TMS-1" },
      data: {
        orderNumber: sent.orderNumber,
        licensePlates: ["1BX4821", "2BK9034"],
        carrier: { vatCode: "CZ12345679", contactPerson: { email: "dispo@vzorova-doprava.example" } },
        locations: [
          { sequence: 1, type: "Loading", startDate: "2026-11-24T07:00:00.000Z", totalWeight: 22400 },
          { sequence: 2, type: "Unloading", normalizedCity: "Wrocław", coordinates: { latitude: 51.1 } },
        ],
      },
    });
    expect(body.shareUrl).toMatch(new RegExp(`^${service.url}/share/[\\w-]{64}$`));
    expect(JSON.stringify(body)).not.toContain("Second trip");
  });

  test("is read with its envelope, documents and link", async () => {
    const made = await createCarrierOrder(ask);
    const { status, body } = await ask<CarrierAnswer>("GET", `/api/v1/orders/${made.orderId}`);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["carrierOrder", "data", "orderSubType", "sequenceId", "status"]);
    expect(body.data).toEqual(made.data);
    expect(body.carrierOrder).toEqual({
      status: "AwaitingDocuments",
      shareUrl: made.shareUrl,
      requiredDocumentTypes: "cmr",
      missingDocumentTypes: ["cmr"],
      internalComments: "Second trip this week",
      details: { weight: 22400, licensePlates: ["1BX4821", "2BK9034"] },
      documents: [],
    });
    expect((await ask("GET", `/api/v2/orders/${made.orderId}`)).body).toEqual([body]);
  });

  test("has no file and no evidence, because it was not extracted from a document", async () => {
    const { orderId } = await createCarrierOrder(ask);
    expect((await ask("GET", `/api/v1/orders/${orderId}/file`)).status).toBe(404);
    expect((await ask("GET", `/api/v1/orders/${orderId}/extraction`)).status).toBe(404);
  });

  test("needs only a number and a carrier; a CMR note is required by default", async () => {
    const bare = await createCarrierOrder(ask, {
      carrier: { name: "Solo" },
      details: null,
      locations: undefined,
      internalComments: "",
      requiredDocumentTypes: undefined,
    });
    expect((await readOrder(ask, bare.orderId)).carrierOrder).toMatchObject({ requiredDocumentTypes: "cmr" });
    const none = await createCarrierOrder(ask, { requiredDocumentTypes: "" });
    expect((await readOrder(ask, none.orderId)).carrierOrder).toMatchObject({ status: "Completed" });
  });

  test.each([
    ["cmr", "cmr"],
    ["CMR, Invoice", "cmr,invoice"],
    ["invoice,cmr,cmr", "cmr,invoice"],
    [["packinglist", "cmr"], "cmr,packingList"],
  ])("accepts %j as required document types", async (requiredDocumentTypes, expected) => {
    const { orderId } = await createCarrierOrder(ask, { requiredDocumentTypes });
    expect((await readOrder(ask, orderId)).carrierOrder.requiredDocumentTypes).toBe(expected);
  });

  test("sorts and renumbers its stops; local times are in the time zone of the stop", async () => {
    const { data } = await createCarrierOrder(ask, {
      locations: [
        { sequence: 20, type: "unloading", startDate: "2026-07-02T10:00", countryCode: "PT", postalCode: "9500-321" },
        { sequence: 5, type: "loading", startDate: "2026-07-01T08:00:00", countryCode: "PL" },
      ],
    });
    expect(data.locations).toMatchObject([
      { sequence: 1, type: "Loading", startDate: "2026-07-01T06:00:00.000Z" },
      { sequence: 2, type: "Unloading", startDate: "2026-07-02T10:00:00.000Z" },
    ]);
  });

  test.each([
    ["2026-11-24T08:00", "2026-11-24", "2026-11-24T07:00:00.000Z", "2026-11-24T22:59:59.000Z"],
    ["2026-11-24", "2026-11-25", "2026-11-23T23:00:00.000Z", "2026-11-24T23:00:00.000Z"],
    ["2026-11-24T08:00:00+0000", "2026-11-24T10:00z", "2026-11-24T08:00:00.000Z", "2026-11-24T10:00:00.000Z"],
  ])("converts the times of a stop from %s to %s", async (startDate, endDate, start, end) => {
    const { data } = await createCarrierOrder(ask, {
      locations: [{ type: "Loading", countryCode: "DE", startDate, endDate }],
    });
    expect(data.locations).toMatchObject([{ startDate: start, endDate: end }]);
  });

  test("is created although `file` or `items` is null", async () => {
    await createCarrierOrder(ask, { file: null, inputText: null });
    await createCarrierOrder(ask, { file: "", fileName: null });
    const json = carrierOrder({ items: null });
    expect(await ask("POST", "/api/v1/orders/upsert", { json })).toMatchObject({ body: { result: "Created" } });
    const nothing = await ask<Refusal>("POST", "/api/v1/orders", { json: { file: null } });
    expect(refusal(nothing)).toMatchObject({ status: 400, pointers: ["/file"] });
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["no number", { orderNumber: undefined }, ["/orderNumber"]],
    ["an empty number", { orderNumber: "  " }, ["/orderNumber"]],
    ["no carrier", { carrier: undefined }, ["/carrier"]],
    ["a carrier without a name", { carrier: { email: "a@b.example" } }, ["/carrier/name"]],
    ["an invalid email address", { carrier: { name: "A", email: "nobody" } }, ["/carrier/email"]],
    ["an unknown document type", { requiredDocumentTypes: "cmr,passport" }, ["/requiredDocumentTypes/1"]],
    ["two stops with the same sequence", { locations: [stop(1), stop(1)] }, ["/locations/1/sequence"]],
    ["a stop without a type", { locations: [{ sequence: 1 }] }, ["/locations/0/type"]],
    ["an unknown country", { locations: [{ ...stop(1), countryCode: "QQ" }] }, ["/locations/0/countryCode"]],
    ["an invalid date", { locations: [{ ...stop(1), startDate: "2026-02-30" }] }, ["/locations/0/startDate"]],
    ["an end before the start", { locations: [{ ...stop(1), endDate: "2026-11-23" }] }, ["/locations/0/endDate"]],
    [
      "a latitude above 90",
      { locations: [{ ...stop(1), position: { latitude: 91, longitude: 0 } }] },
      ["/locations/0/position/latitude"],
    ],
    ["a negative weight", { details: { weight: -1 } }, ["/details/weight"]],
    ["a plate without letters and digits", { details: { licensePlates: ["--"] } }, ["/details/licensePlates/0"]],
  ])("with %s is refused, and its number stays free", async (_, wrong, pointers) => {
    const sent = carrierOrder(wrong);
    expect(refusal(await ask<Refusal>("POST", "/api/v1/orders", { json: sent }))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers,
    });
    if (typeof sent.orderNumber === "string" && sent.orderNumber.trim())
      await createCarrierOrder(ask, { orderNumber: sent.orderNumber });
  });
});

const stop = (sequence: number) => ({ sequence, type: "Loading", startDate: "2026-11-24T07:00:00.000Z" });

describe("an order number", () => {
  test("in a hundred concurrent requests creates one order", async () => {
    const firm = apiClient(service, service.company().key);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        firm<CarrierAnswer & Refusal>("POST", "/api/v1/orders", { json: carrierOrder({ orderNumber: "ONE-1" }) }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    const refused = answers.filter(({ status, body }) => status === 409 && body.errorCode === "duplicate_order_number");
    expect(refused).toHaveLength(99);
    expect((await readOrder(firm, made[0]!.body.orderId)).data.orderNumber).toBe("ONE-1");
  });

  test("is compared within one company, ignoring case, spacing and character width", async () => {
    const number = `${freshNumber()} / A 1`;
    await createCarrierOrder(ask, { orderNumber: number });
    for (const twin of [
      number.toLowerCase(),
      ` ${number.replaceAll(" ", " \u00a0 ")} `,
      number.replace("A", "\uff21"),
    ]) {
      const again = await ask<Refusal>("POST", "/api/v1/orders", { json: carrierOrder({ orderNumber: twin }) });
      expect(refusal(again), twin).toEqual({ status: 409, code: "duplicate_order_number" });
    }
    await createCarrierOrder(apiClient(service, service.company().key), { orderNumber: number });
  });

  test.each([
    ["ZL/1/11/2026", "ZL/11/1/2026"],
    ["SIGN-1", "SIGN 1"],
    ["SIGN.2", "SIGN2"],
    ["SIGN 3 A", "SIGN 3A"],
  ])("%s differs from %s", async (one, other) => {
    const [first, second] = [
      await createCarrierOrder(ask, { orderNumber: one }),
      await createCarrierOrder(ask, { orderNumber: other }),
    ];
    expect(second.orderId).not.toBe(first.orderId);
    for (const { orderId, data } of [first, second]) {
      const { status, body } = await ask<{ orderId: string }>("POST", "/api/v1/orders/upsert", {
        json: carrierOrder({ orderNumber: data.orderNumber.toLowerCase() }),
      });
      expect({ status, orderId: body.orderId }).toEqual({ status: 200, orderId });
    }
  });

  test("can be changed to a free one, and the old one is released", async () => {
    const [first, second, third] = [freshNumber(), freshNumber(), freshNumber()];
    const { orderId } = await createCarrierOrder(ask, { orderNumber: first });
    await createCarrierOrder(ask, { orderNumber: second });
    const rename = (orderNumber: string) =>
      ask<Refusal & CarrierAnswer>("PUT", `/api/v1/orders/${orderId}`, { json: carrierOrder({ orderNumber }) });
    expect(refusal(await rename(second))).toEqual({ status: 409, code: "duplicate_order_number" });
    expect((await rename(third)).body.data.orderNumber).toBe(third);
    await createCarrierOrder(ask, { orderNumber: first });
    expect(refusal(await rename(first))).toEqual({ status: 409, code: "duplicate_order_number" });
  });

  test("of a cancelled order is released", async () => {
    const orderNumber = freshNumber();
    const { orderId } = await createCarrierOrder(ask, { orderNumber });
    expect((await ask("DELETE", `/api/v1/orders/${orderId}`)).status).toBe(204);
    const { orderId: next } = await createCarrierOrder(ask, { orderNumber });
    expect(next).not.toBe(orderId);
    expect((await ask("DELETE", `/api/v1/orders/${orderId}`)).status).toBe(204);
    const twin = await ask<Refusal>("POST", "/api/v1/orders", { json: carrierOrder({ orderNumber }) });
    expect(refusal(twin)).toEqual({ status: 409, code: "duplicate_order_number" });
  });
});

describe("PUT", () => {
  test("answers all seven keys, and replaces the data", async () => {
    const { orderId } = await createCarrierOrder(ask, { metadata: { internalId: "TMS-2" } });
    const before = await readOrder(ask, orderId);
    const sent = carrierOrder({
      orderNumber: before.data.orderNumber,
      requiredDocumentTypes: "cmr,invoice",
      internalComments: "Changed",
      details: { weight: 1000 },
      locations: [],
    });
    const { status, headers, body } = await ask<CarrierAnswer>("PUT", `/api/v1/orders/${orderId}`, { json: sent });
    expect({ status, etag: headers.get("etag") }).toEqual({ status: 200, etag: '"2"' });
    expect(Object.keys(body).sort()).toEqual([
      "data",
      "errorCode",
      "message",
      "metadata",
      "orderSubType",
      "sequenceId",
      "status",
    ]);
    expect(body).toMatchObject({
      message: "",
      errorCode: "",
      metadata: { internalId: "TMS-2" },
      data: { locations: [] },
    });
    expect(body.data.licensePlates).toBeUndefined();
    expect((await readOrder(ask, orderId)).carrierOrder).toMatchObject({
      internalComments: "Changed",
      missingDocumentTypes: ["cmr", "invoice"],
      shareUrl: before.carrierOrder.shareUrl,
    });
  });

  test("with the same data changes nothing, in any order of the metadata", async () => {
    const sent = carrierOrder();
    const first = { internalId: "TMS-3", driver: "Petr" };
    const { orderId } = await createCarrierOrder(ask, { ...sent, metadata: first });
    for (const metadata of [first, { driver: "Petr", internalId: "TMS-3" }]) {
      const { headers } = await ask("PUT", `/api/v1/orders/${orderId}`, { json: { ...sent, metadata } });
      expect(headers.get("etag")).toBe('"1"');
    }
  });

  test.each<[string, Record<string, unknown>, number]>([
    ["another VAT code", { name: "Vzorová Doprava s.r.o.", vatCode: "CZ99999999" }, 409],
    ["another name and no VAT code", { name: "Jiná Doprava" }, 409],
    ["the same VAT code and another name", { name: "Vzorová Doprava a.s.", vatCode: "cz 123 456 79" }, 200],
    ["the same name and no VAT code", { name: "Vzorová doprava s.r.o." }, 200],
  ])("with %s succeeds only if the carrier is the same", async (_, carrier, status) => {
    const sent = carrierOrder();
    const { orderId } = await createCarrierOrder(ask, sent);
    const answer = await ask<Refusal & CarrierAnswer>("PUT", `/api/v1/orders/${orderId}`, {
      json: { ...sent, carrier },
    });
    const errorCode = status === 409 ? "carrier_change_refused" : "";
    expect(answer).toMatchObject({ status, body: { errorCode } });
    expect((await readOrder(ask, orderId)).data.carrier["vatCode"]).toBe("CZ12345679");
  });

  test.each([
    ["the same words", "VZOROVA doprava, s. r. o.", "Vzorová Doprava s r o", 200],
    ["other words", "Vzorová Doprava s.r.o.", "Jiná Doprava s.r.o.", 409],
  ])("compares carriers without a VAT code by their names: %s", async (_, name, other, status) => {
    const sent = carrierOrder({ carrier: { name } });
    const { orderId } = await createCarrierOrder(ask, sent);
    const put = (carrier: object) =>
      ask<Refusal & CarrierAnswer>("PUT", `/api/v1/orders/${orderId}`, { json: { ...sent, carrier } });
    expect((await put({ name: other })).status).toBe(status);
    expect((await put({ name, vatCode: "CZ12345679" })).status).toBe(200);
    expect((await put({ name })).body.data.carrier["vatCode"]).toBe("CZ12345679");
  });

  test("with an old version in If-Match is refused", async () => {
    const sent = carrierOrder();
    const { orderId } = await createCarrierOrder(ask, sent);
    const put = (ifMatch: string, comment: string) =>
      ask("PUT", `/api/v1/orders/${orderId}`, {
        json: { ...sent, internalComments: comment },
        headers: { "if-match": ifMatch },
      });
    expect((await put('"1"', "a")).status).toBe(200);
    expect((await put('"1"', "b")).status).toBe(412);
  });

  test("is refused for an order that was extracted from a document", async () => {
    const { body } = await ask<{ orderId: string }>("POST", "/api/v1/orders", {
      json: { inputText: "Nothing to carry for carriers." },
      headers: { prefer: "wait=15" },
    });
    const path = `/api/v1/orders/${body.orderId}`;
    const answer = await ask<Refusal>("PUT", path, { json: carrierOrder() });
    expect(refusal(answer)).toEqual({ status: 409, code: "invalid_state" });
    expect(answer.body).toMatchObject({ currentStatus: "Failed", allowed: [] });
    await ask("DELETE", path);
    expect((await ask("PUT", path, { json: carrierOrder() })).status).toBe(404);
  });
});

describe("DELETE", () => {
  test("cancels the order, disables its link, and can be repeated", async () => {
    const sent = carrierOrder();
    const { orderId, shareUrl } = await createCarrierOrder(ask, sent);
    expect((await fetch(shareUrl)).status).toBe(200);
    expect((await ask("DELETE", `/api/v1/orders/${orderId}`)).status).toBe(204);
    expect((await ask("DELETE", `/api/v1/orders/${orderId}`)).status).toBe(204);
    const { body, headers } = await ask<CarrierAnswer>("GET", `/api/v1/orders/${orderId}`);
    expect(body.carrierOrder.status).toBe("Cancelled");
    expect(body.carrierOrder.shareUrl).toBeUndefined();
    expect(headers.get("etag")).toBe('"2"');
    expect((await fetch(shareUrl)).status).toBe(410);
    const put = await ask<Refusal>("PUT", `/api/v1/orders/${orderId}`, { json: sent });
    expect(put.body).toMatchObject({ errorCode: "invalid_state", currentStatus: "Cancelled", allowed: [] });
  });
});

test("webhooks receive all events in order, each with the order, and document events with the documentId", async () => {
  const firm = apiClient(service, service.company().key);
  const address = internet.address();
  const { status } = await firm("POST", "/api/v1/webhooks", {
    json: { eventType: "All", callbackUrl: address.url, payload: "Full" },
  });
  expect(status).toBe(201);
  const sent = carrierOrder({ metadata: { internalId: "TMS-9" } });
  const { orderId } = await createCarrierOrder(firm, sent);
  await firm("PUT", `/api/v1/orders/${orderId}`, { json: { ...sent, internalComments: "More" } });
  await firm("PUT", `/api/v1/orders/${orderId}`, { json: { ...sent, internalComments: "More" } });
  const { body: paper } = await uploadDocument(firm, orderId, "cmr", "The first");
  const judge = (json: unknown) =>
    firm("POST", `/api/v1/orders/${orderId}/documents/${paper.documentId}/status`, { json });
  await judge({ status: "Rejected", reason: "Too dark" });
  await judge({ status: "Accepted" });
  await firm("DELETE", `/api/v1/orders/${orderId}`);
  const heard = (await address.waitForRequests(9)).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  const about = { documentId: paper.documentId };
  expect(heard).toMatchObject([
    { eventType: "CarrierOrderCreated", status: "AwaitingDocuments", sequence: 1 },
    { eventType: "CarrierOrderUpdated", status: "AwaitingDocuments", sequence: 2 },
    { eventType: "OrderDocumentUploaded", status: "Uploaded", sequence: 3, ...about },
    { eventType: "CarrierOrderStatusChanged", status: "InReview", previousStatus: "AwaitingDocuments", sequence: 3 },
    { eventType: "OrderDocumentStatusChanged", status: "Rejected", previousStatus: "Uploaded", sequence: 4, ...about },
    { eventType: "CarrierOrderStatusChanged", status: "Rejected", previousStatus: "InReview", sequence: 4 },
    { eventType: "OrderDocumentStatusChanged", status: "Accepted", previousStatus: "Rejected", sequence: 5, ...about },
    { eventType: "CarrierOrderStatusChanged", status: "Completed", previousStatus: "Rejected", sequence: 5 },
    { eventType: "CarrierOrderCancelled", status: "Cancelled", previousStatus: "Completed", sequence: 6 },
  ]);
  for (const event of heard) {
    expect(event).toMatchObject({
      resource: { type: "Order", id: orderId, url: `/api/v1/orders/${orderId}` },
      metadata: { internalId: "TMS-9" },
      data: { orderId },
    });
    expect(JSON.stringify(event)).not.toContain("/share/");
  }
});
