import {
  after,
  healthy,
  limitsFrom,
  mayBeSent,
  resetTo,
  shownAs,
  type Health,
  type Transition,
} from "../../src/areas/webhooks/health.ts";
import { retryAfterIn, waitAfter } from "../../src/areas/webhooks/retry-policy.ts";
import { isPaused } from "../../src/areas/webhooks/model.ts";
import type { Env } from "../../src/platform/env.ts";
import { log, logFault } from "../../src/platform/log.ts";
import type { DeliveryQuery, DeliveryHealth, DeliveryState, TestOutcome } from "../../src/platform/aggregates.ts";
import type { PersonFinder } from "../../src/domain/person.ts";
import { logAttempt, toAttemptOutcome, toAttemptRecord } from "./attempts.ts";
import { Backlog } from "./backlog.ts";
import { LogRetention } from "./log-retention.ts";
import { eraseBetween } from "./erase.ts";
import { DeliveryRows, type Claimed, type CutOff, type Entry } from "./rows.ts";
import { earliest } from "../aggregate/alarm.ts";
import type { Tables } from "../aggregate/tables.ts";
import { InFlightAttempts, type EndedAttempt } from "./in-flight-attempts.ts";
import { Sender, type Terms } from "./sender.ts";

/** Interval at which the alarm checks running attempts. */
const watchMilliseconds = 30_000;
/** After this many interrupted attempts in a row, the retry schedule applies. */
const mostUnknown = 5;
/** Deliveries that waited until the webhook was reset are released one by one at this interval. */
const releasePauseMilliseconds = 100;

/** The stored state that applies to all deliveries of the subscription. */
interface Standing {
  health: Health;
  lastSuccessAt?: string;
  lastFailure?: DeliveryHealth["lastFailure"];
  /** Deliveries dropped because they exceeded the limits of the backlog. */
  dropped: number;
  /** Set after a webhook reset: position of the last delivery that waited (`upTo`) and of the last released (`out`). */
  letOut?: { upTo: number; out: number };
}

/** A series of consecutive failures, about which a mail is sent. */
export type Run = Pick<Health, "epoch" | "failures" | "disabled"> & { since: number };

/**
 * The deliveries of one subscription. An attempt is recorded before any byte is sent, so that an interrupted attempt is
 * detected and repeated with the same event id. For each resource the oldest delivery is sent first; the others are
 * held until it is completed. A failing receiver is called less often, then disabled; its deliveries wait until the
 * webhook is reset.
 */
export class Deliveries {
  private readonly storage: DurableObjectStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly rows: DeliveryRows;
  private readonly backlog: Backlog;
  private readonly retention: LogRetention;
  private readonly sender: Sender;
  private readonly terms: () => Terms | undefined;
  private readonly tell: (transition: Transition, run: Run) => void;
  private readonly wake: () => void;
  private readonly inFlight: InFlightAttempts;
  /** Callers that wait for an attempt to end, by event id. */
  private readonly awaited = new Map<string, (() => void)[]>();
  private standing: Standing | undefined;
  private releasedAt = 0;
  private recovered = false;

  constructor(
    storage: DurableObjectStorage,
    tables: Tables,
    env: Env,
    terms: () => Terms | undefined,
    tell: (transition: Transition, run: Run) => void,
    wake: () => void,
  ) {
    this.storage = storage;
    this.tables = tables;
    this.env = env;
    this.rows = new DeliveryRows(storage.sql, tables);
    this.backlog = new Backlog(this.rows);
    this.retention = new LogRetention(storage.sql);
    this.sender = new Sender(storage, env);
    this.inFlight = new InFlightAttempts(
      (row) => this.attempt(row),
      (ends, unsent) => this.recordEnds(ends, unsent),
    );
    this.terms = terms;
    this.tell = tell;
    this.wake = wake;
    tables.onReset(() => this.forget());
  }

  add(entries: Entry[]): void {
    this.tables.transaction(() => {
      this.rows.create();
      for (const entry of entries) this.rows.add(entry, Date.now());
      if (this.isHeld()) this.keepWithinBounds(entries);
    });
    this.send();
  }

