import { randomUUID } from "node:crypto";
import { vi } from "vitest";
import { SubscriptionObject } from "../../durable-objects/subscription.ts";
import { commands } from "../../src/areas/webhooks/commands.ts";
import { type Subscription } from "../../src/areas/webhooks/model.ts";
import { eventTypes } from "../../src/events.ts";
import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import type { DeliveryState } from "../../src/platform/aggregates.ts";
import type { Accepted } from "./delivery-rules.ts";
import { replaceSurroundings, type Answer, type Arrived } from "./platform/receivers.ts";
import { Disk, LifeStorage } from "./platform/storage.ts";
import { runPendingPromises, Timeline } from "./platform/timeline.ts";
import { seeded } from "./seeds.ts";

export const minute = 60_000;
export const hour = 60 * minute;

const company = "01a1f8ce-96ba-7fa1-b074-5747ca82ef51";
const subscriptionId = "01a1f8ce-96ba-7fa1-b074-5747ca82ef52";
const plain = (text: string) => `AAAA.${Buffer.from(text).toString("base64")}`;
export const secretOf = (number: number) => `whsec_${Buffer.alloc(32, number).toString("base64")}`;

export interface KeptMail {
  to: string;
  subject: string;
  at: number;
}

export interface WorldOptions {
  seed?: number;
  answer?: (arrived: Omit<Arrived, "answer">) => Answer;
  vars?: Partial<Env>;
  /** The class under test. Control tests pass a faulty one. */
  Object?: typeof SubscriptionObject;
}

/** Calls `run` with a new world for each seed. */
export async function inWorlds(seeds: readonly number[], setting: WorldOptions, run: (world: World) => Promise<void>) {
  for (const seed of seeds) {
    const world = new World({ ...setting, seed });
    try {
      await run(await world.open());
    } catch (error) {
      throw new Error(`Seed ${seed}: ${String(error)}`, { cause: error });
    } finally {
      world.close();
    }
  }
}

/** The product's subscription object, with a simulated platform, a simulated receiver and simulated time. */
export class World {
  readonly random: () => number;
  readonly timeline = new Timeline();
  readonly disk = new Disk();
  readonly arrived: Arrived[] = [];
  readonly accepted: Accepted[] = [];
  readonly mails: KeptMail[] = [];
  lives = 0;
  /** Number of alarms that the platform fired. */
  rings = 0;
  /** Number of mails that were handed to the mail outbox, including duplicates. */
  mailings = 0;
  answer: (arrived: Omit<Arrived, "answer">) => Answer;
  private readonly known = new Set<string>();
  private readonly outbox = new Set<string>();
  private readonly env: Env;
  private readonly Object: typeof SubscriptionObject;
  private life: LifeStorage | undefined;
  private living: SubscriptionObject | undefined;
  private alarmAt: number | undefined;
  private alarmRuns = 0;
  private readonly restore: () => void;

  constructor({
    seed = 1,
    answer = () => ({ status: 200 }),
    vars = {},
    Object = SubscriptionObject,
  }: WorldOptions = {}) {
    this.random = seeded(seed);
    this.answer = answer;
    this.Object = Object;
    this.env = {
      ALLOW_PRIVATE_WEBHOOKS: "true",
      LOCAL_MAIL: "true",
      SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
      FILES: { put: async (name: string, json: string) => this.mailed(name, json) },
      ...vars,
    } as unknown as Env;
    const here = replaceSurroundings(this.timeline, {
      lives: () => this.alive(),
      answer: (came) => this.answer(came),
      arrived: this.arrived,
    });
    const random = vi.spyOn(Math, "random").mockImplementation(this.random);
    this.restore = () => {
      here();
      random.mockRestore();
      this.timeline.stop();
    };
  }

  async open(): Promise<this> {
    await this.ask(commands.open.name, {
      eventTypes: ["All"],
      callbackUrl: "http://receiver.example/hook",
      authentication: { sealed: { type: "None" } },
      payload: "Thin",
      sealed: plain(secretOf(1)),
    });
    return this;
  }

  /** Restores everything that the world replaced. */
  close(): void {
    this.kill();
    this.restore();
  }

  get isAlive(): boolean {
    return this.life !== undefined && !this.life.isOver;
  }

  /** Returns the running instance of the object. Starts a new instance if none is running. */
  object(): SubscriptionObject {
    if (this.living && !this.life!.isOver) return this.living;
    const storage = new LifeStorage(this.disk, (at) => this.alarmSet(at));
    const ctx = { storage, blockConcurrencyWhile: (run: () => Promise<void>) => run() };
    this.lives++;
    this.life = storage;
    this.living = new this.Object(ctx as never, this.env);
    return this.living;
  }

  /** Ends the running instance without any cleanup. */
  kill(): void {
    if (this.life) this.life.isOver = true;
    this.living = undefined;
  }

  /** Ends the running instance after this many more storage calls. */
  killSoon(calls: number): void {
    this.object();
    this.life!.endsAfter = calls;
  }

  /** Makes the platform lose the alarm that is set. */
  loseAlarm(): void {
    this.disk.alarm = null;
    this.alarmAt = undefined;
  }

  breakStorage(isBroken: boolean): void {
    this.object();
    this.life!.isBroken = isBroken;
  }

  async ask<Reply>(name: string, ask: object): Promise<Reply | undefined> {
    const call = JSON.stringify({ company, id: subscriptionId, name, ask, address: "http://lorry.example" });
    const said = await this.lived((object) => object.execute(call));
    return said === undefined ? undefined : (JSON.parse(said.split("\n")[1] || "null") as Reply);
  }

