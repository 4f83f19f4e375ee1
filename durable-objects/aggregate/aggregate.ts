import { DurableObject } from "cloudflare:workers";
import type { ArchiveRow, Versioned } from "../../src/platform/archive/archive.ts";
import { records, type StoredType } from "../../src/records.ts";
import type { Decision, DomainEvent, CommandContext, Refusal } from "../../src/platform/decision.ts";
import { refuse } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import type { AggregateBinding } from "../../src/platform/registered.ts";
import { logFault } from "../../src/platform/log.ts";
import type { CommandOutcome } from "../../src/platform/command.ts";
import type { CommandCall, Mentioned, AggregateObject, Projection } from "../../src/platform/aggregates.ts";
import { Finder, type Person } from "../../src/domain/person.ts";
import { Alarm } from "./alarm.ts";
import { Answers } from "./answers.ts";
import { ArchiveLag } from "./archive-lag.ts";
import type { Decisions } from "./decisions.ts";
import { earliest } from "./earliest.ts";
import { matches } from "./if-match.ts";
import { momentOf } from "./moment.ts";
import { Outbox } from "./outbox.ts";
import { inParts } from "./parts.ts";
import { guardMilliseconds, RoundTimer } from "../round-timer.ts";
import { StateRows, type Kept } from "./state-rows.ts";
import { Tables } from "./tables.ts";
import { entryOf, eventOf } from "./told.ts";
import { Work } from "./work.ts";

export { decisionsOf } from "./decisions.ts";

/**
 * The only writer of one thing. It performs the decisions its areas wrote down. A decision that changes something is
 * one commit: the new state, the events that tell of it, the work it asks for and the answer to a repeated request are
 * written together or not at all. Events are told at once, work goes out by a timer; an alarm carries on what is left of
 * both, again and again until it is taken.
 */
