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
  /** Opens what has to withstand it, in a folder of its own. */
  open: (folder: string) => Promise<KillableService>;
  /** How often it is killed. */
  kills: number;
  seed?: number;
  /** Milliseconds everything may take to arrive after the last kill. */
  patience?: number;
  /** Hears how often it has been killed. */
  counts?: (kills: number) => void;
}

/** What came of it. */
export interface WebhooksUnderKills extends DeliveryFaults {
  kills: number;
  /** Requests that were on their way when it died: nobody knows what came of them. */
  cutOff: number;
  flaps: Flaps;
  /** `start`: the median of how long it took until it answered again. */
  milliseconds: { killing: number; start: number; draining: number };
  /** What it was told from, for whoever wants to see that it tells. */
  told: { acknowledged: Acknowledged[]; taken: Delivered[]; webhooks: string[] };
}

const orders = 24;
/** An order changes again so many lives later, at most. */
const longestRest = 7;
/** In milliseconds. */
const longestLife = 450;
/** After so many kills what waits for one of the receivers is let out. */
const resetEvery = 35;
const webhooks = ["/one", "/two"];

/**
 * Changes orders again and again while what serves them is killed with signal 9 again and again, as soon as it answers or a
 * moment later, and both receivers of webhooks have a bad day. Then all is left in peace, and what was acknowledged is held
 * against what arrived.
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

/** @returns milliseconds each start took */
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

/** Whoever changes orders, and asks for every change until it is acknowledged. */
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

  /** In a new life of the service: whose rest is over changes its order again. */
  goOn(): void {
    for (const one of this.waiting) one.lives--;
    for (const { wake } of this.waiting.filter(({ lives }) => lives <= 0)) wake();
    this.waiting = this.waiting.filter(({ lives }) => lives > 0);
  }

  /** Nothing changes any more. */
  rest(): void {
    this.isOver = true;
    for (const { wake } of this.waiting.splice(0)) wake();
  }

  /** One order, changed again and again. */
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

  /** Asks until it is answered well: the service may be gone at any moment. */
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
