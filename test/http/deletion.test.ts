import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, form, type ApiClient, type Wire } from "../support/api-client.ts";
import { commands as feedback } from "../../src/areas/feedback/commands.ts";
import type { Env } from "../../src/platform/env.ts";
import { executeCommand, type ClaimApi } from "../../src/platform/aggregates.ts";
import { uploadDocument, setDocumentStatus, createCarrierOrder, readOrder } from "../support/carriers.ts";
import { pdfPages } from "../support/papers/pdf.ts";
import { invoice as lines, splitCollection } from "../support/document-collections.ts";
import { openService, type Company, type TestService } from "../support/service.ts";

let service: TestService;
let files: Awaited<ReturnType<TestService["mf"]["getR2Bucket"]>>;

beforeAll(async () => {
  service = await openService({ own: true });
  files = await service.mf.getR2Bucket("FILES", "lorry");
});

afterAll(() => service.stop());

const soon = { timeout: 50_000, interval: 50 };
const stored = async ({ id }: Company, folder: string) =>
  (await files.list({ prefix: `${id}/${folder}/` })).objects.map(({ key }) => key);

const invoice =
  "INVOICE FV/214/10/2026\nDate: 12.10.2026\nDue date: 26.11.2026\n\nSeller:\nTrans Beispiel Sp. z o.o.\nul. Polna 7, 63-300 Pleszew\nVAT PL5260250274\n\nBuyer:\nMuster Spedition GmbH\nHafenstr. 4, 20457 Hamburg\n\nTransport, order BS-26-04711\nNet 1150.00\nVAT 23 % 264.50\nTotal 1414.50 EUR\n";
const order = "Transport order BS-26-04711\nLoading 24.11.2026 04158 Leipzig\nUnloading 25.11.2026 53-609 Wroclaw\n";
const request = "Do you have a tautliner 24 t from 04158 Leipzig to 53-609 Wroclaw? 33 pallets, 780 EUR.";

interface Kind {
  name: string;
  post: string;
  text: string;
  idName: string;
  list: string;
  /** The paths that return the record, with `{id}` for its id. */
  paths: string[];
  remove: string;
  folder: string;
  /** Prefix of the digest in the name of the claim on the file. */
  claimedAs?: string;
  event: string;
  /** Whether feedback may be about the record. */
  isSubject: boolean;
}

const kinds: Kind[] = [
  {
    name: "an extracted order",
    post: "/api/v1/orders/file",
    text: order,
    idName: "orderId",
    list: "/api/v1/orders",
    paths: ["/api/v1/orders/{id}", "/api/v2/orders/{id}", "/api/v1/orders/{id}/file", "/api/v1/orders/{id}/extraction"],
    remove: "/api/v1/orders/{id}",
    folder: "orders",
    event: "OrderDeleted",
    isSubject: true,
  },
  {
    name: "a document",
    post: "/api/v1/documents",
    text: invoice,
    idName: "documentId",
    list: "/api/v1/documents",
    paths: [
      "/api/v1/documents/{id}",
      "/api/v1/documents/invoice/{id}",
      "/api/v1/documents/{id}/file",
      "/api/v1/documents/{id}/extraction",
    ],
    remove: "/api/v1/documents/{id}",
    folder: "documents",
    claimedAs: "any/",
    event: "DocumentDeleted",
    isSubject: true,
  },
  {
    name: "a request for a quote",
    post: "/api/v1/opportunities/file",
    text: request,
    idName: "opportunityId",
    list: "/api/v1/opportunities",
    paths: ["", "/lanes", "/default", "/file", "/extraction"].map((path) => `/api/v1/opportunities/{id}${path}`),
    remove: "/api/v1/opportunities/{id}",
    folder: "opportunities",
    event: "OpportunityDeleted",
    isSubject: true,
  },
  {
    name: "a quality check of a scan",
    post: "/api/v1/documents/quality",
    text: invoice,
    idName: "documentId",
    list: "/api/v1/documents/quality",
    paths: ["/api/v1/documents/quality/{id}"],
    remove: "/api/v1/documents/quality/{id}",
    folder: "quality",
    claimedAs: "any/en/",
    event: "QualityDeleted",
    isSubject: false,
  },
];

const posted = async (ask: ApiClient, { post, text }: Kind, wait = 20) => {
  const { status, body } = await ask("POST", post, {
    body: form({ name: "file.txt", bytes: text }, { metadata: '{"internalId":"TMS-1"}' }),
    headers: { prefer: `wait=${wait}` },
  });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};

/** Whether this record holds the claim on its file. If the claim is free, it is taken for the record. */
async function holds(company: Company, { folder, claimedAs = "", text }: Kind, holder: string): Promise<boolean> {
  const claims = await service.mf.getDurableObjectNamespace("CLAIMS", "lorry");
  const digest = createHash("sha256").update(text).digest("hex");
  const name = `${company.id}/${folder}/file/${claimedAs}${digest}`;
  const claim = claims.get(claims.idFromName(name)) as unknown as ClaimApi;
  return (await claim.take({ holder })).holder === holder;
}

