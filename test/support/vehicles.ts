import { expect, vi } from "vitest";
import type { ApiClient } from "./api-client.ts";

/** A vehicle in a response. */
export interface VehicleAnswer {
  vehicleId: string;
  licensePlate?: string;
  requirements?: { trailerType?: number; capabilities?: string[] };
  loading?: { address: { city?: string; coordinates?: { latitude: number; longitude: number } }; period?: object };
  cards?: { provider: string; last4: string }[];
  assignments?: { driver: { name: string }; from: string; to?: string }[];
  metadata?: Record<string, string>;
}

/** Makes the body of a vehicle that is available in Leipzig. */
export const vehicle = (more: Record<string, unknown> = {}) => ({
  owner: "dispo@trans.example",
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
    address: { countryCode: "DE", city: "Leipzig" },
    period: { startDate: "2027-03-24T07:00", endDate: "2027-03-25T18:00" },
  },
  unloading: { address: [{ countryCode: "PL" }] },
  range: 150,
  comments: "Second axle lifts",
  licensePlate: "WGM 12345",
  countryCode: "PL",
  vin: "wdb 963403-10123456",
  tankCapacity: 1200,
  cards: [{ provider: "DKV", number: "7040 1234 5678 9012" }],
  assignments: [{ driver: { name: "Jan Przykładowy" }, from: "2027-03-01", to: "2027-03-31" }],
  metadata: { internalId: "TRUCK-17" },
  ...more,
});

export async function postVehicle(ask: ApiClient, more: Record<string, unknown> = {}): Promise<VehicleAnswer> {
  const { status, body } = await ask<VehicleAnswer>("POST", "/api/v1/vehicles", { json: vehicle(more) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/**
 * Waits until the list has this many vehicles, and returns them. The list follows changes with a delay of about a
 * second.
 */
export const listedVehicles = (ask: ApiClient, many: number, query = "limit=200") =>
  vi.waitFor(
    async () => {
      const { body } = await ask<{ items: VehicleAnswer[] }>("GET", `/api/v1/vehicles?${query}`);
      expect(body.items).toHaveLength(many);
      return body.items;
    },
    { timeout: 50_000, interval: 200 },
  );
