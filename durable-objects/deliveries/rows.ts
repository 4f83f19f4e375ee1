import type { Event } from "../../src/platform/decision.ts";
import { newId } from "../../src/platform/ids.ts";
import type { AttemptRecord, DeliveryQuery, DeliveryRecord, DeliveryState } from "../../src/platform/aggregates.ts";
import type { Tables } from "../aggregate/tables.ts";

/** A delivery that was claimed for sending. */
export type Claimed = {
  seq: number;
  event_id: string;
  type: string;
  okey: string;
  body: string;
  kind: AttemptRecord["kind"];
  /** Number of scheduled attempts that have ended. */
  attempts: number;
  manual: number;
  attempt_id: string;
};

/** A delivery whose attempt has begun but has no recorded end. */
export type CutOff = { seq: number; attempt_id: string; okey: string; unknowns: number; attempts: number };

/** An event and the exact body that is sent to the receiver. */
export interface Entry {
  event: Event;
  body: string;
}

/** Not completed. A resource's oldest open delivery is pending or being sent; the later ones are held. */
const open = "state in ('Pending', 'Sending', 'Held')";
const waits = "state in ('Pending', 'Held')";

/** Index of scheduled deliveries that may be sent, in order. */
const waiting =
  "create index if not exists delivery_waiting on delivery (seq) where state = 'Pending' and kind = 'Scheduled'";

const inOrder = "indexed by delivery_waiting";

/** Index of deliveries that a person requested. They are few, even if many others wait. */
const asked =
  "create index if not exists delivery_asked on delivery (due, seq) where state = 'Pending' and kind <> 'Scheduled'";

/** Index of attempts by event. The start time is not part of it, because it is updated when the attempt ends. */
const attemptsOfEvent = "create index if not exists attempt_of_event on attempt (event_id)";

/** SQL expression: when the delivery was created, last attempted or completed, whichever is latest. */
const changed = `max(created, coalesce(done, 0), coalesce(
  (select max(coalesce(ended, started)) from attempt where attempt.event_id = delivery.event_id), 0))`;

/** Returns the event types of the deliveries that are not completed. */
export const waitingTypes = (sql: SqlStorage): string[] =>
  sql
    .exec<{ type: string }>(`select distinct type from delivery where ${open}`)
    .toArray()
    .map(({ type }) => type);

/** The tables of one subscription: a row for each event and a row for each attempt. Contains SQL only, no rules. */
export class DeliveryRows {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private isUpToDate = false;

  constructor(sql: SqlStorage, tables: Tables) {
    this.sql = sql;
    this.tables = tables;
  }

  exist(): boolean {
    if (!this.tables.has("delivery")) return false;
    if (!this.isUpToDate) this.sql.exec(`${waiting}; ${asked}; drop index if exists attempt_of; ${attemptsOfEvent};`);
    return (this.isUpToDate = true);
  }

  create(): void {
    if (this.exist()) return;
    this.tables.ensure(
      "delivery",
      `(seq integer primary key autoincrement, id text not null unique, event_id text not null unique, type text not null, okey text not null,
        body text not null, state text not null, kind text not null default 'Scheduled', before text, due_before integer, attempts integer not null default 0,
        manual integer not null default 0, unknowns integer not null default 0, asked text, due integer not null, attempt_id text, created integer not null, done integer)`,
    );
    this.tables.ensure(
      "attempt",
      `(id text primary key, event_id text not null, kind text not null, epoch integer not null, started integer not null, ended integer,
        outcome text, status integer, error text, detail text, answer text) without rowid`,
    );
    this.sql.exec(`
      create index delivery_due on delivery (state, kind, due);
      ${waiting};
      ${asked};
      create index delivery_open on delivery (okey, seq) where ${open};
      create index delivery_done on delivery (done) where done is not null;
      ${attemptsOfEvent};`);
  }

  /** Adds a delivery of an event. If the event already has one, nothing changes. */
  add({ event, body }: Entry, now: number, kind: AttemptRecord["kind"] = "Scheduled"): void {
    this.sql.exec(
      `insert or ignore into delivery (id, event_id, type, okey, body, kind, state, due, created)
       select ?1, ?2, ?3, ?4, ?5, ?6, iif(?6 = 'Scheduled' and exists (select 1 from delivery where okey = ?4 and ${open}), 'Held', 'Pending'), ?7, ?7`,
      newId(),
      event.id,
      event.type,
      `${event.resource.type}/${event.resource.id}`,
      body,
      kind,
      now,
    );
  }

