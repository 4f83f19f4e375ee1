import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Budget } from "../../../src/extraction/problem.ts";
import { MeasuringOcr } from "../../../src/extraction/quality/measuring-ocr.ts";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { page, paragraph } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import { tiff } from "../../support/pictures/tiff.ts";
import { orderLines } from "../../support/papers/order.ts";
import type { Envelope, Received } from "../../support/orders.ts";
import { ocrPlaying, type OcrFailure } from "../../support/scans/simulated-ocr.ts";
import { openService, type TestService } from "../../support/service.ts";

// The queue retries a job after some seconds.
vi.setConfig({ testTimeout: 120_000 });

const manners: OcrFailure[] = ["Status", "Throw", "Nonsense", "Status"];
let service: TestService;

beforeAll(async () => {
  const lines = orderLines({ number: "OR-2026-010{looks}" });
  service = await openService({ beside: { OCR: ocrPlaying({ lines, faults: manners }) } });
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

async function ordersIn(ask: ApiClient, name: string, bytes: Uint8Array): Promise<Envelope[]> {
  const { body } = await ask<Received>("POST", "/api/v1/orders/file", { body: form({ name, bytes }) });
  const read = () => ask<Envelope[]>("GET", `/api/v2/orders/${body.orderId}`);
  await vi.waitFor(async () => expect((await read()).status).toBe(200), { timeout: 100_000, interval: 200 });
  return (await read()).body;
}

/** Different pictures, one for each kind of failure. */
const pictures = manners.map((_, index) => page(paragraph(8 + index)));

describe("a failure of the OCR Worker does not fail the file", () => {
  test.each(manners.slice(0, 3).map((manner, index) => [manner, index] as const))(
    "%s: the job is retried",
    async (_, index) => {
      const orders = await ordersIn(anyone(), "scan.jpg", await jpeg(pictures[index]!));
      expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0101" } }]);
    },
  );

  test("the quality check of a scan is retried too", async () => {
    const ask = anyone();
    const { body } = await ask<{ documentId: string }>("POST", "/api/v1/documents/quality", {
      body: form({ name: "scan.jpg", bytes: await jpeg(pictures[3]!) }),
    });
    const answered = () => ask<{ status: string }>("GET", `/api/v1/documents/quality/${body.documentId}`);
    await vi.waitFor(async () => expect((await answered()).body.status).not.toBe("Processing"), { timeout: 100_000 });
    expect((await answered()).body).toMatchObject({ status: "Succeeded", found: { type: "Orders" } });
  });
});

test("a mail is classified although the OCR Worker does not see its pictures", async () => {
  const file = Buffer.from(await jpeg(page(paragraph(20)))).toString("base64");
  const { status, body } = await anyone()("POST", "/api/v1/classifications/email", {
    json: {
      subject: "Transport order",
      text: "Please find our order attached.",
      attachments: [{ fileName: "a.jpg", file }],
    },
  });
  expect([status, body]).toMatchObject([200, { attachments: [{ fileName: "a.jpg" }] }]);
});

describe("a recognised page", () => {
  test("is not recognised again if the reading fails on a later page", async () => {
    const lines = orderLines({ number: "OR-2026-020{looks}" });
    const other = await openService({ beside: { OCR: ocrPlaying({ lines, losesPage: 1 }) } });
    try {
      const drawings = [page(paragraph(30)), page(paragraph(31))].map((drawing) => ({ drawing }));
      const orders = await ordersIn(apiClient(other, other.company().key), "fax.tif", tiff(drawings));
      expect(orders[0]).toMatchObject({ data: { orderNumber: "OR-2026-0201" } });
    } finally {
      await other.stop();
    }
  });
});

test("a file of many scans has more time than a single page", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  try {
    const budget = new Budget(0);
    const ocr = new MeasuringOcr({ budget });
    vi.setSystemTime(1_000);
    expect(() => budget.check()).toThrow("too long");
    await ocr.read({ bytes: await jpeg(page(paragraph(8))), page: 0 });
    budget.check();
  } finally {
    vi.useRealTimers();
  }
});
