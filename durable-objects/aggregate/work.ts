import type { Env, Job } from "../../src/platform/env.ts";
import type { AggregateBinding } from "../../src/platform/registered.ts";
import { log } from "../../src/platform/log.ts";
import type { Outbox } from "./outbox.ts";
import type { Tables } from "./tables.ts";

/** How long after sending work to its queue it is sent again, while nobody has said that it is done. */
const resendAfterSeconds = [15, 30, 60, 120, 300];
/** The archive is told this much later, so that changes close upon each other are written there once. */
const archiveAfterMilliseconds = 200;
/** What the archive lacks for so long is late. */
const lateAfterMilliseconds = 10_000;
/** Of a thing that keeps changing it is told no more often than this. */
const archiveEveryMilliseconds = 3_000;

type Waiting = {
  /** When it is sent next, in milliseconds since 1970. */
  due: number;
  /** How often it was sent since it was last wanted. */
  sends: number;
};

/**
 * What somebody must do for an owner: `archive`, or what its decisions ask for. It is sent to its queue again and again
 * until it is done. The table is small and one object's alone, so that it is also held in memory; that it was sent first is
 * noted in the table by the alarm only, so that a life that ends early sends it once more. What the log does not have says
 * by itself that the archive waits.
 */
export class Work {
  private readonly sql: SqlStorage;
  private readonly tables: Tables;
  private readonly env: Env;
  private readonly binding: () => AggregateBinding;
  private readonly outbox: Outbox;
  private rows: Map<string, Waiting> | undefined;
  /** What the table has, and how often it was sent by that: what it has as not sent need not be written when it is wanted again. */
  private readonly noted = new Map<string, number>();
  private archiveSentAt = 0;
  /** Since when the archive lacks something, in milliseconds since 1970, as far as this life of the object knows. */
  private owedSince: number | undefined;

  constructor(sql: SqlStorage, tables: Tables, outbox: Outbox, env: Env, binding: () => AggregateBinding) {
    this.sql = sql;
    this.tables = tables;
    this.outbox = outbox;
    this.env = env;
    this.binding = binding;
    tables.whenForgotten(() => this.forget());
  }

  nextDue(): number | undefined {
    let first: number | undefined;
    for (const { due } of this.waiting().values()) first = Math.min(first ?? due, due);
    return first;
  }

  /** Whether the archive lacks something, and whether it has for longer than it should. */
  archiveStanding(): "Complete" | "Due" | "Late" {
    if (!this.waiting().has("archive")) return "Complete";
    return Date.now() - (this.owedSince ?? 0) < lateAfterMilliseconds ? "Due" : "Late";
  }

  isWaiting(name: string): boolean {
    return this.waiting().get(name)?.sends === 0;
  }

  /** Work that waits already goes out no later for being wanted once more. What decisions ask for is wanted inside their commit. */
  want(name: string): void {
    const known = this.waiting().get(name);
    if (known?.sends === 0) return;
    if (name === "archive" && !known) this.owedSince = Date.now();
    const due = name === "archive" ? this.nextArchive() : Date.now();
    const wanted = { due: Math.min(known?.due ?? due, due), sends: 0 };
    this.waiting().set(name, wanted);
    const noted = this.noted.get(name);
    if (noted === undefined ? !this.isSaid(name) : noted > 0) this.write(name, wanted);
  }

  /** Called inside the owner's commit: nothing is asked for any more. */
  done(name: string): void {
    this.waiting().delete(name);
    if (this.noted.delete(name)) this.sql.exec("delete from work where name = ?", name);
  }

  /** Nothing is asked for any more; the table hears of it in the alarm's round. */
  doneForNow(name: string): void {
    this.waiting().delete(name);
  }

  /**
   * In one commit with the outbox's, after it: what is done goes, what nothing else says any more is noted, and how often it
   * was sent, so that a later life waits as long as this one.
   */
  tidy(): void {
    const waiting = this.waiting();
    for (const [name, one] of waiting)
      if (!this.isSaid(name) && this.noted.get(name) !== one.sends) this.write(name, one);
    for (const name of this.noted.keys()) if (!waiting.has(name)) this.done(name);
  }

  /** Whether the table need not have it, for the outbox's says it. */
  private isSaid(name: string): boolean {
    return name === "archive" && this.outbox.hasUnlogged();
  }

  /** Marked before it is sent: a change that comes while it is on its way sends it again. */
  async send(company: string, id: string): Promise<void> {
    const now = Date.now();
    const due = [...this.waiting()].filter(([, one]) => one.due <= now);
    for (const [name, { sends }] of due) {
      const wait = resendAfterSeconds[Math.min(sends, resendAfterSeconds.length - 1)]! * 1000;
      const sent = { due: now + wait, sends: sends + 1 };
      this.waiting().set(name, sent);
      if (sends > 0) this.write(name, sent);
    }
    for (const [name, { sends }] of due) {
      const job: Job = { binding: this.binding(), company, id, work: name };
      if (name === "archive") this.archiveSentAt = now;
      await (name === "archive" ? this.env.CHANGES : this.env.WORK).send(job);
      if (sends > 0) log({ what: "work.resent", work: name, company, id, sends });
    }
  }

  /** What the table holds counts. */
  private forget(): void {
    this.rows = undefined;
    this.noted.clear();
  }

  private nextArchive(): number {
    return Math.max(Date.now() + archiveAfterMilliseconds, this.archiveSentAt + archiveEveryMilliseconds);
  }

  private write(name: string, { due, sends }: Waiting): void {
    this.noted.set(name, sends);
    this.tables.want("work", "(name text primary key, due integer not null, sends integer not null) without rowid");
    this.sql.exec("insert or replace into work (name, due, sends) values (?, ?, ?)", name, due, sends);
  }

  private waiting(): Map<string, Waiting> {
    if (this.rows) return this.rows;
    const written = this.written();
    const rows = new Map(written.map(({ name, due, sends }) => [name, { due, sends }]));
    // One that was sent before has been owed in an earlier life as well.
    this.owedSince = written.some(({ name, sends }) => name === "archive" && sends > 0) ? 0 : Date.now();
    if (!rows.has("archive") && this.isSaid("archive")) rows.set("archive", { due: this.nextArchive(), sends: 0 });
    for (const { name, sends } of written) this.noted.set(name, sends);
    this.rows = rows;
    return rows;
  }

  private written(): (Waiting & { name: string })[] {
    if (!this.tables.has("work")) return [];
    return this.sql.exec<Waiting & { name: string }>("select name, due, sends from work").toArray();
  }
}
