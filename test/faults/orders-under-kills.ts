import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { orderText } from "../support/papers/order.ts";
import { freePort, ServiceProcesses } from "./service-processes.ts";
import { recordingReceiver } from "./recording-receiver.ts";

export interface KillScenario {
  orders: number;
  /** Number of kills, which are spread evenly over the posted orders. */
  kills: number;
  /** Number of concurrent requests. */
  atOnce?: number;
  /** Milliseconds after the last acknowledgement in which everything must be finished. */
  patience?: number;
}

/** The result of a run. All lists should be empty. */
export interface OrdersUnderKills {
  orders: number;
  acknowledged: number;
  notFinal: string[];
  notListed: string[];
  notAnnounced: string[];
  /** Orders that were announced in two events with different ids. */
  announcedTwice: string[];
  /** Stored orders that were never acknowledged. */
  strangers: string[];
  /** Events that were delivered again, which is allowed. */
  repeatedDeliveries: number;
  kills: number;
  statuses: Record<string, number>;
  milliseconds: { posting: number; settling: number; starts: number[] };
}

/**
 * Posts orders as fast as the service allows. Meanwhile, kills and restarts it. Then compares the stored and posted
 * orders.
 */
export async function postOrdersUnderKills({
  orders,
  kills,
  atOnce = 16,
  patience = 90_000,
}: KillScenario): Promise<OrdersUnderKills> {
  const data = await mkdtemp(join(tmpdir(), "lorry-faults-"));
  const hearer = await recordingReceiver();
  const lorry = new ServiceProcesses(await freePort(), data);
  try {
    const starts = [await lorry.start()];
    await ask(lorry, "POST", "/api/v1/webhooks", { eventType: "All", callbackUrl: hearer.url });
    const began = performance.now();
    const posting = postAll(lorry, orders, atOnce);
    for (let kill = 1; kill <= kills; kill++) {
      while (posting.ids.size < (orders * kill) / (kills + 1)) await sleep(5);
      await lorry.kill();
      starts.push(await lorry.start());
    }
    await posting.done;
    const posted = performance.now();
    const ids = [...posting.ids.values()];
    const left = await settle(lorry, ids, hearer.got, patience);
    const deliveries = [...hearer.got.values()];
    return {
      orders,
      acknowledged: new Set(ids).size,
      ...left,
      announcedTwice: ids.filter((id) => (hearer.got.get(id)?.eventIds.size ?? 0) > 1),
      strangers: [...hearer.got.keys()].filter((id) => !ids.includes(id)),
      repeatedDeliveries: deliveries.reduce((sum, { eventIds, deliveries: times }) => sum + times - eventIds.size, 0),
      kills,
      milliseconds: { posting: posted - began, settling: performance.now() - posted, starts },
    };
  } finally {
    await lorry.kill();
    hearer.close();
    await rm(data, { recursive: true, force: true });
  }
}

/** Posts every order until it is acknowledged. The service deduplicates the text, so repeats are harmless. */
function postAll(lorry: ServiceProcesses, orders: number, atOnce: number) {
  const ids = new Map<number, string>();
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < orders; number = next++) ids.set(number, await acknowledged(lorry, number));
  };
  return { ids, done: Promise.all(Array.from({ length: atOnce }, worker)) };
}

async function acknowledged(lorry: ServiceProcesses, number: number): Promise<string> {
  for (;;) {
    const inputText = orderText(`FT-${String(number).padStart(5, "0")}`);
    const reply = await ask(lorry, "POST", "/api/v1/orders", { inputText }).catch(() => undefined);
    if (reply) return (reply as { orderId: string }).orderId;
    await sleep(50);
  }
}

interface Listed {
  items: { orderId: string; status: string }[];
  nextCursor?: string;
}

/** Compares repeatedly, until nothing is missing or `patience` milliseconds are over. */
async function settle(lorry: ServiceProcesses, ids: string[], got: Map<string, unknown>, patience: number) {
  const end = Date.now() + patience;
  for (;;) {
    const listed = await list(lorry);
    const left = {
      notFinal: ids.filter((id) => (listed.get(id) ?? "Processing") === "Processing"),
      notListed: ids.filter((id) => !listed.has(id)),
      notAnnounced: ids.filter((id) => !got.has(id)),
      statuses: Object.fromEntries(
        [...Map.groupBy(listed.values(), (status) => status)].map(([status, all]) => [status, all.length]),
      ),
    };
    if (left.notFinal.length + left.notListed.length + left.notAnnounced.length === 0 || Date.now() > end) return left;
    await sleep(200);
  }
}

async function list(lorry: ServiceProcesses): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const page = (await ask(lorry, "GET", `/api/v1/orders?limit=200${cursor && `&cursor=${cursor}`}`)) as Listed;
    for (const { orderId, status } of page.items) found.set(orderId, status);
    cursor = page.nextCursor;
  }
  return found;
}

async function ask(lorry: ServiceProcesses, method: string, path: string, json?: unknown): Promise<unknown> {
  const response = await fetch(lorry.url + path, {
    method,
    signal: AbortSignal.timeout(30_000),
    headers: { "x-api-key": "demo", "content-type": "application/json" },
    body: json === undefined ? undefined : JSON.stringify(json),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
