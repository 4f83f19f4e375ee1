import { Buffer } from "node:buffer";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { cmr, fine, invoice, policy, receipt } from "../../support/papers/kinds.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { openService, type TestService } from "../../support/service.ts";

interface Envelope {
  status: string;
  message?: string;
  errorCode?: string;
  data?: Record<string, unknown>;
  metadata?: Record<string, string>;
}

interface Received {
  documentId: string;
  duplicateOf?: string;
  status?: string;
  document?: Envelope & { documentId: string; type?: string; fileName: string };
}

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);
const waiting = { prefer: "wait=20" };
const root = "/api/v1/documents";

const xmlInvoice = (number: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <cbc:ID>${number}</cbc:ID><cbc:IssueDate>2026-11-20</cbc:IssueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
 <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
 <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Vzorová Doprava s.r.o.</cbc:Name></cac:PartyName>
  <cac:PartyTaxScheme><cbc:CompanyID>CZ12345679</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
 </cac:Party></cac:AccountingSupplierParty>
 <cac:AccountingCustomerParty><cac:Party><cac:PartyName><cbc:Name>Beispiel Spedition GmbH</cbc:Name></cac:PartyName>
 </cac:Party></cac:AccountingCustomerParty>
 <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">0.00</cbc:TaxAmount></cac:TaxTotal>
 <cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount currencyID="EUR">780.00</cbc:TaxExclusiveAmount>
  <cbc:TaxInclusiveAmount currencyID="EUR">780.00</cbc:TaxInclusiveAmount><cbc:PayableAmount currencyID="EUR">780.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
</Invoice>`;

const postJson = (ask: ApiClient, json: object) => ask<Received>("POST", root, { json, headers: waiting });
const base64 = (lines: string[] | string) => Buffer.from([lines].flat().join("\n")).toString("base64");
const sendInvoice = (ask: ApiClient, number: string, more: object = {}) =>
  postJson(ask, { type: "Invoices", fileType: "Pdf", file: base64(invoice(number)), fileName: "invoice.txt", ...more });

describe("a document", () => {
  test("in base64 is accepted at once with its Location, and extracted in the background", async () => {
    const ask = anyone();
    const json = {
      type: "Invoices",
      fileType: "Pdf",
      file: base64(invoice("FV/1/2026")),
      fileName: null,
      metadata: null,
    };
    const taken = await ask<Received>("POST", root, { json });
    const { documentId } = taken.body;
    expect(taken.status).toBe(202);
    expect(taken.body).toEqual({ documentId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(taken.headers.get("location")).toBe(`${root}/invoice/${documentId}`);
    const read = await vi.waitUntil(
      async () => {
        const { body } = await ask<Envelope>("GET", `${root}/invoice/${documentId}`);
        if (body.status !== "Processing") return body;
        expect(body).toEqual({ status: "Processing" });
        return undefined;
      },
      { timeout: 50_000, interval: 20 },
    );
    expect(Object.keys(read)).toEqual(expect.arrayContaining(["status", "data"]));
    expect(read.data).toMatchObject({
      number: "FV/1/2026",
      issueDate: "2026-11-20",
      grossAmount: 1205.4,
      currency: "EUR",
    });
  });

  test.each([
    [
      "a form",
      (pdf: Buffer) => ({
        body: form(
          { name: "scan.bin", bytes: pdf },
          { type: "invoices", fileType: "pdf", "metadata[internalId]": "D-1" },
        ),
      }),
    ],
    [
      "JSON",
      (pdf: Buffer) => ({ json: { type: "INVOICES", file: pdf.toString("base64"), metadata: { internalId: "D-1" } } }),
    ],
    [
      "a data URL",
      (pdf: Buffer) => ({
        json: {
          type: "Invoices",
          file: `data:application/pdf;base64,${pdf.toString("base64")}`,
          metadata: { internalId: "D-1" },
        },
      }),
    ],
  ])("as %s is the same document", async (_, sending) => {
    const ask = anyone();
    const pdf = pdfPages([invoice("FV/2/2026")]);
    const { status, body } = await ask<Received>("POST", root, { ...sending(pdf), headers: waiting });
    expect({ status, type: body.document?.type }).toEqual({ status: 200, type: "Invoices" });
    expect(body.document).toMatchObject({ data: { number: "FV/2/2026" }, metadata: { internalId: "D-1" } });
    expect((await ask("GET", `${root}/${body.documentId}`)).body).toEqual(body.document);
    const file = await ask<string>("GET", `${root}/${body.documentId}/file`);
    expect(file.headers.get("content-type")).toBe("application/pdf");
  });

  test("posted as raw bytes without a type gets the detected type", async () => {
    const ask = anyone();
    const kinds = {
      Invoices: xmlInvoice("UBL-7"),
      Cmrs: cmr("CZ-7-88213").join("\n"),
      Receipts: receipt.join("\n"),
      Fines: fine.join("\n"),
      Insurances: policy.join("\n"),
    };
    for (const [type, text] of Object.entries(kinds)) {
      const { body } = await ask<Received>("POST", root, { body: text, headers: waiting });
      expect(body.document?.type, text).toBe(type);
    }
  });

  test("in a structured format is extracted from its structured data", async () => {
    const ask = anyone();
    const { body } = await ask<Received>("POST", root, {
      body: form({ name: "invoice.xml", bytes: xmlInvoice("UBL-2026-77") }, { type: "Invoices" }),
      headers: waiting,
    });
    expect(body.document?.data).toMatchObject({
      number: "UBL-2026-77",
      issueDate: "2026-11-20",
      seller: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" },
      netAmount: 780,
      grossAmount: 780,
    });
    const { body: evidence } = await ask<{ documentId: string; fields: Record<string, { confidence: number }> }>(
      "GET",
      `${root}/${body.documentId}/extraction`,
    );
    expect(evidence.documentId).toBe(body.documentId);
    expect(evidence.fields["/number"]?.confidence).toBeGreaterThan(0.9);
  });

  test("is not found under another kind; a file of the wrong kind or of none fails", async () => {
    const ask = anyone();
    const { documentId } = (await sendInvoice(ask, "FV/3/2026")).body;
    for (const kind of ["receipt", "cmr", "fine", "insurance"])
      expect(await ask("GET", `${root}/${kind}/${documentId}`), kind).toMatchObject({
        status: 404,
        body: { errorCode: "not_found" },
      });
    const wrong = await postJson(ask, { type: "Cmrs", file: base64(invoice("FV/3/2026")) });
    expect(wrong.body.documentId).not.toBe(documentId);
    expect(wrong.body.document).toMatchObject({ status: "Failed", errorCode: "input_not_a_document_of_this_kind" });
    expect((await ask<Envelope>("GET", `${root}/cmr/${wrong.body.documentId}`)).body).toEqual({
      status: "Failed",
      errorCode: "input_not_a_document_of_this_kind",
      message: expect.stringMatching(/^[A-Z].*\.$/) as string,
    });
    const nothing = await postJson(ask, {
      file: base64("Happy new year to all of you, and many thanks for the work!"),
    });
    expect(nothing.body.document).toMatchObject({
      status: "Failed",
      errorCode: "input_not_a_document_of_this_kind",
    });
    expect(nothing.body.document).not.toHaveProperty("type");
  });

  test("with wrong check digits is Partial, with the reason", async () => {
    const { body } = await postJson(anyone(), { type: "Invoices", file: base64(invoice("FV/4/2026", "DE123456789")) });
    expect(body.document?.status).toBe("Partial");
    expect(body.document?.message).toMatch(/^Invoice validation failed\. Reason: \w+ did not pass \(.+\)\.$/);
    expect(body.document?.data).toMatchObject({ number: "FV/4/2026" });
  });
});

describe("the same bytes", () => {
  test("of the same type are the same document, of another type a new one", async () => {
    const ask = anyone();
    const first = await sendInvoice(ask, "FV/5/2026");
    const again = await sendInvoice(ask, "FV/5/2026", { fileName: "copy.txt", metadata: { a: "b" } });
    expect(again.body).toMatchObject({ documentId: first.body.documentId, duplicateOf: first.body.documentId });
    const other = await postJson(ask, { type: "Receipts", file: base64(invoice("FV/5/2026")) });
    expect(other.body.duplicateOf).toBeUndefined();
  });

  test("posted by two companies are two documents", async () => {
    const [ours, theirs] = [anyone(), anyone()];
    const { documentId } = (await sendInvoice(ours, "FV/6/2026")).body;
    expect((await sendInvoice(theirs, "FV/6/2026")).body.documentId).not.toBe(documentId);
    for (const path of [`invoice/${documentId}`, documentId, `${documentId}/file`, `${documentId}/extraction`])
      expect(await theirs("GET", `${root}/${path}`), path).toMatchObject({
        status: 404,
        body: { errorCode: "not_found" },
      });
  });

  test("with the same Idempotency-Key get the first answer", async () => {
    const ask = anyone();
    const send = (number: string) =>
      ask<Received>("POST", root, {
        json: { type: "Invoices", file: base64(invoice(number)) },
        headers: { "idempotency-key": "document-1" },
      });
    const [first, second] = [await send("FV/7/2026"), await send("FV/7/2026")];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await send("FV/8/2026")).toMatchObject({ status: 422, body: { errorCode: "idempotency_key_reused" } });
  });
});

test("the list finds a document by its fields and metadata", async () => {
  const ask = anyone();
  const { documentId } = (await sendInvoice(ask, "FV/9/2026", { metadata: { internalId: "FIND-9" } })).body;
  await postJson(ask, { type: "Cmrs", file: base64(cmr("CZ-9-1")) });
  const list = async (query: string) =>
    (await ask<{ items: { documentId: string }[] }>("GET", `${root}?${query}`)).body.items;
  await vi.waitUntil(async () => (await list("")).length === 2, { timeout: 50_000, interval: 100 });
  await vi.waitUntil(async () => (await list("status=Processing")).length === 0, { timeout: 50_000, interval: 100 });
  const finds = [
    "type=Invoices",
    "number=fv-9-2026",
    "number=FV*2026",
    "partyVatCode=DE%20123456788",
    "licensePlate=1bx-4821",
    "dateFrom=2026-11-20&dateTo=2026-11-20",
    "internalId=FIND-9",
    "text=beispiel%20BS",
  ];
  for (const query of finds)
    expect(
      (await list(query)).map((row) => row.documentId),
      query,
    ).toEqual([documentId]);
  expect(await list("type=Fines")).toEqual([]);
  expect(await list("sort=-documentDate")).toHaveLength(2);
});

test("succeeded and failed extractions emit events", async () => {
  const ask = anyone();
  const { documentId } = (await sendInvoice(ask, "FV/10/2026")).body;
  const failed = (await postJson(ask, { type: "Cmrs", file: base64(invoice("FV/10/2026")) })).body.documentId;
  await vi.waitFor(
    async () => {
      const { body } = await ask<{ items: { eventType: string; resource: { id: string; url: string } }[] }>(
        "GET",
        "/api/v1/events",
      );
      expect(body.items.map(({ eventType, resource }) => [eventType, resource.id])).toEqual(
        expect.arrayContaining([
          ["DocumentProcessed", documentId],
          ["DocumentFailed", failed],
        ]),
      );
      expect(body.items.map(({ resource }) => resource.url)).toContainEqual(
        expect.stringContaining(`${root}/invoice/${documentId}`),
      );
    },
    { timeout: 50_000, interval: 100 },
  );
});
