import type * as z from "zod";
import type { AutomationRow, AutomationView, Counts, FineItem } from "./views.ts";
import type { FinesInput, ResolveInput } from "./input.ts";

// Example fines for the documentation. The persons are invented.

export const automationId = "0193b7c4-5d1e-7f02-8a6b-1c2d3e4f5a60";
const vehicleId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8bd3";
const orderId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b91";
const metadata = { internalId: "FINES-2026-11" };

export const inputExample: z.input<typeof FinesInput> = {
  fines: [
    {
      reference: "505.12.345678.9",
      authority: "Stadt Leipzig, Bußgeldbehörde",
      offenceAt: "2026-11-24T09:42",
      place: "A14, Leipzig-Mitte",
      countryCode: "DE",
      offenceType: "Speeding",
      licensePlate: "WGM 12345",
      plateCountry: "PL",
      amount: 88.5,
      currency: "EUR",
      driverStatementUntil: "2026-12-15",
      dueDate: "2026-12-22",
    },
  ],
  metadata,
};

const item: FineItem = {
  index: 0,
  documentId: null,
  reference: "505.12.345678.9",
  authority: "Stadt Leipzig, Bußgeldbehörde",
  licensePlate: "WGM12345",
  plateCountry: "PL",
  offenceAt: "2026-11-24T09:42",
  place: "A14, Leipzig-Mitte",
  countryCode: "DE",
  offenceType: "Speeding",
  amount: 88.5,
  currency: "EUR",
  discountedAmount: null,
  discountUntil: null,
  dueDate: "2026-12-22",
  appealUntil: null,
  driverStatementUntil: "2026-12-15",
  iban: null,
  paymentReference: null,
  vehicleId,
  driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01" },
  orderId,
  confidence: 0.94,
  evidence: [
    {
      step: "Plate",
      message: "The vehicle has the plate WGM12345.",
      confidence: 0.99,
      subject: { type: "Vehicle", id: vehicleId },
    },
    {
      step: "Time",
      message: "2026-11-24T09:42 in Europe/Berlin is 2026-11-24T08:42:00.000Z.",
      confidence: 1,
      subject: null,
    },
    {
      step: "Driver",
      message: "Jan Przykładowy was assigned to the vehicle.",
      confidence: 0.95,
      subject: { type: "Vehicle", id: vehicleId },
    },
    {
      step: "Order",
      message:
        "Order CO-2026-0815 was on the road at that time: between stop 1 (Leipzig) and stop 2 (Wrocław), 0 km from the line.",
      confidence: 0.95,
      subject: { type: "Order", id: orderId },
    },
  ],
  candidates: [],
  matchStatus: "Matched",
  duplicateOf: null,
  entered: true,
  needsReview: false,
  resolution: null,
  errorCode: null,
  message: null,
};

const counts: Counts = {
  total: 1,
  pending: 0,
  matched: 1,
  ambiguous: 0,
  vehicleUnknown: 0,
  driverUnknown: 0,
  duplicate: 0,
  unreadable: 0,
  entered: 1,
  needsReview: 0,
};

export const viewExample: AutomationView = {
  status: 2,
  errorCode: null,
  Message: null,
  data: { items: [item], counts },
  metadata,
};

export const deadlineExample = {
  automationId,
  deadline: "driverStatementUntil" as const,
  date: "2026-12-15",
  daysLeft: 7,
  item,
};

export const rowExample: AutomationRow = {
  automationId,
  kind: "Fines",
  status: 4,
  errorCode: null,
  Message: "1 of 2 fines must be looked at by a person.",
  counts: { ...counts, total: 2, vehicleUnknown: 1, needsReview: 1 },
  metadata,
  createdAt: "2026-11-27T10:00:00.000Z",
  updatedAt: "2026-11-27T10:00:01.200Z",
};

export const resolveExample: z.input<typeof ResolveInput> = {
  items: [{ index: 0, action: "Enter", driver: { name: "Jan Przykładowy" }, comment: "He has said so." }],
};