  claimByHand(now: number, limit: number, epoch: number): Claimed[] {
    return this.claim("kind <> 'Scheduled' and due <= ? order by due, seq", [now], limit, now, epoch);
  }

  /** Claims due deliveries after a position. Those up to it waited until the webhook was reset; see `claimReleased`. */
  claimDue(now: number, limit: number, after: number, epoch: number): Claimed[] {
    if (after === 0) return this.claim("kind = 'Scheduled' and due <= ? order by due, seq", [now], limit, now, epoch);
    const where = "kind = 'Scheduled' and due <= ? and seq > ? order by due, seq";
    return this.claim(where, [now, after], limit, now, epoch, inOrder);
  }

  /**
   * Claims one delivery of those that waited until the webhook was reset: an already released one whose retry is due,
   * otherwise the next one to release.
   * `upTo`: position of the last one that waited. `out`: position of the last released one.
   */
  claimReleased(now: number, { upTo, out }: { upTo: number; out: number }, epoch: number): Claimed[] {
    const again = "kind = 'Scheduled' and due <= ? and seq <= ? order by due, seq";
    const [row] = this.claim(again, [now, out], 1, now, epoch, inOrder);
    if (row) return [row];
    const next = "kind = 'Scheduled' and seq > ? and seq <= ? order by seq";
    return this.claim(next, [out, upTo], 1, now, epoch, inOrder);
  }

  private claim(where: string, bounds: number[], limit: number, now: number, epoch: number, by = ""): Claimed[] {
    if (limit <= 0) return [];
    const rows = this.sql
      .exec<Claimed>(
        `select seq, event_id, type, okey, body, kind, attempts, manual, '' as attempt_id from delivery ${by}
         where state = 'Pending' and ${where} limit ${limit}`,
        ...bounds,
      )
      .toArray();
    return rows.length > 0 ? this.taken(rows, now, epoch) : [];
  }

  private taken(rows: Claimed[], now: number, epoch: number): Claimed[] {
    const taken = rows.map((row) => ({ ...row, attempt_id: newId() }));
    const json = JSON.stringify(taken.map(({ seq, attempt_id, event_id, kind }) => [seq, attempt_id, event_id, kind]));
    this.sql.exec(
      "update delivery set state = 'Sending', attempt_id = n.value ->> 1 from json_each(?) n where seq = n.value ->> 0",
      json,
    );
    this.sql.exec(
      `insert into attempt (id, event_id, kind, epoch, started)
       select value ->> 1, value ->> 2, value ->> 3, ?2, ?3 from json_each(?1)`,
      json,
      epoch,
      now,
    );
    return taken;
  }

  /** Returns the deliveries with an interrupted attempt: it is recorded, but this instance is not making it. */
  cutOff(running: { has(attemptId: string): boolean }): CutOff[] {
    return this.sql
      .exec<CutOff>("select seq, attempt_id, okey, unknowns, attempts from delivery where state = 'Sending'")
      .toArray()
      .filter(({ attempt_id }) => !running.has(attempt_id));
  }

  unsend(rows: Claimed[]): void {
    for (const { seq, attempt_id } of rows) {
      this.sql.exec("delete from attempt where id = ?", attempt_id);
      this.sql.exec(
        "update delivery set state = 'Pending' where seq = ? and attempt_id = ? and state = 'Sending'",
        seq,
        attempt_id,
      );
    }
  }

  /** Records that the outcome of an interrupted attempt is unknown, and sets the next state of its delivery. */
  again({ seq, attempt_id }: CutOff, next: { state: DeliveryState; due: number; counted: number }, now: number): void {
    this.sql.exec("update attempt set outcome = 'Unknown', ended = ? where id = ?", now, attempt_id);
    this.sql.exec(
      "update delivery set state = ?, unknowns = unknowns + 1, attempts = attempts + ?, due = ?, done = ? where seq = ?",
      next.state,
      next.counted,
      next.due,
      next.state === "Pending" ? null : now,
      seq,
    );
  }

