import {
  after,
  healthy,
  mayBeSent,
  resetTo,
  statusOf,
  usualLimits,
  type Ended,
  type Health,
  type Limits,
  type Transition,
} from "../src/areas/webhooks/health.ts";
import { retryAfterIn, waitAfter } from "../src/areas/webhooks/schedule.ts";
import type { sealsOf, Subscription } from "../src/areas/webhooks/subscription.ts";
import type { Env } from "../src/kit/env.ts";
import { log, logFault } from "../src/kit/log.ts";
import type { DeliveryHealth, DeliveryState } from "../src/kit/owners.ts";
import { deliver, type Attempted } from "../src/kit/receivers/index.ts";
import { signatureHeaders } from "../src/kit/sign.ts";
import { DeliveryRows, type Claimed, type Entry } from "./delivery-rows.ts";
import { opened, type Means } from "./means.ts";
import { earliest } from "./owner.ts";

/** Connections an object may have open at once. */
const atOnce = 6;
/** While attempts run the alarm looks after them this often. */
const watchMilliseconds = 30_000;
/** Attempts cut off in a row after which the schedule applies, so that one delivery cannot spin. */
const mostUnknown = 5;
/** After a reset what had waited goes out no faster than this. */
const releasePause = 100;
/** A receiver whose connection failed this soon is asked once more within the same attempt. */
const soon = 1000;
/** What a disabled subscription keeps: so many, so much and so long; the oldest go first. */
const kept = { rows: 100_000, bytes: 512 * 1024 * 1024, milliseconds: 14 * 24 * 60 * 60 * 1000 };

/** What is remembered of how it goes, beside the rows. */
interface Standing {
  health: Health;
  lastSuccessAt?: string;
  lastFailure?: DeliveryHealth["lastFailure"];
  /** What was dropped because too much had waited too long. */
  dropped: number;
  /** Deliveries up to this one waited for a reset and are let out one after the other. */
  releasing?: number;
}

/** What the subscription is now. */
export interface Terms {
  subscription: Subscription;
  company: string;
  id: string;
  seals: ReturnType<typeof sealsOf>;
}

/**
 * The deliveries of one subscription. The attempt is on record before a byte leaves, so that one that was cut off is known
 * and made again with the same id. Of each thing the oldest goes first, and the others are held until it is done. Whoever
 * fails is tried less often, then disabled; what waits is kept until somebody resets it.
 */
export class Deliveries {
  private readonly storage: DurableObjectStorage;
  private readonly env: Env;
  private readonly rows: DeliveryRows;
  private readonly terms: () => Terms | undefined;
  private readonly tell: (transition: Transition, health: Health) => void;
  private readonly wake: () => void;
  /** Attempts running in this life of the object; those on record from another life are over. */
  private readonly running = new Set<string>();
  private standing: Standing | undefined;
  private opened: { of: Subscription; means: Promise<Means> } | undefined;
  private releasedAt = 0;
  private openBytes: number | undefined;
  private recovered = false;

  constructor(
    storage: DurableObjectStorage,
    env: Env,
    terms: () => Terms | undefined,
    tell: (transition: Transition, health: Health) => void,
    wake: () => void,
  ) {
    this.storage = storage;
    this.env = env;
    this.rows = new DeliveryRows(storage.sql);
    this.terms = terms;
    this.tell = tell;
    this.wake = wake;
  }

  add(entries: Entry[]): void {
    this.storage.transactionSync(() => {
      this.createTables();
      for (const entry of entries) this.rows.add(entry, Date.now());
      if (this.stands().health.disabled) this.keepWithinBounds(entries);
    });
    this.send();
  }

  /** Sends an event that is no event, now and once. @returns what came of it */
  async test(terms: Terms, entry: Entry): Promise<Attempted> {
    const { receiver, secrets, tokens } = await this.meansOf(terms).means;
    const headers = await signatureHeaders(secrets, entry.event.id, entry.body);
    const message = { id: entry.event.id, body: entry.body, headers, type: entry.event.type, orderKey: entry.event.id };
    return deliver(receiver, message, tokens, this.env);
  }

  resend(id: string): "Asked" | "Sending" | undefined {
    if (!this.rows.exist()) return undefined;
    const asked = this.rows.byHand(id, Date.now());
    this.send();
    return asked;
  }

  replay(entries: Entry[]): void {
    this.storage.transactionSync(() => {
      this.createTables();
      for (const entry of entries) this.rows.replay(entry, Date.now());
    });
    this.send();
  }

  /** Starts as many attempts as may run. Called whenever something may have changed. */
  send(): void {
    const terms = this.terms();
    if (!terms || !this.rows.exist()) return;
    this.follow(terms.subscription.epoch);
    this.recover();
    const claimed = this.storage.transactionSync(() => this.claim());
    for (const row of claimed) void this.attempt(row, terms);
  }

