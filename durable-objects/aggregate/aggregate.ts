import { DurableObject } from "cloudflare:workers";
import type { ArchiveRow, Versioned } from "../../src/platform/archive/archive.ts";
import { records, type StoredType } from "../../src/records.ts";
import {
  type Decision,
  type DomainEvent,
  type CommandContext,
  type Refusal,
  refuse,
} from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import type { AggregateBinding } from "../../src/platform/registered.ts";
import { logFault } from "../../src/platform/log.ts";
import type { CommandOutcome } from "../../src/platform/command.ts";
import type { CommandCall, Mentioned, AggregateObject, Projection } from "../../src/platform/aggregates.ts";
import { PersonFinder, type Person } from "../../src/domain/person.ts";
import { Alarm, earliest } from "./alarm.ts";
import { StoredReplies } from "./idempotency.ts";
import { ArchiveLag } from "./archive-lag.ts";
import { commandContextOf, matchesVersion, type Decisions } from "./decisions.ts";
import { Outbox } from "./outbox.ts";
import { guardMilliseconds, RoundTimer } from "../round-timer.ts";
import { splitText, StateRows, type StoredState } from "./state-rows.ts";
import { Tables } from "./tables.ts";
import { toAuditEntry, toEvent } from "./event-envelope.ts";
import { PendingJobs } from "./pending-jobs.ts";

export { decisionsOf } from "./decisions.ts";

/**
 * Stores one record as its only writer, and executes the commands of its areas. Each change is one commit: the new
 * state, its events, its jobs, and the reply that a repeated request gets. Events are published after the commit and
 * jobs are sent by a timer; an alarm repeats both until they are acknowledged.
 */
