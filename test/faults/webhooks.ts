import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asking, type Asking, type Reply } from "../asking.ts";
import { carrierOrder, type CarrierAnswer } from "../carriers.ts";
import { flappingReceiver, type Flaps } from "./flapping.ts";
import { judged, type Acknowledged, type Delivered, type Judged } from "./journal.ts";
import { freePort, Lorry } from "./lorry.ts";
import { seeded } from "./seeded.ts";

export interface Ordeal {
  /** How often the service is killed, if the time allows. */
  kills: number;
  /** Milliseconds after which it is killed no more, five times aside. */
  within: number;
  seed?: number;
  /** Orders that change at the same time. */
  orders?: number;
  /** Milliseconds everything may take to arrive after the last kill. */
  patience?: number;
}

/** What came of it. */
export interface Withstood extends Judged {
  kills: number;
  flaps: Flaps;
  milliseconds: { killing: number; draining: number };
  /** What it was told from, for whoever wants to see that it tells. */
  told: { acknowledged: Acknowledged[]; taken: Delivered[]; webhooks: string[] };
}

/**
 * Changes carrier orders without a pause while the whole service is killed with signal 9 again and again, 0.2 to 0.9 seconds
 * after it is up, and both receivers of webhooks have a bad day. Then all is left in peace, and what was acknowledged is held
 * against what arrived.
 */
export async function withstand({
  kills,
  within,
  seed = 1,
  orders = 6,
  patience = 240_000,
}: Ordeal): Promise<Withstood> {
  const data = await mkdtemp(join(tmpdir(), "lorry-faults-"));
  const random = seeded(seed);
  const receiver = await flappingReceiver(random);
  const lorry = new Lorry(await freePort(), data, { WEBHOOK_TIMEOUT_MS: "500", FAILURE_LIMIT: "1000000" });
  const ask = asking({ fetch: (path, init) => fetch(lorry.url + path, init) }, "demo");
  const state = { isOver: false, acknowledged: [] as Acknowledged[] };
  try {
    await lorry.start();
    const webhooks = ["/one", "/two"];
    const ids = await Promise.all(webhooks.map((path) => subscribed(ask, receiver.url + path)));
    const began = performance.now();
    const changing = Array.from({ length: orders }, (_, number) => change(ask, number, random, state));
    let killed = 0;
    while (killed < Math.min(5, kills) || (killed < kills && performance.now() - began < within)) {
      await sleep(200 + 700 * random());
      await lorry.kill();
      killed++;
      await lorry.start();
      if (killed % 10 === 0) await reset(ask, ids[killed % 2]!);
    }
    state.isOver = true;
    await Promise.all(changing);
    receiver.heal();
    for (const id of ids) await reset(ask, id);
    const quiet = performance.now();
    const { acknowledged } = state;
    let found = judged(acknowledged, receiver.taken, webhooks);
    while (found.lost.length > 0 && performance.now() - quiet < patience) {
      await sleep(250);
      found = judged(acknowledged, receiver.taken, webhooks);
    }
    return {
      ...found,
      kills: killed,
      flaps: receiver.flaps,
      milliseconds: { killing: quiet - began, draining: performance.now() - quiet },
      told: { acknowledged, taken: receiver.taken, webhooks },
    };
  } finally {
    await lorry.kill();
    receiver.close();
    await rm(data, { recursive: true, force: true });
  }
}

/** One order, changed again and again; every change is asked for until it is acknowledged. */
async function change(
  ask: Asking,
  number: number,
  random: () => number,
  state: { isOver: boolean; acknowledged: Acknowledged[] },
): Promise<void> {
  const orderNumber = `KW-${number}`;
  const sent = (turn: number) => ({
    json: carrierOrder({ orderNumber, locations: [], internalComments: `Turn ${turn}` }),
  });
  const made = await patiently<CarrierAnswer>(ask, "POST", "/api/v1/orders/upsert", sent(0));
  const { orderId } = made.body;
  state.acknowledged.push({ orderId, version: versionOf(made) });
  for (let turn = 1; !state.isOver; turn++) {
    const changed = await patiently(ask, "PUT", `/api/v1/orders/${orderId}`, sent(turn));
    state.acknowledged.push({ orderId, version: versionOf(changed) });
    await sleep(60 + 120 * random());
  }
}

const versionOf = ({ headers }: Reply<unknown>) => Number(/\d+/.exec(headers.get("etag") ?? "")?.[0]);

const subscribed = async (ask: Asking, callbackUrl: string) =>
  (
    await patiently<{ subscriptionId: string }>(ask, "POST", "/api/v1/webhooks", {
      json: { eventType: "All", callbackUrl },
    })
  ).body.subscriptionId;

const reset = (ask: Asking, id: string) => patiently(ask, "PUT", `/api/v1/webhooks/${id}/reset`, { json: {} });

/** Asks until it is answered well: the service may be gone at any moment. */
async function patiently<Body>(
  ask: Asking,
  method: string,
  path: string,
  sending: { json: unknown },
): Promise<Reply<Body>> {
  for (;;) {
    const reply = await ask<Body>(method, path, { ...sending, signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    );
    if (reply && reply.status < 300) return reply;
    if (reply && reply.status < 500 && reply.status !== 409)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    await sleep(30);
  }
}
