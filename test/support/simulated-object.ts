import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { vi } from "vitest";
import type { Refusal } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import type { Command } from "../../src/platform/command.ts";
import { Disk, LifeStorage } from "../faults/platform/storage.ts";
import { runPendingPromises, Timeline } from "../faults/platform/timeline.ts";

export const objectId = "01a1f8ce-96ba-7fa1-b074-5747ca82ef53";

/** The reply of a command, or its refusal. */
export type CommandReply<Reply> = { reply: Reply; version: number } | Refusal;

/** A running instance of the object, or a running caller. When `isOver` is true, its timers do nothing. */
export interface Running {
  isOver: boolean;
}

interface SimulatedInstance {
  execute?(asked: string): Promise<string>;
  alarm(info: AlarmInvocationInfo): Promise<void>;
}

/** A Durable Object of the product on a simulated platform, with a simulated clock. */
export abstract class SimulatedObject<Kept extends SimulatedInstance> {
  /**
   * The id of the company. It is unique, because all objects of a company in this process share a cache of its
   * webhooks.
   */
  readonly company = randomUUID();
  readonly timeline = new Timeline();
  protected readonly disk = new Disk();
  /** The instance or the caller in which the current code runs. */
  protected readonly running = new AsyncLocalStorage<Running>();
  protected life: LifeStorage | undefined;
  private alarmAt: number | undefined;
  private living: Kept | undefined;
  private readonly Kind: new (ctx: never, env: Env) => Kept;
  private readonly spies = [
    ...this.timeline.fakeTimers(() => {
      const running = this.running.getStore() ?? this.life;
      return () => running !== undefined && !running.isOver;
    }),
    vi.spyOn(console, "log").mockImplementation(() => undefined),
    vi.spyOn(console, "error").mockImplementation(() => undefined),
  ];

  constructor(Kind: new (ctx: never, env: Env) => Kept) {
    this.Kind = Kind;
  }

  protected abstract env(life: Running): Env;

  /** Restores everything that was replaced. */
  close(): void {
    this.end();
    for (const spy of this.spies) spy.mockRestore();
    this.timeline.stop();
  }

  /** Returns the simulated time this many milliseconds from now, according to ISO 8601. */
  later = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

  /** Sends a command as the Worker does. Returns undefined if the instance ended meanwhile. */
  async ask<A, Reply>(command: Command<A, Reply>, ask: A, key?: string): Promise<CommandReply<Reply> | undefined> {
    const idempotency = key === undefined ? undefined : { key, fingerprint: "the same" };
    const call = JSON.stringify({ company: this.company, id: objectId, name: command.name, ask, idempotency });
    const said = this.inLife((object) => object.execute!(call));
    const { life } = this;
    said.catch(() => undefined);
    await runPendingPromises();
    if (life!.isOver) return undefined;
    const [outcome, reply] = (await said).split("\n") as [string, string];
    const more = JSON.parse(outcome) as Refusal;
    return "refused" in more ? more : ({ ...(more as object), reply: JSON.parse(reply) } as CommandReply<Reply>);
  }

  /** Reads the rows of a table in the storage of the object. */
  stored = (table: string): Record<string, unknown>[] => this.disk.db.prepare(`select * from ${table}`).all();

  /** Runs a request while the storage fails. */
  async whileBroken(ask: () => Promise<unknown>): Promise<void> {
    this.object();
    const life = this.life!;
    life.isBroken = true;
    await ask().catch(() => undefined);
    life.isBroken = false;
  }

  /** Ends the instance without cleanup. */
  end(): void {
    if (this.life) this.life.isOver = true;
    this.living = undefined;
  }

  /** Ends the instance after this many more storage calls. */
  endSoon(calls: number): void {
    this.object();
    this.life!.endsAfter = calls;
  }

  /** Simulates that the platform is down for this time. No alarm is fired meanwhile. */
  async away(milliseconds: number): Promise<void> {
    this.end();
    await this.timeline.to(this.timeline.passed + milliseconds);
  }

  /** Advances the time. Alarms and timers are fired when they are due. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.timeline.passed + milliseconds;
    await runPendingPromises();
    for (;;) {
      const next = Math.max(this.timeline.passed, Math.min(this.alarmAt ?? Infinity, this.timeline.next() ?? Infinity));
      if (next > end) break;
      await this.timeline.to(next);
      if (this.alarmAt !== undefined && this.alarmAt <= this.timeline.passed) await this.ring();
      await runPendingPromises();
    }
    await this.timeline.to(end);
  }

  protected object(): Kept {
    if (this.living && !this.life!.isOver) return this.living;
    const storage = new LifeStorage(this.disk, (at) => {
      this.alarmAt = at === null ? undefined : this.timeline.passed + Math.max(0, at - Date.now());
    });
    const ctx = { storage, blockConcurrencyWhile: (run: () => Promise<void>) => run() };
    this.life = storage;
    this.living = this.running.run(storage, () => new this.Kind(ctx as never, this.env(storage)));
    return this.living;
  }

  protected inLife<Answer>(call: (object: Kept) => Promise<Answer>): Promise<Answer> {
    const object = this.object();
    return this.running.run(this.life!, () => call(object));
  }

  private async ring(): Promise<void> {
    const scheduledTime = this.disk.alarm ?? Date.now();
    this.disk.alarm = null;
    this.alarmAt = undefined;
    const rung = this.inLife((object) => object.alarm({ isRetry: false, retryCount: 0, scheduledTime }));
    rung.catch(() => undefined);
    await runPendingPromises();
    // The platform repeats an alarm if the instance ended before the handler had finished.
    if (this.life!.isOver && this.disk.alarm === null) {
      this.disk.alarm = Date.now();
      this.alarmAt = this.timeline.passed + 1;
    }
  }
}
