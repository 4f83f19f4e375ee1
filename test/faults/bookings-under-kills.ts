import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ArchivedFreight } from "../../src/areas/freights/views.ts";
import { apiClient, type ApiClient, type Reply } from "../support/api-client.ts";
import type { CarrierAnswer } from "../support/carriers.ts";
import { carrier } from "../support/offers.ts";
import { freight } from "../support/freights.ts";
import { openService } from "../support/service.ts";
import { KillableRuntime } from "./killable-service.ts";
import { recordingReceiver, type RecordedEvent } from "./recording-receiver.ts";

/** A freight whose booking was acknowledged. */
export interface Booked {
  freightId: string;
  externalNumber: string;
  offerId: string;
  otherId: string;
  carrierOrderId: string;
}

/** The stored records of a booking and the events about it, after the last kill. */
export interface BookingOutcome {
  freight: Partial<ArchivedFreight>;
  order: Partial<CarrierAnswer>;
  /** Ids of the orders that the archive lists under the freight's external number. */
  ordersNamed: string[];
  heardOfFreight: RecordedEvent[];
  heardOfOrder: RecordedEvent[];
}

export interface BookingsUnderKills {
  booked: Booked[];
  found: BookingOutcome[];
  kills: number;
  milliseconds: { booking: number; settling: number };
}

/**
 * Publishes freights, submits offers and accepts one offer for each freight, as fast as the service allows. Meanwhile,
 * kills and restarts the service. Returns the acknowledged bookings and their stored state.
 */
export async function bookUnderKills({
  freights,
  kills,
  atOnce = 8,
  patience = 90_000,
}: {
  freights: number;
  kills: number;
  atOnce?: number;
  patience?: number;
}): Promise<BookingsUnderKills> {
  const data = await mkdtemp(join(tmpdir(), "lorry-faults-"));
  const hearer = await recordingReceiver();
  const lorry = await runtimeOn(data);
  const ask = apiClient({ fetch: (path, init) => fetch(lorry.url + path, init) }, "demo");
  try {
    await lorry.start();
    const wanted = { eventType: "All", callbackUrl: hearer.url };
    const { subscriptionId } = (await patiently<{ subscriptionId: string }>(ask, "POST", "/api/v1/webhooks", wanted))
      .body;
    const began = performance.now();
    const work = bookAll(ask, freights, atOnce);
    for (let kill = 1; kill <= kills; kill++) {
      while (work.booked.length < (freights * kill) / (kills + 1)) await Promise.race([sleep(2), work.broken]);
      await lorry.kill();
      await lorry.start();
    }
    await work.done;
    await patiently(ask, "PUT", `/api/v1/webhooks/${subscriptionId}/reset`, {});
    const done = performance.now();
    const found = await settle(ask, work.booked, (id) => hearer.got.get(id)?.heard ?? [], patience);
    const milliseconds = { booking: done - began, settling: performance.now() - done };
    return { booked: work.booked, found, kills, milliseconds };
  } finally {
    await lorry.end();
    hearer.close();
    await rm(data, { recursive: true, force: true });
  }
}

/** Starts the product on a runtime that can be killed. */
const runtimeOn = (state: string): Promise<KillableRuntime> =>
  KillableRuntime.of(() =>
    openService({
      internet: "sockets",
      state,
      vars: { RATE_LIMIT_PER_SECOND: "100000", LOCAL_KEYS: JSON.stringify({ demo: randomUUID() }) },
    }),
  );

/** Lists the differences between an acknowledged booking and its stored state and events. */
export function bookingLosses(
  { offerId, otherId, externalNumber, carrierOrderId }: Booked,
  { freight: kept, order, ordersNamed, heardOfFreight, heardOfOrder }: BookingOutcome,
): string[] {
  const statusOf = (id: string) => kept.offers?.find((offer) => offer.offerId === id)?.status;
  const losses: Record<string, boolean> = {
    "not booked": kept.status !== "Booked" || kept.booking?.offerId !== offerId,
    "another order": kept.booking?.carrierOrderId !== carrierOrderId,
    "not accepted": statusOf(offerId) !== "Accepted",
    "not declined": statusOf(otherId) !== "Declined",
    "no order": order.data?.orderNumber !== externalNumber || order.carrierOrder?.status !== "AwaitingDocuments",
    "not one order": ordersNamed.length !== 1 || ordersNamed[0] !== carrierOrderId,
    "not heard of once": namesOf(heardOfFreight) !== namesOfBooking,
    "order not heard of once": namesOf(heardOfOrder) !== "CarrierOrderCreated",
  };
  return Object.keys(losses).filter((name) => losses[name]);
}

