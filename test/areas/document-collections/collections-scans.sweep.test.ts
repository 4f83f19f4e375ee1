import { describe, expect, test, vi } from "vitest";
import { picturePdf } from "../../../src/extraction/collections/image-pdf.ts";
import { apiClient, type Wire } from "../../support/api-client.ts";
import { paragraph, sheet, write } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import { invoice, collectionForm, root, type Collection, type Received } from "../../support/document-collections.ts";
import { ocrPlaying } from "../../support/scans/simulated-ocr.ts";
import { openService } from "../../support/service.ts";

/** Draws a page with this width in pixels. The simulated OCR distinguishes pages by their width. */
function jpegOf(width: number): Promise<Uint8Array> {
  const drawing = sheet(width, 1754);
  write(drawing, paragraph(12));
  return jpeg(drawing);
}

// Simulated OCR calls take seconds.
vi.setConfig({ testTimeout: 180_000 });

describe("a collection of many scans", () => {
  test.for([1, 2])("is prescanned in parts, %d at a time, each page once, then split and extracted", async (atOnce) => {
    const lines = [...invoice("FV/{width}-{looks}/2026"), "Page 1 of 1"];
    // The first OCR calls take 5.5 seconds each, so that a single worker cannot process all pages.
    const play = ocrPlaying({ lines, slow: { milliseconds: 5_500, looks: 3 } });
    const slow = await openService({ beside: { OCR: play }, vars: { OCR_AT_ONCE: `${atOnce}` } });
    try {
      const { id, key } = slow.company();
      const ask = apiClient(slow, key);
      const widths = Array.from({ length: 9 }, (_, index) => 1240 + index);
      const bytes = await picturePdf(await Promise.all(widths.map(async (width) => ({ jpeg: await jpegOf(width) }))));
      const body = collectionForm([{ name: "scan.pdf", bytes }]);
      const { body: received } = await ask<Received>("POST", `${root}/files`, { body });
      const answered = async () => (await ask<Collection>("GET", `${root}/${received.collectionId}`)).body;
      await vi.waitFor(async () => expect((await answered()).status).not.toBe("Processing"), { timeout: 110_000 });
      const { status, documents } = await answered();
      expect([status, documents.map(({ pageFrom, pageTo }) => [pageFrom, pageTo])]).toEqual([
        "Succeeded",
        widths.map((_, index) => [index + 1, index + 1]),
      ]);
      const numbers = documents.map(async ({ documentId }) => {
        const read = () => ask<{ status: string; data?: Wire }>("GET", `/api/v1/documents/invoice/${documentId}`);
        await vi.waitFor(async () => expect((await read()).body.status).not.toBe("Processing"), { timeout: 60_000 });
        return (await read()).body.data?.["number"];
      });
      expect(await Promise.all(numbers)).toEqual(widths.map((width) => `FV/${width}-1/2026`));
      const { objects } = await (await slow.mf.getR2Bucket("FILES", "lorry")).list({ prefix: `${id}/` });
      const looks = (depth: string) => objects.filter((each) => each.key.includes("/ocr/") && each.key.includes(depth));
      expect(looks("-Whole-")).toHaveLength(widths.length);
      expect(looks("-Quick-").length).toBeLessThanOrEqual(1 + 2 * atOnce);
    } finally {
      await slow.stop();
    }
  });
});
