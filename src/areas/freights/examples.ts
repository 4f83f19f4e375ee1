import type * as z from "zod";
import type { FreightInput } from "./input.ts";
import type { OfferInput, OfferView } from "./offers/model.ts";
import type { ArchivedFreight, FreightView, ListedFreight, PublicFreight } from "./views.ts";

const offeredFreightId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b91";

export const offerInputExample: z.input<typeof OfferInput> = {
  freightId: offeredFreightId,
  price: 1150,
  currency: "EUR",
  carrier: { name: "Vzorová Doprava s.r.o.", email: "dispo@vzorova-doprava.example", vatCode: "CZ12345679" },
  vehicle: { licensePlates: ["1BX 4821", "2BK 9034"], trailerType: 3 },
  comments: "Free from 10:00 in Leipzig.",
};

export const offerExample: OfferView = {
  offerId: "0193a61a-4d0b-7c12-8a6e-2f9d1b7c3e55",
  freightId: offeredFreightId,
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

export const freightId = "0193b2c4-51aa-7d03-8e6f-2b9a4c7d1e05";
const metadata = { internalId: "TMS-4713" };

export const inputExample: z.input<typeof FreightInput> = {
  externalNumber: "FR-2026-0815",
  owner: "dispo@trans.beispiel.pl",
  sources: [1],
  locations: [
    {
      sequence: 1,
      type: "Loading",
      address: {
        countryCode: "DE",
        postalCode: "04158",
        city: "Leipzig",
        coordinates: { latitude: 51.3878, longitude: 12.3426 },
      },
      period: { startDate: "2026-11-24T08:00:00", endDate: "2026-11-24T16:00:00" },
    },
    {
      sequence: 2,
      type: "Unloading",
      address: {
        countryCode: "PL",
        postalCode: "53-609",
        city: "Wrocław",
        coordinates: { latitude: 51.1139, longitude: 16.9956 },
      },
      period: { startDate: "2026-11-25T07:00:00+01:00", endDate: "2026-11-25T15:00:00+01:00" },
    },
  ],
  requirements: {
    trailerTypes: [1, 3],
    loadingSide: "All",
    capacity: 24,
    pallets: 33,
    palletsExchange: false,
    ldm: 13.6,
    ftl: true,
    capabilities: [7],
  },
  payment: {
    from: 1000,
    growTo: 1300,
    currency: "EUR",
    term: 30,
    until: "2026-11-23T16:00:00+01:00",
    updateRate: "01:00:00",
  },
  totalDistance: 372,
  comments: "Printing paper, clean floor please",
  metadata,
};

const stops: FreightView["locations"] = [
  {
    sequence: 1,
    type: "Loading",
    address: {
      countryCode: "DE",
      postalCode: "04158",
      city: "Leipzig",
      coordinates: { latitude: 51.3878, lattitude: 51.3878, longitude: 12.3426 },
    },
    period: { startDate: "2026-11-24T08:00:00", endDate: "2026-11-24T16:00:00" },
  },
  {
    sequence: 2,
    type: "Unloading",
    address: {
      countryCode: "PL",
      postalCode: "53-609",
      city: "Wrocław",
      coordinates: { latitude: 51.1139, lattitude: 51.1139, longitude: 16.9956 },
    },
    period: { startDate: "2026-11-25T07:00:00+01:00", endDate: "2026-11-25T15:00:00+01:00" },
  },
];

const requirements = {
  trailerTypes: [1, 3],
  loadingSide: "All" as const,
  capacity: 24,
  pallets: 33,
  palletsExchange: false,
  ldm: 13.6,
  ftl: true,
  capabilities: [7],
};

export const example: FreightView = {
  freightId,
  status: "Published",
  version: 3,
  createdAt: "2026-11-23T09:00:00.000Z",
  updatedAt: "2026-11-23T11:00:00.000Z",
  publishedAt: "2026-11-23T09:00:00.000Z",
  expiresAt: "2026-11-23T15:00:00.000Z",
  currentPrice: 1120,
  nextPrice: 1180,
  nextPriceAt: "2026-11-23T12:00:00.000Z",
  externalNumber: "FR-2026-0815",
  owner: "dispo@trans.beispiel.pl",
  sources: [1],
  locations: stops,
  requirements,
  payment: {
    from: 1000,
    growTo: 1300,
    currency: "EUR",
    term: 30,
    until: "2026-11-23T16:00:00+01:00",
    updateRate: "01:00:00",
  },
  totalDistance: 372,
  comments: "Printing paper, clean floor please",
  publications: [{ source: 1, status: "Published" }],
  shares: [],
  offers: { open: 0 },
  metadata,
};

export const publicExample: PublicFreight = {
  freightId,
  status: "Published",
  publishedAt: "2026-11-23T09:00:00.000Z",
  currentPrice: 1120,
  locations: stops,
  requirements,
  payment: { currency: "EUR", term: 30 },
  totalDistance: 372,
  comments: "Printing paper, clean floor please",
};

export const eventExample = example;

const { shares: ____, ...listed } = example;
export const listedExample: ListedFreight = listed;

const { expiresAt: _, nextPrice: __, nextPriceAt: ___, ...left } = listed;

export const listedArchivedExample: ListedFreight = {
  ...left,
  status: "Expired",
  version: 7,
  updatedAt: "2026-11-23T15:00:00.000Z",
  archivedAt: "2026-11-23T15:00:00.000Z",
  archiveReason: "Expired",
  currentPrice: 1300,
  publications: [{ source: 1, status: "Removed" }],
};

export const archivedExample: ArchivedFreight = {
  ...listedArchivedExample,
  shares: [],
  offers: [{ ...offerExample, freightId, status: "Expired", turn: undefined, reason: "FreightExpired" }],
  priceHistory: [1000, 1060, 1120, 1180, 1240, 1300].map((price, hour) => ({
    at: new Date(Date.UTC(2026, 10, 23, 9 + hour)).toISOString(),
    price,
  })),
};
