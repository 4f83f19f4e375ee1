import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { apiClient, type ApiClient } from "../../support/api-client.ts";
import { createCarrierOrder, readOrder } from "../../support/carriers.ts";
import { pdfPages } from "../../support/papers/pdf.ts";
import { invoice, root, splitCollection, terms, type Collection } from "../../support/document-collections.ts";
import { openService, type TestService } from "../../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService();
});

afterAll(() => service.stop());

const anyone = () => apiClient(service, service.company().key);

describe("a document that names a carrier order", () => {
  const orders = "/api/v1/orders";
  const numbered = (number: string) => pdfPages([[...invoice("FV/150/2026"), `Order number: ${number}`]]);

  /** Creates orders and waits until the query finds them. */
  async function made(ask: ApiClient, ...numbers: string[]): Promise<string[]> {
    const ids = [];
    for (const orderNumber of numbers)
      ids.push((await createCarrierOrder(ask, { orderNumber, requiredDocumentTypes: "invoice" })).orderId);
    const listed = () => ask<{ items: unknown[] }>("POST", `${orders}/query`, { json: {} });
    await expect.poll(async () => (await listed()).body.items, { timeout: 50_000 }).toHaveLength(numbers.length);
    return ids;
  }

  test("is attached to it once", async () => {
    const ask = anyone();
    const [orderId] = await made(ask, "ZL/150/11");
    const found = await splitCollection(ask, [{ name: "scan.pdf", bytes: numbered("ZL/150/11") }]);
    const { documentId } = found.documents[0]!;
    expect(found.documents).toMatchObject([{ orders: [{ orderId, orderNumber: "ZL/150/11" }], attachedTo: orderId }]);
    const { carrierOrder } = await readOrder(ask, orderId!);
    expect(carrierOrder).toMatchObject({
      status: "InReview",
      documents: [{ documentId, type: "invoice", contentType: "application/pdf", uploadedBy: "Company" }],
    });
    const paper = await ask<string>("GET", `${orders}/${orderId}/documents/${documentId}/content`);
    expect([paper.status, paper.body.slice(0, 5)]).toEqual([200, "%PDF-"]);
  });

  test("is not attached if its number matches several orders, which are listed", async () => {
    const ask = anyone();
    const ids = await made(ask, "ZL-151/11", "ZL 151-11");
    const found = await splitCollection(ask, [{ name: "scan.pdf", bytes: numbered("ZL-151/11") }]);
    const [document] = found.documents;
    expect(document!.orders!.map(({ orderId }) => orderId).toSorted()).toEqual(ids.toSorted());
    expect(document!.attachedTo).toBeUndefined();
    for (const id of ids) expect((await readOrder(ask, id)).carrierOrder.documents).toEqual([]);
  });

  test("is not attached if not requested, or not allowed for the key", async () => {
    const ask = anyone();
    const [orderId] = await made(ask, "ZL/152/11");
    const { body } = await ask<{ key: string }>("POST", "/api/v1/keys", {
      json: { name: "Scanner", scopes: ["documents:write", "orders:read"] },
    });
    const scanner = apiClient(service, body.key);
    const told = [
      await splitCollection(ask, [{ name: "scan.pdf", bytes: numbered("ZL/152/11") }], { attachTo: "Nothing" }),
      await splitCollection(scanner, [{ name: "scan.pdf", bytes: numbered("zl-152-11") }]),
    ];
    for (const { documents } of told) {
      expect(documents).toMatchObject([{ orders: [{ orderId }] }]);
      expect(documents[0]!.attachedTo).toBeUndefined();
    }
    expect((await readOrder(ask, orderId!)).carrierOrder.documents).toEqual([]);
  });

  test("is superseded when a correction changes its pages, and counts again when they are restored; an accepted one stays", async () => {
    const ask = anyone();
    const [orderId] = await made(ask, "ZL/153/11");
    const bytes = pdfPages([[...invoice("FV/153/2026"), "Order number: ZL/153/11"], terms(1)]);
    const { collectionId, files, documents } = await splitCollection(ask, [{ name: "scan.pdf", bytes }]);
    const { fileId } = files[0]!;
    const { pageTo, documentId: first } = documents[0]!;
    const papers = async () =>
      (await readOrder(ask, orderId!)).carrierOrder.documents.map(({ documentId, status }) => [documentId, status]);
    expect(await papers()).toEqual([[first, "Uploaded"]]);
    const say = async (value: object[]) => {
      const corrections = [{ path: "/documents", value }];
      const subject = { type: "DocumentCollection", id: collectionId };
      const answer = await ask("POST", "/api/v1/feedback", { json: { subject, rating: "Bad", corrections } });
      expect(answer.status).toBe(201);
      return vi.waitUntil(
        async () => {
          const now = (await ask<Collection>("GET", `${root}/${collectionId}`)).body;
          return now.status === "Processing" ? undefined : now.documents;
        },
        { timeout: 60_000, interval: 100 },
      );
    };
    const another = pageTo === 1 ? 2 : 1;
    const [second] = await say([{ fileId, pageFrom: 1, pageTo: another }]);
    expect(second!.attachedTo).toBe(orderId);
    expect(await papers()).toEqual([
      [first, "Superseded"],
      [second!.documentId, "Uploaded"],
    ]);
    await say([{ fileId, pageFrom: 1, pageTo }]);
    expect(await papers()).toEqual([
      [second!.documentId, "Superseded"],
      [first, "Uploaded"],
    ]);
    await vi.waitFor(
      async () => {
        const { body } = await ask<{ items: { eventType: string }[] }>("GET", "/api/v1/events?limit=200");
        expect(body.items.map(({ eventType }) => eventType)).toContain("OrderDocumentStatusChanged");
      },
      { timeout: 60_000, interval: 100 },
    );
    const accepted = { status: "Accepted" };
    await ask("POST", `${orders}/${orderId}/documents/${first}/status`, { json: accepted });
    await say([{ fileId, pageFrom: 2, pageTo: 2, type: "Other" }]);
    expect(await papers()).toContainEqual([first, "Accepted"]);
  });
});
