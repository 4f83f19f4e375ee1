import { vi } from "vitest";
import { FreightObject } from "../durable-objects/freight.ts";
import { saidOf } from "../src/areas/freights/said.ts";
import { FreightInput } from "../src/areas/freights/shapes.ts";
import { locate } from "../src/areas/freights/stops.ts";
import type { ArchiveRow } from "../src/kit/archive/archive.ts";
import type { Event, Refusal } from "../src/kit/decision.ts";
import type { Env, Job } from "../src/kit/env.ts";
import type { Step } from "../src/kit/operation.ts";
import type { Person } from "../src/kit/person.ts";
import { Disk, LifeStorage } from "./faults/platform/storage.ts";
import { settled, Timeline } from "./faults/platform/timeline.ts";

const company = "01a1f8ce-96ba-7fa1-b074-5747ca82ef51";
export const freightId = "01a1f8ce-96ba-7fa1-b074-5747ca82ef53";

/** What a step answered: its reply, or why it was refused. */
export type Said<Reply> = { reply: Reply; version: number } | Refusal;

/** One real freight object on a false platform, in a time of its own; it hears its own events. */
export class FreightLife {
  readonly timeline = new Timeline();
  readonly heard: (Event & { data: { currentPrice?: number; status: string } })[] = [];
  readonly works: string[] = [];
  /** As the archive has it. */
  row: ArchiveRow | undefined;
  /** How often the archive was told to look, and whether it cannot be told. */
  told = 0;
  isArchiveAway = false;
  private readonly disk = new Disk();
  private alarmAt: number | undefined;
  private life: LifeStorage | undefined;
  private living: FreightObject | undefined;
  private readonly spies = [
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, milliseconds = 0) => {
      const { life } = this;
      this.timeline.after(milliseconds, () => life && !life.isOver && run());
    }) as never),
    vi.spyOn(globalThis, "clearTimeout").mockImplementation(() => undefined),
    vi.spyOn(console, "log").mockImplementation(() => undefined),
    vi.spyOn(console, "error").mockImplementation(() => undefined),
  ];

  /** Everything is as it was before. */
  close(): void {
    this.end();
    for (const spy of this.spies) spy.mockRestore();
    this.timeline.stop();
  }

  /** ISO 8601: what the clock on the wall shows so much later. */
  later = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

  /** Asks as the Worker does. Undefined when the life that was asked ended meanwhile. */
  async ask<A, Reply>(step: Step<A, Reply>, ask: A): Promise<Said<Reply> | undefined> {
    const object = this.object();
    const { life } = this;
    const said = object.perform(JSON.stringify({ company, id: freightId, name: step.name, ask }));
    said.catch(() => undefined);
    await settled();
    if (life!.isOver) return undefined;
    const [outcome, reply] = (await said).split("\n") as [string, string];
    const more = JSON.parse(outcome) as Refusal;
    return "refused" in more ? more : ({ ...(more as object), reply: JSON.parse(reply) } as Said<Reply>);
  }

  /** As an erasure does. */
  async erase(person: Person): Promise<boolean> {
    const erased = this.object().erase(person);
    await settled();
    return erased;
  }

  /** Nothing can be written or read while this is asked. */
  async whileBroken(ask: () => Promise<unknown>): Promise<void> {
    this.object();
    const life = this.life!;
    life.isBroken = true;
    await ask().catch(() => undefined);
    life.isBroken = false;
  }

  /** What is said of a freight, as the Worker hands it over. */
  async said(body: unknown) {
    const input = FreightInput.parse(body);
    return { said: saidOf(input, await locate({} as Env, input)) };
  }

  /** Nothing gets to say goodbye. */
  end(): void {
    if (this.life) this.life.isOver = true;
    this.living = undefined;
  }

  /** The life ends at one of its next calls of the storage. */
  endSoon(calls: number): void {
    this.object();
    this.life!.endsAfter = calls;
  }

  /** The platform is away: no alarm rings until it is back. */
  async away(milliseconds: number): Promise<void> {
    this.end();
    await this.timeline.to(this.timeline.passed + milliseconds);
  }

  /** Lets time pass, with alarms and timers as they come. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.timeline.passed + milliseconds;
    await settled();
    for (;;) {
      const next = Math.max(this.timeline.passed, Math.min(this.alarmAt ?? Infinity, this.timeline.next() ?? Infinity));
      if (next > end) break;
      await this.timeline.to(next);
      if (this.alarmAt !== undefined && this.alarmAt <= this.timeline.passed) await this.ring();
      await settled();
    }
    await this.timeline.to(end);
  }

  private object(): FreightObject {
    if (this.living && !this.life!.isOver) return this.living;
    const storage = new LifeStorage(this.disk, (at) => {
      this.alarmAt = at === null ? undefined : this.timeline.passed + Math.max(0, at - Date.now());
    });
    const ctx = { storage, blockConcurrencyWhile: (run: () => Promise<void>) => run() };
    this.life = storage;
    this.living = new FreightObject(ctx as never, this.env());
    return this.living;
  }

  private async ring(): Promise<void> {
    const scheduledTime = this.disk.alarm ?? Date.now();
    this.disk.alarm = null;
    this.alarmAt = undefined;
    const object = this.object();
    const rung = object.alarm({ isRetry: false, retryCount: 0, scheduledTime });
    rung.catch(() => undefined);
    await settled();
    // The platform runs an alarm once more whose life ended before it was through.
    if (this.life!.isOver && this.disk.alarm === null) {
      this.disk.alarm = Date.now();
      this.alarmAt = this.timeline.passed + 1;
    }
  }

  private env(): Env {
    const alone = <Object>(object: Object) => ({ getByName: () => object });
    return {
      SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
      COMPANIES: alone({ subscribers: async () => [{ id: "all", eventTypes: ["All"], since: "" }] }),
      SUBSCRIPTIONS: alone({ enqueue: async (events: Event[]) => this.hear(events) }),
      CHANGES: { send: async () => this.archive() },
      WORK: { send: async ({ work }: Job) => void this.works.push(work) },
    } as unknown as Env;
  }

  /** One that is handed over again is the same. */
  private hear(events: Event[]): "Taken" {
    const fresh = events.filter(({ id }) => !this.heard.some((known) => known.id === id));
    this.heard.push(...(fresh as typeof this.heard));
    return "Taken";
  }

  private async archive(): Promise<void> {
    if (this.isArchiveAway) throw new Error("The archive is away.");
    this.told++;
    const object = this.object();
    const projection = await object.projection();
    if (!projection) return;
    this.row = projection.row;
    await object.archived({ version: projection.version, upTo: projection.upTo });
  }
}