  /** Sends a test event at once, and only once. Undefined if the delivery was deleted in the meantime. */
  async test(entry: Entry): Promise<Omit<TestOutcome, "eventId"> | undefined> {
    const id = entry.event.id;
    this.tables.transaction(() => {
      this.rows.create();
      this.rows.add(entry, Date.now(), "Test");
    });
    this.send();
    if (this.rows.lastAttempt(id) === undefined)
      await new Promise<void>((heard) => this.awaited.set(id, [...(this.awaited.get(id) ?? []), heard]));
    const last = this.rows.lastAttempt(id);
    return last && toAttemptOutcome(last);
  }

  resend(id: string, askId: string, types: readonly string[]): boolean {
    const isThere = this.rows.exist() && this.rows.byHand(id, askId, types, Date.now());
    this.send();
    return isThere;
  }

  replay(entries: Entry[]): void {
    this.tables.transaction(() => {
      this.rows.create();
      for (const entry of entries) this.rows.replay(entry, Date.now());
    });
    this.send();
  }

  /** Starts as many attempts as are allowed. Called whenever this number may have changed. */
  send(): void {
    const terms = this.terms();
    if (!terms || !this.rows.exist()) return;
    this.follow(terms.subscription.epoch);
    this.recover();
    if (isPaused(terms.subscription)) this.rows.unsend(this.inFlight.takeBack());
    this.inFlight.start(this.tables.transaction(() => this.claim()));
  }

  /** Deletes old records, and drops waiting deliveries beyond the limits. Called by the alarm. */
  purge(): void {
    if (!this.rows.exist()) return;
    this.tables.transaction(() => {
      this.retention.run(Date.now());
      if (this.isHeld()) this.keepWithinBounds([]);
    });
  }

  nextDue(): number | undefined {
    const terms = this.terms();
    if (!terms || !this.rows.exist()) return undefined;
    if (!this.recovered && this.rows.cutOff(this.inFlight).length > 0) return Date.now();
    return earliest(
      this.retention.nextDue(),
      this.isHeld() ? this.backlog.nextDue() : undefined,
      this.nextAttempt(terms),
    );
  }

  private nextAttempt(terms: Terms): number | undefined {
    const { health, letOut } = this.stands();
    const watch = this.inFlight.size > 0 ? Date.now() + watchMilliseconds : undefined;
    const byHand = this.rows.nextDue("ByHand");
    const isDisabled = health.disabled && health.epoch === terms.subscription.epoch;
    if (isDisabled || this.isPaused()) return earliest(watch, byHand);
    const due = this.rows.nextDue("Scheduled");
    const probe = health.breaker.is === "Open" ? health.breaker.until : 0;
    const full = this.inFlight.size >= this.most() || (health.breaker.is !== "Closed" && this.inFlight.size > 0);
    if (due === undefined || full) return earliest(watch, byHand);
    const waits = letOut && this.rows.nextToLetOut(letOut) ? 0 : due;
    return earliest(watch, byHand, Math.max(waits, probe, letOut ? this.releasedAt + releasePauseMilliseconds : 0));
  }

  health(): DeliveryHealth {
    const { failures, failuresForMilliseconds } = limitsFrom(this.env);
    const disablesAfter = { failures, seconds: failuresForMilliseconds / 1000 };
    if (!this.rows.exist())
      return { ...shownAs(undefined, this.isPaused()), failureCount: 0, pending: 0, droppedCount: 0, disablesAfter };
    const epoch = this.terms()?.subscription.epoch;
    if (epoch !== undefined) this.follow(epoch);
    this.inFlight.recordNow();
    const { health, lastSuccessAt, lastFailure, dropped } = this.stands();
    return {
      ...shownAs(health, this.isPaused()),
      failureCount: health.failures,
      pending: this.rows.open(),
      droppedCount: dropped,
      disablesAfter,
      ...(lastSuccessAt && { lastSuccessAt }),
      ...(lastFailure && { lastFailure }),
    };
  }

  log(asked: DeliveryQuery) {
    return this.rows.exist() ? this.rows.log(asked) : [];
  }

