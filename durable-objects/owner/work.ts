import type { Env, Job, OwnerBinding } from "../../src/kit/env.ts";
import { log } from "../../src/kit/log.ts";

/** How long after sending work to its queue it is sent again, while nobody has said that it is done. */
const resendAfterSeconds = [15, 30, 60, 120, 300];
/** The archive is told this much later, so that changes close upon each other are written there once. */
const archiveAfterMilliseconds = 200;
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
 * until it is done. The table is small and one object's alone, so that it is also held in memory; what was sent is noted in
 * the table by the alarm only, so that a life that ends early sends it once more.
 */
export class Work {
  private readonly sql: SqlStorage;
  private readonly env: Env;
  private readonly binding: () => OwnerBinding;
  private rows: Map<string, Waiting> | undefined;
  /** What the table has as not sent yet: wanting it, or having it done, need not be written again. */
  private readonly unsent = new Set<string>();
  private archiveSentAt = 0;

  constructor(sql: SqlStorage, env: Env, binding: () => OwnerBinding) {
    this.sql = sql;
    this.env = env;
    this.binding = binding;
  }

  createTables(): void {
    this.sql.exec(
      "create table if not exists work (name text primary key, due integer not null, sends integer not null) without rowid",
    );
  }

  nextDue(): number | undefined {
    let first: number | undefined;
    for (const { due } of this.waiting().values()) first = Math.min(first ?? due, due);
    return first;
  }

  isWaiting(name: string): boolean {
    return this.waiting().get(name)?.sends === 0;
  }

  /** Called inside the owner's commit. Work that waits already goes out no later for being wanted once more. */
  want(name: string): void {
    const known = this.waiting().get(name);
    if (known?.sends === 0) return;
    const due = name === "archive" ? this.nextArchive() : Date.now();
    const wanted = { due: Math.min(known?.due ?? due, due), sends: 0 };
    this.waiting().set(name, wanted);
    if (!this.unsent.has(name)) this.write(name, wanted);
  }

  /** Called inside the owner's commit: nothing is asked for any more. */
  done(name: string): void {
    this.waiting().delete(name);
    this.unsent.delete(name);
    this.sql.exec("delete from work where name = ?", name);
  }

  /** Nothing is asked for any more; the table hears of it in the alarm's round. */
  doneForNow(name: string): void {
    this.waiting().delete(name);
  }

  /** The alarm's round: what is done goes, what was sent is noted, so that a later life waits as long as this one. */
  tidy(): void {
    for (const name of this.unsent) {
      const one = this.waiting().get(name);
      if (!one) this.done(name);
      else if (one.sends > 0) this.write(name, one);
    }
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

  /** A commit did not come about, or the table is gone: what it holds counts. */
  forget(): void {
    this.rows = undefined;
    this.unsent.clear();
  }

  private nextArchive(): number {
    return Math.max(Date.now() + archiveAfterMilliseconds, this.archiveSentAt + archiveEveryMilliseconds);
  }

  private write(name: string, { due, sends }: Waiting): void {
    if (sends === 0) this.unsent.add(name);
    else this.unsent.delete(name);
    this.sql.exec("insert or replace into work (name, due, sends) values (?, ?, ?)", name, due, sends);
  }

  private waiting(): Map<string, Waiting> {
    if (this.rows) return this.rows;
    this.rows = new Map();
    if (this.sql.exec("select 1 from sqlite_master where name = 'work'").toArray().length === 0) return this.rows;
    const kept = this.sql.exec<Waiting & { name: string }>("select name, due, sends from work").toArray();
    for (const { name, due, sends } of kept) {
      this.rows.set(name, { due, sends });
      if (sends === 0) this.unsent.add(name);
    }
    return this.rows;
  }
}