  ended(attempts: Omit<AttemptRecord, "kind">[]): void {
    this.sql.exec(
      `update attempt set started = n.value ->> 'started', ended = n.value ->> 'ended', outcome = n.value ->> 'outcome',
         status = n.value ->> 'status', error = n.value ->> 'error', detail = n.value ->> 'detail', answer = n.value ->> 'answer'
       from json_each(?) n where attempt.id = n.value ->> 'id'`,
      JSON.stringify(attempts),
    );
  }

  /** Stores the new states. @returns `seq` of the updated deliveries; others were deleted or claimed again meanwhile */
  settle(ends: { row: Claimed; state: DeliveryState; due: number }[], now: number): Set<number> {
    const isDone = (state: DeliveryState) => state !== "Pending" && state !== "Held";
    const json = ends.map(({ row: { seq, attempt_id, kind }, state, due }) => [
      seq,
      attempt_id,
      state,
      due,
      isDone(state) ? now : null,
      kind === "Scheduled" ? 1 : 0,
    ]);
    const rows = this.sql.exec<{ seq: number }>(
      `update delivery set state = n.value ->> 2, due = n.value ->> 3, done = n.value ->> 4, attempts = attempts + (n.value ->> 5),
         kind = 'Scheduled', before = null, due_before = null, unknowns = 0
       from json_each(?) n where seq = n.value ->> 0 and attempt_id = n.value ->> 1 and state = 'Sending' returning seq`,
      JSON.stringify(json),
    );
    return new Set(rows.toArray().map(({ seq }) => seq));
  }

  /** Returns the state and due time before a delivery was resent by hand; undefined if it was not resent. */
  before(seq: number): { state: DeliveryState; due: number } | undefined {
    const [row] = this.sql
      .exec<{ before: DeliveryState | null; due: number }>(
        "select before, coalesce(due_before, due) as due from delivery where seq = ?",
        seq,
      )
      .toArray();
    return row?.before ? { state: row.before, due: row.due } : undefined;
  }

  /**
   * Makes the next delivery of each resource pending.
   * @param gap whether the body then states that the previous event was never delivered
   */
  release(okeys: string[], now: number, gap: boolean): void {
    if (okeys.length === 0) return;
    this.sql.exec(
      `update delivery set state = 'Pending', due = ?2 ${gap ? ", body = json_set(body, '$.gap', json('true'))" : ""}
       where state = 'Held' and seq in (
         select (select seq from delivery where okey = n.value and ${open} order by seq limit 1) from json_each(?1) n)`,
      JSON.stringify(okeys),
      now,
    );
  }

  /**
   * Requests another attempt for a delivery, whatever its state. A delivery that is being sent is not changed.
   * @returns whether the delivery exists
   */
  byHand(id: string, askId: string, types: readonly string[], now: number): boolean {
    const known = this.sql.exec<{ type: string }>("select type from delivery where id = ?", id).toArray()[0];
    if (!known || !types.includes(known.type)) return false;
    this.sql.exec(
      `update delivery set before = coalesce(before, state), due_before = coalesce(due_before, due), state = 'Pending', kind = 'Manual',
         manual = manual + 1, asked = ?2, due = ?3, done = null
       where id = ?1 and state <> 'Sending' and asked is not ?2`,
      id,
      askId,
      now,
    );
    return true;
  }

  /** Sends an event, again if its delivery is already completed. Events about the same resource stay in order. */
  replay(entry: Entry, now: number): void {
    this.add(entry, now);
    this.sql.exec(
      `update delivery set attempts = 0, manual = manual + 1, due = ?1, done = null,
         state = iif(exists (select 1 from delivery earlier where earlier.okey = delivery.okey and earlier.seq < delivery.seq and earlier.${open}), 'Held', 'Pending')
       where event_id = ?2 and state in ('Delivered', 'Exhausted', 'Dropped')`,
      now,
      entry.event.id,
    );
  }

  lastAttempt(eventId: string): AttemptRecord | undefined {
    const last = this.attemptsOf(eventId).at(-1);
    return last?.ended == null ? undefined : last;
  }

