import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { after, healthy, mayBeSent, resetTo, type Limits } from "../../../src/areas/webhooks/health.ts";
import { seeded } from "../../faults/seeds.ts";

// A webhook's health after attempts, resets, crashes, and late or repeated results in random order.

interface Running {
  id: number;
  epoch: number;
  ok: boolean;
}

/**
 * Runs random steps. `fenced`: whether a result counts only for the epoch of its attempt. @returns the violated
 * invariants
 */
function violations(random: () => number, steps: number, fenced: boolean): string[] {
  const few: Limits = { failures: 5, failuresForMilliseconds: 0 };
  let health = healthy(1, 0);
  let running: Running[] = [];
  let ids = 0;
  let bad = random();
  const recorded: Running[] = [];
  const seen = new Set<number>();
  const found: string[] = [];
  const record = (attempt: Running) => {
    if (seen.has(attempt.id)) return;
    seen.add(attempt.id);
    recorded.push(attempt);
    const epoch = fenced ? attempt.epoch : health.epoch;
    health = after(
      health,
      { epoch, kind: "Scheduled", outcome: attempt.ok ? "Delivered" : "Failed" },
      ids,
      few,
      0.5,
    ).health;
  };
  for (let step = 0; step < steps; step++) {
    const act = random();
    if (act < 0.45) {
      if (running.length < Math.max(1, mayBeSent(health, Infinity, 6)) && !health.disabled)
        running.push({ id: ++ids, epoch: health.epoch, ok: random() >= bad });
    } else if (act < 0.82 && running.length > 0) {
      const [attempt] = running.splice(Math.floor(random() * running.length), 1);
      record(attempt!);
      if (random() < 0.05) record(attempt!);
    } else if (act < 0.88) health = resetTo(health.epoch + 1, health, ids);
    else if (act < 0.92) running = [];
    else bad = random();
    const own = recorded.filter(({ epoch }) => epoch === health.epoch);
    const streak = own.length - 1 - own.findLastIndex(({ ok }) => ok);
    if (health.failures !== streak) found.push("the count is not that of the failures since the reset");
    if (health.disabled && own.filter(({ ok }) => !ok).length < few.failures)
      found.push("disabled without enough failures");
  }
  return found;
}

describe("10,000 seeds of 200 steps", () => {
  const broken = (seed: number, fenced: boolean) => violations(seeded(seed), 200, fenced);

  test("never count attempts that began before a reset", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(broken(seed, true)).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  });

  test("find violations if such attempts are counted", () => {
    const shown = fc.sample(fc.integer(), 200).filter((seed) => broken(seed, false).length > 0);
    expect(shown.length).toBeGreaterThan(100);
  });
});