export abstract class Aggregate<State extends { metadata?: Record<string, string> }>
  extends DurableObject<Env>
  implements AggregateObject
{
  /** Type of the record in events and in the audit log, such as "Order". */
  abstract readonly noun: StoredType;
  abstract readonly decisions: Decisions;
  /** Path of the record in links, appended to the base URL of the deployment. */
  abstract urlOf(id: string, state: State): string;
  /** Returns the record's row in the archive; undefined for records that are never listed. */
  abstract archiveRow(state: State, company: string, id: string, version: number): ArchiveRow | undefined;

  /** Returns the archive rows of parts with their own list (offers), each with the version of its last change. */
  archiveParts(_state: State, _company: string, _id: string): Versioned[] {
    return [];
  }

  /** Marks all parts (see `archiveParts`) as changed in this version, so that each of them is archived again. */
  protected withVersion(state: State, _version: number): State {
    return state;
  }

  /** Encrypts the secrets of the state again with the current key. */
  protected resealed(state: State, _company: string, _id: string): State {
    return state;
  }

  get binding(): AggregateBinding {
    return records[this.noun].binding;
  }

  /** The command that the alarm executes, and the time at which it is due, in milliseconds since 1970. */
  protected readonly clock?: { command: string; due: (state: State) => number | undefined };

  protected readonly sql: SqlStorage;
  protected readonly tables: Tables;
  private readonly rows: StateRows<State>;
  private readonly outbox: Outbox;
  private readonly replies: StoredReplies;
  private readonly pendingJobs: PendingJobs;
  private readonly lag: ArchiveLag;
  /** null before it is loaded, undefined if the record does not exist. */
  private stored: StoredState<State> | undefined | null = null;
  private waiters: (() => void)[] = [];
  private readonly timer = new RoundTimer({
    due: () => this.nextSend(),
    round: () => this.sendPending(),
    failed: (error) => logFault(`${this.noun}.timer`, error, { id: this.stored?.id }),
  });
  private readonly alarmTimer: Alarm;
  /** The last call whose reply depends on nothing but the state. An identical call gets the same reply. */
  private lastReply: { call: string; reply: string } | undefined;
  private isCacheable = true;
  private archivedVersion = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.tables = new Tables(ctx.storage);
    this.rows = new StateRows(this.sql, this.tables);
    this.outbox = new Outbox(ctx.storage, this.tables, env);
    this.replies = new StoredReplies(this.sql, this.tables, env);
    this.pendingJobs = new PendingJobs(this.sql, this.tables, this.outbox, env, () => this.binding);
    this.lag = new ArchiveLag(env, () => this.binding);
    this.alarmTimer = new Alarm(ctx.storage, {
      due: () => this.nextDue(),
      failed: (error) => logFault(`${this.noun}.alarm`, error, { id: this.stored?.id }),
    });
    if (!this.rows.exist()) return;
    void ctx.blockConcurrencyWhile(async () => {
      await this.alarmTimer.restore();
      this.timer.set();
    });
  }

  /** Executes a command. Most reads repeat the previous call, so the last reply is cached until the state changes. */
  async execute(call: string): Promise<string> {
    if (this.lastReply?.call === call) return this.lastReply.reply;
    this.isCacheable = true;
    const outcome = this.run(JSON.parse(call));
    if ("refused" in outcome) return `${JSON.stringify(outcome)}\n`;
    const { reply: body, ...more } = outcome;
    const reply = `${JSON.stringify(more)}\n${JSON.stringify(body)}`;
    if (this.isCacheable) this.lastReply = { call, reply };
    return reply;
  }

  /** Loads, decides and commits. It contains no `await`, because another request could run during it. */
  private run(call: CommandCall): CommandOutcome<unknown> | Refusal {
    const kept = this.load();
    if (kept && (kept.company !== call.company || kept.id !== call.id)) return refuse("not_found");
    if (call.idempotency) this.isCacheable = false;
    const earlier = call.idempotency && kept && this.replies.find(call.idempotency);
    if (earlier) return earlier;
    if (kept && call.ifMatch && !matchesVersion(call.ifMatch, kept.version)) {
      return refuse("version_mismatch", undefined, { extra: { version: kept.version } });
    }
    const decide = this.decisions[call.name];
    if (!decide) throw new Error(`${this.noun} has no decision ${call.name}`);
    const version = (kept?.version ?? 0) + 1;
    const context = this.contextOf(call, version);
    const decision = decide(kept?.state as never, call.ask as never, context);
    if ("refused" in decision) return decision;
    const change = decision as Decision<State, unknown, unknown>;
    this.commit(change, call, context, kept);
    return { reply: change.reply, status: change.status, version: this.stored?.version ?? 0 };
  }

  private contextOf(call: CommandCall, version: number): CommandContext {
    const onClockRead = () => {
      this.isCacheable = false;
    };
    return commandContextOf(this.env, call, { version, onClockRead });
  }

  private commit(
    change: Decision<State, unknown, unknown>,
    call: CommandCall,
    context: CommandContext,
    before: StoredState<State> | undefined,
  ): void {
    if (!change.state && !change.jobs && !change.completedJobs && !call.idempotency) return;
    if (!change.state && !before) return;
    const version = change.keepsVersion && before ? before.version : context.version;
    const state = change.state && this.resealed(change.state, call.company, call.id);
    const parts = state ? splitText(JSON.stringify(state)) : [];
    const after = state ? { version, state, company: call.company, id: call.id, rows: parts.length } : before!;
    const events = (change.events ?? []) as DomainEvent<Record<string, never>>[];
    const by = change.state && call.by;
    const isNew = change.state && version !== before?.version;
    const work = [
      ...(change.jobs ?? []),
      ...(events.length > 0 || by || (isNew && this.goesToArchive(after)) ? ["archive"] : []),
    ];
    const done = change.completedJobs ?? [];
    const quiet = events.length + work.length + done.length === 0;
    const resource = { type: this.noun, url: `${this.env.BASE_URL ?? ""}${this.urlOf(context.id, after.state)}` };
    const write = () => {
      if (change.state) this.rows.write(after, parts, before);
      if (events.length > 0)
        this.outbox.add(
          events.map((event) => toEvent(event, context, resource, after.state.metadata)),
          after.version,
        );
      if (by) this.outbox.addAudit(toAuditEntry(by, context, resource, change.about), after.version);
      for (const name of work) this.pendingJobs.request(name);
      for (const name of done) this.pendingJobs.complete(name);
      if (call.idempotency)
        this.replies.store(call.idempotency, { reply: change.reply, status: change.status, version: after.version });
    };
    this.isCacheable = false;
    this.lastReply = undefined;
    // One row needs no transaction: a single statement is atomic.
    if (before?.rows === 1 && after.rows === 1 && quiet && !call.idempotency) write();
    else this.tables.transaction(write);
    this.stored = after;
    if (!quiet || this.clock || call.idempotency) this.sendPendingSoon();
    if (events.length > 0) this.outbox.publishSoon(call.company);
    if (this.isComplete(after.state)) for (const wake of this.waiters.splice(0)) wake();
  }

  /** Whether the record has a row in the archive. While an archive job is requested but not sent, it has one. */
  private goesToArchive({ state, company, id, version }: StoredState<State>): boolean {
    return (
      (this.stored && this.pendingJobs.isUnsent("archive")) ||
      this.archiveRow(state, company, id, version) !== undefined
    );
  }

  /**
   * Reports the record to its company while its archive job is late, so that an erasure finds it. The company itself is
   * not reported, because every erasure includes it.
   */
  private async reportLag({ state, company, id, version }: StoredState<State>): Promise<void> {
    if (this.pendingJobs.archiveStatus() !== "Late" || this.binding === "COMPANIES") return;
    if (this.archiveRow(state, company, id, version) !== undefined) await this.lag.report({ company, id });
  }

  /** Whether no background processing is in progress. */
  protected isComplete(_state: State): boolean {
    return true;
  }

  async waitUntilComplete(milliseconds: number): Promise<void> {
    const kept = this.load();
    if (!kept || this.isComplete(kept.state) || milliseconds <= 0) return;
    await new Promise<void>((resolve) => {
      this.waiters.push(resolve);
      setTimeout(resolve, milliseconds);
    });
  }

  async projection(): Promise<Projection | undefined> {
    const kept = this.load();
    if (!kept) return undefined;
    const row = this.archiveRow(kept.state, kept.company, kept.id, kept.version);
    const parts = this.archiveParts(kept.state, kept.company, kept.id).filter(
      (part) => part.version > this.archivedVersion,
    );
    return {
      version: kept.version,
      ...(row && { row }),
      ...(parts.length > 0 && { parts }),
      ...this.outbox.unlogged(),
    };
  }

  /** Called when the archive has written a version. Not stored: after a restart the archive confirms it again. */
  async archived({ version, upTo }: Pick<Projection, "version" | "upTo">): Promise<void> {
    const kept = this.load();
    // The record may have been deleted since, and another one created with its id.
    if (!kept || version > kept.version) return;
    this.outbox.markLogged(upTo);
    this.archivedVersion = Math.max(this.archivedVersion, version);
    if (kept.version !== version) return;
    const wasLate = this.pendingJobs.archiveStatus() === "Late";
    this.pendingJobs.completeInMemory("archive");
    if (!this.outbox.hasUnlogged()) return this.lag.end(kept, wasLate);
    this.pendingJobs.request("archive");
    this.sendPendingSoon();
  }

  async refersTo(key: string): Promise<boolean> {
    return JSON.stringify(this.load()?.state ?? null).includes(JSON.stringify(key));
  }

  async isArchivePending(): Promise<boolean> {
    return this.load() !== undefined && this.pendingJobs.archiveStatus() !== "Complete";
  }

  async mentions(person: Person): Promise<Mentioned | undefined> {
    const kept = this.load();
    const mentions = new PersonFinder(person).mentionsIn(kept?.state);
    if (!kept || mentions.length === 0) return undefined;
    return { type: this.noun, id: kept.id, url: this.urlOf(kept.id, kept.state), mentions };
  }

  async erase(person: Person, isListed = false): Promise<boolean> {
    const kept = this.load();
    if (!kept) return false;
    const finder = new PersonFinder(person);
    const isNamed = isListed || finder.mentionsIn(kept.state).length > 0;
    const isGone = (json: string) => finder.isInJson(json);
    const wasNamed = this.tables.transaction(() => {
      const dropped = [this.outbox, this.replies].map((rows) => rows.deleteWhere(isGone));
      this.pendingJobs.purge();
      return dropped.includes(true);
    });
    this.lastReply = undefined;
    if (isNamed) {
      const call = { company: kept.company, id: kept.id, name: "privacy.erase", ask: {} };
      const state = this.withVersion(finder.erasedFrom(kept.state), kept.version + 1);
      this.commit({ state, jobs: ["archive"], reply: {} }, call, this.contextOf(call, kept.version + 1), kept);
    }
    await this.outbox.whenIdle();
    return isNamed || wasNamed;
  }

  async forget(before: string): Promise<boolean> {
    const state = this.load()?.state as { updatedAt?: string } | undefined;
    if (!state) return true;
    if ((state.updatedAt ?? before) >= before) return false;
    await this.deleteEverything();
    return true;
  }

  async heldClaims(): Promise<string[]> {
    const state = this.load()?.state;
    return state ? this.claimsOf(state) : [];
  }

  /** Returns the names of the claims that the record holds without expiry. */
  protected claimsOf(_state: State): string[] {
    return [];
  }

  async destroy(): Promise<void> {
    await this.deleteEverything();
  }

  protected deleteReplies(): void {
    this.replies.deleteWhere(() => true);
  }

  /** Deletes the stored data, the alarm and all cached values, so that nothing is written afterwards. */
  protected async deleteEverything(): Promise<void> {
    this.timer.stop();
    this.alarmTimer.clear();
    this.lastReply = undefined;
    this.archivedVersion = 0;
    this.stored = undefined;
    const gone = this.ctx.storage.deleteAll();
    this.tables.forget();
    await gone;
    await this.ctx.storage.deleteAlarm();
  }

  override alarm(info?: AlarmInvocationInfo): Promise<void> {
    return this.alarmTimer.fire(info, () => this.runDue());
  }

  /** Runs when the alarm fires: purges completed work and sends pending work. May be interrupted and repeated. */
  protected async runDue(): Promise<void> {
    if (!this.load()) return;
    this.tables.transaction(() => {
      this.replies.purgeExpired();
      this.outbox.purge();
      this.pendingJobs.purge();
    });
    try {
      this.runClock();
    } finally {
      await this.sendPending();
    }
  }

  /** Throws if the command changes nothing, because it would stay due forever. */
  private runClock(): void {
    for (let kept = this.load(); kept && this.isClockDue(kept); kept = this.load()) {
      const { company, id, version } = kept;
      this.run({ company, id, name: this.clock!.command, ask: {} });
      if (this.load()?.version === version) throw new Error(`${this.clock!.command} was due and changed nothing.`);
    }
  }

  private isClockDue({ state }: StoredState<State>): boolean {
    return (this.clock?.due(state) ?? Infinity) <= Date.now();
  }

  private async sendPending(): Promise<void> {
    const kept = this.load();
    if (!kept) return;
    const work = this.pendingJobs.send(kept.company, kept.id);
    const events = this.outbox.publishDue(kept.company);
    const reported = this.reportLag(kept);
    for (const ended of await Promise.allSettled([work, events, reported]))
      if (ended.status === "rejected") throw ended.reason;
  }

  /** In milliseconds since 1970. */
  protected nextDue(): number | undefined {
    const [due, kept] = [this.nextSend(), this.load()];
    const guarded = due === undefined ? undefined : Math.max(due, Date.now() + guardMilliseconds);
    return earliest(guarded, kept && this.clock?.due(kept.state), this.replies.nextDue());
  }

  private nextSend(): number | undefined {
    return earliest(this.outbox.nextDue(), this.pendingJobs.nextDue());
  }

  private sendPendingSoon(): void {
    this.timer.set();
    void this.arm();
  }

  protected arm(): Promise<void> {
    return this.alarmTimer.arm();
  }

  protected load(): StoredState<State> | undefined {
    if (this.stored === null) this.stored = this.rows.read();
    return this.stored;
  }
}