  nextDue(kind: "Scheduled" | "ByHand"): number | undefined {
    const is = kind === "Scheduled" ? "=" : "<>";
    return (
      this.sql
        .exec<{ due: number | null }>(
          `select min(due) as due from delivery where state = 'Pending' and kind ${is} 'Scheduled'`,
        )
        .one().due ?? undefined
    );
  }

  /** Whether one of the deliveries that waited until the webhook was reset can be released now; see `claimReleased`. */
  nextToLetOut({ upTo, out }: { upTo: number; out: number }): boolean {
    const rows = this.sql.exec(
      `select 1 from delivery ${inOrder} where state = 'Pending' and kind = 'Scheduled' and seq > ? and seq <= ? limit 1`,
      out,
      upTo,
    );
    return rows.toArray().length > 0;
  }

  /** Whether any delivery that waited until the webhook was reset is still to be released. */
  isToLetOut(letOut: { upTo: number; out: number }): boolean {
    if (this.nextToLetOut(letOut)) return true;
    const held = this.sql.exec("select 1 from delivery where state = 'Held' and seq <= ? limit 1", letOut.upTo);
    return held.toArray().length > 0;
  }

  newest(): number {
    return this.sql.exec<{ seq: number | null }>("select max(seq) as seq from delivery").one().seq ?? 0;
  }

  open(): number {
    return this.sql.exec<{ n: number }>(`select count(*) as n from delivery where ${open}`).one().n;
  }

  openBytes(): number {
    return this.sql.exec<{ n: number }>(`select total(length(body)) as n from delivery where ${open}`).one().n;
  }

  /** Deletes all rows of a deleted webhook, because they can no longer be read and may contain personal data. */
  drop(): void {
    this.sql.exec("delete from delivery");
    this.sql.exec("delete from attempt");
  }

  forgetThing(okey: string): void {
    this.sql.exec("delete from attempt where event_id in (select event_id from delivery where okey = ?)", okey);
    this.sql.exec("delete from delivery where okey = ?", okey);
  }

  /** When the oldest waiting delivery was created, in milliseconds since 1970. */
  oldestWaiting(): number | undefined {
    return (
      this.sql.exec<{ created: number | null }>(`select min(created) as created from delivery where ${waits}`).one()
        .created ?? undefined
    );
  }

  dropOldest(count: number, now: number): { okey: string; bytes: number }[] {
    return count > 0 ? this.dropped("order by seq", [], count, now) : [];
  }

  /** Drops at most 1000 waiting deliveries that were created at `before` or earlier. */
  dropBefore(before: number, now: number): { okey: string; bytes: number }[] {
    return this.dropped("and created <= ? order by seq", [before], 1000, now);
  }

  private dropped(which: string, bounds: number[], limit: number, now: number): { okey: string; bytes: number }[] {
    return this.sql
      .exec<{ okey: string; bytes: number }>(
        `update delivery set state = 'Dropped', done = ?
         where seq in (select seq from delivery where ${waits} ${which} limit ${limit})
         returning okey, length(body) as bytes`,
        now,
        ...bounds,
      )
      .toArray();
  }

  log({
    isDescending,
    after,
    limit,
    states,
    types,
    changedSince,
  }: DeliveryQuery): (DeliveryRecord & { tried: AttemptRecord[] })[] {
    const [beyond, first, direction] = isDescending ? ["<", Number.MAX_SAFE_INTEGER, "desc"] : [">", 0, "asc"];
    const among = states.length > 0 ? `and state in (select value from json_each(?3))` : "and ?3 is not null";
    return this.sql
      .exec<DeliveryRecord>(
        `select seq, id, event_id, type, okey, state, due, created, ${changed} as updated from delivery
         where seq ${beyond} ?1 ${among} and type in (select value from json_each(?4)) and updated >= ?5
         order by seq ${direction} limit ?2`,
        after ?? first,
        limit,
        JSON.stringify(states),
        JSON.stringify(types),
        changedSince,
      )
      .toArray()
      .map((row) => ({ ...row, tried: this.attemptsOf(row.event_id) }));
  }

  private attemptsOf(eventId: string): AttemptRecord[] {
    return this.sql
      .exec<AttemptRecord>(
        "select id, kind, started, ended, outcome, status, error, detail, answer from attempt where event_id = ? order by started limit 100",
        eventId,
      )
      .toArray();
  }
}
