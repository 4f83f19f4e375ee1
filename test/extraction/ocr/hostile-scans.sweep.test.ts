import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import {
  bombs,
  endlessPainting,
  hugeFlatePictures,
  paintedWith,
  pdfWith,
  tenThousandPictures,
} from "../../support/files/hostile-pdfs.ts";
import {
  animatedWebp,
  endlessTags,
  inFourColours,
  onePixelOf,
  pagesOfOneStrip,
  rowsOfOneStrip,
  whitePng,
} from "../../support/files/hostile-pictures.ts";
import { orderText } from "../../support/papers/order.ts";
import { page, paragraph } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import { png } from "../../support/pictures/png.ts";
import { tiff } from "../../support/pictures/tiff.ts";
import { splitCollection } from "../../support/document-collections.ts";
import type { Envelope, Received } from "../../support/orders.ts";
import { scanOf } from "../../support/scans/scan.ts";
import { openService, type TestService } from "../../support/service.ts";

vi.setConfig({ testTimeout: 240_000 });

let service: TestService;

beforeAll(async () => {
  service = await openService({ ocr: true });
});

afterAll(() => service.stop());

const patiently = { timeout: 150_000, interval: 200 };

/** Posts a file as an order and waits until it is extracted. */
async function asOrder(ask: ApiClient, bytes: Uint8Array): Promise<Envelope[]> {
  const { status, body } = await ask<Received>("POST", "/api/v1/orders/file", { body: form({ name: "paper", bytes }) });
  expect([200, 202], JSON.stringify(body)).toContain(status);
  const read = () => ask<Envelope[]>("GET", `/api/v2/orders/${body.orderId}`);
  await vi.waitFor(async () => expect((await read()).status).toBe(200), patiently);
  return (await read()).body;
}

/** Posts a file as a document of unknown kind and waits until it is extracted. */
async function asDocument(ask: ApiClient, bytes: Uint8Array): Promise<{ status: string; errorCode?: string }> {
  const { status, body } = await ask<{ documentId: string }>("POST", "/api/v1/documents", {
    body: form({ name: "paper", bytes }),
  });
  expect([200, 202], JSON.stringify(body)).toContain(status);
  const read = () => ask<{ status: string; errorCode?: string }>("GET", `/api/v1/documents/${body.documentId}`);
  await vi.waitFor(async () => expect((await read()).body.status).not.toBe("Processing"), patiently);
  return (await read()).body;
}

const drawn = page(paragraph(6));
const dot = { width: 1, height: 1, gray: new Uint8Array(1) };
const deep = { ...drawn, gray: Uint8Array.from({ length: drawn.gray.length * 2 }, (_, at) => drawn.gray[at >> 1]!) };

type Made = Uint8Array | Promise<Uint8Array>;

describe("a malformed scan is read to its end and reports why it contains nothing", () => {
  test.for<[string, () => Made, string]>([
    ["a PNG of 12,000 by 3,000", () => whitePng(12_000, 3_000), "no_text_found"],
    ["a JPEG of one pixel", async () => onePixelOf(await jpeg(drawn)), "no_text_found"],
    ["a TIFF of one pixel", () => tiff([{ drawing: dot }]), "no_text_found"],
    ["a truncated JPEG", async () => (await jpeg(drawn)).subarray(0, 20_000), "no_text_found"],
    ["a grey JPEG that declares four colours", async () => inFourColours(await jpeg(drawn)), "no_text_found"],
    ["a PNG of 16 bits", () => png(drawn, { bits: 16, color: 2 }), "input_not_freight"],
    ["a TIFF of 16 bits", () => tiff([{ drawing: deep, packing: "deflate" }], { 258: 16 }), "input_not_freight"],
    ["an animated WebP", animatedWebp, "no_text_found"],
    ["a TIFF of more pages than the limit", () => pagesOfOneStrip(300, 80, 80), "too_many_pages"],
    ["a TIFF of endless tags", endlessTags, "no_text_found"],
    ["a TIFF whose rows are all packed in the same bytes", rowsOfOneStrip, "no_text_found"],
    ["a PDF of ten thousand pictures", () => pdfWith([tenThousandPictures()]), "no_text_found"],
    ["a PDF with endless page content", endlessPainting, "file_corrupted"],
    ...Object.entries(bombs).map(
      ([packing, make]) =>
        [`a PDF whose painting is packed by ${packing}`, () => paintedWith(make()), "file_corrupted"] as [
          string,
          () => Made,
          string,
        ],
    ),
  ])("%s", async ([, make, errorCode]) => {
    const bytes = await make();
    const ask = apiClient(service, service.company().key);
    const [orders, document, { status, documents }] = await Promise.all([
      asOrder(ask, bytes),
      asDocument(ask, bytes),
      splitCollection(ask, [{ name: "paper", bytes }]),
    ]);
    expect(orders).toMatchObject([{ status: "Failed", errorCode }]);
    expect(document).toMatchObject({ status: "Failed" });
    expect(["Succeeded", "Failed"]).toContain(status);
    expect(documents.length).toBeLessThan(2);
  });
});

test("a scan drawn over other pictures, of fourteen million pixels, is read", async () => {
  const scan = await scanOf(orderText("OR-2026-0091"));
  const bytes = pdfWith([hugeFlatePictures(3, scan)]);
  const orders = await asOrder(apiClient(service, service.company().key), bytes);
  expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0091" } }]);
});
