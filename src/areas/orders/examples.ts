import type { Extraction, OrderEnvelope, OrderRow } from "./model.ts";

export const orderId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const metadata = { internalId: "TMS-4711" };

/** An extracted order, for the documentation. */
export const example: OrderEnvelope = {
  sequenceId: 0,
  status: "Succeeded",
  orderSubType: "Regular",
  data: {
    orderNumber: "TA-2026-4711",
    orderDate: "2026-11-19",
    customer: {
      name: "Spedition Beispiel GmbH",
      vatCode: "DE123456788",
      country: "DE",
      postalCode: "20457",
      city: "Hamburg",
      street: "Am Sandtorkai 1",
    },
    carrier: { name: "Trans Beispiel", vatCode: "PL5260250274" },
    payer: {},
    locations: [
      {
        sequence: 1,
        type: "Loading",
        startDate: "2026-11-24T08:00:00",
        endDate: "2026-11-24T14:00:00",
        countryCode: "DE",
        postalCode: "37079",
        city: "Göttingen",
        normalizedCity: "Göttingen",
        street: "Industriestraße 45",
        name: "Druckhaus Beispiel GmbH",
        refrenceNumbers: ["LS-448210"],
        coordinates: { latitude: 51.53443, longitude: 9.93228 },
        cargo: [{ cargoType: "Paper", weight: 22400, pallets: 33, ldm: 13.6 }],
      },
      {
        sequence: 2,
        type: "Unloading",
        startDate: "2026-11-26T07:00:00",
        countryCode: "PL",
        postalCode: "61-022",
        city: "Poznań",
        coordinates: {},
      },
    ],
    payments: { price: 1150, basePrice: 1150, totalNetAmount: 1150, currency: "EUR", paymentDays: 45 },
    vehiclesLicensePlates: ["PPL40812"],
    trailersLicensePlates: [],
    cargoValue: {},
  },
  metadata,
};

export const failedExample: OrderEnvelope = {
  sequenceId: 0,
  status: "Failed",
  errorCode: "input_not_freight",
  message: "No order was found in the file.",
  metadata,
};

export const receivedExample = { orderId };

export const rowExample: OrderRow = {
  kind: "Document",
  orderId,
  status: "Succeeded",
  orderNumber: "TA-2026-4711",
  orderDate: "2026-11-19",
  customer: { name: "Spedition Beispiel GmbH", vatCode: "DE123456788" },
  loading: "DE 37079 Göttingen",
  unloading: "PL 61-022 Poznań",
  loadingDate: "2026-11-24T08:00:00",
  unloadingDate: "2026-11-26T07:00:00",
  price: 1150,
  currency: "EUR",
  orders: 1,
  fileName: "transport-order.pdf",
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:01.200Z",
  metadata,
};

export const extractionExample: Extraction = {
  orderId,
  sequenceId: 0,
  fields: {
    "/orderNumber": {
      value: "TA-2026-4711",
      confidence: 0.97,
      source: "Document",
      text: "TA-2026-4711",
      page: 1,
      box: [0.62, 0.08, 0.78, 0.095],
    },
    "/payments/price": {
      value: 1150,
      confidence: 0.94,
      source: "Document",
      text: "1.150,00 EUR",
      page: 1,
      box: [0.7, 0.61, 0.84, 0.625],
    },
  },
  checks: [
    {
      name: "LoadingAndUnloadingMatch",
      passed: true,
      detail: "The stops differ.",
      pointers: ["/locations/0", "/locations/1"],
    },
  ],
  engine: "embedded",
  language: "de",
  pages: 1,
  milliseconds: 180,
  warnings: [],
};
