import { expect, vi } from "vitest";
import { form, type ApiClient } from "../../support/api-client.ts";
import type { Envelope, Received } from "../../support/orders.ts";

/** Posts a file as an order and waits until it is extracted. */
export async function readAs(
  ask: ApiClient,
  name: string,
  bytes: Uint8Array,
): Promise<{ orderId: string; orders: Envelope[] }> {
  const { body } = await ask<Received>("POST", "/api/v1/orders/file", { body: form({ name, bytes }, {}) });
  const read = () => ask<Envelope[]>("GET", `/api/v2/orders/${body.orderId}`);
  const answered = async () => expect((await read()).status).toBe(200);
  await vi.waitFor(answered, { timeout: 170_000, interval: 200 });
  const { body: orders } = await read();
  return { orderId: body.orderId, orders };
}

/** The expected data of the scanned orders, without their numbers. */
export const leipzigToWroclaw = {
  locations: [
    { type: "Loading", countryCode: "DE", postalCode: "04158", city: "Leipzig" },
    { type: "Unloading", countryCode: "PL", postalCode: "53-609" },
  ],
  payments: { price: 780, currency: "EUR" },
};
