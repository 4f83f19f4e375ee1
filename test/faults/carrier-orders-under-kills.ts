import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apiClient, form, type ApiClient, type Reply, type ApiRequest } from "../support/api-client.ts";
import { carrierOrder, type CarrierAnswer, type DocumentAnswer } from "../support/carriers.ts";
import {
  differences,
  type StoredOrders,
  type AcknowledgedOrder,
  type OrderLosses,
} from "./carrier-order-differences.ts";
import { freePort, ServiceProcesses } from "./service-processes.ts";
import { recordingReceiver } from "./recording-receiver.ts";
import type { KillScenario } from "./orders-under-kills.ts";

/** The result of a run. All lists of `lost` should be empty. */
export interface CarrierOrdersUnderKills {
  orders: number;
  acknowledged: number;
  lost: OrderLosses;
  /** Events that were delivered again, which is allowed. */
  repeatedDeliveries: number;
  kills: number;
  statuses: Record<string, number>;
  milliseconds: { changing: number; settling: number; starts: number[] };
  /** The data that `lost` was computed from, for control tests. */
  told: { kept: AcknowledgedOrder[]; found: StoredOrders };
}

/**
 * Creates, changes, renames and cancels carrier orders, and uploads and reviews documents, as fast as the service
 * allows. Meanwhile, kills and restarts the service. Then compares the stored orders with the acknowledged ones.
 */
export async function changeCarrierOrdersUnderKills({
  orders,
  kills,
  atOnce = 16,
  patience = 90_000,
}: KillScenario): Promise<CarrierOrdersUnderKills> {
  const data = await mkdtemp(join(tmpdir(), "lorry-faults-"));
  const hearer = await recordingReceiver();
  const lorry = new ServiceProcesses(await freePort(), data);
  const ask = apiClient({ fetch: (path, init) => fetch(lorry.url + path, init) }, "demo");
  try {
    const starts = [await lorry.start()];
    await patiently(ask, "POST", "/api/v1/webhooks", { json: { eventType: "All", callbackUrl: hearer.url } });
    const began = performance.now();
    const work = changeAll(ask, orders, atOnce);
    for (let kill = 1; kill <= kills; kill++) {
      while (work.kept.length < (orders * kill) / (kills + 1)) await Promise.race([sleep(5), work.broken]);
      await lorry.kill();
      starts.push(await lorry.start());
    }
    await work.done;
    const changed = performance.now();
    const settled = await settle(ask, work.kept, hearer, patience);
    const deliveries = [...hearer.got.values()];
    return {
      orders,
      acknowledged: new Set(work.kept.map(({ orderId }) => orderId)).size,
      lost: settled.lost,
      repeatedDeliveries: deliveries.reduce((sum, { eventIds, deliveries: times }) => sum + times - eventIds.size, 0),
      kills,
      statuses: Object.fromEntries(
        [...Map.groupBy(work.kept, ({ status }) => status)].map(([status, all]) => [status, all.length]),
      ),
      milliseconds: { changing: changed - began, settling: performance.now() - changed, starts },
      told: { kept: work.kept, found: settled.found },
    };
  } finally {
    await lorry.kill();
    hearer.close();
    await rm(data, { recursive: true, force: true });
  }
}

/**
 * Changes all orders with `atOnce` concurrent workers. The promise `broken` never resolves; it rejects if a request
 * fails.
 */
function changeAll(ask: ApiClient, orders: number, atOnce: number) {
  const kept: AcknowledgedOrder[] = [];
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < orders; number = next++) kept.push(await lifeOf(ask, number));
  };
  const done = Promise.all(Array.from({ length: atOnce }, worker));
  const broken = done.then(() => new Promise<never>(() => undefined));
  return { kept, done, broken };
}

