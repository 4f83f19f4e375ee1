import { expect, vi } from "vitest";
import type { ApiClient } from "./api-client.ts";
import { carrierOrder } from "./carriers.ts";

/** A fine in a response. */
export interface FineItem {
  index: number;
  documentId: string | null;
  reference: string | null;
  licensePlate: string | null;
  offenceAt: string | null;
  amount: number | null;
  vehicleId: string | null;
  driver: { name: string; phone?: string } | null;
  orderId: string | null;
  confidence: number;
  evidence: {
    step: string;
    message: string;
    confidence: number | null;
    subject: { type: string; id: string } | null;
  }[];
  candidates: { vehicleId: string; driver: { name: string } | null; confidence: number }[];
  matchStatus: string | null;
  duplicateOf: { automationId: string; index: number } | null;
  entered: boolean;
  needsReview: boolean;
  resolution: { action: string; comment: string | null; resolvedAt: string } | null;
  errorCode: string | null;
  message: string | null;
}

export interface Automation {
  status: number;
  errorCode: string | null;
  Message: string | null;
  data: { items: FineItem[]; counts: Record<string, number> } | null;
  metadata: Record<string, string>;
}

export interface Received {
  automationId: string;
  status?: number;
  automation?: Automation;
}

export const root = "/api/v1/automations";
export const waiting = { prefer: "wait=30" };

/** Makes a complete fine for a plate, with a unique reference. */
export const fine = (licensePlate: string, more: Record<string, unknown> = {}) => ({
  reference: `PCN-${++fines}`,
  authority: "Stadt Leipzig",
  offenceAt: "2026-07-14T09:42",
  countryCode: "DE",
  licensePlate,
  amount: 40,
  currency: "EUR",
  ...more,
});
let fines = 0;

/** Makes an assignment of a driver to a vehicle, from one day to another. */
export const assigned = (name: string, from: string, to?: string) => ({
  driver: { name, phone: "+48 22 555 01 01" },
  from,
  ...(to && { to }),
});

/** Creates a vehicle and waits until the archive has it. */
export async function fleetVehicle(
  ask: ApiClient,
  licensePlate: string,
  assignments: unknown[] = [assigned("Jan Przykładowy", "2026-01-01")],
  more: Record<string, unknown> = {},
): Promise<string> {
  const json = { licensePlate, countryCode: "PL", assignments, ...more };
  const { status, body } = await ask<{ vehicleId: string }>("POST", "/api/v1/vehicles", { json });
  expect(status, JSON.stringify(body)).toBe(201);
  await listed(ask, `/api/v1/vehicles?licensePlate=${encodeURIComponent(licensePlate)}`, "vehicleId", body.vehicleId);
  return body.vehicleId;
}

/** Creates a carrier order with this plate, from Leipzig to Wrocław, and waits until the archive has it. */
export async function orderOnRoad(
  ask: ApiClient,
  licensePlate: string,
  from: string,
  to: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const json = carrierOrder({
    details: { licensePlates: [licensePlate] },
    locations: [
      { type: "Loading", startDate: from, countryCode: "DE", postalCode: "04158", city: "Leipzig" },
      { type: "Unloading", startDate: to, countryCode: "PL", postalCode: "53-609", city: "Wrocław" },
    ],
    ...more,
  });
  const { status, body } = await ask<{ orderId: string }>("POST", "/api/v1/orders", { json });
  expect(status, JSON.stringify(body)).toBe(201);
  await listed(ask, `/api/v1/orders?licensePlate=${encodeURIComponent(licensePlate)}`, "orderId", body.orderId);
  return body.orderId;
}

/** Waits until a list contains a record. The archive follows changes with a delay of about a second. */
const listed = (ask: ApiClient, path: string, name: string, id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await ask<{ items: Record<string, string>[] }>("GET", path);
      expect(body.items.map((item) => item[name])).toContain(id);
    },
    { timeout: 50_000, interval: 100 },
  );

export const readAutomation = async (ask: ApiClient, id: string) =>
  (await ask<Automation>("GET", `${root}/${id}`)).body;

/** Waits until an automation has ended. */
export const waitUntilEnded = (ask: ApiClient, id: string) =>
  vi.waitUntil(
    async () => {
      const now = await readAutomation(ask, id);
      return now.status > 1 ? now : undefined;
    },
    { timeout: 50_000, interval: 100 },
  );

/** Submits fines and waits until the automation has ended. */
export async function runAutomation(
  ask: ApiClient,
  json: Record<string, unknown>,
): Promise<{ id: string; automation: Automation; items: FineItem[] }> {
  const { status, body } = await ask<Received>("POST", `${root}/fines`, { json });
  expect(status, JSON.stringify(body)).toBe(202);
  const automation = await waitUntilEnded(ask, body.automationId);
  return { id: body.automationId, automation, items: automation.data?.items ?? [] };
}

/** Submits one fine and returns its result. */
export const matchFine = async (ask: ApiClient, one: Record<string, unknown>) =>
  (await runAutomation(ask, { fines: [one] })).items[0]!;

/** Returns the message of a step in the evidence. */
export const evidenceMessage = (item: FineItem, step: string) =>
  item.evidence.find((one) => one.step === step)?.message ?? "";