  /** Deletes the deliveries in a range that mention a person, with their attempts. @returns whether any were deleted */
  erase(finder: PersonFinder, after: number, upTo: number): boolean {
    if (!this.rows.exist()) return false;
    const gone = this.tables.transaction(() => eraseBetween(this.storage.sql, finder, after, upTo));
    const { lastFailure, ...standing } = this.stands();
    if (lastFailure && finder.mentionsIn(lastFailure).length > 0) this.keep(standing);
    this.rows.release([...gone], Date.now(), true);
    return gone.size > 0;
  }

  forgetThings(about: readonly string[]): void {
    if (this.rows.exist()) for (const one of about) this.rows.forgetThing(one);
  }

  /** Deletes all deliveries and the access token, after the subscription was deleted. */
  drop(): void {
    this.inFlight.takeBack();
    if (this.rows.exist()) this.rows.drop();
    this.storage.kv.delete("token");
    for (const waiting of this.awaited.values()) for (const heard of waiting) heard();
    this.awaited.clear();
  }

  /** After a reset or a change of receiver (a new epoch), counts failures from zero and releases waiting deliveries. */
  private follow(epoch: number): void {
    const standing = this.stands();
    if (standing.health.epoch === epoch) return;
    this.storage.kv.delete("token");
    this.backlog.forget();
    this.rows.unsend(this.inFlight.takeBack());
    this.keep({
      ...standing,
      health: resetTo(epoch, standing.health, Date.now()),
      letOut: { upTo: this.rows.newest(), out: 0 },
    });
  }

  /** Repeats interrupted attempts. When the object has just started, these are all stored attempts without an end. */
  private recover(): void {
    if (this.recovered) return;
    const now = Date.now();
    const cutOff = this.rows.cutOff(this.inFlight);
    if (cutOff.length > 0)
      this.tables.transaction(() => {
        for (const row of cutOff) this.again(row, now);
      });
    this.recovered = true;
  }

  /** Repeats an interrupted attempt at once, uncounted. After too many interruptions in a row it counts as failed. */
  private again(row: CutOff, now: number): void {
    const { attempts, unknowns } = row;
    if (unknowns < mostUnknown) return this.rows.again(row, { state: "Pending", due: now, counted: 0 }, now);
    const wait = waitAfter(attempts, {}, Math.random());
    const state = wait === undefined ? "Exhausted" : "Pending";
    this.rows.again(row, { state, due: now + (wait ?? 0), counted: 1 }, now);
    if (state === "Exhausted") this.rows.release([row.okey], now, true);
  }

  private claim(): Claimed[] {
    const now = Date.now();
    const { health, letOut } = this.stands();
    const byHand = this.rows.claimByHand(now, this.most() - this.inFlight.size, health.epoch);
    const most = this.isPaused() ? 0 : mayBeSent(health, now, this.most());
    const room = most - this.inFlight.size - byHand.length;
    const released = letOut && room > 0 ? this.released(now, letOut, health.epoch) : [];
    const due = this.rows.claimDue(now, room - released.length, letOut?.upTo ?? 0, health.epoch);
    return [...byHand, ...released, ...due];
  }

  private most(): number {
    const { health, letOut } = this.stands();
    return this.inFlight.limit(health.failures === 0 && health.breaker.is === "Closed" && !letOut);
  }

  /** After a webhook reset, claims at most one waiting delivery per pause. Its due time is ignored the first time. */
  private released(now: number, letOut: { upTo: number; out: number }, epoch: number): Claimed[] {
    if (now >= this.releasedAt && now < this.releasedAt + releasePauseMilliseconds) return [];
    const [row] = this.rows.claimReleased(now, letOut, epoch);
    if (row) this.releasedAt = now;
    const out = Math.max(letOut.out, row?.seq ?? 0);
    const { letOut: _, ...rest } = this.stands();
    if (!this.rows.isToLetOut({ ...letOut, out })) this.keep(rest);
    else if (out > letOut.out) this.keep({ ...rest, letOut: { ...letOut, out } });
    return row ? [row] : [];
  }

  private async attempt(row: Claimed): Promise<Omit<EndedAttempt, "row">> {
    const { epoch } = this.stands().health;
    const began = Date.now();
    return { attempted: await this.sender.send(row, this.terms()), epoch, began };
  }

