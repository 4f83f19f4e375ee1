import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../bench/median.ts";
import { apiClient, type ApiClient, type Reply, type ApiRequest } from "../support/api-client.ts";
import { carrierOrder, type CarrierAnswer } from "../support/carriers.ts";
import { faultyReceiver, type Flaps } from "./faulty-receiver.ts";
import { findDeliveryFaults, type Acknowledged, type Delivered, type DeliveryFaults } from "./delivery-journal.ts";
import type { KillableService } from "./killable-service.ts";
import { seeded } from "./seeds.ts";

export interface WebhookKillScenario {
  /** Opens the service under test with its state in `folder`. */
  open: (folder: string) => Promise<KillableService>;
  /** Number of kills. */
  kills: number;
  seed?: number;
  /** Milliseconds after the last kill in which everything must have arrived. */
  patience?: number;
  /** Called with the number of kills so far. */
  counts?: (kills: number) => void;
}

/** The result of a run. */
export interface WebhooksUnderKills extends DeliveryFaults {
  kills: number;
  /** Number of requests that were in progress at a kill, so that their outcome is unknown. */
  cutOff: number;
  flaps: Flaps;
  /** `start`: median of the time until the restarted service answers. */
  milliseconds: { killing: number; start: number; draining: number };
  /** The data that the faults were computed from, for control tests. */
  told: { acknowledged: Acknowledged[]; taken: Delivered[]; webhooks: string[] };
}

const orders = 24;
/** Maximum number of restarts between two changes of an order. */
const longestRest = 7;
/** Maximum time between a start and the next kill, in milliseconds. */
const longestLife = 450;
/** Number of kills after which one of the webhooks is reset, which releases its waiting events. */
const resetEvery = 35;
const webhooks = ["/one", "/two"];

/**
 * Changes orders repeatedly. Meanwhile, the service is killed again and again, as soon as it answers or shortly after,
 * and both webhook receivers are unreliable. Then kills and failures stop, and the acknowledged changes are compared
 * with the delivered events.
 */
export async function deliverWebhooksUnderKills({
  open,
  kills,
  seed = 1,
  patience = 240_000,
  counts,
}: WebhookKillScenario): Promise<WebhooksUnderKills> {
  const folder = await mkdtemp(join(tmpdir(), "lorry-faults-"));
  const random = seeded(seed);
  const receiver = await faultyReceiver(random);
  const service = await open(folder);
  const client = new Client(service.url, random);
  try {
    await service.start();
    for (const path of webhooks) await client.subscribe(receiver.url + path);
    const began = performance.now();
    const changing = Promise.all(Array.from({ length: orders }, (_, number) => client.change(number)));
    const starts = await Promise.race([killed(service, { kills, counts }, client, random), changing.then(() => [])]);
    client.rest();
    await changing;
    receiver.heal();
    for (const id of client.webhooks) await client.reset(id);
    const quiet = performance.now();
    const { acknowledged, cutOff } = client;
    let found = findDeliveryFaults(acknowledged, receiver.taken, webhooks);
    while (found.lost.length > 0 && performance.now() - quiet < patience) {
      await sleep(250);
      found = findDeliveryFaults(acknowledged, receiver.taken, webhooks);
    }
    return {
      ...found,
      kills: starts.length,
      cutOff,
      flaps: receiver.flaps,
      milliseconds: { killing: quiet - began, start: median(starts), draining: performance.now() - quiet },
      told: { acknowledged, taken: receiver.taken, webhooks },
    };
  } finally {
    client.rest();
    await service.end();
    receiver.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Kills and restarts the service repeatedly. @returns the milliseconds that each start took */
async function killed(
  service: KillableService,
  { kills, counts }: Pick<WebhookKillScenario, "kills" | "counts">,
  client: Client,
  random: () => number,
): Promise<number[]> {
  const starts: number[] = [];
  while (starts.length < kills) {
    await sleep(longestLife * random());
    await service.kill();
    starts.push(await service.start());
    counts?.(starts.length);
    client.goOn();
    const turn = starts.length / resetEvery;
    if (Number.isInteger(turn)) await client.reset(client.webhooks[turn % webhooks.length]!);
  }
  return starts;
}

/** A client that changes orders and repeats every change until it is acknowledged. */
class Client {
  readonly acknowledged: Acknowledged[] = [];
  readonly webhooks: string[] = [];
  cutOff = 0;
  private isOver = false;
  private waiting: { lives: number; wake: () => void }[] = [];
  private readonly ask: ApiClient;
  private readonly random: () => number;

  constructor(url: string, random: () => number) {
    this.ask = apiClient({ fetch: (path, init) => fetch(url + path, init) }, "demo");
    this.random = random;
  }

  async subscribe(callbackUrl: string): Promise<void> {
    const json = { eventType: "All", callbackUrl };
    const { body } = await this.patiently<{ subscriptionId: string }>("POST", "/api/v1/webhooks", { json });
    this.webhooks.push(body.subscriptionId);
  }

  reset(id: string): Promise<unknown> {
    return this.patiently("PUT", `/api/v1/webhooks/${encodeURIComponent(id)}/reset`, { json: {} });
  }

  /** Must be called after each restart of the service. Orders whose pause is over are then changed again. */
  goOn(): void {
    for (const one of this.waiting) one.lives--;
    for (const { wake } of this.waiting.filter(({ lives }) => lives <= 0)) wake();
    this.waiting = this.waiting.filter(({ lives }) => lives > 0);
  }

  /** Stops all changes. */
  rest(): void {
    this.isOver = true;
    for (const { wake } of this.waiting.splice(0)) wake();
  }

  /** Changes one order again and again. */
  async change(number: number): Promise<void> {
    const sent = (turn: number) => ({
      json: carrierOrder({ orderNumber: `KW-${number}`, locations: [], internalComments: `Turn ${turn}` }),
    });
    const made = await this.patiently<CarrierAnswer>("POST", "/api/v1/orders/upsert", sent(0));
    const { orderId } = made.body;
    this.acknowledged.push({ orderId, version: versionOf(made) });
    for (let turn = 1; !this.isOver; turn++) {
      const changed = await this.patiently("PUT", `/api/v1/orders/${orderId}`, sent(turn));
      this.acknowledged.push({ orderId, version: versionOf(changed) });
      await this.rested();
    }
  }

  private async rested(): Promise<void> {
    const lives = Math.ceil(longestRest * this.random());
    if (!this.isOver) await new Promise<void>((wake) => this.waiting.push({ lives, wake }));
    if (!this.isOver) await sleep(longestLife * this.random());
  }

  /** Repeats a request until it succeeds, because the service may be down at any moment. */
  private async patiently<Body>(method: string, path: string, sending: ApiRequest): Promise<Reply<Body>> {
    for (;;) {
      const signal = AbortSignal.timeout(10_000);
      const reply = await this.ask<Body>(method, path, { ...sending, signal }).catch((error: Error) => {
        if (!isNobodyThere(error)) this.cutOff++;
      });
      if (reply && reply.status < 300) return reply;
      if (reply && reply.status < 500 && reply.status !== 409)
        throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      await sleep(50);
    }
  }
}

const versionOf = ({ headers }: Reply<unknown>) => Number(/\d+/.exec(headers.get("etag") ?? "")?.[0]);

const isNobodyThere = ({ cause }: Error) => (cause as { code?: string } | undefined)?.code === "ECONNREFUSED";