export abstract class Aggregate<State extends { metadata?: Record<string, string> }>
  extends DurableObject<Env>
  implements AggregateObject
{
  /** As events name it: "Order". */
  abstract readonly noun: StoredType;
  abstract readonly decisions: Decisions;
  /** Path of the thing for links, below the deployment's address. */
  abstract urlOf(id: string, state: State): string;
  /** What the archive keeps of it; things that are never listed from there have none. */
  abstract archiveRow(state: State, company: string, id: string, version: number): ArchiveRow | undefined;

  /** Rows of its parts that are listed by themselves, each of the version with which the part last changed. */
  archiveParts(_state: State, _company: string, _id: string): Versioned[] {
    return [];
  }

  /** The state as one of a new version throughout, so that each of its parts goes to the archive once more. */
  protected anew(state: State, _version: number): State {
    return state;
  }

  /** The state as it is kept: what is secret in it is sealed with the key that seals now. */
  protected resealed(state: State, _company: string, _id: string): State {
    return state;
  }

  get binding(): AggregateBinding {
    return records[this.noun].binding;
  }

  /** What time alone does to it: the command that is due, by its name, and when, in milliseconds since 1970. */
  protected readonly clock?: { command: string; due: (state: State) => number | undefined };

  protected readonly sql: SqlStorage;
  protected readonly tables: Tables;
  private readonly rows: StateRows<State>;
  private readonly outbox: Outbox;
  private readonly answers: Answers;
  private readonly work: Work;
  private readonly lag: ArchiveLag;
  /** The last committed state; null when not yet looked for. */
  private kept: Kept<State> | undefined | null = null;
  private waiting: (() => void)[] = [];
  private readonly timer = new RoundTimer({
    due: () => this.nextRound(),
    round: () => this.carryOn(),
    failed: (error) => logFault(`${this.noun}.timer`, error, { id: this.kept?.id }),
  });
  private readonly bell: Alarm;
  /** What was last asked in writing and could be answered without changing anything or looking at the clock. */
  private lastSaid: { asked: string; said: string } | undefined;
  private lasting = true;
  /** The version the archive has, as far as this life of the object knows. */
  private inArchive = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.tables = new Tables(ctx.storage);
    this.rows = new StateRows(this.sql, this.tables);
    this.outbox = new Outbox(ctx.storage, this.tables, env);
    this.answers = new Answers(this.sql, this.tables, env);
    this.work = new Work(this.sql, this.tables, this.outbox, env, () => this.binding);
    this.lag = new ArchiveLag(env, () => this.binding);
    this.bell = new Alarm(ctx.storage, {
      due: () => this.nextDue(),
      failed: (error) => logFault(`${this.noun}.alarm`, error, { id: this.kept?.id }),
    });
    if (!this.rows.exist()) return;
    void ctx.blockConcurrencyWhile(async () => {
      await this.bell.wake();
      this.timer.set();
    });
  }

  /** The same question is mostly asked again: until something changes its answer is the same. */
  async execute(asked: string): Promise<string> {
    if (this.lastSaid?.asked === asked) return this.lastSaid.said;
    this.lasting = true;
    const outcome = this.performed(JSON.parse(asked));
    if ("refused" in outcome) return `${JSON.stringify(outcome)}\n`;
    const { reply, ...more } = outcome;
    const said = `${JSON.stringify(more)}\n${JSON.stringify(reply)}`;
    if (this.lasting) this.lastSaid = { asked, said };
    return said;
  }

  /** Load, decide, commit. No await in between: that gap is where another request would get in. */
  private performed(call: CommandCall): CommandOutcome<unknown> | Refusal {
    const kept = this.load();
    if (kept && (kept.company !== call.company || kept.id !== call.id)) return refuse("not_found");
    if (call.idempotency) this.lasting = false;
    const known = call.idempotency && kept && this.answers.to(call.idempotency);
    if (known) return known;
    if (kept && call.ifMatch && !matches(call.ifMatch, kept.version)) {
      return refuse("version_mismatch", undefined, { extra: { version: kept.version } });
    }
    const decide = this.decisions[call.name];
    if (!decide) throw new Error(`${this.noun} has no decision ${call.name}`);
    const version = (kept?.version ?? 0) + 1;
    const moment = this.momentOf(call, version);
    const decision = decide(kept?.state as never, call.ask as never, moment);
    if ("refused" in decision) return decision;
    const change = decision as Decision<State, unknown, unknown>;
    this.commit(change, call, moment, kept);
    return { reply: change.reply, status: change.status, version: this.kept?.version ?? 0 };
  }

  private momentOf(call: CommandCall, version: number): CommandContext {
    const looked = () => {
      this.lasting = false;
    };
    return momentOf(this.env, call, { version, looked });
  }

  private commit(
    change: Decision<State, unknown, unknown>,
    call: CommandCall,
    context: CommandContext,
    before: Kept<State> | undefined,
  ): void {
    if (!change.state && !change.jobs && !change.completedJobs && !call.idempotency) return;
    if (!change.state && !before) return;
    const version = change.keepsVersion && before ? before.version : context.version;
    const state = change.state && this.resealed(change.state, call.company, call.id);
    const parts = state ? inParts(JSON.stringify(state)) : [];
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
          events.map((happened) => eventOf(happened, context, resource, after.state.metadata)),
          after.version,
        );
      if (by) this.outbox.note(entryOf(by, context, resource, change.about), after.version);
      for (const name of work) this.work.want(name);
      for (const name of done) this.work.done(name);
      if (call.idempotency)
        this.answers.keep(call.idempotency, { reply: change.reply, status: change.status, version: after.version });
    };
    this.lasting = false;
    this.lastSaid = undefined;
    // A single statement is a transaction by itself.
    if (before?.rows === 1 && after.rows === 1 && quiet && !call.idempotency) write();
    else this.tables.together(write);
    this.kept = after;
    if (!quiet || this.clock || call.idempotency) this.carryOnSoon();
    if (events.length > 0) this.outbox.announceSoon(call.company);
    if (this.isSettled(after.state)) for (const wake of this.waiting.splice(0)) wake();
  }

  /** What waits for the archive already goes there as it is by then: the row need not be made to know. */
  private goesToArchive({ state, company, id, version }: Kept<State>): boolean {
    return (this.kept && this.work.isWaiting("archive")) || this.archiveRow(state, company, id, version) !== undefined;
  }

  /** A record that the archive does not have after some seconds is found by that. The company is found anyway. */
  private async reportLag({ state, company, id, version }: Kept<State>): Promise<void> {
    if (this.work.archiveStanding() !== "Late" || this.binding === "COMPANIES") return;
    if (this.archiveRow(state, company, id, version) !== undefined) await this.lag.report({ company, id });
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

  async projection(): Promise<Projection | undefined> {
    const kept = this.load();
    if (!kept) return undefined;
    const row = this.archiveRow(kept.state, kept.company, kept.id, kept.version);
    const parts = this.archiveParts(kept.state, kept.company, kept.id).filter((part) => part.version > this.inArchive);
    return {
      version: kept.version,
      ...(row && { row }),
      ...(parts.length > 0 && { parts }),
      ...this.outbox.unlogged(),
    };
  }

  /** Only remembered: the rows go with the next commit or alarm, and a life that ends before is told once more. */
  async archived({ version, upTo }: Pick<Projection, "version" | "upTo">): Promise<void> {
    const kept = this.load();
    // What is spoken of may have gone meanwhile, and something new have come under its id.
    if (!kept || version > kept.version) return;
    this.outbox.logged(upTo);
    this.inArchive = Math.max(this.inArchive, version);
    if (kept.version !== version) return;
    const wasLate = this.work.archiveStanding() === "Late";
    this.work.doneForNow("archive");
    if (!this.outbox.hasUnlogged()) return this.lag.end(kept, wasLate);
    this.work.want("archive");
    this.carryOnSoon();
  }

  async refersTo(key: string): Promise<boolean> {
    return JSON.stringify(this.load()?.state ?? null).includes(JSON.stringify(key));
  }

  async owesArchive(): Promise<boolean> {
    return this.load() !== undefined && this.work.archiveStanding() !== "Complete";
  }

  async mentions(person: Person): Promise<Mentioned | undefined> {
    const kept = this.load();
    const mentions = new Finder(person).mentionsIn(kept?.state);
    if (!kept || mentions.length === 0) return undefined;
    return { type: this.noun, id: kept.id, url: this.urlOf(kept.id, kept.state), mentions };
  }

  async erase(person: Person, isListed = false): Promise<boolean> {
    const kept = this.load();
    if (!kept) return false;
    const finder = new Finder(person);
    const isNamed = isListed || finder.mentionsIn(kept.state).length > 0;
    const isGone = (json: string) => finder.isInJson(json);
    const wasSaid = this.tables.together(() => {
      const dropped = [this.outbox, this.answers].map((rows) => rows.drop(isGone));
      this.work.tidy();
      return dropped.includes(true);
    });
    this.lastSaid = undefined;
    if (isNamed) {
      const call = { company: kept.company, id: kept.id, name: "privacy.erase", ask: {} };
      const state = this.anew(finder.erasedFrom(kept.state), kept.version + 1);
      this.commit({ state, jobs: ["archive"], reply: {} }, call, this.momentOf(call, kept.version + 1), kept);
    }
    await this.outbox.atRest();
    return isNamed || wasSaid;
  }

  async forget(before: string): Promise<boolean> {
    const state = this.load()?.state as { updatedAt?: string } | undefined;
    if (!state) return true;
    if ((state.updatedAt ?? before) >= before) return false;
    await this.vanish();
    return true;
  }

  async heldClaims(): Promise<string[]> {
    const state = this.load()?.state;
    return state ? this.claimsOf(state) : [];
  }

  /** The names that it holds without an end. */
  protected claimsOf(_state: State): string[] {
    return [];
  }

  async destroy(): Promise<void> {
    await this.vanish();
  }

  /** What was answered to earlier requests is not known any more. */
  protected forgetAnswers(): void {
    this.answers.drop(() => true);
  }

  /** Nothing is left of it, and nothing remembered that could be written once more: as if it had never been. */
  protected async vanish(): Promise<void> {
    this.timer.stop();
    this.bell.forget();
    this.lastSaid = undefined;
    this.inArchive = 0;
    this.kept = undefined;
    const gone = this.ctx.storage.deleteAll();
    this.tables.forget();
    await gone;
    await this.ctx.storage.deleteAlarm();
  }

  override alarm(info?: AlarmInvocationInfo): Promise<void> {
    return this.bell.ring(info, () => this.pump());
  }

  /** The alarm's round: everything that waits, and everything that is done with. May be repeated at any point. */
  protected async pump(): Promise<void> {
    if (!this.load()) return;
    this.tables.together(() => {
      this.answers.forget();
      this.outbox.tidy();
      this.work.tidy();
    });
    try {
      this.letTimePass();
    } finally {
      await this.carryOn();
    }
  }

  /** Each step that is due, in its order. One that changes nothing would be due for ever. */
  private letTimePass(): void {
    for (let kept = this.load(); kept && this.isTimeFor(kept); kept = this.load()) {
      const { company, id, version } = kept;
      this.performed({ company, id, name: this.clock!.command, ask: {} });
      if (this.load()?.version === version) throw new Error(`${this.clock!.command} was due and changed nothing.`);
    }
  }

  private isTimeFor({ state }: Kept<State>): boolean {
    return (this.clock?.due(state) ?? Infinity) <= Date.now();
  }

  private async carryOn(): Promise<void> {
    const kept = this.load();
    if (!kept) return;
    const work = this.work.send(kept.company, kept.id);
    const events = this.outbox.carry(kept.company);
    const reported = this.reportLag(kept);
    for (const ended of await Promise.allSettled([work, events, reported]))
      if (ended.status === "rejected") throw ended.reason;
  }

  /** When the alarm is needed next, in milliseconds since 1970. */
  protected nextDue(): number | undefined {
    const [due, kept] = [this.nextRound(), this.load()];
    const guarded = due === undefined ? undefined : Math.max(due, Date.now() + guardMilliseconds);
    return earliest(guarded, kept && this.clock?.due(kept.state), this.answers.nextDue());
  }

  private nextRound(): number | undefined {
    return earliest(this.outbox.nextDue(), this.work.nextDue());
  }

  private carryOnSoon(): void {
    this.timer.set();
    void this.arm();
  }

  protected arm(): Promise<void> {
    return this.bell.arm();
  }

  protected load(): Kept<State> | undefined {
    if (this.kept === null) this.kept = this.rows.read();
    return this.kept;
  }
}
