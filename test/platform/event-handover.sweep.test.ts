import { afterEach, beforeEach, expect, test } from "vitest";
import { freightCommands as commands } from "../../src/areas/freights/commands.ts";
import type { Event } from "../../src/platform/decision.ts";
import { patience, seeded, seeds } from "../faults/seeds.ts";
import { SimulatedFreight } from "../support/simulated-freight.ts";
import { freight, minute } from "../support/freights.ts";

// Handover of events from an aggregate to its webhooks, which may fail or be slow.

const second = 1000;
let life: SimulatedFreight;

beforeEach(() => {
  life = new SimulatedFreight();
  life.webhooks.clear();
});

afterEach(() => life.close());

const said = async (comment: string) => life.said(freight({ externalNumber: "FR-1", internalComments: comment }));
const publish = async () => life.ask(commands.create, await said("version 1"));
const change = async (version: number) => life.ask(commands.replace, await said(`version ${version}`));

/** A simulated webhook object. It accepts events, fails, never answers, or answers late. */
class Webhook {
  is: "Well" | "Failing" | "Silent" | "Late" = "Well";
  readonly heard: Event[] = [];
  calls: number[] = [];

  constructor(id: string) {
    life.webhooks.set(id, (events) => this.enqueue(events));
  }

  /** The versions, in the order in which they first arrived. */
  get versions(): number[] {
    return this.heard.map(({ sequence }) => sequence);
  }

  private async enqueue(events: Event[]): Promise<"Taken"> {
    this.calls.push(life.timeline.passed);
    if (this.is === "Failing") throw new Error("The webhook is broken.");
    if (this.is === "Silent") return new Promise(() => undefined);
    if (this.is === "Late") await new Promise<void>((resolve) => life.timeline.after(15 * second, resolve));
    const known = new Set(this.heard.map(({ id }) => id));
    this.heard.push(...events.filter(({ id }) => !known.has(id)));
    return "Taken";
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test("each webhook receives all events in order under any failures and restarts", patience, async () => {
  const all = seeds(12, 1000);
  let calls = 0;
  for (const seed of all) {
    const random = seeded(seed);
    const webhooks = ["a", "b", "c"].map((id) => new Webhook(id));
    const moods = ["Well", "Well", "Failing", "Silent", "Late"] as const;
    await publish();
    let version = 1;
    for (let step = 0; step < 40; step++) {
      for (const webhook of webhooks) if (random() < 0.2) webhook.is = moods[Math.floor(random() * moods.length)]!;
      life.isCompanyAway = random() < 0.2;
      if (random() < 0.3) life.endSoon(Math.floor(random() * 40));
      if (random() < 0.6 && (await change(version + 1))) version++;
      await life.pass(Math.floor(random() * 40 * second));
    }
    life.end();
    life.isCompanyAway = false;
    for (const webhook of webhooks) webhook.is = "Well";
    await life.pass(11 * minute);
    for (const { versions } of webhooks) {
      expect(versions.length, `seed ${seed}`).toBeGreaterThanOrEqual(version);
      expect(versions, `seed ${seed}`).toEqual(upTo(versions.length));
    }
    calls += webhooks.reduce((sum, one) => sum + one.calls.length, 0);
    life.close();
    life = new SimulatedFreight();
    life.webhooks.clear();
  }
  expect(calls).toBeGreaterThan(50 * all.length);
});