  reset = (rotated?: number) =>
    this.ask(commands.reset.name, rotated === undefined ? {} : { sealed: plain(secretOf(rotated)) });
  /** Changes the callback URL of the webhook. */
  move = async () => {
    const now = await this.ask<Subscription>(commands.look.name, {});
    const { eventTypes, authentication, payload } = now!;
    const callbackUrl = `http://receiver.example/hook-${now!.epoch}`;
    await this.ask(commands.update.name, { seen: now!.epoch, eventTypes, callbackUrl, authentication, payload });
  };
  notify = (...emails: string[]) => this.ask(commands.notify.name, { emails });
  remove = () => this.ask(commands.close.name, {});
  /** Reads the webhook's health. The call may start the next attempts; if so, they have begun when it returns. */
  health = async () => {
    const health = await this.object().health();
    await runPendingPromises();
    return health;
  };
  resend = (deliveryId: string) => this.lived((object) => object.resend(deliveryId, randomUUID(), eventTypes));
  log = (...states: DeliveryState[]) =>
    this.object().deliveryLog({ isDescending: true, limit: 1_000_000, states, types: eventTypes, changedSince: 0 });

  /** Hands over events as the outbox of an order does: repeats the call until it is acknowledged. */
  async tell(...events: { key: string; version: number; id?: string }[]): Promise<void> {
    const told = events.map(({ key, version, id = `evt_${randomUUID()}` }) => ({ key, version, id }));
    for (;;) {
      const answer = await this.lived((object) => object.enqueue(told.map(eventOf)));
      if (answer === "Taken") for (const one of told) this.accept(one);
      if (answer !== undefined) return;
    }
  }

  /** Calls the object. Returns undefined if the instance ends before it responds. */
  async lived<Reply>(call: (object: SubscriptionObject) => Promise<Reply>): Promise<Reply | undefined> {
    const object = this.object();
    const life = this.life!;
    const said = call(object);
    const lost = said.then(
      (reply) => ({ reply }),
      (error: unknown) => ({ error }),
    );
    await runPendingPromises();
    if (life.isOver) return undefined;
    const ended = await lost;
    if ("error" in ended) throw ended.error;
    return ended.reply;
  }

  /** Reads the state of each event in the delivery log. */
  async states(): Promise<Map<string, DeliveryState>> {
    return new Map((await this.log()).map(({ event_id, state }) => [event_id, state]));
  }

  /** Advances simulated time. Alarms and responses come when they are due. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.timeline.passed + milliseconds;
    await runPendingPromises();
    for (;;) {
      const next = Math.min(this.alarmAt ?? Infinity, this.timeline.next() ?? Infinity);
      if (next > end) break;
      await this.timeline.to(next);
      if (this.alarmAt !== undefined && this.alarmAt <= this.timeline.passed) await this.ring();
    }
    await this.timeline.to(end);
  }

  /** Advances simulated time until no delivery is pending. @returns false if `within` milliseconds were not enough */
  async drained(within: number, step = minute): Promise<boolean> {
    for (const end = this.timeline.passed + within; this.timeline.passed < end; await this.pass(step)) {
      await runPendingPromises();
      if ((await this.health()).pending === 0) return true;
    }
    return (await this.health()).pending === 0;
  }

  private accept(one: Accepted): void {
    if (!this.known.has(one.id)) this.accepted.push(one);
    this.known.add(one.id);
  }

  private alive(): () => boolean {
    const { life } = this;
    return () => life !== undefined && !life.isOver;
  }

  /** Stores a mail as the outbox does: mails with the same name count as one. */
  private mailed(name: string, json: string): void {
    if (!this.isAlive) return;
    this.mailings++;
    const { to, subject } = JSON.parse(json) as KeptMail;
    if (!this.outbox.has(name)) this.mails.push({ to, subject, at: this.timeline.passed });
    this.outbox.add(name);
  }

  /** The platform measures the delay of an alarm with its own clock, from the moment it was set. */
  private alarmSet(at: number | null): void {
    this.alarmAt = at === null ? undefined : this.timeline.passed + Math.max(0, at - Date.now());
  }

  /**
   * Runs the alarm handler. If it throws, the platform runs it again after 2, 4, 8 … seconds, six times, and then no
   * more.
   */
  private async ring(): Promise<void> {
    this.rings++;
    const scheduledTime = this.disk.alarm ?? Date.now();
    this.disk.alarm = null;
    this.alarmAt = undefined;
    const object = this.object();
    const life = this.life!;
    const retryCount = this.alarmRuns;
    try {
      const rung = object.alarm({ isRetry: retryCount > 0, retryCount, scheduledTime });
      rung.catch(() => undefined);
      await runPendingPromises();
      if (!life.isOver) await rung;
      this.alarmRuns = 0;
      if (life.isOver && this.disk.alarm === null) this.alarmAgain(0);
    } catch {
      if (this.disk.alarm === null && this.alarmRuns < 6) this.alarmAgain(2000 * 2 ** this.alarmRuns++);
    }
  }

  private alarmAgain(wait: number): void {
    this.disk.alarm = Date.now() + wait;
    this.alarmAt = this.timeline.passed + wait;
  }
}

function eventOf({ id, key, version }: Accepted): Event {
  return {
    id,
    type: "CarrierOrderUpdated",
    company,
    at: new Date().toISOString(),
    sequence: version,
    resource: { type: "Order", id: key, url: `http://lorry.example/orders/${key}`, version },
    status: "Created",
  };
}
