import type * as z from "zod";
import type { VehicleInput, VehicleView } from "./model.ts";

export const vehicleId = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8bd3";

export const inputExample: z.input<typeof VehicleInput> = {
  owner: "dispo@trans.beispiel.pl",
  sources: [1],
  requirements: {
    vehicleType: 1,
    trailerType: 3,
    capacity: 24,
    ldm: 13.6,
    pallets: 33,
    interestedInLtl: false,
    capabilities: ["codeXL", "gps"],
  },
  loading: {
    address: { countryCode: "DE", postalCode: "04158", city: "Leipzig" },
    period: { startDate: "2026-11-24T07:00", endDate: "2026-11-25" },
  },
  unloading: { address: [{ countryCode: "PL", postalCode: "53" }, { countryCode: "CZ" }] },
  range: 150,
  comments: "Free from the morning on",
  licensePlate: "WGM 12345",
  countryCode: "PL",
  vin: "WDB96340310123456",
  tankCapacity: 1200,
  cards: [{ provider: "DKV", number: "7040 1234 5678 9012" }],
  assignments: [
    { driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01" }, from: "2026-11-01", to: "2026-11-30" },
  ],
  metadata: { internalId: "TRUCK-17" },
};

export const viewExample: z.output<typeof VehicleView> = {
  vehicleId,
  owner: "dispo@trans.beispiel.pl",
  sources: [1],
  requirements: {
    vehicleType: 1,
    trailerType: 3,
    capacity: 24,
    ldm: 13.6,
    pallets: 33,
    interestedInLtl: false,
    capabilities: ["codeXL", "gps"],
  },
  loading: {
    address: {
      countryCode: "DE",
      postalCode: "04158",
      city: "Leipzig",
      coordinates: { latitude: 51.3396, longitude: 12.3713 },
    },
    period: { startDate: "2026-11-24T07:00", endDate: "2026-11-25" },
  },
  unloading: { address: [{ countryCode: "PL", postalCode: "53" }, { countryCode: "CZ" }] },
  range: 150,
  comments: "Free from the morning on",
  licensePlate: "WGM12345",
  countryCode: "PL",
  vin: "WDB96340310123456",
  tankCapacity: 1200,
  cards: [{ provider: "DKV", last4: "9012" }],
  assignments: [
    {
      driver: { name: "Jan Przykładowy", phone: "+48 22 555 01 01" },
      from: "2026-10-31T23:00:00.000Z",
      to: "2026-11-30T22:59:59.999Z",
    },
  ],
  metadata: { internalId: "TRUCK-17" },
  createdAt: "2026-11-20T08:14:03.120Z",
  updatedAt: "2026-11-20T08:14:03.120Z",
};
