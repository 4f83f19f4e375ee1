import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toPng } from "../../../training/scans/png.ts";
import { apiClient } from "../../support/api-client.ts";
import { docx } from "../../support/papers/office.ts";
import { fine } from "../../support/papers/kinds.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { page, paragraph, sheet } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";
import { emptyPng } from "../../support/pictures/png.ts";
import { tiff } from "../../support/pictures/tiff.ts";
import {
  invoice,
  collectionForm,
  policy,
  root,
  splitCollection,
  terms,
  type Collection,
  type CollectedDocument,
  type Received,
} from "../../support/document-collections.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const places = ({ documents }: Collection) => documents.map(({ type, pageFrom, pageTo }) => [type, pageFrom, pageTo]);

describe("a collection of scans", () => {
  test("is split by page numbers, and each document is extracted and downloaded separately", async () => {
    const { key } = service.company();
    const ask = apiClient(service, key);
    const bytes = pdfPages([
      [...invoice("FV/118/2026"), "Page 1 of 2"],
      [...terms(1), "Page 2 of 2"],
      [...policy, "Page 1 of 1"],
      [...invoice("FV/119/2026"), "Page 1 of 1"],
    ]);
    const found = await splitCollection(ask, [{ name: "scan.pdf", bytes }], { "metadata[internalId]": "SCAN-1" });
    expect(found).toMatchObject({
      status: "Succeeded",
      files: [{ fileName: "scan.pdf", pages: 4 }],
      metadata: { internalId: "SCAN-1" },
    });
    expect(places(found)).toEqual([
      ["Invoices", 1, 2],
      ["Insurances", 3, 3],
      ["Invoices", 4, 4],
    ]);
    const [first, , last] = found.documents;
    expect((await ask("GET", `/api/v1/documents/invoice/${last!.documentId}`)).body).toMatchObject({
      data: { number: "FV/119/2026", grossAmount: 1205.4 },
      metadata: { internalId: "SCAN-1" },
    });
    const alone = await service.fetch(`${root}/${found.collectionId}/documents/${first!.documentId}/file`, {
      headers: { "x-api-key": key },
    });
    expect(alone.headers.get("content-type")).toBe("application/pdf");
    const again = await splitCollection(ask, [{ name: "part.pdf", bytes: new Uint8Array(await alone.arrayBuffer()) }]);
    expect(again.files).toMatchObject([{ pages: 2 }]);
    const item = await ask(
      "GET",
      `${root}/${found.collectionId}/documents/${first!.documentId}/items/${first!.items[1]!.itemId}/file`,
    );
    expect([item.status, item.headers.get("content-disposition")]).toEqual([
      200,
      expect.stringContaining("scan 2.pdf"),
    ]);
  });

  test("is split by blank pages, and otherwise by the types of pages", async () => {
    const bytes = pdfPages([invoice("FV/120/2026"), [""], invoice("FV/121/2026"), policy]);
    const found = await splitCollection(anyone(), [{ name: "scan.pdf", bytes }]);
    expect(places(found)).toEqual([
      ["Invoices", 1, 1],
      ["Invoices", 3, 3],
      ["Insurances", 4, 4],
    ]);
  });

  test("is split between fines of two authorities", async () => {
    const other = [
      "Préfecture de Police",
      "AVIS DE CONTRAVENTION",
      "N° de l'avis de contravention : 4012345678",
      "Infraction constatée le 24/10/2026 à 22:41",
      "Lieu : A4, PK 312",
      "Immatriculation : 1BX 4821",
      "Vitesse limite autorisée : 90 km/h",
      "Amende forfaitaire : 68,00 EUR avant le 20/12/2026",
    ];
    const found = await splitCollection(anyone(), [{ name: "scan.pdf", bytes: pdfPages([fine, other]) }]);
    expect(places(found)).toEqual([
      ["Fines", 1, 1],
      ["Fines", 2, 2],
    ]);
  });

  test("is split before a slip with its own heading, although it has the number of the previous document", async () => {
    const full = [
      ...invoice("FV/161/2026"),
      ...Array.from({ length: 32 }, (_, line) => `Pallet place ${line} was paid`),
    ];
    const bytes = pdfPages([full, ["WEIGH TICKET", "Order FV/161/2026", "Truck PO 4412K", "Gross 24 120 kg"]]);
    const found = await splitCollection(anyone(), [{ name: "scan.pdf", bytes }]);
    expect(places(found).map(([, from, to]) => [from, to])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test("can consist of several files of several formats", async () => {
    const found = await splitCollection(anyone(), [
      { name: "a.pdf", bytes: pdfPages([invoice("FV/122/2026")]) },
      { name: "b.txt", bytes: Buffer.from(policy.join("\n")) },
      {
        name: "c.tif",
        bytes: tiff([{ drawing: page(paragraph(12)) }, { drawing: sheet(600, 800) }, { drawing: page(paragraph(9)) }]),
      },
      { name: "d.jpg", bytes: await jpeg(page(paragraph(12))) },
    ]);
    expect(found.status).toBe("Succeeded");
    expect(found.files.map(({ fileName, pages }) => [fileName, pages])).toEqual([
      ["a.pdf", 1],
      ["b.txt", 1],
      ["c.tif", 3],
      ["d.jpg", 1],
    ]);
    expect(found.documents.slice(0, 2).map(({ type, fileId }) => [type, fileId])).toEqual([
      ["Invoices", found.files[0]!.fileId],
      ["Insurances", found.files[1]!.fileId],
    ]);
    expect(found.documents.at(-1)).toMatchObject({ fileId: found.files[3]!.fileId, pageFrom: 1, pageTo: 1 });
  });

  test("offers each image of an office document for download", async () => {
    const { key } = service.company();
    const photograph = await jpeg(page(paragraph(12)));
    const bytes = docx(invoice("FV/128/2026"), {
      "word/media/image1.jpg": photograph,
      "word/media/logo.png": emptyPng(40, 20),
    });
    const { collectionId, documents } = await splitCollection(apiClient(service, key), [{ name: "a.docx", bytes }]);
    const [{ documentId, items }] = documents as [CollectedDocument];
    expect(items).toMatchObject([{ page: 1 }, { picture: "image1.jpg" }]);
    const given = async (itemId: string) => {
      const answer = await service.fetch(`${root}/${collectionId}/documents/${documentId}/items/${itemId}/file`, {
        headers: { "x-api-key": key },
      });
      return [answer.headers.get("content-type"), Buffer.from(await answer.arrayBuffer()).toString("base64")];
    };
    expect(await given(items[1]!.itemId)).toEqual(["image/jpeg", Buffer.from(photograph).toString("base64")]);
    const [type] = await given(items[0]!.itemId);
    expect(type).toMatch(/wordprocessingml/);
  });

  test("is split again by the page ranges of feedback", async () => {
    const ask = anyone();
    const bytes = pdfPages([invoice("FV/130/2026"), terms(1), invoice("FV/131/2026")]);
    const { collectionId, files, documents } = await splitCollection(ask, [{ name: "scan.pdf", bytes }]);
    const { fileId } = files[0]!;
    const say = (value: object[]) =>
      ask("POST", "/api/v1/feedback", {
        json: {
          subject: { type: "DocumentCollection", id: collectionId },
          rating: "Bad",
          corrections: [{ path: "/documents", value }],
        },
      });
    for (const wrong of [
      [{ fileId, pageFrom: 1, pageTo: 4 }],
      [{ fileId, pageFrom: 2, pageTo: 1 }],
      [
        { fileId, pageFrom: 1, pageTo: 2 },
        { fileId, pageFrom: 2, pageTo: 3 },
      ],
      [{ fileId: "__proto__", pageFrom: 1, pageTo: Number.MAX_SAFE_INTEGER }],
      [{ fileId: "constructor", pageFrom: 5, pageTo: 7 }],
    ])
      expect(await say(wrong)).toMatchObject({ status: 400, body: { errors: [{ pointer: "/corrections/0/value" }] } });
    expect(await say([{}])).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/corrections/0/value/0/fileId" }, {}, {}] },
    });
    const bounds = [
      { fileId, pageFrom: 1, pageTo: 1, type: "Invoices" },
      { fileId, pageFrom: 2, pageTo: 2, type: "Other" },
      { fileId, pageFrom: 3, pageTo: 3 },
    ];
    expect((await say(bounds)).status).toBe(201);
    await expect
      .poll(async () => (await ask<Collection>("GET", `${root}/${collectionId}`)).body, { timeout: 50_000 })
      .toMatchObject({
        status: "Succeeded",
        documents: [
          { type: "Invoices", pageFrom: 1, pageTo: 1, status: "Succeeded" },
          { type: "Other", pageFrom: 2, pageTo: 2 },
          { type: "Invoices", pageFrom: 3, pageTo: 3 },
        ],
      });
    expect(documents.length).toBeGreaterThan(0);
  });

  test("is split as learned from corrections of an earlier one", async () => {
    const ask = anyone();
    const scan = (number: number) => ({
      name: "scan.pdf",
      bytes: pdfPages([
        invoice(`FV/${number}/2026`),
        terms(number),
        invoice(`FV/${number + 1}/2026`),
        terms(number + 1),
      ]),
    });
    const first = await splitCollection(ask, [scan(170)]);
    const { fileId } = first.files[0]!;
    const isApart = first.documents.length > 2;
    const wanted = isApart
      ? [
          [1, 2],
          [3, 4],
        ]
      : [
          [1, 1],
          [2, 2],
          [3, 3],
          [4, 4],
        ];
    const pagesIn = ({ documents }: Collection) => documents.map(({ pageFrom, pageTo }) => [pageFrom, pageTo]);
    expect(pagesIn(first)).not.toEqual(wanted);
    const said = await ask("POST", "/api/v1/feedback", {
      json: {
        subject: { type: "DocumentCollection", id: first.collectionId },
        rating: "Bad",
        corrections: [
          { path: "/documents", value: wanted.map(([pageFrom, pageTo]) => ({ fileId, pageFrom, pageTo })) },
        ],
      },
    });
    expect(said.status).toBe(201);
    await expect
      .poll(async () => pagesIn((await ask<Collection>("GET", `${root}/${first.collectionId}`)).body), {
        timeout: 50_000,
      })
      .toEqual(wanted);
    expect(pagesIn(await splitCollection(ask, [scan(180)]))).toEqual(wanted);
    expect(pagesIn(await splitCollection(anyone(), [scan(180)]))).toEqual(pagesIn(first));
  });

  test("is accepted at once and split later", async () => {
    const ask = anyone();
    const body = collectionForm([{ name: "a.pdf", bytes: pdfPages([invoice("FV/123/2026")]) }]);
    const { status, headers, body: received } = await ask<Received>("POST", `${root}/files`, { body });
    expect([status, headers.get("location")]).toEqual([202, `${root}/${received.collectionId}`]);
    await expect
      .poll(async () => (await ask<Collection>("GET", `${root}/${received.collectionId}`)).body, { timeout: 50_000 })
      .toMatchObject({ status: "Succeeded", documents: [{ type: "Invoices", status: "Succeeded" }] });
  });
});

describe("a collection with unreadable content", () => {
  test("contains the other documents, and its message names the unreadable file", async () => {
    const whole = await jpeg(page(paragraph(12)));
    const png = toPng(page(paragraph(12)));
    const found = await splitCollection(anyone(), [
      { name: "invoice.pdf", bytes: pdfPages([invoice("FV/140/2026")]) },
      { name: "cut.png", bytes: png.subarray(0, png.length >> 1) },
      { name: "whole.jpg", bytes: whole },
    ]);
    expect(found).toMatchObject({ status: "Partial", message: expect.stringMatching(/^cut\.png: .*damaged/) });
    expect(found.documents.map(({ type, fileId }) => [type, fileId])).toEqual([
      ["Invoices", found.files[0]!.fileId],
      ["Other", found.files[2]!.fileId],
    ]);
  });

  test("fails with too many pages, in one file or several", async () => {
    const bytes = pdfPages(Array.from({ length: 151 }, (_, index) => [`Note ${index}`]));
    const found = await splitCollection(anyone(), [
      { name: "a.pdf", bytes: pdfPages([invoice("FV/141/2026")]) },
      { name: "b.pdf", bytes },
      { name: "c.pdf", bytes },
    ]);
    expect(found).toMatchObject({ status: "Failed", errorCode: "too_many_pages", documents: [] });
  });

  test("keeps its findings if it cannot be split again, and can be corrected again", async () => {
    const { id: company, key } = service.company();
    const ask = apiClient(service, key);
    const bytes = pdfPages([invoice("FV/142/2026"), terms(1)]);
    const first = await splitCollection(ask, [{ name: "scan.pdf", bytes }]);
    const { collectionId, files, documents } = first;
    const { fileId } = files[0]!;
    const bucket = await service.mf.getR2Bucket("FILES", "lorry");
    const { objects } = await bucket.list({ prefix: `${company}/piles/` });
    const place = objects[0]!.key;
    const say = (...pages: [from: number, to: number][]) =>
      ask("POST", "/api/v1/feedback", {
        json: {
          subject: { type: "DocumentCollection", id: collectionId },
          rating: "Bad",
          corrections: [
            { path: "/documents", value: pages.map(([pageFrom, pageTo]) => ({ fileId, pageFrom, pageTo })) },
          ],
        },
      });
    const isNow = (wanted: object) =>
      expect
        .poll(async () => (await ask<Collection>("GET", `${root}/${collectionId}`)).body, { timeout: 50_000 })
        .toMatchObject(wanted);
    await bucket.delete(place);
    expect((await say([1, 1], [2, 2])).status).toBe(201);
    await isNow({ status: "Failed", errorCode: "file_corrupted", documents });
    await bucket.put(place, bytes);
    expect((await say([1, 2])).status).toBe(201);
    await isNow({ status: "Succeeded", documents: [{ pageFrom: 1, pageTo: 2 }] });
  });
});

describe("refusals", () => {
  test("more than fifty files are refused", async () => {
    const files = Array.from({ length: 51 }, (_, index) => ({
      name: `${index}.txt`,
      bytes: Buffer.from(`Note ${index}`),
    }));
    const { status, body } = await anyone()("POST", `${root}/files`, { body: collectionForm(files) });
    expect([status, body["errorCode"]]).toEqual([413, "payload_too_large"]);
  });

  test("a file of an unsupported type is refused, and the error names it", async () => {
    const files = [
      { name: "a.txt", bytes: Buffer.from("A note of the pile") },
      { name: "b.gif", bytes: Buffer.from("GIF89a\x01\0\x01\0", "latin1") },
    ];
    const { status, body } = await anyone()("POST", `${root}/files`, { body: collectionForm(files) });
    expect([status, body["errorCode"], body["fileName"]]).toEqual([400, "unsupported_file_type", "b.gif"]);
  });

  test("a form without a file is refused", async () => {
    const { status, body } = await anyone()("POST", `${root}/files`, {
      body: collectionForm([], { "metadata[a]": "b" }),
    });
    expect([status, body["errorCode"]]).toEqual([400, "file_missing"]);
  });

  test("another collection with the same idempotency key is refused, and nothing of it is stored", async () => {
    const { id: company, key } = service.company();
    const ask = apiClient(service, key);
    const headers = { "idempotency-key": "pile-1" };
    const sent = (bytes: string) =>
      ask("POST", `${root}/files`, { body: collectionForm([{ name: "a.txt", bytes: Buffer.from(bytes) }]), headers });
    expect((await sent("A note of the pile")).status).toBe(202);
    expect(await sent("Another note of the pile")).toMatchObject({
      status: 422,
      body: { errorCode: "idempotency_key_reused" },
    });
    const bucket = await service.mf.getR2Bucket("FILES", "lorry");
    expect((await bucket.list({ prefix: `${company}/piles/` })).objects).toHaveLength(1);
  });

  test("documents and pages of another collection are not found", async () => {
    const ask = anyone();
    const one = await splitCollection(ask, [{ name: "a.pdf", bytes: pdfPages([invoice("FV/124/2026")]) }]);
    const other = await splitCollection(ask, [{ name: "b.pdf", bytes: pdfPages([policy]) }]);
    const [first] = one.documents;
    const paths = [
      `${root}/${other.collectionId}/documents/${first!.documentId}/file`,
      `${root}/${other.collectionId}/documents/${other.documents[0]!.documentId}/items/${first!.items[0]!.itemId}/file`,
    ];
    for (const path of paths) expect((await ask("GET", path)).status).toBe(404);
  });
});
