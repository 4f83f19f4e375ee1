import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient, form, type ApiClient } from "../../support/api-client.ts";
import { cmr, fine, invoice, licence, policy, quoteRequest, receipt } from "../../support/papers/kinds.ts";
import { orderLines } from "../../support/papers/order.ts";
import { openService, type TestService } from "../../support/service.ts";

// A document of each kind is sent as every kind. It is extracted only as its own kind, except that several kinds are
// accepted as orders and as requests for a quote.

let service: TestService;
let ask: ApiClient;

beforeAll(async () => {
  service = await openService();
  ask = apiClient(service, service.company().key);
});

afterAll(() => service.stop());

const papers: Record<string, string[]> = {
  Orders: orderLines({ number: "KT-2026-0001" }),
  Opportunities: quoteRequest,
  Invoices: invoice("KT/1/2026"),
  Receipts: receipt,
  Cmrs: cmr("KT-1"),
  Fines: fine,
  Insurances: policy,
  DriverDocuments: licence,
};
const types = ["Invoices", "Receipts", "Cmrs", "Fines", "Insurances"];

const send = (path: string, lines: readonly string[], fields: Record<string, string> = {}) =>
  ask<Record<string, unknown>>("POST", path, {
    body: form({ name: "paper.txt", bytes: lines.join("\n") }, fields),
    headers: { prefer: "wait=30" },
  });

const pairs = Object.keys(papers).flatMap((paper) => types.map((type) => [paper, type] as const));
const isRead = expect.stringMatching(/^(?:Succeeded|Partial|Valid|Expired|ExpiringSoon)$/);
const isNone = { status: "Failed", errorCode: "input_not_a_document_of_this_kind" };

test.each(pairs)("a file of kind %s sent as %s is extracted only if it is of that kind", async (paper, type) => {
  const { body } = await send("/api/v1/documents", papers[paper]!, { type });
  expect(body["document"]).toMatchObject(paper === type ? { type, status: isRead } : isNone);
});

test.each(Object.keys(papers))(
  "a file of kind %s sent without a type gets its type, or fails if it belongs to another area",
  async (paper) => {
    const { body } = await send("/api/v1/documents", papers[paper]!);
    expect(body["document"]).toMatchObject(types.includes(paper) ? { type: paper, status: isRead } : isNone);
  },
);

/** Document kinds that describe a load. They are accepted both as an order and as a request for a quote. */
const tellOfFreight = ["Orders", "Opportunities", "Cmrs"];
const ofFreight = (paper: string) =>
  tellOfFreight.includes(paper) ? { status: "Succeeded" } : { status: "Failed", errorCode: "input_not_freight" };

test.each(Object.keys(papers))(
  "a file of kind %s sent as an order succeeds only if it describes freight",
  async (paper) => {
    const { body } = await send("/api/v1/orders/file", papers[paper]!);
    expect(body["orders"]).toMatchObject([ofFreight(paper)]);
  },
);

test.each(Object.keys(papers))(
  "a file of kind %s sent as a request for a quote succeeds only if it describes freight",
  async (paper) => {
    const { body } = await send("/api/v1/opportunities/file", papers[paper]!);
    expect(body["opportunities"]).toMatchObject([ofFreight(paper)]);
  },
);

test.each(Object.keys(papers))(
  "a file of kind %s sent as a document of a driver succeeds only if it is one",
  async (paper) => {
    const { body } = await send("/api/v1/drivers-documents", papers[paper]!);
    expect(body["document"]).toMatchObject(paper === "DriverDocuments" ? { status: isRead } : isNone);
  },
);