describe.each(kinds)("$name", (kind) => {
  const at = (path: string, id: string) => path.replace("{id}", id);
  const listed = async (ask: ApiClient, query = "") =>
    (await ask<{ items: Wire[] }>("GET", `${kind.list}${query}`)).body.items.map((item) => item[kind.idName]);

  test("is deleted with its file and its evidence, and subscribers are notified", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const { [kind.idName]: id } = (await posted(ask, kind)) as Record<string, string>;
    const { [kind.idName]: other } = (await posted(ask, { ...kind, text: `${kind.text}\nAnother` })) as Record<
      string,
      string
    >;
    await vi.waitFor(async () => expect(new Set(await listed(ask))).toEqual(new Set([id, other])), soon);
    expect((await ask("DELETE", at(kind.remove, id!))).status).toBe(204);
    for (const path of kind.paths) expect((await ask("GET", at(path, id!))).status, path).toBe(404);
    expect((await ask("DELETE", at(kind.remove, id!))).status).toBe(204);

    await vi.waitFor(async () => {
      for (const query of [
        "",
        "?updatedSince=2020-01-01",
        "?sort=createdAt",
        "?internalId=TMS-1",
        "?createdFrom=2020-01-01",
      ])
        expect(await listed(ask, query), query).toEqual([other]);
    }, soon);
    await vi.waitFor(async () => {
      expect((await stored(company, kind.folder)).every((key) => key.includes(other!))).toBe(true);
    }, soon);
    const { body } = await ask<{ items: Wire[] }>("GET", `/api/v1/events?eventType=${kind.event}&payload=Full`);
    expect(body.items).toMatchObject([
      { status: "Deleted", resource: { id }, data: { [kind.idName]: id }, metadata: { internalId: "TMS-1" } },
    ]);
    if (!kind.isSubject) return;
    const feedback = { subject: { type: kind.event.replace("Deleted", ""), id }, rating: "Good" };
    expect((await ask("POST", "/api/v1/feedback", { json: feedback })).status).toBe(404);
  });

  test("is created anew when its file is uploaded again", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const first = (await posted(ask, kind)) as Record<string, string>;
    await ask("DELETE", at(kind.remove, first[kind.idName]!));
    await vi.waitFor(async () => expect(await stored(company, kind.folder)).toEqual([]), soon);
    const again = await vi.waitFor(() => posted(ask, kind), soon);
    expect(again["duplicateOf"]).toBeUndefined();
    expect(again[kind.idName]).not.toBe(first[kind.idName]);
    expect((await ask("GET", at(kind.paths[0]!, again[kind.idName] as string))).status).toBe(200);
  });

  test("is not returned to an upload of the same file while it is deleted, and that upload leaves nothing behind", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const first = (await posted(ask, kind)) as Record<string, string>;
    const id = first[kind.idName]!;
    await ask("DELETE", at(kind.remove, id));
    await vi.waitFor(async () => expect(await stored(company, kind.folder)).toEqual([]), soon);
    await vi.waitFor(async () => expect(await holds(company, kind, id)).toBe(true), soon);
    const send = () => ask("POST", kind.post, { body: form({ name: "file.txt", bytes: kind.text }) });
    // Takes the claim, as a request does that started before the claim was released.
    await vi.waitFor(async () => {
      await holds(company, kind, id);
      const { status, body } = await send();
      expect(body).toMatchObject({ errorCode: "in_progress" });
      expect(status).toBe(409);
    }, soon);
    expect(await stored(company, kind.folder)).toEqual([]);
    const again = await send();
    expect(again.status).toBe(202);
    expect(again.body[kind.idName]).not.toBe(id);
    expect(again.body["duplicateOf"]).toBeUndefined();
  });

  test("is returned to a request that is repeated after its deletion, and its file is not stored again", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const send = (headers = {}) =>
      ask("POST", kind.post, {
        body: form({ name: "file.txt", bytes: kind.text }),
        headers: { ...headers, "idempotency-key": "once" },
      });
    const first = await send();
    const id = first.body[kind.idName] as string;
    await ask("DELETE", at(kind.remove, id));
    const again = await vi.waitFor(async () => {
      expect(await stored(company, kind.folder)).toEqual([]);
      return send();
    }, soon);
    expect(again).toMatchObject({ status: first.status, body: first.body });
    const waiting = await send({ prefer: "wait=2" });
    expect(waiting).toMatchObject({ status: first.status, body: first.body });
    await vi.waitFor(async () => expect(await stored(company, kind.folder)).toEqual([]), soon);
    const other = await ask("POST", kind.post, { body: form({ name: "file.txt", bytes: kind.text }) });
    expect(other.status).toBe(202);
    expect(other.body[kind.idName]).not.toBe(id);
  });

  test("leaves nothing behind if it is deleted while it is extracted", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const { [kind.idName]: id } = (await posted(ask, kind, 0)) as Record<string, string>;
    expect((await ask("DELETE", at(kind.remove, id!))).status).toBe(204);
    await vi.waitFor(async () => {
      const { body } = await ask<{ items: Wire[] }>("GET", "/api/v1/events");
      expect(body.items.at(-1)).toMatchObject({ eventType: kind.event });
      expect(await stored(company, kind.folder)).toEqual([]);
      expect(await listed(ask)).toEqual([]);
    }, soon);
  });

  test("returns 404 if it does not exist, and a record of another company stays", async () => {
    const ask = apiClient(service, service.company().key);
    expect((await ask("DELETE", at(kind.remove, "0193a5f2-0000-7000-8000-000000000000"))).status).toBe(404);
    const { [kind.idName]: id } = (await posted(ask, kind)) as Record<string, string>;
    const stranger = apiClient(service, service.company().key);
    expect((await stranger("DELETE", at(kind.remove, id!))).status).toBe(404);
    expect((await ask("GET", at(kind.paths[0]!, id!))).status).toBe(200);
    const stale = await ask("DELETE", at(kind.remove, id!), { headers: { "if-match": '"99"' } });
    expect(stale.status).toBe(412);
  });
});