  /** The alarm's round: what has piled up or grown old goes. */
  tidy(): void {
    if (!this.rows.exist()) return;
    this.storage.transactionSync(() => {
      this.rows.forget(Date.now());
      if (this.stands().health.disabled) this.keepWithinBounds([]);
    });
  }

  /** When there is something to do next, in milliseconds since 1970. */
  nextDue(): number | undefined {
    const terms = this.terms();
    if (!terms || !this.rows.exist()) return undefined;
    const { health, releasing } = this.stands();
    const watch = this.running.size > 0 ? Date.now() + watchMilliseconds : undefined;
    const byHand = this.rows.nextDue("ByHand");
    if (health.disabled && health.epoch === terms.subscription.epoch) return earliest(watch, byHand);
    const released = releasing === undefined ? undefined : this.releasedAt + releasePause;
    const due = earliest(this.rows.nextDue("Scheduled"), released);
    const probe = health.breaker.is === "Open" ? health.breaker.until : 0;
    const full = this.running.size >= atOnce || (health.breaker.is !== "Closed" && this.running.size > 0);
    return earliest(watch, byHand, due === undefined || full ? undefined : Math.max(due, probe));
  }

  health(): DeliveryHealth {
    const limits = limitsOf(this.env);
    const disablesAfter = { failures: limits.failures, seconds: limits.failuresForMilliseconds / 1000 };
    if (!this.rows.exist()) return { status: "Active", failureCount: 0, pending: 0, droppedCount: 0, disablesAfter };
    const epoch = this.terms()?.subscription.epoch;
    if (epoch !== undefined) this.follow(epoch);
    const { health, lastSuccessAt, lastFailure, dropped } = this.stands();
    return {
      status: statusOf(health),
      ...(health.disabled && { disabledBecause: health.disabled }),
      failureCount: health.failures,
      pending: this.rows.open(),
      droppedCount: dropped,
      disablesAfter,
      ...(lastSuccessAt && { lastSuccessAt }),
      ...(lastFailure && { lastFailure }),
    };
  }

  log(before: number, limit: number, states: DeliveryState[]) {
    return this.rows.exist() ? this.rows.log(before, limit, states) : [];
  }

  /** The subscription is gone: nothing more goes out, and nobody's token is kept. */
  drop(): void {
    if (this.rows.exist()) this.rows.drop(Date.now());
    this.storage.kv.delete("token");
  }

  /** A reset is seen by its number: what fails counts anew, and what has waited goes out in its order. */
  private follow(epoch: number): void {
    const standing = this.stands();
    if (standing.health.epoch === epoch) return;
    this.openBytes = undefined;
    this.keep({
      ...standing,
      health: resetTo(epoch, standing.health, Date.now()),
      releasing: this.rows.newest(),
    });
  }

  /** In a new life of the object: attempts found without an end were cut off, and are made again. */
  private recover(): void {
    if (this.recovered) return;
    this.recovered = true;
    const now = Date.now();
    for (const { seq, attempt_id, unknowns, attempts } of this.rows.cutOff(this.running)) {
      const wait = unknowns < mostUnknown ? 0 : (waitAfter(attempts, {}, Math.random()) ?? 0);
      this.rows.again(seq, attempt_id, now + wait, now);
    }
  }

  private claim(): Claimed[] {
    const now = Date.now();
    const { health, releasing } = this.stands();
    const room = mayBeSent(health, now, atOnce) - this.running.size;
    const free = atOnce - this.running.size;
    const mayRelease = releasing !== undefined && room > 0 && now >= this.releasedAt + releasePause;
    const rows = this.rows.claim(
      now,
      { byHand: free, released: mayRelease ? 1 : 0, due: room - Number(mayRelease), releasedUpTo: releasing ?? 0 },
      health.epoch,
    );
    if (mayRelease) this.released(now, releasing);
    for (const { attempt_id } of rows) this.running.add(attempt_id);
    return rows;
  }

  private released(now: number, upTo: number): void {
    this.releasedAt = now;
    if (this.rows.hasPendingUpTo(upTo)) return;
    const { releasing: _, ...rest } = this.stands();
    this.keep(rest);
  }

  private async attempt(row: Claimed, terms: Terms): Promise<void> {
    const { epoch } = this.stands().health;
    const attempted = await this.attempted(row, terms).catch((error: unknown): Attempted => {
      logFault("delivery", error, { event: row.event_id });
      return {
        delivered: false,
        error: "refused",
        detail: "It could not be signed.",
        answer: "",
        milliseconds: 0,
        sent: { url: "", headers: {} },
      };
    });
    this.running.delete(row.attempt_id);
    this.record(row, attempted, epoch);
    const { status, error, milliseconds } = attempted;
    log({
      what: "delivery",
      event: row.event_id,
      type: row.type,
      attempt: row.attempts + 1,
      kind: row.kind,
      status,
      error,
      milliseconds,
    });
    this.send();
    this.wake();
  }

