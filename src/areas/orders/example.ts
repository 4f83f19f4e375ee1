import type { OrderEnvelope } from "./order.ts";

/** One read order, for the documentation. */
export const example: OrderEnvelope = {
  sequenceId: 0,
  status: "Succeeded",
  orderSubType: "Regular",
  data: {
    orderNumber: "TA-2026-4711",
    orderDate: "2026-11-19",
    customer: { name: "Spedition Beispiel GmbH", vatCode: "DE123456788", country: "DE", postalCode: "20457", city: "Hamburg", street: "Am Sandtorkai 1" },
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
      { sequence: 2, type: "Unloading", startDate: "2026-11-26T07:00:00", countryCode: "PL", postalCode: "61-022", city: "Poznań", coordinates: {} },
    ],
    payments: { price: 1150, basePrice: 1150, totalNetAmount: 1150, currency: "EUR", paymentDays: 45 },
    vehiclesLicensePlates: ["PPL40812"],
    trailersLicensePlates: [],
    cargoValue: {},
  },
  metadata: { internalId: "TMS-4711" },
};

export const receivedExample = { orderId: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77" };