test("a collection is deleted with its files, and the documents extracted from it stay", async () => {
  const company = service.company();
  const ask = apiClient(service, company.key);
  const body = new FormData();
  body.append("file", new File([invoice], "invoice.txt"));
  body.append("file", new File(["Dear all, see you on Friday. Kind regards"], "letter.txt"));
  body.append("metadata", '{"internalId":"SCAN-1"}');
  const made = await ask<{ collectionId: string; collection: { documents: { documentId: string; type: string }[] } }>(
    "POST",
    "/api/v1/document-collections/files",
    { body, headers: { prefer: "wait=30" } },
  );
  const { collectionId: id, collection } = made.body;
  const listed = async (query: string) =>
    (await ask<{ items: Wire[] }>("GET", `/api/v1/document-collections?${query}`)).body.items;
  await vi.waitFor(async () => {
    for (const query of ["status=Succeeded", "type=Invoices", "text=letter", "internalId=SCAN-1"])
      expect(await listed(query), query).toMatchObject([
        { collectionId: id, fileNames: ["invoice.txt", "letter.txt"], documentCount: collection.documents.length },
      ]);
  }, soon);
  expect(await listed("type=Fines")).toEqual([]);
  const read = collection.documents.find(({ type }) => type === "Invoices")!;
  expect(await stored(company, "piles")).toHaveLength(2);
  const path = `/api/v1/document-collections/${id}`;
  for (let times = 0; times < 2; times++) expect((await ask("DELETE", path)).status).toBe(204);
  for (const below of ["", `/documents/${read.documentId}/file`])
    expect((await ask("GET", `${path}${below}`)).status).toBe(404);
  await vi.waitFor(async () => {
    expect([await stored(company, "piles"), await stored(company, "document-collections")]).toEqual([[], []]);
  }, soon);
  await vi.waitFor(async () => expect(await listed("updatedSince=2020-01-01")).toEqual([]), soon);
  expect((await ask("GET", `/api/v1/documents/${read.documentId}`)).status).toBe(200);
  expect((await ask("GET", `/api/v1/documents/${read.documentId}/file`)).status).toBe(200);
  await vi.waitFor(async () => {
    const told = await ask<{ items: Wire[] }>("GET", "/api/v1/events?eventType=DocumentCollectionDeleted");
    expect(told.body.items).toMatchObject([
      { status: "Deleted", resource: { id }, metadata: { internalId: "SCAN-1" } },
    ]);
  }, soon);
});

test("a deleted document of a collection stays deleted when the collection is split again", async () => {
  const company = service.company();
  const ask = apiClient(service, company.key);
  const bytes = pdfPages([lines("FV/1/2026"), lines("FV/2/2026"), lines("FV/3/2026")]);
  const { collectionId, files: scans, documents } = await splitCollection(ask, [{ name: "scan.pdf", bytes }]);
  expect(documents).toHaveLength(3);
  const { documentId } = documents[0]!;
  await ask("DELETE", `/api/v1/documents/${documentId}`);
  await vi.waitFor(async () => expect(await stored(company, `documents/${documentId}`)).toEqual([]), soon);
  const { fileId } = scans[0]!;
  const value = [
    { fileId, pageFrom: 1, pageTo: 1 },
    { fileId, pageFrom: 2, pageTo: 3 },
  ];
  const subject = { type: "DocumentCollection", id: collectionId };
  const json = { subject, rating: "Bad", corrections: [{ path: "/documents", value }] };
  expect((await ask("POST", "/api/v1/feedback", { json })).status).toBe(201);
  const path = `/api/v1/document-collections/${collectionId}`;
  await vi.waitFor(
    async () =>
      expect((await ask("GET", path)).body).toMatchObject({
        status: "Succeeded",
        documents: [
          { documentId, pageFrom: 1, pageTo: 1 },
          { pageFrom: 2, pageTo: 3 },
        ],
      }),
    soon,
  );
  expect((await ask("GET", `/api/v1/documents/${documentId}`)).status).toBe(404);
  expect(await stored(company, `documents/${documentId}`)).toEqual([]);
});

