import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form } from "../../support/api-client.ts";
import {
  endlessStreams,
  jpx,
  lockedScan,
  maskOf,
  pdfWith,
  scanPage,
  tenThousandPictures,
  textPage,
  whitePictures,
} from "../../support/files/hostile-pdfs.ts";
import {
  animatedWebp,
  endlessTags,
  inFourColours,
  onePixelOf,
  pagesOfOneStrip,
  rowsOfOneStrip,
  whitePng,
  withScans,
} from "../../support/files/hostile-pictures.ts";
import { orderLines } from "../../support/papers/order.ts";
import { page, paragraph } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import { emptyPng, png } from "../../support/pictures/png.ts";
import { tiff } from "../../support/pictures/tiff.ts";
import { openService, type TestService } from "../../support/service.ts";

vi.setConfig({ testTimeout: 180_000 });

let service: TestService;

beforeAll(async () => {
  service = await openService({ own: true });
});

afterAll(() => service.stop());

interface Quality {
  status: string;
  verdict?: string;
  reasons?: string[];
  errorCode?: string;
  message?: string;
  pages?: { verdict: string; reasons: string[]; width?: number }[];
}

/** Posts a file to the quality assessment and waits for the result. */
async function qualityOf(bytes: Uint8Array): Promise<Quality> {
  const ask = apiClient(service, service.company().key);
  const { status, body } = await ask<{ documentId: string }>("POST", "/api/v1/documents/quality", {
    body: form({ name: "paper", bytes }),
  });
  expect(status, JSON.stringify(body)).toBe(202);
  return vi.waitFor(
    async () => {
      const { body: quality } = await ask<Quality>("GET", `/api/v1/documents/quality/${body.documentId}`);
      expect(quality.status).not.toBe("Processing");
      return quality;
    },
    { timeout: 150_000, interval: 100 },
  );
}

const drawn = page(paragraph(20));
const dot = { width: 1, height: 1, gray: new Uint8Array(1) };
/** The picture `drawn` with 16 bits per pixel. */
const deep = { ...drawn, gray: Uint8Array.from({ length: drawn.gray.length * 2 }, (_, at) => drawn.gray[at >> 1]!) };
const damaged = { status: "Succeeded", verdict: "Unreadable", pages: [{ reasons: ["Damaged"] }] };
const good = { status: "Succeeded", verdict: "Good", pages: [{ reasons: [] }] };

type Made = Uint8Array | Promise<Uint8Array>;

