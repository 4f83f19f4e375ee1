import type * as z from "zod";
import type { OfferInput, OfferView } from "./model.ts";

// One offer, for the documentation.

const freightId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b91";

export const offerInputExample: z.input<typeof OfferInput> = {
  freightId,
  price: 1150,
  currency: "EUR",
  validUntil: "2026-11-23T16:00:00Z",
  carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" },
  vehicle: { licensePlates: ["1BX 4821", "2BK 9034"], trailerType: 3 },
  comments: "Free from 10:00 in Leipzig.",
};

export const offerExample: OfferView = {
  offerId: "0193a61a-4d0b-7c12-8a6e-2f9d1b7c3e55",
  freightId,
  status: "Countered",
  turn: "Carrier",
  price: 1100,
  currency: "EUR",
  carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" },
  vehicle: { licensePlates: ["1BX4821", "2BK9034"], trailerType: 3 },
  comments: "Free from 10:00 in Leipzig.",
  validUntil: "2026-11-23T16:00:00.000Z",
  rounds: [
    { by: "Carrier", price: 1150, at: "2026-11-23T10:20:00.000Z" },
    { by: "Owner", price: 1100, at: "2026-11-23T10:42:10.000Z", comment: "Unloading is without waiting." },
  ],
  source: "Api",
  createdAt: "2026-11-23T10:20:00.000Z",
  updatedAt: "2026-11-23T10:42:10.000Z",
};
