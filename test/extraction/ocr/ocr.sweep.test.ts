import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Raster } from "../../../src/extraction/images/raster.ts";
import { deskew, rotate } from "../../../src/extraction/ocr/transform.ts";
import { toPng } from "../../../training/scans/png.ts";
import { apiClient } from "../../support/api-client.ts";
import { orderText } from "../../support/papers/order.ts";
import { cmykJpeg, jpeg } from "../../support/pictures/jpeg.ts";
import { faxOf, jbig2Of } from "../../support/scans/fax.ts";
import { pdfAround, scanOf } from "../../support/scans/scan.ts";
import { openService, type TestService } from "../../support/service.ts";
import { leipzigToWroclaw, readAs } from "./scanned-orders.ts";

// OCR of a page takes two seconds on a quiet machine.
vi.setConfig({ testTimeout: 180_000 });

let service: TestService;

beforeAll(async () => {
  service = await openService({ ocr: true });
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe("a scan of an order is read", () => {
  const order = (number: string) => scanOf(orderText(number));

  test("from a photograph taken with the camera on its side", async () => {
    const { orders } = await readAs(anyone(), "photo.jpg", await jpeg(rotate(await order("OR-2026-0072"), 3), 6));
    expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0072", ...leipzigToWroclaw } }]);
  });

  test("from a JPEG in CMYK", async () => {
    const { orders } = await readAs(anyone(), "scan.jpg", await cmykJpeg(await order("OR-2026-0077"), true));
    expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0077", ...leipzigToWroclaw } }]);
  });

  test.each([-0.06, 0.06])("from a page that is skewed by %d degrees", async (angle) => {
    const askew = deskew(await order("OR-2026-0076"), angle);
    const { orders } = await readAs(anyone(), "scan.png", toPng(askew));
    expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0076", ...leipzigToWroclaw } }]);
  });

  test("from a page that lies on its side", async () => {
    const { orders } = await readAs(anyone(), "scan.jpg", await jpeg(rotate(await order("OR-2026-0075"), 1)));
    expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0075", ...leipzigToWroclaw } }]);
  });

  test.each<[string, (page: Raster) => Promise<{ entries: string; bytes: Uint8Array }>]>([
    [
      "JPEG",
      async (page) => ({
        entries: "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode",
        bytes: await jpeg(page),
      }),
    ],
    [
      "Flate",
      async ({ gray }) => ({
        entries: "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode",
        bytes: deflateSync(gray),
      }),
    ],
    [
      "Group 4 fax",
      async (page) => ({
        entries: `/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${page.width} >>`,
        bytes: faxOf(page),
      }),
    ],
    [
      "JBIG2",
      async (page) => ({
        entries: "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode",
        bytes: jbig2Of(page),
      }),
    ],
  ])("from a PDF that packs it as %s", async (packing, pack) => {
    const isBlackAndWhite = packing.includes("fax") || packing === "JBIG2";
    const page = await scanOf(orderText("OR-2026-0073"), isBlackAndWhite ? { fax: true, skew: 0.3 } : {});
    const { orders } = await readAs(anyone(), "scan.pdf", pdfAround(page, await pack(page)));
    expect(orders).toMatchObject([{ data: { orderNumber: "OR-2026-0073", ...leipzigToWroclaw } }]);
  });
});

describe("a picture that cannot be read", () => {
  const why = async (name: string, bytes: Uint8Array) => (await readAs(anyone(), name, bytes)).orders;

  test("is reported as cut off", async () => {
    const whole = await jpeg(await scanOf(orderText("OR-2026-0074")));
    expect(await why("cut.jpg", whole.subarray(0, whole.length >> 1))).toMatchObject([
      { status: "Failed", errorCode: "no_text_found", message: expect.stringContaining("truncated") },
    ]);
  });
});
