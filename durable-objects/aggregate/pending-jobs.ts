import type { Env, Job } from "../../src/platform/env.ts";
import type { AggregateBinding } from "../../src/platform/registered.ts";
import { log } from "../../src/platform/log.ts";
import type { Outbox } from "./outbox.ts";
import type { Tables } from "./tables.ts";

/** Seconds after which an incomplete job is sent to its queue again, by the number of sends so far. */
const resendAfterSeconds = [15, 30, 60, 120, 300];
/** Delay of the archive job, so that changes in quick succession are archived once. */
const archiveAfterMilliseconds = 200;
const lateAfterMilliseconds = 10_000;
/** Minimum interval between two archive jobs of one record. */
const archiveEveryMilliseconds = 3_000;

type PendingJob = {
  /** In milliseconds since 1970. */
  due: number;
  /** How often the job was sent since it was last requested. */
  sends: number;
};

/**
 * The jobs of one aggregate: `archive`, and the jobs that its decisions request. A job is sent to its queue until it is
 * complete. The first send is stored only when the alarm fires: if the instance ends before that, the next instance
 * sends the job again. While the outbox has events that the event log lacks, the archive job is implied and needs no
 * row.
 */
export class PendingJobs {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly binding: () => AggregateBinding;
  private readonly outbox: Outbox;
  private rows: Map<string, PendingJob> | undefined;
  /**
   * Number of sends per job as stored in the table. If a row already has 0 sends, it is not written again when its job
   * is requested again.
   */
  private readonly persistedSends = new Map<string, number>();
  private archiveSentAt = 0;
  /** Since when the archive lacks the latest version, in milliseconds since 1970, as far as this instance knows. */
  private archiveLagSince: number | undefined;

  constructor(sql: SqlStorage, tables: Tables, outbox: Outbox, env: Env, binding: () => AggregateBinding) {
    this.sql = sql;
    this.tables = tables;
    this.outbox = outbox;
    this.env = env;
    this.binding = binding;
    tables.onReset(() => this.reset());
  }

  nextDue(): number | undefined {
    let first: number | undefined;
    for (const { due } of this.pending().values()) first = Math.min(first ?? due, due);
    return first;
  }

  /** Returns `Complete` if the archive is up to date. Otherwise returns `Due`, or `Late` after ten seconds. */
  archiveStatus(): "Complete" | "Due" | "Late" {
    if (!this.pending().has("archive")) return "Complete";
    return Date.now() - (this.archiveLagSince ?? 0) < lateAfterMilliseconds ? "Due" : "Late";
  }

  isUnsent(name: string): boolean {
    return this.pending().get(name)?.sends === 0;
  }

  /** Requests a job; a job that is already pending is not delayed. Must be called inside the aggregate's commit. */
  request(name: string): void {
    const pending = this.pending().get(name);
    if (pending?.sends === 0) return;
    if (name === "archive" && !pending) this.archiveLagSince = Date.now();
    const due = name === "archive" ? this.nextArchiveDue() : Date.now();
    const wanted = { due: Math.min(pending?.due ?? due, due), sends: 0 };
    this.pending().set(name, wanted);
    const noted = this.persistedSends.get(name);
    if (noted === undefined ? !this.isImpliedByOutbox(name) : noted > 0) this.write(name, wanted);
  }

  /** Must be called inside the aggregate's commit. */
  complete(name: string): void {
    this.pending().delete(name);
    if (this.persistedSends.delete(name)) this.sql.exec("delete from work where name = ?", name);
  }

  /** Removes a completed job from memory; the alarm's round deletes its row. */
  completeInMemory(name: string): void {
    this.pending().delete(name);
  }

  /**
   * Deletes the rows of completed jobs. Stores how often pending jobs were sent, so that a later instance waits as long
   * as this one. Must be called after the outbox's purge, in the same transaction.
   */
  purge(): void {
    const waiting = this.pending();
    for (const [name, one] of waiting)
      if (!this.isImpliedByOutbox(name) && this.persistedSends.get(name) !== one.sends) this.write(name, one);
    for (const name of this.persistedSends.keys()) if (!waiting.has(name)) this.complete(name);
  }

  private isImpliedByOutbox(name: string): boolean {
    return name === "archive" && this.outbox.hasUnlogged();
  }

  /**
   * Sends due jobs. A job is marked as sent before the call, so that it is sent again if it is requested during the
   * call.
   */
  async send(company: string, id: string): Promise<void> {
    const now = Date.now();
    const due = [...this.pending()].filter(([, one]) => one.due <= now);
    for (const [name, { sends }] of due) {
      const wait = resendAfterSeconds[Math.min(sends, resendAfterSeconds.length - 1)]! * 1000;
      const sent = { due: now + wait, sends: sends + 1 };
      this.pending().set(name, sent);
      if (sends > 0) this.write(name, sent);
    }
    for (const [name, { sends }] of due) {
      const job: Job = { binding: this.binding(), company, id, work: name };
      if (name === "archive") this.archiveSentAt = now;
      await (name === "archive" ? this.env.CHANGES : this.env.WORK).send(job);
      if (sends > 0) log({ what: "work.resent", work: name, company, id, sends });
    }
  }

  private reset(): void {
    this.rows = undefined;
    this.persistedSends.clear();
  }

  private nextArchiveDue(): number {
    return Math.max(Date.now() + archiveAfterMilliseconds, this.archiveSentAt + archiveEveryMilliseconds);
  }

  private write(name: string, { due, sends }: PendingJob): void {
    this.persistedSends.set(name, sends);
    this.tables.ensure("work", "(name text primary key, due integer not null, sends integer not null) without rowid");
    this.sql.exec("insert or replace into work (name, due, sends) values (?, ?, ?)", name, due, sends);
  }

  private pending(): Map<string, PendingJob> {
    if (this.rows) return this.rows;
    const written = this.persistedRows();
    const rows = new Map(written.map(({ name, due, sends }) => [name, { due, sends }]));
    // If the archive job was already sent, it was pending in an earlier instance, so it counts as late.
    this.archiveLagSince = written.some(({ name, sends }) => name === "archive" && sends > 0) ? 0 : Date.now();
    if (!rows.has("archive") && this.isImpliedByOutbox("archive"))
      rows.set("archive", { due: this.nextArchiveDue(), sends: 0 });
    for (const { name, sends } of written) this.persistedSends.set(name, sends);
    this.rows = rows;
    return rows;
  }

  private persistedRows(): (PendingJob & { name: string })[] {
    if (!this.tables.has("work")) return [];
    return this.sql.exec<PendingJob & { name: string }>("select name, due, sends from work").toArray();
  }
}
