import QuickLRU from "quick-lru";
import type { AuditEntry } from "../../src/platform/audit.ts";
import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { logFault } from "../../src/platform/log.ts";
import { hears, objectOf, type Subscriber } from "../../src/platform/aggregates.ts";
import { Backoff } from "./backoff.ts";
import { earliest } from "./earliest.ts";
import { Handovers, type Hearing } from "./handovers.ts";
import { inTime, TooLate } from "./in-time.ts";
import type { Tables } from "./tables.ts";

/** Events handed to the log in one call, and letters of them: one that is longer goes alone. */
const [logBatch, logLetters] = [400, 8_000_000];
/** What a commit leaves that nobody carries on is carried by a round this much later. */
const laterMilliseconds = 1_500;
/** The company is waited for so long when it is asked who hears. */
const answerMilliseconds = 10_000;
/** A round waits so long for those it calls, so that the alarm that began it need not ring again for most of them. */
const quickMilliseconds = 1_000;
/** The name of the company among those that did not answer; the others are subscriptions. */
const theCompany = "company";
/** Places between the events of a version and those of the next: more than one change tells of. */
const placesOfVersion = 10_000;
/** Bytes as JSON of the largest event that carries its `data`; with more it says only what happened to what. */
const wholeLimit = 256 * 1024;
/** When each company was last asked and found to have no webhook, by any of its objects that live here. */
const deafSince = new QuickLRU<string, number>({ maxSize: 10_000 });

/**
 * Events on their way from an owner to the subscriptions of its company. They are told as soon as they are on disk. Who
 * hears of an event is decided once, when it is first carried out, and written down before anything is sent: a repeated
 * round tells the same ones. Each subscription hears of this owner's events in their order, whatever becomes of the others.
 * Rows go only when everyone who hears of them has them, and the company's log too.
 */
export class Outbox {
  private readonly storage: DurableObjectStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly backoff: Backoff;
  private readonly handovers: Handovers;
  private round: Promise<void> | undefined;
  /** When a round decides who hears, if events came in this life of the object. */
  private decideAt: number | undefined;
  /** Whether events came that no round has looked at. */
  private fresh = false;
  /** When the last event happened, if in this life of the object. */
  private lastAt: number | undefined;
  /** Where the last row lies; 0 when there are none, undefined when not yet looked for. */
  private lastPosition: number | undefined;
  /** The last of those of which it is not decided who hears; 0 when there are none, undefined when not yet looked for. */
  private undecided: number | undefined;
  /** Nobody hears of the events up to this position that are not fanned out. */
  private unheard = 0;
  /** The log has the events up to this position; after a restart it is given some of them again. */
  private loggedUpTo = 0;
  /** Whether there are rows that nobody needs any more. They go with the next commit, or in the alarm's round. */
  private spent = false;
  /** Counts what was forgotten: who has waited for an answer meanwhile speaks of rows that are others now. */
  private forgotten = 0;

  constructor(storage: DurableObjectStorage, tables: Tables, env: Env) {
    this.storage = storage;
    this.tables = tables;
    this.env = env;
    this.backoff = new Backoff(storage.sql, tables);
    this.handovers = new Handovers(storage.sql, tables, env, this.backoff, () => (this.spent = true));
    tables.whenForgotten(() => this.forget());
  }

  /** Called inside the owner's commit. */
  add(events: Event[], version: number): void {
    this.tidy();
    for (const [place, event] of events.entries()) this.write(version * placesOfVersion + place, 0, written(event));
    this.undecided = this.lastPosition;
    this.lastAt = Date.now();
    this.decideAt ??= this.lastAt + laterMilliseconds;
    this.fresh = true;
    this.backoff.hurry(theCompany);
  }

  /** Who made the change of this version: for the log alone. Called inside the owner's commit, after its events. */
  note(audit: AuditEntry, version: number): void {
    this.tidy();
    this.write(version * placesOfVersion + placesOfVersion - 1, 1, JSON.stringify({ audit }));
  }

