import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { picturePdf } from "../../../src/extraction/collections/image-pdf.ts";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { invoice } from "../../support/papers/kinds.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { blur, crop, page, paragraph, sheet, sign, stamp, type Drawing } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import { emptyPng, png } from "../../support/pictures/png.ts";
import { tiff } from "../../support/pictures/tiff.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Quality {
  documentId: string;
  status: string;
  errorCode?: string;
  verdict?: string;
  score?: number;
  reasons?: string[];
  pages?: {
    page: number;
    verdict: string;
    reasons: string[];
    letterHeight?: number;
    width?: number;
    blank?: boolean;
  }[];
  found?: { type?: string; signatures: number; stamps: number; missingPages: number[] };
  advice?: string;
}

interface Received {
  documentId: string;
  duplicateOf?: string;
  status?: string;
  quality?: Quality;
}

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const root = "/api/v1/documents/quality";
const waiting = { prefer: "wait=25" };
const anyone = () => apiClient(service, service.company().key);

async function qualityOf(name: string, bytes: Uint8Array, fields: Record<string, string> = {}): Promise<Quality> {
  const answer = await anyone()<Received>("POST", root, { body: form({ name, bytes }, fields), headers: waiting });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.quality!;
}

const signed = (): Drawing => {
  const drawing = page(paragraph(20));
  sign(drawing, 200, 1500);
  stamp(drawing, 800, 1480);
  return drawing;
};

describe("the quality of an image", () => {
  test("a good scan is rated good, also as a CMR note, because it is signed and stamped", async () => {
    const bytes = png(signed());
    const quality = await qualityOf("cmr.png", bytes, { expectedType: "Cmrs" });
    expect(quality).toMatchObject({
      status: "Succeeded",
      verdict: "Good",
      reasons: [],
      advice: "The page is easy to read.",
    });
    expect(quality.found).toMatchObject({ signatures: 1, stamps: 1, missingPages: [] });
    expect(quality.pages).toEqual([expect.objectContaining({ page: 1, letterHeight: 22, width: 1240, blank: false })]);
  });

  test("a missing signature is reported, with advice in the requested language", async () => {
    const quality = await qualityOf("cmr.png", png(page(paragraph(20))), { expectedType: "Cmrs", language: "de" });
    expect(quality).toMatchObject({ verdict: "Acceptable", reasons: ["MissingSignature", "MissingStamp"] });
    expect(quality.advice).toMatch(/^Es ist keine Unterschrift zu sehen/);
  });

  test("a photograph out of focus is reported as blurred", async () => {
    const quality = await qualityOf("IMG_1.jpg", await jpeg(blur(crop(page(paragraph(8)), [0, 0, 700, 420]), 24)));
    expect(quality.verdict).not.toBe("Good");
    expect(quality.reasons).toContain("Blurred");
  });

  test("letters that are too small are reported as low resolution", async () =>
    expect(await qualityOf("small.png", png(crop(page(paragraph(60), 1), [0, 0, 600, 800])))).toMatchObject({
      verdict: "Acceptable",
      reasons: ["LowResolution"],
    }));

  test("text that is cut off is reported as cropped", async () =>
    expect(await qualityOf("cut.png", png(crop(page(), [150, 0, 1240, 1754])))).toMatchObject({
      verdict: "Acceptable",
      reasons: ["Cropped"],
    }));

  test("a blank page is unreadable, and one among others does not count", async () => {
    expect(await qualityOf("blank.png", png(sheet(800, 1100)))).toMatchObject({
      verdict: "Unreadable",
      reasons: ["Blank"],
    });
    const quality = await qualityOf("pile.tif", tiff([{ drawing: page(paragraph(20)) }, { drawing: sheet(600, 800) }]));
    expect(quality).toMatchObject({ verdict: "Good", pages: [{ verdict: "Good" }, { reasons: ["Blank"] }] });
  });

  test("a text layer is always readable, and gaps in its page numbers are reported as missing pages", async () => {
    const letter = [
      "INVOICE 118/2026",
      "Issue date: 20.11.2026",
      "Seller: Vzorova Doprava s.r.o.",
      "Net amount: 980,00 EUR",
      "VAT 23 %: 225,40 EUR",
      "Gross amount: 1 205,40 EUR",
    ];
    const bytes = pdfPages([
      [...letter, "Page 1 of 3"],
      [...letter, "Page 3 of 3"],
    ]);
    const quality = await qualityOf("invoice.pdf", bytes);
    expect(quality).toMatchObject({ reasons: ["MissingPages"], found: { missingPages: [2] } });
    expect(quality.pages).toEqual([
      { page: 1, verdict: "Good", score: 100, reasons: [] },
      { page: 2, verdict: "Good", score: 100, reasons: [] },
    ]);
  });
});

