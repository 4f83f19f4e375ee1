import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LedgerObject } from "../../durable-objects/ledger.ts";
import { freightCommands as commands } from "../../src/areas/freights/commands.ts";
import { LifeStorage, Disk } from "../faults/platform/storage.ts";
import { runPendingPromises, Timeline } from "../faults/platform/timeline.ts";
import { SimulatedFreight } from "../support/simulated-freight.ts";
import { freight, hour, minute } from "../support/freights.ts";

// The expiry of replies that objects store for idempotency keys, in objects that get no further requests.

const petra = { name: "Petra Sondermann" };
describe("a stored reply", () => {
  let life: SimulatedFreight;

  beforeEach(() => {
    life = new SimulatedFreight();
  });

  afterEach(() => life.close());

  const publish = async (key: string, internalComments = "") =>
    life.ask(commands.create, await life.said(freight({ externalNumber: "FR-1", internalComments })), key);

  const look = (key: string) => life.ask(commands.read, {}, key);

  const keys = () => life.stored("answers").map(({ key }) => key);

  test("is returned for 24 hours, and deleted on time even without further requests", async () => {
    await publish("first");
    await life.pass(hour);
    await look("second");
    life.end();
    await life.pass(23 * hour - minute);
    expect(await look("first")).toMatchObject({ replayed: true });
    await life.pass(2 * minute);
    expect(keys()).toEqual(["second"]);
    life.end();
    await life.pass(hour);
    expect(keys()).toEqual([]);
  });

  test("that cannot be unsealed is refused and not executed again, and does not block an erasure", async () => {
    await publish("first", "Ask Petra Sondermann");
    life.end();
    life.vars = { SEAL_KEYS: `new:${randomBytes(32).toString("base64")}` };
    expect(await look("first")).toMatchObject({ refused: "idempotency_key_reused" });
    expect(await life.erase(petra)).toBe(true);
    expect(keys()).toEqual([]);
  });
});

test("the stored reply to a completed import is deleted on time", async () => {
  const company = "01a1f8ce-96ba-7fa1-b074-5747ca82ef51";
  const timeline = new Timeline();
  const timers = timeline.fakeTimers(() => () => true);
  try {
    const disk = new Disk();
    let alarm: number | null = null;
    const storage = new LifeStorage(disk, (at) => (alarm = at));
    const ctx = { storage, blockConcurrencyWhile: (run: () => Promise<void>) => run() };
    const ledger = new LedgerObject(ctx as never, {} as never);
    const kept = () => disk.db.prepare("select id from answer").all();
    await ledger.know(company, "vehicle", 1, undefined);
    await ledger.settle({ documentId: "invoice", wanted: { terms: {} }, lines: [] }, "first", undefined);
    expect(kept()).toHaveLength(1);
    await timeline.to(24 * hour + minute);
    expect(alarm).toBeLessThanOrEqual(Date.now());
    await ledger.alarm();
    await runPendingPromises();
    expect(kept()).toEqual([]);
  } finally {
    for (const timer of timers) timer.mockRestore();
    timeline.stop();
  }
});
