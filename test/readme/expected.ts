import { expect } from "vitest";
import { createOffer } from "../support/offers.ts";
import type { ApiClient } from "../support/api-client.ts";

/** The response that a documented command must have. */
export interface Expected {
  /** A text that identifies the command, because no other documented command contains it. */
  command: string;
  answer: unknown;
  /** Whether the result appears later, so that the command is repeated until the response matches. */
  eventually?: boolean;
  /** Whether the command runs only in the variant with OCR, because it is slow and does not depend on the gazetteer. */
  once?: boolean;
  /** Further checks and preparation for the next command. */
  afterwards?: (body: never, ask: ApiClient) => Promise<void>;
}

const items = (...all: unknown[]): unknown => ({ items: all });
const some = (item: unknown): unknown => ({ items: expect.arrayContaining([expect.objectContaining(item as object)]) });
const stop = (type: string, countryCode: string, postalCode: string, city: string) => ({
  type,
  address: { countryCode, postalCode, city },
});
const lane = [stop("Loading", "DE", "04158", "Leipzig"), stop("Unloading", "PL", "53-609", "Wroclaw")];

export const expectations: Expected[] = [
  { command: "orders/file -H", answer: { status: "Succeeded", orders: [{ status: "Succeeded" }] } },
  { command: "api/v2/orders/$ORDER_ID", answer: [{ status: "Succeeded", data: { orderNumber: "BS-26-04711" } }] },
  { command: "$ORDER_ID/extraction", answer: { fields: { "/orderNumber": { text: "BS-26-04711", page: 1 } } } },
  {
    command: "orders?text=paper",
    eventually: true,
    answer: items({ kind: "Document", loading: "DE 04158 Leipzig", unloading: "PL 53-609 Wroclaw" }),
  },
  { command: '"name":"Trans Beispiel","vatCodes"', answer: { vatCodes: ["PL5260250274"] } },
  {
    command: "api/v1/feedback",
    answer: { corrections: [{ path: "/orderNumber", before: "BS-26-04711", value: "LP-88213" }] },
  },
  {
    command: "INVOICE FV/214/10/2026",
    answer: {
      document: {
        type: "Invoices",
        data: {
          number: "FV/214/10/2026",
          issueDate: "2026-10-12",
          dueDate: "2026-11-26",
          seller: { name: "Trans Beispiel Sp. z o.o.", vatCode: "PL5260250274", postalCode: "63-300", city: "Pleszew" },
          buyer: { name: "Muster Spedition GmbH", postalCode: "20457", city: "Hamburg", street: "Hafenstr. 4" },
          netAmount: 1150,
          vatAmount: 264.5,
          grossAmount: 1414.5,
          currency: "EUR",
          orderNumbers: ["BS-26-04711"],
          checks: expect.arrayContaining([
            expect.objectContaining({ name: "NetAndVatMakeGross", passed: true }),
            expect.objectContaining({ name: "VatCodeChecksum", passed: true }),
          ]) as unknown,
        },
      },
    },
  },
  {
    command: "documents/quality",
    eventually: true,
    once: true,
    answer: { status: "Succeeded", quality: { verdict: "Good", pages: [{ page: 1, width: 1600, height: 1090 }] } },
  },
  {
    command: "document-collections/files",
    eventually: true,
    once: true,
    answer: {
      status: "Succeeded",
      collection: {
        files: [{ fileName: "sample-order.pdf" }, { fileName: "share-page.png" }],
        documents: [{ type: "Orders", status: "Succeeded", pageFrom: 1, pageTo: 1 }, { status: "Succeeded" }],
      },
    },
  },
  {
    command: "Do you have a tautliner 24 t",
    answer: {
      opportunities: [
        {
          data: {
            locations: lane,
            requirements: { trailerTypes: [3], capacity: 24, pallets: 33 },
            payment: { from: 780, currency: "EUR", term: 30 },
          },
          missing: ["loadingDate", "unloadingDate"],
        },
      ],
    },
  },
  {
    command: "classifications/email",
    answer: {
      label: "Delay",
      language: "en",
      entities: { orderNumbers: ["BS-26-04711"], places: [{ countryCode: "PL", city: "Poznań" }] },
    },
  },
  { command: '"CO-2026-0815", "requiredDocumentTypes"', answer: { result: "Created" } },
  {
    command: '"orderNumber":"CO-1"',
    answer: { result: "Created", shareUrl: expect.stringContaining("/share/") as unknown },
  },
  { command: '"$SHARE_URL"', answer: { documents: [{ type: "cmr", status: "Uploaded" }] } },
  { command: "documentType=invoice", answer: { type: "invoice", status: "Uploaded", uploadedBy: "Company" } },
  {
    command: 'api/v1/orders/$ORDER_ID" -H',
    answer: { carrierOrder: { documents: [{ type: "cmr", status: "Uploaded" }, { type: "invoice" }] } },
  },
  { command: "The stamp cannot be read.", answer: { status: "Rejected", orderStatus: "Rejected" } },
  { command: "orders/query", eventually: true, answer: some({ orderNumber: "CO-2026-0815" }) },
  {
    command: "FR-2026-0815",
    answer: {
      status: "Published",
      currentPrice: 1000,
      // The price rises by 300 euros in 7 to 13 steps of four hours. Their number depends on the time of day.
      nextPrice: expect.toSatisfy((price: number) => price > 1020 && price < 1045) as unknown,
      nextPriceAt: expect.any(String) as unknown,
      locations: [stop("Loading", "DE", "04158", "Leipzig"), stop("Unloading", "PL", "53-609", "Wrocław")],
    },
  },
  { command: "freights?limit=5", answer: items() },
  { command: "loadingNear=51.34,12.37,50", eventually: true, answer: some({ externalNumber: "FR-2026-0815" }) },
  {
    command: "freights/share",
    answer: items({ email: "dispo@vzorova-doprava.example", link: expect.stringContaining("/freight/") as unknown }),
    async afterwards({ items: [sent] }: { items: [{ freightId: string }] }, ask) {
      await createOffer(ask, sent.freightId, { price: 1150 });
    },
  },
  { command: "freights/offers?freightId", answer: items({ status: "Submitted", price: 1150 }) },
  { command: '"action":"Counter"', answer: { status: "Countered", price: 1100 } },
  { command: '-X DELETE "http://127.0.0.1:8787/api/v1/freights/', answer: "" },
  { command: "freights/archive/$FREIGHT_ID", answer: { status: "Withdrawn", archiveReason: "Withdrawn" } },
  { command: "api/v1/vehicles", answer: { licensePlate: "WGM12345", tankCapacity: 600 } },
  { command: "Beleg-Nr.", answer: { status: "Imported", accepted: 1, flagged: 1 } },
  { command: "70,00;87,50", answer: { status: "Imported", accepted: 1 } },
  {
    command: "status=Flagged",
    answer: items({ quantity: 700, anomalies: [{ type: "VolumeExceedsTank", expected: 600, actual: 700 }] }),
  },
  { command: "summary=vehicle", answer: items({ licensePlate: "WGM12345", litres: 700, netAmount: 875 }) },
  { command: "Both tanks were filled.", answer: { status: "Matched" } },
  {
    command: "INVOICE BK/10/2026",
    answer: { document: { data: { number: "BK/10/2026", netAmount: 875, grossAmount: 1041.25 } } },
  },
  { command: "transactions-feed/reconcile", answer: { difference: 0, missing: [], extra: [] } },
  {
    command: "505.12.345678.9",
    answer: {
      automation: { data: { items: [{ driver: { name: "Jan Przykładowy" }, matchStatus: "Matched", entered: true }] } },
    },
  },
  {
    command: '"reference":"4711"',
    answer: { automation: { data: { items: [{ licensePlate: "WGM12345", matchStatus: "VehicleUnknown" }] } } },
  },
  {
    command: "Bußgeldbescheid",
    answer: {
      automation: {
        data: {
          items: [
            {
              reference: "505.118.442-7",
              licensePlate: "WGM54321",
              offenceAt: "2026-10-14T07:42",
              amount: 90,
              dueDate: "2026-12-30",
              matchStatus: "VehicleUnknown",
              needsReview: true,
            },
          ],
        },
      },
    },
  },
  {
    command: '"action":"Enter"',
    answer: { data: { items: [{ driver: { name: "Jan Przykładowy" }, entered: true, needsReview: false }] } },
  },
  { command: "http://127.0.0.1:3000/hook", answer: { status: "Active", eventTypes: ["All"] } },
  { command: '"$WEBHOOK/test"', answer: { delivered: true, status: 204 } },
  { command: '"$WEBHOOK/deliveries"', answer: some({ eventType: "Test", status: "Delivered" }) },
  { command: '"$WEBHOOK/notify"', answer: { emails: ["it@example.com"] } },
  { command: '"$WEBHOOK/reset"', answer: { status: "Active" } },
  { command: "events?limit=20", eventually: true, answer: some({ eventType: "OrderProcessed", status: "Succeeded" }) },
  { command: "api/v1/keys", answer: { scopes: ["orders:write"], description: "Our TMS" } },
  { command: '"role":"forwarder"', answer: { email: "anna@trans.example", status: "Active" } },
  { command: "accounts/block", answer: { status: "Blocked", blockedReason: "Left the company" } },
  { command: "api/v1/audit -H", eventually: true, answer: some({ operation: "webhooks.create" }) },
  { command: "audit?operation=accounts.block", eventually: true, answer: some({ operation: "accounts.block" }) },
  { command: "dev/mail/in", answer: { isNew: true } },
  {
    command: "api/v1/mails -H",
    eventually: true,
    answer: items({ status: "Routed", kind: "quoteRequest", routed: [{ id: expect.any(String) as unknown }] }),
    async afterwards({ items: [mail] }: { items: [{ routed: [{ id: string }] }] }, ask) {
      const read = async () => (await ask("GET", `/api/v1/opportunities/${mail.routed[0].id}`)).body;
      await expect
        .poll(read)
        .toMatchObject({ data: { locations: lane, requirements: { trailerTypes: [3], pallets: 33 } } });
    },
  },
  { command: "privacy/export", answer: { kind: "Export" } },
  { command: "privacy/erase", answer: { kind: "Erase" } },
  { command: "privacy/retention", answer: { orders: 3650, mails: 365 } },
  { command: "8787/healthz", answer: { status: "ok", archive: "ok" } },
  { command: '"languageModel":"WhenUnsure"', answer: { languageModel: "WhenUnsure" } },
];
