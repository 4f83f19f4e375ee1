import { expect, vi } from "vitest";
import type { SubscriptionApi } from "../../src/platform/aggregates.ts";
import { apiClient } from "./api-client.ts";
import type { Company, TestService } from "./service.ts";
import type { ReceiverBehaviour, ReceiverResponse, simulateInternet } from "./simulated-internet.ts";

export interface Subscription {
  subscriptionId: string;
  secret?: string;
  callbackUrl?: string;
  authentication: Record<string, string>;
  status: string;
  failureCount: number;
  pending: number;
  lastSuccessAt?: string;
  lastFailure?: { at: string; status?: number; error?: string; detail?: string };
}

/** An event to hand over to a webhook. */
export interface TestEvent {
  /** The id of the record. Events of one record keep their order. */
  to?: string;
  status?: string;
  data?: unknown;
}

let happened = 0;

/** Creates a webhook for all events, by default for a new company. */
export async function subscribe(
  service: TestService,
  wanted: Record<string, unknown>,
  company: Company = service.company(),
) {
  const ask = apiClient(service, company.key);
  const { status, body } = await ask<Subscription>("POST", "/api/v1/webhooks", {
    json: { eventType: "All", ...wanted },
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  const id = body.subscriptionId;
  const read = async () => (await ask<Subscription>("GET", `/api/v1/webhooks/${id}`)).body;
  return {
    company,
    ask,
    id,
    subscription: body,
    read,
    tell: (...said: TestEvent[]) => handOver(service, company, id, said),
    /** Waits until all events are delivered without a failure. */
    arrived: () =>
      vi.waitFor(async () => expect(await read()).toMatchObject({ pending: 0, failureCount: 0 }), { timeout: 50_000 }),
    /** Waits for a failure and returns its message. More failures may have happened meanwhile. */
    failed: () =>
      vi.waitFor(
        async () => {
          const { failureCount, lastFailure } = await read();
          expect(failureCount).toBeGreaterThan(0);
          return lastFailure!;
        },
        { timeout: 50_000, interval: 50 },
      ),
  };
}

export type Subscribed = Awaited<ReturnType<typeof subscribe>>;

export const jsonResponse = (content: unknown, status = 200): ReceiverResponse => ({
  status,
  body: JSON.stringify(content),
});

/** Makes a token server issue a new token for each request. */
export function issueTokens(content: Record<string, unknown> = {}): ReceiverBehaviour {
  let count = 0;
  return () => jsonResponse({ access_token: `token-${++count}`, token_type: "Bearer", expires_in: 3600, ...content });
}

/** Creates a receiver that requires tokens from a token server, and a webhook to this receiver. */
export async function subscribeWithTokens(
  service: TestService,
  internet: ReturnType<typeof simulateInternet>,
  answering: ReceiverBehaviour,
  more: Record<string, unknown> = {},
) {
  const server = internet.address();
  server.respondWith(answering);
  const receiver = internet.address();
  const subscribed: Subscribed = await subscribe(service, {
    callbackUrl: receiver.url,
    authentication: { type: "OAuth2", tokenUrl: server.url, clientId: "lorry", clientSecret: "s3cret", ...more },
  });
  const shown = () => receiver.received.map(({ headers }) => headers["authorization"]);
  return { ...subscribed, server, receiver, shown };
}

/** Enqueues events at a webhook as an aggregate does. @returns their ids */
export async function handOver(
  service: TestService,
  company: Company,
  id: string,
  said: TestEvent[],
): Promise<string[]> {
  const events = said.map((one) => eventOf(company, one));
  const object = await subscriptionOf(service, company, id);
  expect(await object.enqueue(events)).toBe("Taken");
  return events.map((event) => event.id);
}

/** Returns the Durable Object of a webhook, to cause states that requests cannot cause. */
export async function subscriptionOf(service: TestService, company: Company, id: string): Promise<SubscriptionApi> {
  const objects = await service.mf.getDurableObjectNamespace("SUBSCRIPTIONS", "lorry");
  return objects.get(objects.idFromName(`${company.id}/${id}`)) as unknown as SubscriptionApi;
}

function eventOf({ id: company }: Company, { to, status = "Succeeded", data }: TestEvent) {
  const sequence = ++happened;
  const resource = to ?? `thing-${sequence}`;
  return {
    id: `evt_${String(sequence).padStart(32, "0")}`,
    type: "OrderProcessed",
    company,
    at: new Date().toISOString(),
    sequence,
    resource: { type: "Order" as const, id: resource, url: `/api/v2/orders/${resource}`, version: sequence },
    status,
    ...(data !== undefined && { data }),
  };
}
