import type { AuditEntry } from "../../src/platform/audit.ts";
import type { Event } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import { logFault } from "../../src/platform/log.ts";
import { Alarm, earliest } from "../aggregate/alarm.ts";
import { Outbox } from "../aggregate/outbox.ts";
import { Tables } from "../aggregate/tables.ts";
import { guardMilliseconds, RoundTimer } from "../round-timer.ts";
import { PendingJobs } from "../aggregate/pending-jobs.ts";

/** Further work that the ledger's alarm performs. */
interface LedgerHooks {
  isMore: () => boolean;
  more: () => void;
  /** In milliseconds since 1970. */
  cleaningDue: () => number | undefined;
  /** Called inside a transaction. */
  clean: () => void;
}

/** The outbox, pending jobs and alarm of a ledger. */
export class LedgerBackground {
  private readonly ctx: DurableObjectState;
  private readonly tables: Tables;
  private readonly outbox: Outbox;
  private readonly jobs: PendingJobs;
  private readonly hooks: LedgerHooks;
  private readonly timer = new RoundTimer({
    due: () => this.nextRound(),
    round: () => this.runRound(),
    failed: (error) => logFault("Ledger.timer", error, { company: this.cachedCounters?.company }),
  });
  private readonly alarmTimer: Alarm;
  private cachedCounters: { company: string; commits: number } | undefined;

  constructor(ctx: DurableObjectState, env: Env, beside: LedgerHooks) {
    this.ctx = ctx;
    this.hooks = beside;
    this.alarmTimer = new Alarm(ctx.storage, {
      due: () => this.nextDue(),
      failed: (error) => logFault("Ledger.alarm", error, { company: this.cachedCounters?.company }),
    });
    this.tables = new Tables(ctx.storage);
    this.outbox = new Outbox(ctx.storage, this.tables, env);
    this.jobs = new PendingJobs(ctx.storage.sql, this.tables, this.outbox, env, () => "LEDGERS");
  }

  createTables(company: string): void {
    this.ctx.storage.sql.exec(
      "create table if not exists standing (one integer primary key, company text not null, commits integer not null)",
    );
    this.ctx.storage.sql.exec("insert or ignore into standing values (1, ?, 0)", company);
  }

  company(): string {
    return this.counters().company;
  }

  /** Returns the number of commits with events or audit entries. */
  commits(): number {
    return this.counters().commits;
  }

  /** Must be called inside a commit. */
  addEvents(events: Event[], audit: AuditEntry | undefined): void {
    if (events.length === 0 && !audit) return;
    const { commits } = this.counters();
    this.cachedCounters = { company: this.company(), commits: commits + 1 };
    this.ctx.storage.sql.exec("update standing set commits = ?", commits + 1);
    if (events.length > 0) this.outbox.add(events, commits + 1);
    if (audit) this.outbox.addAudit(audit, commits + 1);
    this.jobs.request("archive");
  }

  /** Must be called inside a commit. */
  requestJob(name: string): void {
    this.jobs.request(name);
  }

  /** Must be called inside a commit. */
  completeJob(name: string): void {
    this.jobs.complete(name);
  }

  async destroy(): Promise<void> {
    this.timer.stop();
    this.alarmTimer.clear();
    const gone = this.ctx.storage.deleteAll();
    this.forget();
    await gone;
    await this.ctx.storage.deleteAlarm();
  }

  forget(): void {
    this.cachedCounters = undefined;
    this.tables.forget();
  }

  unlogged() {
    return this.outbox.unlogged();
  }

  /** Deletes the matching events that are not published yet. @returns whether any matched */
  async deleteEvents(isGone: (json: string) => boolean): Promise<boolean> {
    const isAny = this.outbox.deleteWhere(isGone);
    await this.outbox.whenIdle();
    return isAny;
  }

  /**
   * Called when the event log has stored the events up to a position. The position is kept in memory only: the next
   * commit or alarm deletes the rows.
   */
  markLogged(upTo: number): void {
    this.outbox.markLogged(upTo);
    this.jobs.completeInMemory("archive");
    if (!this.outbox.hasUnlogged()) return;
    this.jobs.request("archive");
    this.runSoon(false);
  }

  /** Called when the object starts. */
  async wake(): Promise<void> {
    await this.alarmTimer.restore();
    this.timer.set();
  }

  runSoon(hasEvents: boolean): void {
    this.timer.set();
    void this.alarmTimer.arm();
    if (hasEvents) this.outbox.publishSoon(this.company());
  }

  alarm(info?: AlarmInvocationInfo): Promise<void> {
    return this.alarmTimer.fire(info, async () => {
      this.tables.transaction(() => {
        this.outbox.purge();
        this.jobs.purge();
        this.hooks.clean();
      });
      await this.runRound();
    });
  }

  /** The three parts of a round run concurrently, and a failure of one does not stop the others. */
  private async runRound(): Promise<void> {
    const company = this.company();
    const round = [this.jobs.send(company, company), this.outbox.publishDue(company), this.runHooks()];
    for (const one of await Promise.allSettled(round)) if (one.status === "rejected") throw one.reason;
  }

  private async runHooks(): Promise<void> {
    if (this.hooks.isMore()) this.hooks.more();
  }

  /** In milliseconds since 1970. */
  private nextDue(): number | undefined {
    const due = this.nextRound();
    const guarded = due === undefined ? undefined : Math.max(due, Date.now() + guardMilliseconds);
    return earliest(guarded, this.hooks.cleaningDue());
  }

  private nextRound(): number | undefined {
    return earliest(this.outbox.nextDue(), this.jobs.nextDue(), this.hooks.isMore() ? Date.now() : undefined);
  }

  private counters(): { company: string; commits: number } {
    this.cachedCounters ??= this.ctx.storage.sql
      .exec<{ company: string; commits: number }>("select company, commits from standing")
      .one();
    return this.cachedCounters;
  }
}
