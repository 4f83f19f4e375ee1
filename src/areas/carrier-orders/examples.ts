import type * as z from "zod";
import type { OrderDocumentView } from "./documents.ts";
import type { CarrierOrderInput } from "./input.ts";
import type { CarrierOrderEnvelope, CarrierOrderView } from "./model.ts";
import type { CarrierOrderRow } from "./search.ts";

// One carrier order for the documentation.

export const orderId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b91";
const metadata = { internalId: "TMS-4712" };
export const shareUrl =
  "https://lorry.beispiel.de/share/AZOl8Tt6fBCOVW0vmwpMMQGTpfJ8HnpEnStfDD4ai5Fexample-of-a-secret0";

export const inputExample: z.input<typeof CarrierOrderInput> = {
  orderNumber: "CO-2026-0815",
  carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" },
  internalComments: "Second trip this week",
  requiredDocumentTypes: "cmr,invoice",
  details: { weight: 22400, licensePlates: ["1BX 4821", "2BK 9034"] },
  locations: [
    {
      sequence: 1,
      type: "Loading",
      startDate: "2026-11-24T07:00:00.000Z",
      endDate: "2026-11-24T11:00:00.000Z",
      name: "Muster Papierwerke GmbH",
      countryCode: "DE",
      postalCode: "04158",
      city: "Leipzig",
      street: "Industriestraße 5",
      position: { latitude: 51.3878, longitude: 12.3426 },
    },
    {
      sequence: 2,
      type: "Unloading",
      startDate: "2026-11-25T06:00:00.000Z",
      endDate: "2026-11-25T14:00:00.000Z",
      name: "Drukarnia Przykład Sp. z o.o.",
      countryCode: "PL",
      postalCode: "53-609",
      city: "Wrocław",
      street: "Fabryczna 10",
    },
  ],
  metadata,
};

export const envelopeExample: z.output<typeof CarrierOrderEnvelope> = {
  sequenceId: 0,
  status: "Succeeded",
  message: "",
  errorCode: "",
  data: {
    orderNumber: "CO-2026-0815",
    licensePlates: ["1BX4821", "2BK9034"],
    payer: {},
    customer: {},
    carrier: {
      name: "Vzorová Doprava s.r.o.",
      vatCode: "CZ12345679",
      contactPerson: { email: "dispo@vzorova-doprava.example" },
    },
    locations: [
      {
        sequence: 1,
        type: "Loading",
        startDate: "2026-11-24T07:00:00.000Z",
        endDate: "2026-11-24T11:00:00.000Z",
        countryCode: "DE",
        postalCode: "04158",
        city: "Leipzig",
        normalizedCity: "Leipzig",
        street: "Industriestraße 5",
        normalizedStreet: "Industriestraße 5",
        name: "Muster Papierwerke GmbH",
        normalizedName: "Muster Papierwerke GmbH",
        coordinates: { latitude: 51.3878, longitude: 12.3426 },
        cargo: [{ weight: 22400 }],
        totalWeight: 22400,
      },
      {
        sequence: 2,
        type: "Unloading",
        startDate: "2026-11-25T06:00:00.000Z",
        endDate: "2026-11-25T14:00:00.000Z",
        countryCode: "PL",
        postalCode: "53-609",
        city: "Wrocław",
        normalizedCity: "Wrocław",
        street: "Fabryczna 10",
        normalizedStreet: "Fabryczna 10",
        name: "Drukarnia Przykład Sp. z o.o.",
        normalizedName: "Drukarnia Przykład Sp. z o.o.",
        coordinates: { latitude: 51.1, longitude: 17.0333 },
        cargo: [],
      },
    ],
    payments: {},
    vehiclesLicensePlates: [],
    trailersLicensePlates: [],
    cargoValue: {},
  },
  metadata,
  orderSubType: "Regular",
};

export const documentExample: OrderDocumentView = {
  documentId: "0193a8c0-11d2-7b60-8f5e-9a3c2d1e0f42",
  type: "cmr",
  fileName: "CMR 0815.jpg",
  contentType: "image/jpeg",
  sizeBytes: 2481337,
  status: "Rejected",
  reason: "The consignee's stamp cannot be read.",
  quality: {
    verdict: "Acceptable",
    score: 67,
    reasons: ["Blurred"],
    advice: "The picture is blurred. Please hold the phone still, tap on the text to focus, and take it again.",
  },
  uploadedBy: "Carrier",
  uploadedAt: "2026-11-25T15:12:40.000Z",
};

export const carrierOrderExample: CarrierOrderView = {
  status: "AwaitingDocuments",
  shareUrl,
  requiredDocumentTypes: "cmr,invoice",
  missingDocumentTypes: ["invoice"],
  internalComments: "Second trip this week",
  details: { weight: 22400, licensePlates: ["1BX4821", "2BK9034"] },
  documents: [documentExample],
};

const { shareUrl: _, ...withoutLink } = carrierOrderExample;
export const eventExample = { ...envelopeExample, orderId, carrierOrder: withoutLink };
export const documentEventExample = { ...documentExample, orderId, orderStatus: "AwaitingDocuments" as const };

const { internalComments: __, details: ___, ...beside } = withoutLink;
export const rowExample: CarrierOrderRow = {
  orderId,
  kind: "Carrier",
  orderNumber: "CO-2026-0815",
  carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" },
  loading: "DE 04158 Leipzig",
  unloading: "PL 53-609 Wrocław",
  loadingDate: "2026-11-24T07:00:00.000Z",
  unloadingDate: "2026-11-25T06:00:00.000Z",
  licensePlates: ["1BX4821", "2BK9034"],
  ...beside,
  createdAt: "2026-11-23T10:00:00.000Z",
  updatedAt: "2026-11-25T15:20:00.000Z",
  metadata,
};
