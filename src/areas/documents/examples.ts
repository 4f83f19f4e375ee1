import type * as z from "zod";
import type { CmrView } from "../../extraction/kinds/cmr/view.ts";
import type { FineView } from "../../extraction/kinds/fine/view.ts";
import type { InsuranceView } from "../../extraction/kinds/insurance/view.ts";
import type { InvoiceView } from "../../extraction/kinds/invoice/view.ts";
import type { ReceiptView } from "../../extraction/kinds/receipt/view.ts";
import type { DocumentExtraction, DocumentRow, DocumentView } from "./shapes.ts";

// Documents of each kind, for the documentation. All parties and numbers are invented.

const documentId = "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5b31";
const metadata = { internalId: "DOC-204" };
const carrier = { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679", country: "CZ", city: "Brno" };
const forwarder = { name: "Beispiel Spedition GmbH", vatCode: "DE123456788", country: "DE", city: "Hamburg" };

const invoice: InvoiceView = {
  number: "FV/118/2026",
  kind: "Invoice",
  issueDate: "2026-11-20",
  saleDate: "2026-11-19",
  dueDate: "2027-01-04",
  seller: carrier,
  buyer: forwarder,
  iban: "CZ6508000000192000145399",
  currency: "EUR",
  lines: [{ description: "Transport Leipzig – Wrocław", quantity: 1, netAmount: 780, vatRate: 0, grossAmount: 780 }],
  netAmount: 780,
  vatAmount: 0,
  grossAmount: 780,
  paymentMethod: "BankTransfer",
  paymentDays: 45,
  orderNumbers: ["BS-26-04711"],
  licensePlates: ["1BX4821"],
};

const receipt: ReceiptView = {
  number: "004711",
  issuedAt: "2026-11-19T18:42",
  merchant: { name: "Rasthof Beispiel", country: "DE" },
  category: "Fuel",
  items: [{ description: "Diesel", quantity: 412.5, unitPrice: 1.619, grossAmount: 667.84 }],
  currency: "EUR",
  netAmount: 561.21,
  vatAmount: 106.63,
  grossAmount: 667.84,
  licensePlate: "1BX4821",
  cardLast4: "9012",
  odometer: 482_113,
};

const cmr: CmrView = {
  number: "CZ-2026-88213",
  sender: { name: "Muster Papierwerke GmbH", country: "DE", city: "Leipzig" },
  consignee: { name: "Drukarnia Przykład Sp. z o.o.", country: "PL", city: "Wrocław" },
  carrier,
  takingOver: { place: "Leipzig", country: "DE", date: "2026-11-24" },
  delivery: { place: "Wrocław", country: "PL", date: "2026-11-25" },
  goods: [{ quantity: 33, packing: "pallets", nature: "Printing paper", grossWeight: 22_400 }],
  licensePlates: ["1BX4821", "2BK9034"],
};

const fine: FineView = {
  reference: "AZ 505.118.442-7",
  authority: "Bußgeldstelle Beispielstadt",
  offenceAt: "2026-10-14T07:42",
  place: "A 14, km 88,2",
  offenceType: "Speeding",
  measuredSpeed: 96,
  speedLimit: 80,
  licensePlate: "1BX4821",
  plateCountry: "CZ",
  amount: 90,
  currency: "EUR",
  dueDate: "2026-11-30",
};

const insurance: InsuranceView = {
  kind: "CarrierLiability",
  policyNumber: "OCP-2026-118-442",
  insurer: "Beispiel Versicherung AG",
  policyHolder: carrier,
  validFrom: "2026-01-01",
  validTo: "2026-12-31",
  sumInsured: 300_000,
  currency: "EUR",
  territory: ["DE", "PL", "CZ"],
};

/** The envelope of each kind. */
export const examples = {
  invoice: { status: "Succeeded" as const, data: invoice, metadata },
  receipt: { status: "Succeeded" as const, data: receipt, metadata },
  cmr: { status: "Succeeded" as const, data: cmr, metadata },
  fine: { status: "Succeeded" as const, data: fine, metadata },
  insurance: { status: "Succeeded" as const, data: insurance, metadata },
};

const times = { createdAt: "2026-11-20T09:30:00.000Z", updatedAt: "2026-11-20T09:30:00.800Z" };

export const viewExample: z.output<typeof DocumentView> = {
  documentId,
  type: "Invoices",
  fileName: "FV-118-2026.pdf",
  ...examples.invoice,
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
    { name: carrier.name, vatCode: carrier.vatCode },
    { name: forwarder.name, vatCode: forwarder.vatCode },
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
