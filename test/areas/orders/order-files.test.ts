import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { orderLines, orderText } from "../../support/papers/order.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { postFile, type Envelope, type Received } from "../../support/orders.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe("the file of an order", () => {
  const text = orderText("OR-2026-0040");
  const digest = createHash("sha256").update(text).digest("hex");
  let orderId: string;
  let ask: ApiClient;

  beforeAll(async () => {
    ask = anyone();
    const json = { file: Buffer.from(text).toString("base64"), fileName: 'C:\\Zlecenie "łódź".txt' };
    orderId = (await ask<Received>("POST", "/api/v1/orders", { json })).body.orderId;
  });

  const get = (headers: Record<string, string> = {}, method = "GET") =>
    ask<string>(method, `/api/v1/orders/${orderId}/file`, { headers });

  test("is downloaded byte for byte, with headers that make it safe to open", async () => {
    const { status, body, headers } = await get();
    expect({ status, body }).toEqual({ status: 200, body: text });
    expect(headers.get("content-type")).toBe("text/plain");
    expect(headers.get("etag")).toBe(`"${digest}"`);
    expect(headers.get("accept-ranges")).toBe("bytes");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-disposition")).toMatch(/filename\*=UTF-8''Zlecenie%20%22%C5%82%C3%B3d%C5%BA%22\.txt$/);
  });

  test.each([
    ["bytes=0-8", 206, text.slice(0, 9), "bytes 0-8/"],
    ["bytes=10-", 206, text.slice(10), "bytes 10-"],
    ["bytes=-4", 206, text.slice(-4), "bytes "],
    ["bytes=5-99999999", 206, text.slice(5), "bytes 5-"],
  ])("is served in the range %s", async (range, status, part, told) => {
    const reply = await get({ range });
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body: part });
    expect(reply.headers.get("content-range")).toContain(told);
  });

  test.each(["bytes=999999-", "bytes=-0", "bytes=9-3"])("is refused with 416 for the range %s", async (range) => {
    const reply = await get({ range });
    expect(reply.status).toBe(416);
    expect(reply.headers.get("content-range")).toBe(`bytes */${Buffer.byteLength(text)}`);
  });

  test("is not sent if its ETag matches, and HEAD is supported", async () => {
    expect((await get({ "if-none-match": `"${digest}"` })).status).toBe(304);
    const head = await get({}, "HEAD");
    expect({ status: head.status, body: head.body, etag: head.headers.get("etag") }).toEqual({
      status: 200,
      body: "",
      etag: `"${digest}"`,
    });
  });

  test("that contains HTML is sent as a download only", async () => {
    const page = `<!doctype html><html><body><script>alert(1)</script><p>${orderText("OR-2026-0041")}</p></body></html>`;
    const { body } = await postFile(ask, "order.html", page);
    const { headers } = await ask("GET", `/api/v1/orders/${body.orderId}/file`);
    expect(headers.get("content-disposition")).toMatch(/^attachment/);
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });
});

test("the evidence has the position of each value", async () => {
  const ask = anyone();
  const { orderId } = (await postFile(ask, "order.pdf", pdfPages([orderLines({ number: "OR-2026-0050" })]))).body;
  const { status, body } = await ask<{
    fields: Record<
      string,
      { value: unknown; confidence: number; source: string; text?: string; page?: number; box?: number[] }
    >;
    pages: number;
    engine: string;
    checks: unknown[];
    milliseconds: number;
  }>("GET", `/api/v1/orders/${orderId}/extraction`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ orderId, sequenceId: 0, pages: 1, engine: expect.any(String) as string });
  expect(body.fields["/orderNumber"]).toMatchObject({ value: "OR-2026-0050", source: "Document", page: 1 });
  const { data } = (await ask<Envelope>("GET", `/api/v1/orders/${orderId}`)).body;
  for (const [pointer, { value, confidence, box }] of Object.entries(body.fields)) {
    expect(at(data, pointer), pointer).toEqual(value);
    expect(confidence, pointer).toBeGreaterThanOrEqual(0);
    expect(confidence, pointer).toBeLessThanOrEqual(1);
    for (const edge of box ?? []) expect(edge >= 0 && edge <= 1, `${pointer} ${edge}`).toBe(true);
  }
  expect((await ask("GET", `/api/v1/orders/${orderId}/extraction?sequenceId=1`)).status).toBe(404);
});

const at = (data: unknown, pointer: string) =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], data);