  private async attempted(row: Claimed, terms: Terms): Promise<Attempted> {
    const { receiver, secrets, tokens } = await this.meansOf(terms).means;
    const { event_id: id, body, type, okey: orderKey, manual } = row;
    const headers = await signatureHeaders(secrets, id, body);
    const message = { id, body, headers, type, orderKey, ...(row.kind === "Manual" && { manualTimes: manual }) };
    const first = await deliver(receiver, message, tokens, this.env);
    const lost = !first.delivered && first.error === "connection" && first.milliseconds < soon;
    return lost ? deliver(receiver, message, tokens, this.env) : first;
  }

  /** Opened once for what the subscription is now. */
  private meansOf({ subscription, seals }: Terms): { means: Promise<Means> } {
    if (this.opened?.of !== subscription) {
      const means = opened(subscription, seals, this.storage, this.env);
      this.opened = { of: subscription, means };
      means.catch(() => (this.opened = undefined));
    }
    return this.opened;
  }

  private record(row: Claimed, attempted: Attempted, epoch: number): void {
    const now = Date.now();
    const { delivered, status, error, detail, answer } = attempted;
    const retryAfter = retryAfterIn(attempted.retryAfter, now);
    const wait = waitAfter(row.attempts, { status, timedOut: error === "timeout", retryAfter }, Math.random());
    this.storage.transactionSync(() => {
      const outcome = delivered ? "Delivered" : "Failed";
      this.rows.ended({
        id: row.attempt_id,
        ended: now,
        outcome,
        status: status ?? null,
        error: error ?? null,
        detail: detail ?? null,
        answer: answer.slice(0, 1024),
      });
      const { state, due } = this.next(row, delivered, wait, now);
      const mine = this.rows.settle(row, state, due, now);
      const exhausted = mine && state === "Exhausted";
      this.judge(
        {
          epoch,
          kind: row.kind,
          outcome: delivered ? "Delivered" : error === "refused" ? "Refused" : "Failed",
          status,
          retryAfter,
          exhausted,
        },
        attempted,
        now,
      );
      if (mine && state !== "Pending") this.rows.release(row.okey, now, exhausted);
    });
  }

  /** What an attempt by hand does not change, it leaves as it was. */
  private next(
    row: Claimed,
    delivered: boolean,
    wait: number | undefined,
    now: number,
  ): { state: DeliveryState; due: number } {
    if (delivered) return { state: "Delivered", due: now };
    const before = row.kind === "Scheduled" ? undefined : this.rows.before(row.seq);
    if (before) return before;
    if (row.kind !== "Scheduled") return { state: "Pending", due: now };
    return wait === undefined ? { state: "Exhausted", due: now } : { state: "Pending", due: now + wait };
  }

  private judge(ended: Ended, { status, error, detail }: Attempted, now: number): void {
    const standing = this.stands();
    const at = new Date(now).toISOString();
    const { health, tell } = after(standing.health, ended, now, limitsOf(this.env), Math.random());
    const seen = ended.outcome === "Delivered" ? { lastSuccessAt: at } : { lastFailure: { at, status, error, detail } };
    this.keep({ ...standing, health, ...seen });
    for (const transition of tell) this.tell(transition, health);
  }

  private keepWithinBounds(entries: Entry[]): void {
    const now = Date.now();
    const before = this.openBytes ?? this.rows.openBytes();
    this.openBytes = before + entries.reduce((sum, { body }) => sum + body.length, 0);
    const tooMany = Math.max(0, this.rows.open() - kept.rows);
    const tooMuch = this.openBytes > kept.bytes ? Math.max(entries.length, 100) : 0;
    const { dropped, bytes } = this.rows.dropOldest(Math.max(tooMany, tooMuch), now - kept.milliseconds, now);
    this.openBytes -= bytes;
    if (dropped === 0) return;
    const standing = this.stands();
    this.keep({ ...standing, dropped: standing.dropped + dropped });
    log({ what: "deliveries.dropped", dropped });
  }

  private stands(): Standing {
    this.standing ??= this.storage.kv.get<Standing>("standing");
    this.standing ??= { health: healthy(this.terms()?.subscription.epoch ?? 1, Date.now()), dropped: 0 };
    return this.standing;
  }

  private keep(standing: Standing): void {
    this.standing = standing;
    this.storage.kv.put("standing", standing);
  }

  private createTables(): void {
    this.rows.create();
  }
}

function limitsOf({ FAILURE_LIMIT, FAILURE_MIN_AGE_S }: Env): Limits {
  return {
    failures: positive(FAILURE_LIMIT) ?? usualLimits.failures,
    failuresForMilliseconds: (positive(FAILURE_MIN_AGE_S, 0) ?? usualLimits.failuresForMilliseconds / 1000) * 1000,
  };
}

const positive = (text: string | undefined, least = 1) =>
  text !== undefined && Number(text) >= least ? Number(text) : undefined;