describe("a scanned PDF", () => {
  test("is measured by its images", async () => {
    const bytes = await picturePdf([{ jpeg: await jpeg(signed()) }, { raster: sheet(620, 877) }]);
    const quality = await qualityOf("scan.pdf", bytes, { expectedType: "Cmrs" });
    expect(quality).toMatchObject({ verdict: "Good", found: { signatures: 1, stamps: 1 } });
    expect(quality.pages).toMatchObject([{ resolution: 150, blank: false }, { blank: true }]);
  });
});

describe("a file that cannot be checked", () => {
  test.for([
    ["a truncated JPEG", async () => (await jpeg(page(paragraph(9)))).subarray(0, 4000)],
    ["a PNG that declares more than a hundred million pixels", () => emptyPng(10_900, 10_900)],
    ["an image of one pixel", () => png({ width: 1, height: 1, gray: new Uint8Array(1) })],
  ] as [string, () => Uint8Array | Promise<Uint8Array>][])("is unreadable: %s", async ([, make]) =>
    expect(await qualityOf("photo.jpg", await make())).toMatchObject({ status: "Succeeded", verdict: "Unreadable" }),
  );

  test("is refused if it is a HEIC image, with advice to send JPEG", async () => {
    const bytes = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
    const { status, body } = await anyone()<{ errorCode: string; detail: string }>("POST", root, {
      body: form({ name: "IMG_2.heic", bytes }),
    });
    expect([status, body.errorCode]).toEqual([400, "unsupported_file_type"]);
    expect(body.detail).toMatch(/HEIC.*JPEG/);
  });
});

describe("a quality record", () => {
  test("is created at once, completed later, and the same bytes are the same record", async () => {
    const ask = anyone();
    const bytes = png(crop(page(paragraph(12)), [0, 0, 1240, 700]));
    const first = await ask<Received>("POST", root, { body: form({ name: "a.png", bytes }) });
    expect(first.status).toBe(202);
    expect(first.headers.get("location")).toBe(`${root}/${first.body.documentId}`);
    const again = await ask<Received>("POST", root, { body: form({ name: "a.png", bytes }), headers: waiting });
    expect(again.body).toMatchObject({ documentId: first.body.documentId, duplicateOf: first.body.documentId });
    const { body } = await ask<Quality>("GET", `${root}/${first.body.documentId}`);
    expect(body).toMatchObject({ status: "Succeeded", verdict: "Good" });
  });
});