test.each([
  ["without corrections", "Good", []],
  ["with corrections", "Bad", [{ pointer: "/orderNumber", before: "BS-26-04711", value: "LP-1" }]],
] as const)(
  "feedback %s stays if its record is deleted before the feedback is learnt",
  async (_, rating, corrections) => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const { orderId } = (await posted(ask, kinds[0]!)) as { orderId: string };
    await ask("DELETE", `/api/v1/orders/${orderId}`);
    const env = (await service.mf.getBindings("lorry")) as unknown as Env;
    const feedbackId = randomUUID();
    const said = {
      subject: { type: "Order" as const, id: orderId, sequenceId: 0 },
      rating,
      corrections: [...corrections],
    };
    await executeCommand(env, feedback.give, { company: company.id, id: feedbackId }, { ...said, fields: [] });
    await vi.waitFor(async () => {
      const { status, body } = await ask("GET", `/api/v1/feedback/${feedbackId}`);
      expect([status, body["status"], body["lessons"]]).toEqual([200, "Learnt", 0]);
    }, soon);
  },
);

describe("a document of a carrier order", () => {
  test("is deleted with its bytes, and the order's status follows from the remaining documents", async () => {
    const company = service.company();
    const ask = apiClient(service, company.key);
    const { orderId, shareUrl } = await createCarrierOrder(ask, { orderNumber: "CO-1", requiredDocumentTypes: "cmr" });
    const { documentId } = (await uploadDocument(ask, orderId, "cmr")).body;
    await setDocumentStatus(ask, orderId, documentId, "Accepted");
    expect((await readOrder(ask, orderId)).carrierOrder.status).toBe("Completed");
    const path = `/api/v1/orders/${orderId}/documents/${documentId}`;
    for (let times = 0; times < 2; times++) expect((await ask("DELETE", path)).status).toBe(204);
    expect((await ask("GET", `${path}/content`)).status).toBe(404);
    expect((await ask("POST", `${path}/status`, { json: { status: "Rejected" } })).status).toBe(404);
    expect((await readOrder(ask, orderId)).carrierOrder).toMatchObject({
      status: "AwaitingDocuments",
      documents: [],
    });
    expect(await (await service.fetch(new URL(shareUrl).pathname)).text()).not.toContain(documentId);
    await vi.waitFor(async () => expect(await stored(company, "orders")).toEqual([]), soon);
    await vi.waitFor(async () => {
      const { body } = await ask<{ items: Wire[] }>("GET", "/api/v1/events?payload=Full");
      expect(body.items.slice(-2)).toMatchObject([
        { eventType: "OrderDocumentDeleted", status: "Deleted", previousStatus: "Accepted", documentId },
        { eventType: "CarrierOrderStatusChanged", status: "AwaitingDocuments", previousStatus: "Completed" },
      ]);
    }, soon);
    const again = await uploadDocument(ask, orderId, "cmr");
    expect(again.status).toBe(201);
    const content = await ask("GET", `/api/v1/orders/${orderId}/documents/${again.body.documentId}/content`);
    expect(content.status).toBe(200);
  });

  test("keeps its bytes if another document has the same", async () => {
    const ask = apiClient(service, service.company().key);
    const { orderId } = await createCarrierOrder(ask, { orderNumber: "CO-2" });
    const hand = (documentType: string) =>
      ask<{ documentId: string }>("POST", `/api/v1/orders/${orderId}/documents`, {
        body: form({ name: "paper.txt", bytes: "The same bytes" }, { documentType }),
      });
    const [first, second] = [await hand("cmr"), await hand("invoice")];
    const at = (documentId: string) => `/api/v1/orders/${orderId}/documents/${documentId}`;
    expect((await ask("DELETE", at(first.body.documentId))).status).toBe(204);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await ask("GET", `${at(second.body.documentId)}/content`)).toMatchObject({
      status: 200,
      body: "The same bytes",
    });
    expect((await ask("DELETE", at("0193a5f2-0000-7000-8000-000000000000"))).status).toBe(404);
  });
});
