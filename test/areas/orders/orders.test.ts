import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient, type Reply } from "../../support/api-client.ts";
import { plainMail } from "../../support/papers/mail.ts";
import { docx, xlsx } from "../../support/papers/office.ts";
import { orderLines, orderText, usualLoading } from "../../support/papers/order.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import {
  greeting,
  waitUntilListed,
  postFile,
  postText,
  waiting,
  type Envelope,
  type Received,
  type Row,
} from "../../support/orders.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

/**
 * Polls until the order is extracted. Expects each response before that to be a 404 `not_processed_yet` with
 * Retry-After.
 */
async function untilRead(ask: ApiClient, orderId: string): Promise<Reply<Envelope[]>> {
  return vi.waitUntil(
    async () => {
      const reply = await ask<Envelope[]>("GET", `/api/v2/orders/${orderId}`);
      if (reply.status !== 404) return reply;
      expect(reply.body).toMatchObject({ errorCode: "not_processed_yet" });
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
      return undefined;
    },
    { timeout: 50_000, interval: 20 },
  );
}

describe("a file", () => {
  test("is accepted at once with the Location of the order, and extracted in the background", async () => {
    const ask = anyone();
    const taken = await ask<Received>("POST", "/api/v1/orders/file", {
      body: form({ name: "order.pdf", bytes: pdfPages([orderLines({ number: "OR-2026-0001" })]) }, { Type: "Pdf" }),
    });
    const { orderId } = taken.body;
    expect(taken.status).toBe(202);
    expect(taken.body).toEqual({ orderId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(taken.headers.get("location")).toBe(`/api/v2/orders/${orderId}`);

    const { status, body } = await untilRead(ask, orderId);
    expect(status).toBe(200);
    expect(body.map(({ sequenceId, data }) => [sequenceId, data?.orderNumber])).toEqual([[0, "OR-2026-0001"]]);
    expect((await ask("GET", `/api/v1/orders/${orderId}`)).body).toEqual(body[0]);
  });

  test.each([
    ["pdf", () => pdfPages([orderLines({ number: "OR-2026-0002" })])],
    ["docx", () => docx(orderLines({ number: "OR-2026-0003" }))],
    ["xlsx", () => xlsx(orderLines({ number: "OR-2026-0004" }).map((line) => [line]))],
    ["eml", () => plainMail("Transport order", orderText("OR-2026-0005"))],
    ["txt", () => orderText("OR-2026-0006")],
  ])("is extracted from a form and from raw bytes, despite the wrong file name: %s", async (_, make) => {
    const ask = anyone();
    const bytes = make();
    const sent = await postFile(ask, "order.bin", bytes);
    expect(sent.status).toBe(200);
    expect(sent.body.orders?.[0]?.data?.orderNumber).toMatch(/^OR-2026-000\d$/);

    const raw = await anyone()<Received>("POST", "/api/v1/orders/file", {
      body: bytes,
      headers: { ...waiting, "content-type": "application/octet-stream" },
    });
    expect(raw.body.orders).toEqual(sent.body.orders);
  });

  test("in base64 or as text answers 200 with the id", async () => {
    const ask = anyone();
    const inline = await ask<Received>("POST", "/api/v1/orders", {
      json: { file: Buffer.from(orderText("OR-2026-0010")).toString("base64"), fileName: "a.txt", type: "pdf" },
    });
    expect({ status: inline.status, keys: Object.keys(inline.body) }).toEqual({ status: 200, keys: ["orderId"] });
    expect(inline.headers.get("location")).toBe(`/api/v2/orders/${inline.body.orderId}`);
    expect((await untilRead(ask, inline.body.orderId)).body[0]?.data?.orderNumber).toBe("OR-2026-0010");

    const text = await postText(ask, orderText("OR-2026-0011"));
    expect(text.body.orders?.[0]?.data?.orderNumber).toBe("OR-2026-0011");
  });

  test("is answered as soon as it is extracted, before the requested wait ends", async () => {
    const began = performance.now();
    const reply = await anyone()<Received>("POST", "/api/v1/orders", {
      json: { inputText: greeting },
      headers: { prefer: "respond-async, wait=30" },
    });
    expect(reply.body).toMatchObject({ status: "Failed", orders: [{ errorCode: "input_not_freight" }] });
    expect(performance.now() - began).toBeLessThan(25_000);
  });

  test("can be waited for during the extraction", async () => {
    const ask = anyone();
    const { body } = await ask<Received>("POST", "/api/v1/orders", { json: { inputText: orderText("OR-2026-0012") } });
    const read = await ask<Envelope[]>("GET", `/api/v2/orders/${body.orderId}`, { headers: waiting });
    expect(read.status).toBe(200);
    expect(read.body[0]?.data?.orderNumber).toBe("OR-2026-0012");
  });
});

describe("the envelope", () => {
  const kinds: [string, string, string[]][] = [
    ["Succeeded", orderText("OR-2026-0020"), ["data", "orderSubType", "sequenceId", "status"]],
    [
      "Partial",
      orderText("OR-2026-0021", { unloading: usualLoading }),
      ["data", "message", "orderSubType", "sequenceId", "status"],
    ],
    ["Failed", greeting, ["errorCode", "message", "sequenceId", "status"]],
  ];

  test.each(kinds)("has exactly the keys of its status: %s", async (status, text, keys) => {
    const plain = anyone();
    const { orderId } = (await postText(plain, text)).body;
    const { body } = await plain<Envelope>("GET", `/api/v1/orders/${orderId}`);
    expect(body.status).toBe(status);
    expect(Object.keys(body).sort()).toEqual(keys);
    expect((await plain("GET", `/api/v2/orders/${orderId}`)).body).toEqual([body]);

    const withMetadata = anyone();
    const { orderId: other } = (await postText(withMetadata, text, { internalId: "T-1" })).body;
    const { body: told } = await withMetadata<Envelope>("GET", `/api/v1/orders/${other}`);
    expect(Object.keys(told).sort()).toEqual([...keys, "metadata"].sort());
    expect(told.metadata).toEqual({ internalId: "T-1" });
  });

  test.each([
    [
      "the same place twice",
      { unloading: usualLoading },
      "Order validation failed. Reason: Loading and Unloading locations match based on country code and postal code.",
    ],
    [
      "a date of another year",
      { date: `18.11.${new Date().getFullYear() - 2}` },
      "Order validation failed. Reason: Order date must be in the current year.",
    ],
  ])("has the exact message for %s", async (_, said, message) => {
    const { body } = await postText(anyone(), orderText("OR-2026-0022", said));
    expect(body.orders).toMatchObject([{ status: "Partial", message }]);
  });
});

describe("metadata", () => {
  const pairs = { internalId: "TMS-4711", OriginalSender: "dispatch@beispiel.de", constructor: "as good a key as any" };
  const brackets = Object.fromEntries(Object.entries(pairs).map(([name, value]) => [`metadata[${name}]`, value]));

  test.each([
    ["parts in brackets", brackets],
    ["one JSON part", { metadata: JSON.stringify(pairs) }],
    ["brackets and JSON", { metadata: JSON.stringify({ internalId: "TMS-4711" }), ...brackets }],
  ])("is returned when sent as %s", async (_, fields) => {
    const ask = anyone();
    const { body } = await postFile(ask, "order.txt", "Nothing to carry.", fields);
    expect(body.orders?.[0]?.metadata).toEqual(pairs);
  });

  test("is returned when sent as a JSON part with a media type, as browsers do", async () => {
    const body = form({ name: "order.txt", bytes: "Nothing to carry." });
    body.append("metadata", new Blob([JSON.stringify(pairs)], { type: "application/json" }));
    const reply = await anyone()<Received>("POST", "/api/v1/orders/file", { body, headers: waiting });
    expect(reply.body.orders?.[0]?.metadata).toEqual(pairs);
  });

  test("is returned when sent as JSON, and finds the order", async () => {
    const ask = anyone();
    const { orderId } = (await postText(ask, "Nothing to carry.", pairs)).body;
    await waitUntilListed(ask, 1);
    const found = await ask<{ items: Row[] }>("GET", "/api/v1/orders?internalId=TMS-4711");
    expect(found.body.items).toMatchObject([{ orderId, metadata: pairs }]);
    expect((await ask("GET", "/api/v1/orders?internalId=TMS-471")).body).toEqual({ items: [] });
  });
});

describe("the same bytes", () => {
  test("are the same order, however they are sent", async () => {
    const ask = anyone();
    const text = orderText("OR-2026-0030");
    const { orderId } = (await postText(ask, text)).body;
    const again = [
      await postText(ask, text),
      await postFile(ask, "another-name.txt", text, { "metadata[a]": "b" }),
      await ask<Received>("POST", "/api/v1/orders", {
        json: { file: Buffer.from(text).toString("base64") },
        headers: waiting,
      }),
    ];
    for (const { body } of again) expect(body).toMatchObject({ orderId, duplicateOf: orderId });
    await waitUntilListed(ask, 1);
  });

  test("posted concurrently are one order", async () => {
    const ask = anyone();
    const replies = await Promise.all(Array.from({ length: 8 }, () => postText(ask, orderText("OR-2026-0031"))));
    expect(new Set(replies.map(({ body }) => body.orderId)).size).toBe(1);
    expect(replies.filter(({ body }) => body.duplicateOf === undefined)).toHaveLength(1);
  });

  test("of two companies are two orders", async () => {
    const [ours, theirs] = [anyone(), anyone()];
    const text = orderText("OR-2026-0032");
    const [a, b] = [(await postText(ours, text)).body, (await postText(theirs, text)).body];
    expect(a.orderId).not.toBe(b.orderId);
    expect(b.duplicateOf).toBeUndefined();
    for (const path of [`/api/v1/orders/${a.orderId}`, `/api/v2/orders/${a.orderId}`]) {
      for (const part of path.includes("v1") ? ["", "/file", "/extraction"] : [""]) {
        expect((await theirs("GET", path + part)).body, path + part).toMatchObject({
          status: 404,
          errorCode: "not_found",
        });
      }
    }
  });

  test("with the same Idempotency-Key get the first answer; other bytes are refused", async () => {
    const ask = anyone();
    const post = (inputText: string) =>
      ask<Received>("POST", "/api/v1/orders", { json: { inputText }, headers: { "idempotency-key": "order-1" } });
    const first = await post("Nothing to carry today.");
    const second = await post("Nothing to carry today.");
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await post("Nothing to carry tomorrow.")).toMatchObject({
      status: 422,
      body: { errorCode: "idempotency_key_reused" },
    });
    const two = await Promise.all(
      ["Nothing.", "Nothing."].map((inputText) =>
        ask<Received>("POST", "/api/v1/orders", { json: { inputText }, headers: { "idempotency-key": "order-2" } }),
      ),
    );
    expect(two[0]!.body).toEqual(two[1]!.body);
  });
});
