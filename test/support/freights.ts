import { randomUUID } from "node:crypto";
import type { ArchivedFreight, FreightView } from "../../src/areas/freights/views.ts";
import type { ApiClient, Reply } from "./api-client.ts";

export const minute = 60_000;
export const hour = 60 * minute;

/** Formats the time this many milliseconds from now according to ISO 8601, rounded down to the second. */
export const inFuture = (milliseconds: number): string =>
  new Date(Math.floor((Date.now() + milliseconds) / 1000) * 1000).toISOString();

const leipzig = { countryCode: "DE", postalCode: "04158", city: "Leipzig" };
const wroclaw = { countryCode: "PL", postalCode: "53-609", city: "Wrocław" };

/** Makes two stops: a loading in two days and an unloading in three days. */
export const stops = () => [
  {
    sequence: 1,
    type: "Loading",
    address: { ...leipzig, coordinates: { latitude: 51.3878, longitude: 12.3426 } },
    period: { startDate: inFuture(48 * hour), endDate: inFuture(56 * hour) },
  },
  {
    sequence: 2,
    type: "Unloading",
    address: { ...wroclaw, coordinates: { latitude: 51.1139, longitude: 16.9956 } },
    period: { startDate: inFuture(72 * hour), endDate: inFuture(80 * hour) },
  },
];

/** Makes a price that rises every hour, from 1000 to 1300 within six hours. */
export const growing = () => ({ from: 1000, growTo: 1300, until: inFuture(6 * hour), updateRate: "01:00:00" });

/** Makes the body of a freight with a fixed price and a unique number. */
export const freight = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  externalNumber: `FR-${randomUUID()}`,
  owner: "dispo@trans.example",
  sources: [1],
  locations: stops(),
  requirements: { trailerTypes: [1, 3], loadingSide: "All", capacity: 24, ldm: 13.6, ftl: true, capabilities: [7] },
  payment: { from: 1000, currency: "EUR", term: 30 },
  totalDistance: 372,
  comments: "Printing paper, clean floor please",
  ...more,
});

/** The response to a refused request. */
export interface Refused {
  errorCode: string;
  errors?: { pointer: string; code: string }[];
  currentStatus?: string;
  allowed?: string[];
}

const json = { accept: "application/json" };

/** Posts a freight and asks for a response in JSON. */
export const post = <Body = FreightView>(ask: ApiClient, body: unknown, headers: Record<string, string> = {}) =>
  ask<Body>("POST", "/api/v1/freights", { json: body, headers: { ...json, ...headers } });

/** Posts a freight. @throws if it is refused */
export async function createFreight(ask: ApiClient, more: Record<string, unknown> = {}): Promise<FreightView> {
  const { status, body } = await post(ask, freight(more));
  if (status !== 200) throw new Error(`It was answered with ${status}: ${JSON.stringify(body)}`);
  return body;
}

export const read = (ask: ApiClient, freightId: string): Promise<Reply<FreightView>> =>
  ask<FreightView>("GET", `/api/v1/freights/${freightId}`);

export const put = <Body = FreightView>(ask: ApiClient, freightId: string, body: unknown) =>
  ask<Body>("PUT", `/api/v1/freights/${freightId}`, { json: body });

export const withdraw = (ask: ApiClient, freightId: string) => ask("DELETE", `/api/v1/freights/${freightId}`);

export const readArchived = async (ask: ApiClient, freightId: string): Promise<ArchivedFreight> =>
  (await ask<ArchivedFreight>("GET", `/api/v1/freights/archive/${freightId}`)).body;

/** Returns the status, the error code and the field errors of a refusal. */
export const refusal = ({ status, body }: Reply<Refused>) => ({
  status,
  code: body.errorCode,
  ...(body.errors && { errors: body.errors.map(({ pointer, code }) => `${pointer} ${code}`) }),
});