  private write(position: number, fanned: 0 | 1, json: string): void {
    this.tables.want("outbox", "(position integer primary key, fanned integer not null default 0, json text not null)");
    this.storage.sql.exec("insert into outbox (position, fanned, json) values (?, ?, ?)", position, fanned, json);
    this.lastPosition = position;
  }

  /** When a round is needed, in milliseconds since 1970. */
  nextDue(): number | undefined {
    const isDecided = this.lastUndecided() <= this.unheard;
    const decision = isDecided ? undefined : (this.backoff.dueOf(theCompany) ?? this.decideAt ?? 0);
    return earliest(decision, this.handovers.nextDue());
  }

  /** As soon as the commit is on disk; where nobody listened a moment ago, one round asks for the next ones together. */
  announceSoon(company: string): void {
    if (this.round || isDeaf(company)) return;
    const announced = this.storage.sync().then(() => this.announce(company));
    announced.catch((error: unknown) => logFault("outbox.announce", error, { company }));
  }

  /** A round of the owner's, for whatever it was made, takes along what waits here. */
  async carry(company: string): Promise<void> {
    if (this.nextDue() === undefined) return;
    const ended = this.announce(company).then(() => this.handovers.ended());
    await inTime(quickMilliseconds, ended).catch((error: unknown) => {
      if (!(error instanceof TooLate)) throw error;
    });
  }

  /** What the log does not have next: events, and who has changed what; and the place of the last of it. */
  unlogged(): { events: Event[]; audit: AuditEntry[]; upTo: number } {
    const rows = this.exists()
      ? this.storage.sql
          .exec<{ position: number; json: string }>(
            `select position, json from (
               select position, json, sum(length(json)) over (order by position) - length(json) as before from (
                 select position, json from outbox where position > ? order by position limit ${logBatch}))
             where before < ${logLetters} order by position`,
            this.loggedUpTo,
          )
          .toArray()
      : [];
    const kept: (Event | { audit: AuditEntry })[] = rows.map(({ json }) => JSON.parse(json));
    return {
      events: kept.flatMap((one) => ("audit" in one ? [] : [one])),
      audit: kept.flatMap((one) => ("audit" in one ? [one.audit] : [])),
      upTo: rows.at(-1)?.position ?? this.loggedUpTo,
    };
  }

  hasUnlogged(): boolean {
    return this.last() > this.loggedUpTo;
  }

  /** The log has them: what everyone has heard goes. */
  logged(upTo: number): void {
    if (upTo <= this.loggedUpTo) return;
    this.loggedUpTo = upTo;
    this.spent = true;
  }

  /** Rows that everyone has heard, and the log has, go. */
  tidy(): void {
    if (!this.spent || !this.exists()) return;
    this.handovers.tidy();
    const isHeard = this.handovers.exist()
      ? "fanned = 1 and position not in (select position from fanout)"
      : "fanned = 1";
    this.storage.sql.exec(
      `delete from outbox where position <= ? and (${isHeard} or fanned = 0 and position <= ?)`,
      this.loggedUpTo,
      this.unheard,
    );
    this.spent = false;
  }

  /**
   * Events that must not be told any more go, to whomever they were on their way. With them goes what says that the archive
   * waits: the work must be noted in the same commit. @returns whether there were any
   */
  drop(isGone: (json: string) => boolean): boolean {
    if (!this.exists()) return false;
    const rows = this.storage.sql
      .exec<{ position: number; json: string }>("select position, json from outbox")
      .toArray();
    const gone = rows.filter(({ json }) => isGone(json));
    for (const { position } of gone) {
      this.handovers.drop(position);
      this.storage.sql.exec("delete from outbox where position = ?", position);
    }
    if (gone.length > 0) this.lastPosition = this.undecided = undefined;
    return gone.length > 0;
  }

  /** What the tables hold counts, as in a new life of the object. */
  private forget(): void {
    this.forgotten++;
    this.decideAt = this.lastAt = this.lastPosition = this.undecided = undefined;
    this.fresh = this.spent = false;
    this.unheard = this.loggedUpTo = 0;
  }

  /** Nothing is on its way from here any more, for now. */
  async atRest(): Promise<void> {
    await this.round;
    await this.handovers.ended();
  }

