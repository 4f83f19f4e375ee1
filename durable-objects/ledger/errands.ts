import type { AuditEntry } from "../../src/platform/audit.ts";
import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { logFault } from "../../src/platform/log.ts";
import { Alarm } from "../aggregate/alarm.ts";
import { earliest } from "../aggregate/earliest.ts";
import { Outbox } from "../aggregate/outbox.ts";
import { Tables } from "../aggregate/tables.ts";
import { guardMilliseconds, RoundTimer } from "../round-timer.ts";
import { PendingJobs } from "../aggregate/pending-jobs.ts";

/** What a ledger has to do beside its own tables. */
interface Beside {
  isMore: () => boolean;
  more: () => void;
  /** When it has something to clean, in milliseconds since 1970. */
  cleaningDue: () => number | undefined;
  /** Called inside a transaction. */
  clean: () => void;
}

/**
 * What a ledger has others do: events on their way, work that waits, and the alarm that carries on what is left of both
 * until it is taken. Events are told as soon as they are on disk.
 */
export class LedgerErrands {
  private readonly ctx: DurableObjectState;
  private readonly tables: Tables;
  private readonly outbox: Outbox;
  private readonly work: PendingJobs;
  private readonly beside: Beside;
  private readonly timer = new RoundTimer({
    due: () => this.nextRound(),
    round: () => this.carryOn(),
    failed: (error) => logFault("Ledger.timer", error, { company: this.known?.company }),
  });
  private readonly bell: Alarm;
  private known: { company: string; commits: number } | undefined;

  constructor(ctx: DurableObjectState, env: Env, beside: Beside) {
    this.ctx = ctx;
    this.beside = beside;
    this.bell = new Alarm(ctx.storage, {
      due: () => this.nextDue(),
      failed: (error) => logFault("Ledger.alarm", error, { company: this.known?.company }),
    });
    this.tables = new Tables(ctx.storage);
    this.outbox = new Outbox(ctx.storage, this.tables, env);
    this.work = new PendingJobs(ctx.storage.sql, this.tables, this.outbox, env, () => "LEDGERS");
  }

  createTables(company: string): void {
    this.ctx.storage.sql.exec(
      "create table if not exists standing (one integer primary key, company text not null, commits integer not null)",
    );
    this.ctx.storage.sql.exec("insert or ignore into standing values (1, ?, 0)", company);
  }

  company(): string {
    return this.standing().company;
  }

  /** Commits that told of something. */
  commits(): number {
    return this.standing().commits;
  }

  /** Called inside a commit. */
  tell(events: Event[], audit: AuditEntry | undefined): void {
    if (events.length === 0 && !audit) return;
    const { commits } = this.standing();
    this.known = { company: this.company(), commits: commits + 1 };
    this.ctx.storage.sql.exec("update standing set commits = ?", commits + 1);
    if (events.length > 0) this.outbox.add(events, commits + 1);
    if (audit) this.outbox.addAudit(audit, commits + 1);
    this.work.request("archive");
  }

  /** Called inside a commit. */
  want(name: string): void {
    this.work.request(name);
  }

  /** Called inside a commit. */
  done(name: string): void {
    this.work.complete(name);
  }

  /** Nothing goes out any more, and nothing of the ledger is kept. */
  async destroy(): Promise<void> {
    this.timer.stop();
    this.bell.clear();
    const gone = this.ctx.storage.deleteAll();
    this.forget();
    await gone;
    await this.ctx.storage.deleteAlarm();
  }

  forget(): void {
    this.known = undefined;
    this.tables.forget();
  }

  unlogged() {
    return this.outbox.unlogged();
  }

  /** Deletes undelivered events that match. @returns whether there were any */
  async drop(isGone: (json: string) => boolean): Promise<boolean> {
    const isAny = this.outbox.deleteWhere(isGone);
    await this.outbox.whenIdle();
    return isAny;
  }

  /** Only remembered: the rows go with the next commit or alarm. */
  logged(upTo: number): void {
    this.outbox.markLogged(upTo);
    this.work.completeInMemory("archive");
    if (!this.outbox.hasUnlogged()) return;
    this.work.request("archive");
    this.carryOnSoon(false);
  }

  /** A new life of the object begins. */
  async wake(): Promise<void> {
    await this.bell.restore();
    this.timer.set();
  }

  carryOnSoon(hasEvents: boolean): void {
    this.timer.set();
    void this.bell.arm();
    if (hasEvents) this.outbox.publishSoon(this.company());
  }

  alarm(info?: AlarmInvocationInfo): Promise<void> {
    return this.bell.fire(info, async () => {
      this.tables.transaction(() => {
        this.outbox.purge();
        this.work.purge();
        this.beside.clean();
      });
      await this.carryOn();
    });
  }

  /** What is on its way does not wait for what is done beside it, nor for its faults. */
  private async carryOn(): Promise<void> {
    const company = this.company();
    const round = [this.work.send(company, company), this.outbox.publishDue(company), this.carryOnBeside()];
    for (const one of await Promise.allSettled(round)) if (one.status === "rejected") throw one.reason;
  }

  private async carryOnBeside(): Promise<void> {
    if (this.beside.isMore()) this.beside.more();
  }

  /** When the alarm is needed next, in milliseconds since 1970. */
  private nextDue(): number | undefined {
    const due = this.nextRound();
    const guarded = due === undefined ? undefined : Math.max(due, Date.now() + guardMilliseconds);
    return earliest(guarded, this.beside.cleaningDue());
  }

  private nextRound(): number | undefined {
    return earliest(this.outbox.nextDue(), this.work.nextDue(), this.beside.isMore() ? Date.now() : undefined);
  }

  private standing(): { company: string; commits: number } {
    this.known ??= this.ctx.storage.sql
      .exec<{ company: string; commits: number }>("select company, commits from standing")
      .one();
    return this.known;
  }
}
