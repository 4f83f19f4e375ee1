import { expect, vi } from "vitest";
import { apiClient, type ApiClient, type Wire } from "./api-client.ts";
import type { ReceivedRequest, Receiver } from "./simulated-internet.ts";
import type { TestService } from "./service.ts";

/** A call to a source. */
export interface Call {
  action: "Publish" | "Update" | "Remove";
  source: number;
  version: number;
  freight: { freightId: string; status: string; currentPrice?: number; comments?: string; alternatives?: unknown[] };
}

export interface Publication {
  source: number;
  status: string;
  url?: string;
  error?: string;
}

const inDays = (days: number, clock = "08:00:00") =>
  `${new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)}T${clock}`;

/** When the price of `aFreight` stops rising. No stop begins or ends at this time. */
const until = inDays(4, "06:17:00.000Z");

/** Texts and numbers that only the owner of `aFreight` may see. */
export const secrets = [
  "1777.77",
  "until",
  until.slice(0, 16),
  "growTo",
  "updateRate",
  "owner@trans.beispiel.pl",
  "FR-SECRET",
  "nur-intern",
];

/**
 * Makes a freight from Leipzig to Wrocław whose price rises. Every field that only its owner may see contains a secret.
 */
export const aFreight = (more: Wire = {}): Wire => ({
  externalNumber: `FR-SECRET-${crypto.randomUUID()}`,
  owner: "owner@trans.beispiel.pl",
  sources: [1],
  locations: [
    {
      sequence: 1,
      type: "Loading",
      address: {
        countryCode: "DE",
        postalCode: "04158",
        city: "Leipzig",
        coordinates: { latitude: 51.39, longitude: 12.34 },
      },
      period: { startDate: inDays(5), endDate: inDays(5, "16:00:00") },
    },
    {
      sequence: 2,
      type: "Unloading",
      address: {
        countryCode: "PL",
        postalCode: "53-609",
        city: "Wrocław",
        coordinates: { latitude: 51.11, longitude: 17 },
      },
      period: { startDate: inDays(6), endDate: inDays(6, "16:00:00") },
    },
  ],
  requirements: { trailerTypes: [3], capacity: 24, ldm: 13.6 },
  payment: { from: 1111.11, growTo: 1777.77, until, updateRate: "01:00:00", term: 30 },
  comments: "Printing paper",
  internalComments: "nur-intern",
  ...more,
});

/** Connects a new company to a source at a receiver. Returns functions for its freights. */
export const connectSource = (service: TestService, receiver: Receiver, more: Wire = {}) =>
  connectSourceTo(apiClient(service, service.company().key), receiver, more);

export async function connectSourceTo(ask: ApiClient, receiver: Receiver, more: Wire = {}) {
  const { status, body } = await ask<{ source: number; secret: string }>("POST", "/api/v1/sources", {
    json: { name: "Exchange", endpoint: receiver.url, ...more },
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { ...publishing(ask), ...body, ask };
}

/** Returns functions that publish and change freights, and that read their publications. */
export function publishing(ask: ApiClient) {
  const path = (id: string) => `/api/v1/freights/${id}`;
  const seen = async (id: string) => {
    const live = await ask<{ publications: Publication[] }>("GET", path(id));
    if (live.status === 200) return live.body.publications;
    return (await ask<{ publications: Publication[] }>("GET", `/api/v1/freights/archive/${id}`)).body.publications;
  };
  return {
    publish: async (more: Wire = {}): Promise<string> => {
      const { status, headers, body } = await ask("POST", "/api/v1/freights", { json: aFreight(more) });
      expect({ status, body }).toMatchObject({ status: 200 });
      return headers.get("x-freight-id")!;
    },
    change: async (id: string, more: Wire = {}): Promise<void> => {
      const { status, body } = await ask("PUT", path(id), { json: aFreight(more) });
      expect({ status, body }).toMatchObject({ status: 200 });
    },
    withdraw: async (id: string): Promise<void> => {
      expect((await ask("DELETE", path(id))).status).toBe(204);
    },
    /** Waits until the publications of a freight are as expected. */
    standing: (id: string, wanted: Partial<Publication>[], milliseconds = 50_000) =>
      vi.waitFor(async () => expect(await seen(id)).toMatchObject(wanted), { timeout: milliseconds, interval: 50 }),
    seen,
    /** Waits until the list of a source's freights contains the freight. */
    listed: (id: string, source: number) =>
      vi.waitFor(async () => {
        const { body } = await ask<{ items: { freightId: string }[] }>("GET", `/api/v1/freights?source=${source}`);
        expect(body.items.map(({ freightId }) => freightId)).toContain(id);
      }, 50_000),
  };
}

export const callIn = ({ body }: ReceivedRequest): Call => JSON.parse(body) as Call;
