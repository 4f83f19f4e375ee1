import { expect, vi } from "vitest";
import { form, type ApiClient } from "./api-client.ts";

export interface Received {
  orderId: string;
  duplicateOf?: string;
  status?: string;
  orders?: Envelope[];
}

export interface Envelope {
  sequenceId: number;
  status: string;
  message?: string;
  errorCode?: string;
  data?: { orderNumber?: string };
  metadata?: Record<string, string>;
}

export interface Row {
  orderId: string;
  status: string;
  orderNumber?: string;
  createdAt: string;
}

export const greeting = "Happy new year to all of you, and many thanks for the good work together!";
export const waiting = { prefer: "wait=15" };

export const postText = (ask: ApiClient, inputText: string, metadata?: Record<string, string>) =>
  ask<Received>("POST", "/api/v1/orders", { json: { inputText, ...(metadata && { metadata }) }, headers: waiting });

export const postFile = (
  ask: ApiClient,
  name: string,
  bytes: Uint8Array | string,
  fields: Record<string, string> = {},
) => ask<Received>("POST", "/api/v1/orders/file", { body: form({ name, bytes }, fields), headers: waiting });

/** Waits until the list has `count` orders that are no longer being processed. */
export async function waitUntilListed(ask: ApiClient, count: number): Promise<void> {
  const settled = async () => {
    const { body } = await ask<{ items: Row[] }>("GET", "/api/v1/orders?limit=200");
    expect(body.items.filter(({ status }) => status !== "Processing")).toHaveLength(count);
  };
  await vi.waitFor(settled, { timeout: 50_000, interval: 50 });
}
