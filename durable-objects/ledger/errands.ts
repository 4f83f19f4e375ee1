import type { AuditEntry } from "../../src/kit/audit.ts";
import type { Event } from "../../src/kit/decision.ts";
import type { Env } from "../../src/kit/env.ts";
import { logFault } from "../../src/kit/log.ts";
import { earliest } from "../owner/earliest.ts";
import { Outbox } from "../owner/outbox.ts";
import { Tables } from "../owner/tables.ts";
import { guardMilliseconds, RoundTimer } from "../round-timer.ts";
import { Work } from "../owner/work.ts";

/** What a ledger has to do beside its own tables. */
interface Beside {
  isMore: () => boolean;
  more: () => void;
}

/**
 * What a ledger has others do: events on their way, work that waits, and the alarm that carries on what is left of both
 * until it is taken. Events are told as soon as they are on disk.
 */
export class LedgerErrands {
  private readonly ctx: DurableObjectState;
  private readonly tables: Tables;
  private readonly outbox: Outbox;
  private readonly work: Work;
  private readonly beside: Beside;
  private readonly timer = new RoundTimer({
    due: () => this.nextRound(),
    round: () => this.carryOn(),
    failed: (error) => logFault("Ledger.timer", error, { company: this.company() }),
  });
  /** The time the last alarm was set for that has rung. */
  private rang = 0;
  private known: { company: string; commits: number } | undefined;

  constructor(ctx: DurableObjectState, env: Env, beside: Beside) {
    this.ctx = ctx;
    this.beside = beside;
    this.tables = new Tables(ctx.storage);
    this.outbox = new Outbox(ctx.storage, this.tables, env);
    this.work = new Work(ctx.storage.sql, this.tables, this.outbox, env, () => "LEDGERS");
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
    if (audit) this.outbox.note(audit, commits + 1);
    this.work.want("archive");
  }

  /** Called inside a commit. */
  want(name: string): void {
    this.work.want(name);
  }

  /** Called inside a commit. */
  done(name: string): void {
    this.work.done(name);
  }

  forget(): void {
    this.known = undefined;
    this.tables.forget();
    this.work.forget();
    this.outbox.forget();
  }

  unlogged() {
    return this.outbox.unlogged();
  }

  /** What has not been told yet and must not be any more goes. @returns whether there was any */
  async drop(isGone: (json: string) => boolean): Promise<boolean> {
    const isAny = this.outbox.drop(isGone);
    await this.outbox.atRest();
    return isAny;
  }

  /** Only remembered: the rows go with the next commit or alarm. */
  logged(upTo: number): void {
    this.outbox.logged(upTo);
    this.work.doneForNow("archive");
    if (!this.outbox.hasUnlogged()) return;
    this.work.want("archive");
    this.carryOnSoon(false);
  }

  /** A new life of the object begins. */
  async wake(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.arm();
    this.timer.set();
  }

  carryOnSoon(hasEvents: boolean): void {
    this.timer.set();
    void this.arm();
    if (hasEvents) this.outbox.announceSoon(this.company());
  }

  /** The platform forgets an alarm that fails six times, so this one sets itself again first and never fails. */
  async alarm(info?: AlarmInvocationInfo): Promise<void> {
    this.rang = info?.scheduledTime ?? 0;
    await this.ctx.storage.setAlarm(Date.now() + guardMilliseconds);
    try {
      this.outbox.tidy();
      this.work.tidy();
      await this.carryOn();
    } catch (error) {
      logFault("Ledger.alarm", error, { company: this.company() });
      return;
    }
    await this.arm();
  }

  private async carryOn(): Promise<void> {
    if (this.beside.isMore()) this.beside.more();
    const company = this.company();
    const ended = await Promise.allSettled([this.work.send(company, company), this.outbox.carry(company)]);
    for (const one of ended) if (one.status === "rejected") throw one.reason;
  }

  private nextRound(): number | undefined {
    return earliest(this.outbox.nextDue(), this.work.nextDue(), this.beside.isMore() ? Date.now() : undefined);
  }

  /** The runtime loses an alarm that is set again for the millisecond it is running for, so the next one is always later. */
  private async arm(): Promise<void> {
    const due = this.nextRound();
    if (due === undefined) {
      await this.ctx.storage.deleteAlarm();
      return;
    }
    const now = Date.now();
    const afterThisOne = this.rang - now < 1000 ? this.rang + 1 : 0;
    await this.ctx.storage.setAlarm(Math.max(now + guardMilliseconds, afterThisOne, due));
  }

  private standing(): { company: string; commits: number } {
    this.known ??= this.ctx.storage.sql
      .exec<{ company: string; commits: number }>("select company, commits from standing")
      .one();
    return this.known;
  }
}