describe("a malformed picture gets a clear verdict", () => {
  test.for<[string, () => Made, object]>([
    ["a PNG of 12,000 by 9,000", () => whitePng(12_000, 9_000), { verdict: "Unreadable", pages: [{ width: 12_000 }] }],
    ["a blank PNG of 10,900 by 10,900", () => emptyPng(10_900, 10_900), damaged],
    ["a PNG of one pixel", () => png(dot), { verdict: "Unreadable", pages: [{ width: 1 }] }],
    [
      "a JPEG of one pixel",
      async () => onePixelOf(await jpeg(drawn)),
      { verdict: "Unreadable", pages: [{ width: 1 }] },
    ],
    ["a TIFF of one pixel", () => tiff([{ drawing: dot }]), { verdict: "Unreadable", pages: [{ width: 1 }] }],
    ["a truncated JPEG", async () => (await jpeg(drawn)).subarray(0, 30_000), damaged],
    ["a truncated PNG", () => png(drawn).subarray(0, 3000), damaged],
    ["a grey JPEG that declares four colours", async () => inFourColours(await jpeg(drawn)), damaged],
    ["a JPEG of thousands of scans", async () => withScans(await jpeg(drawn), 5000), damaged],
    ["a PNG of 16 bits", () => png(drawn, { bits: 16, color: 2 }), good],
    ["a TIFF of 16 bits", () => tiff([{ drawing: deep, packing: "deflate" }], { 258: 16 }), good],
    ["an animated WebP", animatedWebp, damaged],
    ["a TIFF of more pages than the limit", () => pagesOfOneStrip(300, 80, 80), { errorCode: "too_many_pages" }],
    ["a TIFF of endless tags", endlessTags, { status: "Succeeded", verdict: "Unreadable" }],
    ["a TIFF whose rows are all packed in the same bytes", rowsOfOneStrip, damaged],
  ])("%s", async ([, make, expected]) => expect(await qualityOf(await make())).toMatchObject(expected));

  test.for<[string, () => Uint8Array, string]>([
    ["a PNG of 12,000 by 12,000", () => whitePng(12_000, 12_000), "file_unreadable"],
    ["a TIFF of 60,000 by 60,000", () => tiff([{ drawing: dot }], { 256: 60_000, 257: 60_000 }), "file_unreadable"],
    ["a GIF", () => Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1"), "unsupported_file_type"],
  ])("%s is refused", async ([, make, errorCode]) => {
    const ask = apiClient(service, service.company().key);
    const { status, body } = await ask("POST", "/api/v1/documents/quality", {
      body: form({ name: "paper", bytes: make() }),
    });
    expect([status, body["errorCode"]]).toEqual([400, errorCode]);
  });

  test("a TIFF whose pages take too long is accepted without a verdict", async () => {
    const ask = apiClient(service, service.company().key);
    const { body: order } = await ask<{ shareUrl: string }>("POST", "/api/v1/orders/upsert", {
      json: { orderNumber: randomUUID(), carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" } },
    });
    const sent = await service.fetch(new URL(order.shareUrl).pathname, {
      method: "POST",
      body: form({ name: "fax.tif", bytes: pagesOfOneStrip(200, 8000, 6000) }, { documentType: "photo" }),
      headers: { accept: "application/json" },
    });
    const { documents } = await sent.json<{ documents: { quality?: Quality }[] }>();
    expect(documents.map(({ quality }) => quality)).toEqual([undefined]);
  });
});

describe("a malformed PDF gets a clear verdict", () => {
  const scan = jpeg(drawn);

  test.for<[string, () => Made, object]>([
    ["whose scan is locked, with the older encryption", async () => lockedScan(await scan, "1.4"), good],
    ["whose scan is locked, with the newer encryption", async () => lockedScan(await scan, "1.7ext3"), good],
    ["of ten thousand pictures", () => pdfWith([tenThousandPictures()]), { status: "Succeeded" }],
    ["of pictures on top of each other", () => pdfWith([whitePictures(20)]), { pages: [{ reasons: ["Blank"] }] }],
    ["whose scan is painted as a mask", () => pdfWith([scanPage(maskOf(drawn))]), good],
    [
      "that declares its scan smaller than it is",
      () => pdfWith([scanPage(jpx(12_000, 12_000, { width: 500, height: 500 }))]),
      damaged,
    ],
    [
      "whose scan is larger than declared, and can be decompressed",
      () => pdfWith([scanPage(jpx(2000, 1500, { width: 500, height: 500 }))]),
      { verdict: "Unreadable", pages: [{ reasons: ["Blank"], width: 2000 }] },
    ],
    ["with endless streams", endlessStreams, { status: "Succeeded" }],
  ])("%s", async ([, make, expected]) => expect(await qualityOf(await make())).toMatchObject(expected));

  test.for([
    ["JPXDecode", "/Width 1240 /Height 1754"],
    ["DCTDecode", "/Width 1240 /Height 1754"],
    ["JBIG2Decode", "/Width 70000 /Height 70000"],
  ] as const)("a damaged %s page does not affect the other pages", async ([packing, size]) => {
    const entries = `${size} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /${packing}`;
    const cut = scanPage({ entries, bytes: Buffer.alloc(3000, "cut off") });
    const lines = orderLines({ number: "OR-2026-0081" });
    const bytes = pdfWith([textPage(lines), cut, scanPage(jpx(900, 1200))]);
    expect((await qualityOf(bytes)).pages).toMatchObject([
      { verdict: "Good" },
      { verdict: "Unreadable", reasons: ["Damaged"] },
      { reasons: ["Blank"] },
    ]);
    const ask = apiClient(service, service.company().key);
    const { body } = await ask<{ orders: object[] }>("POST", "/api/v1/orders/file", {
      body: form({ name: "order.pdf", bytes }),
      headers: { prefer: "wait=25" },
    });
    expect(body.orders).toMatchObject([{ data: { orderNumber: "OR-2026-0081" } }]);
  });

  test("an expiry date in a table is not mistaken for a missing page", async () => {
    const lines = [...orderLines({ number: "OR-2026-0082" })];
    const table = ["BT /F 10 Tf 50 400 Td (Card) Tj ET", "BT /F 10 Tf 300 400 Td (10/26) Tj ET"].join("\n");
    const { content } = textPage([...lines]);
    const footer = "BT /F 10 Tf 50 40 Td (Vzorova Doprava s.r.o.) Tj ET";
    const quality = await qualityOf(pdfWith([{ content: [content, table, footer].join("\n") }]));
    expect(quality).toMatchObject({ verdict: "Good", reasons: [] });
  });
});
