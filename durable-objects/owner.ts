import { DurableObject } from "cloudflare:workers";
import type { ArchiveRow } from "../src/kit/archive.ts";
import type { Change, Decide, Event, Happened, Moment, Refusal } from "../src/kit/decision.ts";
import { refuse } from "../src/kit/decision.ts";
import type { Env, Job, OwnerBinding } from "../src/kit/env.ts";
import { newId } from "../src/kit/ids.ts";
import { log, logFault } from "../src/kit/log.ts";
import type { Operation, Outcome, Step, Written } from "../src/kit/operation.ts";
import type { Call, OwnerObject } from "../src/kit/owners.ts";
import { derived } from "../src/kit/seal.ts";
import { Outbox } from "./outbox.ts";
import { inParts } from "./parts.ts";

export type Decisions = Record<string, Decide<never, unknown, never, unknown>>;

/** The decisions of areas by their names, as a call names them: `orders.read`, `orders.receive`. */
export function decisionsOf(
  areas: Record<string, { operations: Record<string, Operation>; steps?: Record<string, Step<never, unknown>> }>,
): Decisions {
  const named = Object.entries(areas).flatMap(([area, { operations, steps = {} }]) => [
    ...Object.entries(operations).map(([name, row]) => [`${area}.${name}`, row.decide] as const),
    ...Object.values(steps).map((step) => [step.name, step.decide] as const),
  ]);
  return Object.fromEntries(named.filter(([, decide]) => decide !== undefined)) as Decisions;
}

/** How long after sending work to its queue it is sent again, while nobody has said that it is done. */
const resendAfterSeconds = [15, 30, 60, 120, 300];
/** The archive is told this much later, so that changes close upon each other are written there once. */
const archiveAfterMilliseconds = 200;
/** If the alarm dies without a word, it runs again after this long. */
const deadManMilliseconds = 30_000;
const aDay = 24 * 60 * 60 * 1000;
/** Bytes as JSON of the largest `data` an event carries; with more it says only what happened to what. */
const dataLimit = 256 * 1024;

interface Kept<State> {
  version: number;
  state: State;
  company: string;
  id: string;
  /** Rows the state takes up. */
  rows: number;
}

/**
 * The only writer of one thing. It performs the decisions its areas wrote down. A decision that changes something is
 * one commit: the new state, the events that tell of it, the work it asks for and the answer to a repeated request are
 * written together or not at all. An alarm then carries events and work on, again and again, until they are taken.
 */