  private announce(company: string): Promise<void> {
    this.round ??= this.rounds(company).finally(() => (this.round = undefined));
    return this.round;
  }

  /** Decide who hears and call them, until nothing has come meanwhile. Nobody waits for those who are called. */
  private async rounds(company: string): Promise<void> {
    this.handovers.start(company);
    do {
      this.fresh = false;
      await this.decide(company);
      this.handovers.start(company);
    } while (this.fresh && !isDeaf(company));
  }

  private async decide(company: string): Promise<void> {
    const last = this.lastUndecided();
    if (last <= this.unheard || (this.backoff.dueOf(theCompany) ?? 0) > Date.now()) return;
    const { forgotten } = this;
    // Counted before, as in `Handovers`.
    const isCounted = this.decideAt === undefined || this.backoff.dueOf(theCompany) !== undefined;
    try {
      if (isCounted) this.backoff.failed(theCompany);
      const subscribers = await this.subscribers(company);
      if (forgotten !== this.forgotten) return;
      this.fanOut(subscribers, last);
      this.backoff.succeeded(theCompany);
    } catch (error) {
      logFault("outbox.decide", error, { company });
      if (forgotten === this.forgotten && !isCounted) this.backoff.failed(theCompany);
    }
  }

  private async subscribers(company: string): Promise<Subscriber[]> {
    const wasDeafSince = (this.lastAt ?? Infinity) < (deafSince.get(company) ?? 0);
    return wasDeafSince ? [] : inTime(answerMilliseconds, subscribersOf(this.env, company));
  }

  private fanOut(subscribers: Subscriber[], last: number): void {
    const hearings = subscribers.length === 0 ? [] : this.heard(subscribers, last);
    if (hearings.length > 0) this.writeDown(hearings, last);
    else {
      this.unheard = last;
      this.spent ||= last <= this.loggedUpTo;
    }
    if (this.undecided === last) this.undecided = 0;
    this.decideAt = this.lastUndecided() > this.unheard ? Date.now() + laterMilliseconds : undefined;
  }

  private lastUndecided(): number {
    return (this.undecided ??= this.lastOf("where fanned = 0"));
  }

  private last(): number {
    return (this.lastPosition ??= this.lastOf());
  }

  private lastOf(which = ""): number {
    if (!this.exists()) return 0;
    const asked = `select max(position) as last from outbox ${which}`;
    return this.storage.sql.exec<{ last: number | null }>(asked).one().last ?? 0;
  }

  private heard(subscribers: Subscriber[], last: number): Hearing[] {
    return this.storage.sql
      .exec<{ position: number; json: string }>(
        "select position, json from outbox where fanned = 0 and position > ? and position <= ? order by position",
        this.unheard,
        last,
      )
      .toArray()
      .flatMap(({ position, json }) => {
        const event: Event = JSON.parse(json);
        return subscribers.filter((one) => isFor(one, event)).map(({ id }) => ({ position, subscription: id }));
      });
  }

  private writeDown(hearings: Hearing[], last: number): void {
    this.tables.together(() => {
      this.handovers.add(hearings);
      this.storage.sql.exec(
        "update outbox set fanned = 1 where fanned = 0 and position > ? and position <= ?",
        this.unheard,
        last,
      );
    });
  }

  private exists(): boolean {
    return this.tables.has("outbox");
  }
}

const isFor = (subscriber: Subscriber, event: Event) => event.at >= subscriber.since && hears(subscriber, event);

/** A character takes up to three bytes, so that most need not be counted. */
function written(event: Event): string {
  const text = JSON.stringify(event);
  const isTooLong = text.length * 3 > wholeLimit && new TextEncoder().encode(text).length > wholeLimit;
  return isTooLong ? JSON.stringify({ ...event, data: undefined }) : text;
}

const isDeaf = (company: string) => Date.now() - (deafSince.get(company) ?? 0) < laterMilliseconds;

async function subscribersOf(env: Env, company: string): Promise<Subscriber[]> {
  const asked = Date.now();
  const subscribers = await objectOf(env, "COMPANIES", company, company).subscribers();
  if (subscribers.length > 0) deafSince.delete(company);
  else deafSince.set(company, asked);
  return subscribers;
}