/** Runs one order through its steps. Every step is repeated until it is acknowledged. */
async function lifeOf(ask: ApiClient, number: number): Promise<AcknowledgedOrder> {
  const first = `KT-${String(number).padStart(5, "0")}`;
  const orderNumber = number % 5 === 4 ? `${first}/B` : first;
  const sent = (more: object) => carrierOrder({ orderNumber: first, locations: [], ...more });
  const { orderId } = (
    await (number % 2
      ? patiently<CarrierAnswer>(ask, "POST", "/api/v1/orders/upsert", { json: sent({}) })
      : patiently<CarrierAnswer>(ask, "POST", "/api/v1/orders", {
          json: sent({}),
          headers: { "idempotency-key": `making-${number}` },
        }))
  ).body;
  const path = `/api/v1/orders/${orderId}`;
  const body = sent({ orderNumber, internalComments: `Changed ${number}` });
  await patiently(ask, "PUT", path, { json: body });
  const bytes = `The paper of order ${number}`;
  const { documentId } = (
    await patiently<DocumentAnswer>(ask, "POST", `${path}/documents`, () => ({
      body: form({ name: "cmr.txt", bytes }, { documentType: "cmr" }),
    }))
  ).body;
  const verdict = [undefined, "Accepted", "Rejected"][number % 3];
  if (verdict)
    await patiently(ask, "POST", `${path}/documents/${documentId}/status`, {
      json: { status: verdict, reason: `Looked at ${number}` },
    });
  const isCancelled = number % 10 === 7;
  if (isCancelled) await patiently(ask, "DELETE", path);
  return {
    orderId,
    body,
    documentId,
    bytes,
    paper: verdict ?? "Uploaded",
    status: isCancelled ? "Cancelled" : ({ Accepted: "Completed", Rejected: "Rejected" }[verdict ?? ""] ?? "InReview"),
    events: [
      "CarrierOrderCreated",
      "CarrierOrderUpdated",
      "OrderDocumentUploaded",
      "CarrierOrderStatusChanged",
      ...(verdict ? ["OrderDocumentStatusChanged", "CarrierOrderStatusChanged"] : []),
      ...(isCancelled ? ["CarrierOrderCancelled"] : []),
    ],
  };
}

/**
 * Repeats a request until it succeeds, because the service may be down or still busy with work from before the kill.
 */
async function patiently<Body>(
  ask: ApiClient,
  method: string,
  path: string,
  sending: ApiRequest | (() => ApiRequest) = {},
): Promise<Reply<Body>> {
  for (;;) {
    const reply = await ask<Body & { errorCode?: string }>(method, path, {
      ...(typeof sending === "function" ? sending() : sending),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => undefined);
    if (reply && reply.status < 300) return reply;
    if (reply && reply.status < 500 && reply.body.errorCode !== "in_progress")
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    await sleep(50);
  }
}

/** Compares repeatedly, until nothing is missing or `patience` milliseconds are over. */
async function settle(
  ask: ApiClient,
  kept: AcknowledgedOrder[],
  { got }: Awaited<ReturnType<typeof recordingReceiver>>,
  patience: number,
): Promise<{ lost: OrderLosses; found: StoredOrders }> {
  const end = Date.now() + patience;
  const objects = new Map<string, StoredOrders["objects"] extends Map<string, infer Object> ? Object : never>();
  for (const order of kept) objects.set(order.orderId, await objectOf(ask, order));
  for (;;) {
    const heard = new Map([...got].map(([id, { heard: events }]) => [id, [...events]]));
    const found = { objects, archive: await archiveOf(ask), heard };
    const lost = differences(kept, found);
    if (Object.values(lost).every((ids) => ids.length === 0) || Date.now() > end) return { lost, found };
    await sleep(200);
    // For a cancelled order, the result depends on the archive, which lags behind, so it is read again.
    for (const order of kept)
      if (lost.number.includes(order.orderId)) objects.set(order.orderId, await objectOf(ask, order));
  }
}

/** Reads the stored order, the bytes of its document, and the id of the order that its number leads to. */
async function objectOf(ask: ApiClient, { orderId, documentId, body }: AcknowledgedOrder) {
  const path = `/api/v1/orders/${orderId}`;
  const [{ body: order }, { body: bytes }] = [
    await ask<CarrierAnswer>("GET", path),
    await ask<string>("GET", `${path}/documents/${documentId}/content`),
  ];
  const isLive = order.carrierOrder?.status !== "Cancelled";
  const asked = { orderNumber: body.orderNumber, limit: 1 };
  const leadsTo = isLive
    ? (await patiently<{ orderId: string }>(ask, "POST", "/api/v1/orders/upsert", { json: body })).body
    : (await ask<{ items: { orderId: string }[] }>("POST", "/api/v1/orders/query", { json: asked })).body.items[0];
  return { order, bytes, leadsTo: leadsTo?.orderId };
}

async function archiveOf(ask: ApiClient): Promise<StoredOrders["archive"]> {
  const found: StoredOrders["archive"] = new Map();
  for (let continuationToken: string | undefined = ""; continuationToken !== undefined;) {
    const { body }: Reply<{ items: { orderId: string; status: string }[]; continuationToken?: string }> = await ask(
      "POST",
      "/api/v1/orders/query",
      { json: { limit: 200, ...(continuationToken && { continuationToken }) } },
    );
    for (const row of body.items) found.set(row.orderId, row as never);
    ({ continuationToken } = body);
  }
  return found;
}