export abstract class Owner<State extends { metadata?: Record<string, string> }>
  extends DurableObject<Env>
  implements OwnerObject
{
  /** As events name it: "Order". */
  abstract readonly noun: string;
  abstract readonly binding: OwnerBinding;
  abstract readonly decisions: Decisions;
  /** Path of the thing for links, below the deployment's address. */
  abstract urlOf(id: string, state: State): string;
  /** What the archive keeps of it; things that are never listed from there have none. */
  abstract archiveRow(state: State, company: string, id: string): ArchiveRow | undefined;

  protected readonly sql: SqlStorage;
  /** Differs in each life of the object. */
  private readonly life = newId();
  private readonly outbox: Outbox;
  /** The last committed state; null when not yet looked for. */
  private kept: Kept<State> | undefined | null = null;
  private waiting: (() => void)[] = [];
  /** The time the last alarm was set for. */
  private rang = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.outbox = new Outbox(ctx.storage, env);
    void ctx.blockConcurrencyWhile(async () => {
      if (this.exists() && (await ctx.storage.getAlarm()) === null) await this.arm();
    });
  }

  /** Load, decide, commit. No await in between: that gap is where another request would get in. */
  async perform(call: Call): Promise<Outcome<unknown> | Refusal> {
    const kept = this.load();
    if (kept && (kept.company !== call.company || kept.id !== call.id)) return refuse("not_found");
    const known = call.idempotency && kept && this.remembered(call);
    if (known) return known;
    if (kept && call.ifMatch && !matches(call.ifMatch, kept.version)) {
      return refuse("version_mismatch", undefined, { extra: { version: kept.version } });
    }
    const decide = this.decisions[call.name];
    if (!decide) throw new Error(`${this.noun} has no decision ${call.name}`);
    const version = (kept?.version ?? 0) + 1;
    const moment: Moment = {
      at: new Date().toISOString(),
      company: call.company,
      id: call.id,
      version,
      life: this.life,
      address: call.address ?? this.env.BASE_URL ?? "",
      secret: (about) => derived(this.env, `${call.company}/${call.id}/${about}`),
    };
    const decision = decide(kept?.state as never, call.ask as never, moment);
    if ("refused" in decision) return decision;
    const change = decision as Change<State, unknown, unknown>;
    const changed = this.commit(change, call, moment, kept ?? undefined);
    return { reply: change.reply, status: change.status, version: changed ? version : version - 1 };
  }

  async performInWriting(call: Call): Promise<Outcome<Written> | Refusal> {
    const outcome = await this.perform(call);
    return "refused" in outcome ? outcome : { ...outcome, reply: { json: JSON.stringify(outcome.reply) } };
  }

  private commit(
    change: Change<State, unknown, unknown>,
    call: Call,
    moment: Moment,
    before: Kept<State> | undefined,
  ): boolean {
    if (!change.state && !change.work && !change.done && !call.idempotency) return false;
    if (!change.state && !before) return false;
    const parts = change.state ? inParts(JSON.stringify(change.state)) : [];
    const after = change.state
      ? { version: moment.version, state: change.state, company: call.company, id: call.id, rows: parts.length }
      : before!;
    const events = (change.events ?? []) as Happened<Record<string, never>>[];
    const work = [
      ...(change.work ?? []),
      ...(change.state && this.archiveRow(after.state, call.company, call.id) ? ["archive"] : []),
    ];
    const done = change.done ?? [];
    const quiet = events.length + work.length + done.length === 0;
    const write = () => {
      this.createTables();
      if (change.state) this.write(after, parts, before);
      for (const happened of events) this.outbox.add(this.eventOf(happened, moment, after.state));
      for (const name of work) this.want(name);
      for (const name of done) this.sql.exec("delete from work where name = ?", name);
      if (call.idempotency) this.remember(call, { reply: change.reply, status: change.status, version: after.version });
    };
    // A single statement is a transaction by itself.
    if (before?.rows === 1 && after.rows === 1 && quiet && !call.idempotency) write();
    else this.ctx.storage.transactionSync(write);
    this.kept = after;
    if (!quiet) void this.arm();
    if (this.isSettled(after.state)) for (const wake of this.waiting.splice(0)) wake();
    return change.state !== undefined;
  }

  /** Whether nothing happens to it in the background. */
  protected isSettled(_state: State): boolean {
    return true;
  }

  async settled(milliseconds: number): Promise<void> {
    const kept = this.load();
    if (!kept || this.isSettled(kept.state) || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      setTimeout(resolve, milliseconds);
    });
  }

  async projection(): Promise<{ version: number; row: ArchiveRow } | undefined> {
    const kept = this.load();
    const row = kept && this.archiveRow(kept.state, kept.company, kept.id);
    return kept && row && { version: kept.version, row };
  }

  async archived(version: number): Promise<void> {
    if (this.load()?.version !== version) return;
    this.sql.exec("delete from work where name = 'archive'");
    await this.arm();
  }

  /** The platform forgets an alarm that fails six times, so this one sets itself again first and never fails. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    this.rang = info?.scheduledTime ?? 0;
    await this.ctx.storage.setAlarm(Date.now() + deadManMilliseconds);
    try {
      await this.pump();
    } catch (error) {
      logFault(`${this.noun}.alarm`, error, { id: this.load()?.id });
      return;
    }
    await this.arm();
  }

  /** One round of everything that waits. May be repeated at any point. */
  protected async pump(): Promise<void> {
    const kept = this.load();
    if (!kept) return;
    try {
      await this.outbox.announce(kept.company);
    } finally {
      await this.sendWork(kept);
    }
  }

  /** When there is something to do next, in milliseconds since 1970. */
  protected nextDue(): number | undefined {
    const work = this.sql.exec<{ due: number | null }>("select min(due) as due from work").one().due ?? undefined;
    return earliest(this.outbox.nextDue(), work);
  }

  /** No await between reading what is due and setting the alarm, or a change in between would lose its own. */
  protected arm(): Promise<void> {
    const due = this.nextDue();
    // The runtime loses an alarm that is set again for the millisecond it is running for, so the next one is always later.
    return due === undefined
      ? this.ctx.storage.deleteAlarm()
      : this.ctx.storage.setAlarm(Math.max(Date.now() + 1, this.rang + 1, due));
  }

  /** Work that waits already goes out no later for being wanted once more. */
  private want(name: string): void {
    const due = Date.now() + (name === "archive" ? archiveAfterMilliseconds : 0);
    this.sql.exec(
      "insert into work (name, due, sends) values (?, ?, 0) on conflict (name) do update set due = min(due, excluded.due), sends = 0",
      name,
      due,
    );
  }

  /** Noted before it is sent: a change that comes while it is on its way sends it again. */
  private async sendWork({ company, id }: Kept<State>): Promise<void> {
    const rows = this.sql
      .exec<{ name: string; sends: number }>("select name, sends from work where due <= ?", Date.now())
      .toArray();
    for (const { name, sends } of rows) {
      const job: Job = { binding: this.binding, company, id, work: name };
      const wait = resendAfterSeconds[Math.min(sends, resendAfterSeconds.length - 1)]! * 1000;
      this.sql.exec("update work set due = ?, sends = sends + 1 where name = ?", Date.now() + wait, name);
      await (name === "archive" ? this.env.CHANGES : this.env.WORK).send(job);
      if (sends > 0) log({ what: "work.resent", work: name, company, id, sends });
    }
  }

  /** Nothing is written for an id that was only asked about. */
  protected exists(): boolean {
    return this.sql.exec("select 1 from sqlite_master where name = 'state'").toArray().length > 0;
  }

  protected load(): Kept<State> | undefined {
    if (this.kept === null) {
      const rows = this.exists()
        ? this.sql
            .exec<{ version: number; company: string; id: string; json: string }>(
              "select version, company, id, json from state order by part",
            )
            .toArray()
        : [];
      this.kept = rows[0] && {
        version: rows[0].version,
        company: rows[0].company,
        id: rows[0].id,
        state: JSON.parse(rows.map(({ json }) => json).join("")),
        rows: rows.length,
      };
    }
    return this.kept;
  }

  private write({ version, company, id }: Kept<State>, parts: string[], before: Kept<State> | undefined): void {
    for (const [part, json] of parts.entries())
      this.sql.exec(
        "insert or replace into state (part, version, company, id, json) values (?, ?, ?, ?, ?)",
        part,
        version,
        company,
        id,
        json,
      );
    if (before && before.rows > parts.length) this.sql.exec("delete from state where part >= ?", parts.length);
  }

  protected createTables(): void {
    if (this.kept) return;
    this.sql.exec(`
      create table if not exists state (part integer primary key, version integer not null, company text not null, id text not null, json text not null);
      create table if not exists work (name text primary key, due integer not null, sends integer not null) without rowid;
      create table if not exists answers (key text primary key, fingerprint text not null, json text not null, until integer not null) without rowid;`);
    this.outbox.createTables();
  }

  private eventOf(
    { type, status, previousStatus, documentId, data }: Happened<Record<string, never>>,
    moment: Moment,
    state: State,
  ): Event {
    const url = `${this.env.BASE_URL ?? ""}${this.urlOf(moment.id, state)}`;
    return {
      id: `evt_${newId().replaceAll("-", "")}`,
      type,
      company: moment.company,
      at: moment.at,
      sequence: moment.version,
      resource: { type: this.noun, id: moment.id, url, version: moment.version },
      status,
      ...(previousStatus && { previousStatus }),
      ...(documentId && { documentId }),
      ...(state.metadata && { metadata: state.metadata }),
      ...(data !== undefined && bytesOf(data) <= dataLimit && { data }),
    };
  }

  private remembered({ idempotency }: Call): Outcome<unknown> | Refusal | undefined {
    const row = this.sql
      .exec<{ fingerprint: string; json: string }>(
        "select fingerprint, json from answers where key = ? and until > ?",
        idempotency!.key,
        Date.now(),
      )
      .toArray()[0];
    if (!row) return undefined;
    if (row.fingerprint !== idempotency!.fingerprint) return refuse("idempotency_key_reused");
    return { ...JSON.parse(row.json), replayed: true };
  }

  private remember({ idempotency }: Call, outcome: Outcome<unknown>): void {
    this.sql.exec("delete from answers where until <= ?", Date.now());
    this.sql.exec(
      "insert or replace into answers (key, fingerprint, json, until) values (?, ?, ?, ?)",
      idempotency!.key,
      idempotency!.fingerprint,
      JSON.stringify(outcome),
      Date.now() + aDay,
    );
  }
}

/** What follows a dash in an ETag is a digest of what else was shown; only the version is ours to compare. */
const matches = (header: string, version: number) =>
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/-[^"]*"$/, '"') === `"${version}"`);

const bytesOf = (data: unknown) => new TextEncoder().encode(JSON.stringify(data)).length;

export const earliest = (...times: (number | undefined)[]) =>
  times.reduce(
    (first, time) => (time === undefined ? first : first === undefined ? time : Math.min(first, time)),
    undefined,
  );