describe("a document that a carrier uploads", () => {
  test("is checked at once, in the language of the page, and the company sees the result", async () => {
    const key = service.company().key;
    const { orderId, shareUrl } = await newOrder(apiClient(service, key));
    const guest = new URL(shareUrl).pathname;
    const blurry = await jpeg(blur(crop(page(paragraph(8)), [0, 0, 700, 420]), 30));
    const body = form({ name: "IMG_3.jpg", bytes: blurry }, { documentType: "cmr" });
    const sent = await service.fetch(`${guest}?lang=pl`, {
      method: "POST",
      body,
      headers: { accept: "application/json" },
    });
    const { documents } = await sent.json<{ documents: { quality: Quality }[] }>();
    expect(documents[0]!.quality).toMatchObject({ reasons: expect.arrayContaining(["Blurred", "MissingStamp"]) });
    expect(documents[0]!.quality.advice).toMatch(/^Zdjęcie jest nieostre/);
    expect(await (await service.fetch(`${guest}?lang=de`)).text()).toContain("Das Bild ist unscharf.");
    const { body: order } = await apiClient(service, key)<{ carrierOrder: { documents: { quality: Quality }[] } }>(
      "GET",
      `/api/v1/orders/${orderId}`,
    );
    expect(order.carrierOrder.documents[0]!.quality.verdict).toBe(documents[0]!.quality.verdict);
  });

  test("that is blank is requested again, until a readable one is uploaded", async () => {
    const { shareUrl } = await newOrder(anyone());
    const guest = new URL(shareUrl).pathname;
    const handIn = (name: string, drawing: Drawing) =>
      service.fetch(guest, {
        method: "POST",
        body: form({ name, bytes: png(drawing) }, { documentType: "cmr" }),
        headers: { accept: "application/json" },
      });
    const summary = async () =>
      /class="summary"[\s\S]*?<span>([^<]*)/.exec(await (await service.fetch(guest)).text())?.[1];
    expect((await handIn("blank.png", sheet(800, 1100))).status).toBe(201);
    expect(await summary()).toBe("Please send again: CMR consignment note");
    expect((await handIn("note.png", signed())).status).toBe(201);
    expect(await summary()).toBe("All documents received. We are checking them.");
  });

  test("is reported as another type if its text layer shows one", async () => {
    const handedIn = async (documentType: string) => {
      const { shareUrl } = await newOrder(anyone());
      const sent = await service.fetch(new URL(shareUrl).pathname, {
        method: "POST",
        body: form({ name: "paper.pdf", bytes: pdfPages([invoice("FV/7/2026")]) }, { documentType }),
        headers: { accept: "application/json" },
      });
      return (await sent.json<{ documents: { quality: Quality }[] }>()).documents[0]!.quality;
    };
    expect(await handedIn("cmr")).toMatchObject({
      verdict: "Acceptable",
      reasons: ["OtherType"],
      advice: "This looks like a different document than the one requested.",
    });
    expect(await handedIn("invoice")).toMatchObject({ verdict: "Good", reasons: [] });
  });

  test("is accepted although damaged, and reported as damaged", async () => {
    const { shareUrl } = await newOrder(anyone());
    const broken = (await jpeg(page(paragraph(9)))).subarray(0, 4000);
    const sent = await service.fetch(new URL(shareUrl).pathname, {
      method: "POST",
      body: form({ name: "IMG_4.jpg", bytes: broken }, { documentType: "photo" }),
      headers: { accept: "application/json" },
    });
    expect(await sent.json()).toMatchObject({
      documents: [{ quality: { verdict: "Unreadable", reasons: ["Damaged"] } }],
    });
  });

  test("uploaded again after another was accepted keeps its verdict", async () => {
    const ask = anyone();
    const { orderId } = await newOrder(ask);
    const papers = `/api/v1/orders/${orderId}/documents`;
    const handedIn = async (drawing: Drawing) =>
      (
        await ask<{ documentId: string; quality?: Quality }>("POST", papers, {
          body: form({ name: "scan.jpg", bytes: await jpeg(drawing) }, { documentType: "invoice" }),
        })
      ).body;
    const first = await handedIn(page(paragraph(7)));
    expect(first.quality).toMatchObject({ verdict: "Good" });
    const better = await handedIn(page(paragraph(14)));
    await ask("POST", `${papers}/${better.documentId}/status`, { json: { status: "Accepted" } });
    const again = await handedIn(page(paragraph(7)));
    expect(again.documentId).not.toBe(first.documentId);
    expect(again.quality).toEqual(first.quality);
  });

  test("that is too large for a check during the upload has no verdict", async () => {
    const { shareUrl } = await newOrder(anyone());
    const large = Buffer.from(await jpeg(page(paragraph(9))));
    const frame = large.findIndex(
      (byte: number, at: number) => byte === 0xff && large[at + 1]! >= 0xc0 && large[at + 1]! <= 0xc2,
    );
    large.writeUInt16BE(6_000, frame + 5);
    large.writeUInt16BE(8_000, frame + 7);
    const sent = await service.fetch(new URL(shareUrl).pathname, {
      method: "POST",
      body: form({ name: "IMG_5.jpg", bytes: large }, { documentType: "photo" }),
      headers: { accept: "application/json" },
    });
    const { documents } = await sent.json<{ documents: { status: string; quality?: Quality }[] }>();
    expect(documents).toMatchObject([{ status: "Uploaded" }]);
    expect(documents[0]!.quality).toBeUndefined();
  });

  const newOrder = async (ask: ApiClient) =>
    (
      await ask<{ orderId: string; shareUrl: string }>("POST", "/api/v1/orders/upsert", {
        json: { orderNumber: randomUUID(), carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" } },
      })
    ).body;
});
