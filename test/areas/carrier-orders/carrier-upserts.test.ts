import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { carrierOrder, uploadDocument, readOrder, refusal, type Refusal } from "../../support/carriers.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

describe("upsert", () => {
  const upsert = (json: unknown, firm = ask) =>
    firm<{ orderId: string; result: string; shareUrl: string }>("POST", "/api/v1/orders/upsert", { json });

  test("creates and replaces an order, and leaves an order with the same data unchanged", async () => {
    const sent = carrierOrder();
    const made = await upsert(sent);
    expect(made).toMatchObject({ status: 200, body: { result: "Created" } });
    expect((await upsert(sent)).body).toEqual({ ...made.body, result: "Unchanged" });
    const more = await upsert({ ...sent, details: { weight: 5 } });
    expect(more.body).toEqual({ ...made.body, result: "Updated" });
    expect(more.headers.get("etag")).toBe('"2"');
  });

  test("with another VAT code creates a new link, and disables the previous one at once", async () => {
    const sent = carrierOrder();
    const made = await upsert(sent);
    await uploadDocument(ask, made.body.orderId, "cmr");
    const carrier = { ...sent.carrier, vatCode: "CZ87654321" };
    const next = await upsert({ ...sent, carrier });
    expect(next.body).toMatchObject({ orderId: made.body.orderId, result: "Updated" });
    expect(next.body.shareUrl).not.toBe(made.body.shareUrl);
    expect((await fetch(made.body.shareUrl)).status).toBe(404);
    expect((await fetch(next.body.shareUrl)).status).toBe(200);
    expect((await readOrder(ask, made.body.orderId)).carrierOrder).toMatchObject({
      status: "AwaitingDocuments",
      shareUrl: next.body.shareUrl,
      documents: [{ status: "Superseded" }],
    });
  });

  test("of a hundred items answers each, and refuses repeated numbers before it writes any", async () => {
    const items = Array.from({ length: 100 }, () => carrierOrder());
    const many = await ask<{ items: Record<string, unknown>[] }>("POST", "/api/v1/orders/upsert", { json: { items } });
    expect(many.status).toBe(200);
    expect(many.body.items.map(({ orderNumber, result }) => [orderNumber, result])).toEqual(
      items.map(({ orderNumber }) => [orderNumber, "Created"]),
    );
    const twins = [carrierOrder(), items[0]!, items[0]!, carrierOrder({ carrier: {} })];
    const bad = await ask<Refusal>("POST", "/api/v1/orders/upsert", { json: { items: twins } });
    expect(refusal(bad)).toMatchObject({ status: 400, pointers: ["/items/3/carrier/name"] });
    const onlyTwins = await ask<Refusal>("POST", "/api/v1/orders/upsert", { json: { items: twins.slice(0, 3) } });
    expect(refusal(onlyTwins)).toMatchObject({ status: 400, pointers: ["/items/2/orderNumber"] });
    expect((await upsert(twins[0])).body.result).toBe("Created");
    const tooMany = await ask<Refusal>("POST", "/api/v1/orders/upsert", {
      json: { items: [...items, carrierOrder()] },
    });
    expect(refusal(tooMany)).toMatchObject({ status: 400, pointers: ["/items"] });
  });

  test("with If-Match needs one existing order", async () => {
    const sent = carrierOrder();
    const given = (json: unknown, ifMatch = '"1"') =>
      ask<Refusal>("POST", "/api/v1/orders/upsert", { json, headers: { "if-match": ifMatch } });
    for (const version of ['"1"', "*"])
      expect(refusal(await given(sent, version))).toEqual({ status: 412, code: "version_mismatch" });
    expect(refusal(await given({ items: [sent] }))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["/If-Match"],
    });
    expect((await upsert(sent)).body.result).toBe("Created");
    expect((await given({ ...sent, internalComments: "Seen" })).status).toBe(200);
    expect((await given({ ...sent, internalComments: "Not seen" })).status).toBe(412);
  });

  test("in fifty concurrent requests with one number creates one order", async () => {
    const firm = apiClient(service, service.company().key);
    const sent = carrierOrder();
    const answers = await Promise.all(Array.from({ length: 50 }, () => upsert(sent, firm)));
    expect(new Set(answers.map(({ body }) => body.orderId)).size).toBe(1);
    expect(answers.filter(({ body }) => body.result === "Created")).toHaveLength(1);
    expect(answers.filter(({ body }) => body.result === "Unchanged")).toHaveLength(49);
  });
});
