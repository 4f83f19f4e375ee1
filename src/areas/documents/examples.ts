import type * as z from "zod";
import { invoice } from "../../extraction/kinds/invoice/kind.ts";
import type { DocumentExtraction, DocumentRow, DocumentView } from "./model.ts";

const documentId = "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5b31";
const metadata = { internalId: "DOC-204" };

const times = { createdAt: "2026-11-20T09:30:00.000Z", updatedAt: "2026-11-20T09:30:00.800Z" };

export const viewExample: z.output<typeof DocumentView> = {
  documentId,
  type: "Invoices",
  fileName: "FV-118-2026.pdf",
  status: "Succeeded",
  data: { ...invoice.example },
  metadata,
  ...times,
};

export const failedExample: z.output<typeof DocumentView> = {
  documentId,
  type: "Invoices",
  fileName: "menu.pdf",
  status: "Failed",
  errorCode: "input_not_a_document_of_this_kind",
  message: "The document is not an invoice.",
  metadata,
  ...times,
};

export const receivedExample = { documentId };

export const rowExample: DocumentRow = {
  documentId,
  type: "Invoices",
  status: "Succeeded",
  number: "FV/118/2026",
  date: "2026-11-20",
  parties: [
    { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" },
    { name: "Beispiel Spedition GmbH", vatCode: "DE123456788" },
  ],
  licensePlates: ["1BX4821"],
  amount: 780,
  currency: "EUR",
  fileName: "FV-118-2026.pdf",
  ...times,
  metadata,
};

export const extractionExample: DocumentExtraction = {
  documentId,
  sequenceId: 0,
  fields: {
    "/grossAmount": {
      value: 780,
      confidence: 0.97,
      source: "Document",
      text: "780,00 EUR",
      page: 1,
      box: [0.74, 0.66, 0.86, 0.675],
    },
  },
  checks: [{ name: "TotalsAddUp", passed: true, detail: "780 and 0 make 780.", pointers: [] }],
  engine: "lorry-1",
  language: "cs",
  pages: 1,
  milliseconds: 90,
  warnings: [],
};
