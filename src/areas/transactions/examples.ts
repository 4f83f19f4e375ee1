import type * as z from "zod";
import type { ChangeInput, FeedInput, ItemInput, ReconcileInput } from "./input.ts";
import type { FeedView, ReconcileView, TotalView, TransactionView } from "./model.ts";

export const transactionId = "0193b1c4-2d9e-7c31-8a55-3f6e0b7d9a12";
export const feedId = "0193b1c4-2c01-7f10-9b44-1d2c3b4a5968";
export const vehicleId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8bd3";
const documentId = "0193d2e1-4c3a-7b90-8d11-6e2f4a9c5b31";

const itemExample: z.input<typeof ItemInput> = {
  externalId: "T-2026-118442",
  kind: "Fuel",
  type: "Purchase",
  occurredAt: "2026-11-19T18:42",
  cardNumber: "7040 1234 5678 9012",
  licensePlate: "WGM 12345",
  station: "Rasthof Beispiel",
  countryCode: "DE",
  productName: "Diesel",
  quantity: 412.5,
  unit: "l",
  unitPrice: 1.3605,
  netAmount: 561.21,
  vatAmount: 106.63,
  grossAmount: 667.84,
  currency: "EUR",
  odometer: 482_113,
};

export const inputExample: z.input<typeof FeedInput> = { provider: "Beispielkarte", items: [itemExample] };

const times = { createdAt: "2026-11-20T09:30:00.000Z", updatedAt: "2026-11-20T09:30:00.000Z" };

export const feedExample: FeedView = {
  feedId,
  status: "Imported",
  provider: "Beispielkarte",
  accepted: 1,
  duplicates: 0,
  rejected: [],
  rejectedCount: 0,
  matched: 1,
  unmatched: 0,
  flagged: 0,
  voided: 0,
  ...times,
};

export const viewExample: TransactionView = {
  transactionId,
  feedId,
  row: 1,
  status: "Matched",
  provider: "Beispielkarte",
  externalId: "T-2026-118442",
  kind: "Fuel",
  type: "Purchase",
  occurredAt: "2026-11-19T17:42:00.000Z",
  cardLast4: "9012",
  licensePlate: "WGM12345",
  station: "Rasthof Beispiel",
  countryCode: "DE",
  productName: "Diesel",
  quantity: 412.5,
  unit: "l",
  unitPrice: 1.3605,
  netAmount: 561.21,
  vatAmount: 106.63,
  grossAmount: 667.84,
  currency: "EUR",
  odometer: 482_113,
  vehicleId,
  driver: { name: "Jan Przykładowy" },
  matchedBy: "LicensePlate",
  anomalies: [],
  ...times,
};

export const flaggedExample: TransactionView = {
  ...viewExample,
  status: "Flagged",
  anomalies: [
    {
      type: "OdometerBackwards",
      expected: 483_002,
      actual: 482_113,
      message: "It stood at 483002 km before, and at 482113 km now.",
      transactionId: "0193b1c4-1a00-7c31-8a55-3f6e0b7d9a10",
    },
  ],
};

export const changeExample: z.input<typeof ChangeInput> = {
  status: "Ignored",
  comment: "Filled into the reserve tank.",
};

export const totalExample: TotalView = {
  vehicleId,
  licensePlate: "WGM12345",
  currency: "EUR",
  count: 12,
  litres: 4810.5,
  netAmount: 6544.68,
  vatAmount: 1243.49,
  grossAmount: 7788.17,
  kinds: { Fuel: 7520.3, AdBlue: 267.87 },
};

export const reconcileExample: z.input<typeof ReconcileInput> = { documentId, provider: "Beispielkarte" };

export const reconciledExample: ReconcileView = {
  result: "Different",
  documentId,
  invoiceNumber: "BK-2026-11-2",
  currency: "EUR",
  invoice: { netAmount: 621.21, vatAmount: 118.03, grossAmount: 739.24 },
  transactions: { count: 1, netAmount: 561.21, vatAmount: 106.63, grossAmount: 667.84 },
  difference: 71.4,
  reconciled: 0,
  unsettled: 0,
  missing: [{ description: "LKW-Wäsche", quantity: 1, amount: 71.4 }],
  extra: [],
};