  /** Records attempts that ended together, and starts the next ones without an `await`: one disk write for all. */
  private recordEnds(ends: EndedAttempt[], unsent: Claimed[]): void {
    try {
      this.tables.transaction(() => {
        this.record(ends);
        this.rows.unsend(unsent);
      });
      for (const { row, attempted } of ends) logAttempt(row, attempted);
    } catch (error) {
      logFault("delivery.record", error);
    }
    this.send();
    for (const { row } of ends) {
      for (const heard of this.awaited.get(row.event_id) ?? []) heard();
      this.awaited.delete(row.event_id);
    }
    this.wake();
  }

  /** Clears the caches. Attempts whose end could not be recorded are then detected as interrupted, and repeated. */
  private forget(): void {
    this.standing = undefined;
    this.recovered = false;
    this.backlog.forget();
    this.retention.forget();
  }

  private record(ends: EndedAttempt[]): void {
    const now = Date.now();
    const settled = ends.map((end) => ({ end, ...this.next(end, now) }));
    this.rows.ended(ends.map((end) => toAttemptRecord(end, now)));
    const mine = this.rows.settle(
      settled.map(({ end: { row }, state, due }) => ({ row, state, due })),
      now,
    );
    const over = settled.filter(({ end: { row }, state }) => state !== "Pending" && mine.has(row.seq));
    const [exhausted, done] = [over.filter(isExhausted), over.filter((each) => !isExhausted(each))];
    for (const each of settled) this.judge(each.end, exhausted.includes(each), now);
    this.rows.release(thingsOf(exhausted), now, true);
    this.rows.release(thingsOf(done), now, false);
    this.keep(this.stands());
  }

  /** Returns the state of the delivery after the attempt. A failed resend by hand leaves the state as it was before. */
  private next({ row, attempted }: EndedAttempt, now: number): { state: DeliveryState; due: number } {
    const { delivered, status, error } = attempted;
    if (delivered) return { state: "Delivered", due: now };
    const before = row.kind === "Scheduled" ? undefined : this.rows.before(row.seq);
    if (before) return before;
    const retryAfter = retryAfterIn(attempted.retryAfter, now);
    const wait = waitAfter(row.attempts, { status, timedOut: error === "timeout", retryAfter }, Math.random());
    return wait === undefined || row.kind === "Test"
      ? { state: "Exhausted", due: now }
      : { state: "Pending", due: now + wait };
  }

  private judge({ row, attempted, epoch }: EndedAttempt, exhausted: boolean, now: number): void {
    const { delivered, status, error, detail } = attempted;
    const standing = this.stands();
    const at = new Date(now).toISOString();
    const outcome = delivered ? "Delivered" : error === "refused" ? "Refused" : "Failed";
    const retryAfter = retryAfterIn(attempted.retryAfter, now);
    const ended = { epoch, kind: row.kind, outcome, status, retryAfter, exhausted } as const;
    const { health, tell } = after(standing.health, ended, now, limitsFrom(this.env), Math.random());
    const seen = delivered ? { lastSuccessAt: at } : { lastFailure: { at, status, error, detail } };
    this.standing = { ...standing, health, ...seen };
    const since = health.failingSince ?? standing.health.failingSince ?? now;
    for (const transition of tell) this.tell(transition, { ...health, since });
  }

  private keepWithinBounds(entries: Entry[]): void {
    const now = Date.now();
    const gone = this.backlog.bound(entries, now);
    if (gone.length === 0) return;
    this.rows.release([...new Set(gone.map(({ okey }) => okey))], now, true);
    const standing = this.stands();
    this.keep({ ...standing, dropped: standing.dropped + gone.length });
    log({ what: "deliveries.dropped", dropped: gone.length });
  }

  /** Whether scheduled deliveries wait, because the webhook is disabled or paused. The backlog's limits then apply. */
  private isHeld(): boolean {
    return this.stands().health.disabled !== undefined || this.isPaused();
  }

  private isPaused(): boolean {
    const terms = this.terms();
    return terms !== undefined && isPaused(terms.subscription);
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
}

const isExhausted = ({ state }: { state: DeliveryState }) => state === "Exhausted";

const thingsOf = (settled: { end: EndedAttempt }[]) => settled.map(({ end }) => end.row.okey);