const namesOfBooking = "FreightPublished,OfferSubmitted,OfferSubmitted,OfferAccepted,OfferDeclined,FreightBooked";

/** Lists the types of the events. An event that was delivered repeatedly counts once. */
const namesOf = (heard: RecordedEvent[]) => [...new Map(heard.map(({ id, type }) => [id, type])).values()].join();

/** Books freights with `atOnce` concurrent workers. */
function bookAll(ask: ApiClient, freights: number, atOnce: number) {
  const booked: Booked[] = [];
  let next = 0;
  const worker = async () => {
    while (next++ < freights) booked.push(await book(ask));
  };
  const done = Promise.all(Array.from({ length: atOnce }, worker));
  return { booked, done, broken: done.then(() => undefined) };
}

/**
 * Books one freight: publishes it, submits two offers and accepts one. Each step is repeated until it is acknowledged.
 */
async function book(ask: ApiClient): Promise<Booked> {
  const externalNumber = `KT-${randomUUID()}`;
  const { headers } = await patiently(ask, "POST", "/api/v1/freights", freight({ externalNumber }));
  const freightId = headers.get("x-freight-id")!;
  const offer = async (price: number) => {
    const said = { freightId, price, carrier: carrier() };
    return (await patiently<{ offerId: string }>(ask, "POST", "/api/v1/freights/offers", said)).body.offerId;
  };
  const [offerId, otherId] = [await offer(1100), await offer(1200)];
  const path = `/api/v1/freights/${freightId}/offers/${offerId}`;
  const { carrierOrderId } = (await patiently<{ carrierOrderId: string }>(ask, "PUT", path, { action: "Accept" })).body;
  return { freightId, externalNumber, offerId, otherId, carrierOrderId };
}

/**
 * Repeats a request until it succeeds. A refusal because the same offer is already accepted counts as success, because
 * the response to an earlier attempt was lost.
 */
async function patiently<Body>(ask: ApiClient, method: string, path: string, json: unknown): Promise<Reply<Body>> {
  const headers = method === "POST" ? { "idempotency-key": randomUUID() } : undefined;
  for (;;) {
    const sending = { json, signal: AbortSignal.timeout(30_000), ...(headers && { headers }) };
    const reply = await ask<Body & { errorCode?: string; offerId?: string }>(method, path, sending).catch(
      () => undefined,
    );
    const isDone = reply?.body.errorCode === "freight_already_booked" && path.endsWith(reply.body.offerId!);
    if (reply && (reply.status < 300 || isDone)) return reply;
    if (reply && reply.status < 500 && reply.body.errorCode !== "in_progress")
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    await sleep(50);
  }
}

/**
 * Waits until all events have arrived. Then compares repeatedly, until nothing is missing or `patience` milliseconds
 * are over.
 */
async function settle(ask: ApiClient, booked: Booked[], heardOf: (id: string) => RecordedEvent[], patience: number) {
  const end = Date.now() + patience;
  const isHeard = ({ freightId, carrierOrderId }: Booked) =>
    heardOf(carrierOrderId).length > 0 && heardOf(freightId).some(({ type }) => type === "FreightBooked");
  while (!booked.every(isHeard) && Date.now() < end) await sleep(100);
  for (;;) {
    const found = await Promise.all(booked.map((one) => look(ask, one, heardOf)));
    if (booked.every((one, index) => bookingLosses(one, found[index]!).length === 0) || Date.now() > end) return found;
    await sleep(1000);
  }
}

async function look(
  ask: ApiClient,
  { freightId, externalNumber, carrierOrderId }: Booked,
  heardOf: (id: string) => RecordedEvent[],
): Promise<BookingOutcome> {
  const [kept, order, named] = [
    await ask<ArchivedFreight>("GET", `/api/v1/freights/archive/${freightId}`),
    await ask<CarrierAnswer>("GET", `/api/v1/orders/${carrierOrderId}`),
    await ask<{ items: { orderId: string }[] }>("POST", "/api/v1/orders/query", {
      json: { orderNumber: `${externalNumber}*` },
    }),
  ];
  return {
    freight: kept.body,
    order: order.body,
    ordersNamed: named.body.items.map(({ orderId }) => orderId),
    heardOfFreight: [...heardOf(freightId)],
    heardOfOrder: [...heardOf(carrierOrderId)],
  };
}
