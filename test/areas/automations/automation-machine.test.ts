import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cancelled,
  failed,
  isPending,
  needsReview,
  queued,
  running,
  succeeded,
  type Automation,
  type Outcome,
  type Status,
} from "../../../src/areas/automations/model.ts";
import {
  cancelledBy,
  mostAttempts,
  mostFaults,
  mostRetries,
  retried,
  commands,
  type Result,
  type NextStep,
} from "../../../src/areas/automations/commands.ts";
import type { Decision, CommandContext, Refusal } from "../../../src/platform/decision.ts";
import { leaseMilliseconds } from "../../../src/platform/lease.ts";

/** For each status, the statuses to which it may change. */
const transitions: Record<Status, Status[]> = {
  [queued]: [running, succeeded, failed, needsReview, cancelled],
  [running]: [succeeded, failed, needsReview],
  [succeeded]: [],
  [failed]: [queued],
  [needsReview]: [succeeded, cancelled],
  [cancelled]: [],
};

const minute = 60_000;
const beginning = Date.parse("2026-11-24T08:00:00.000Z");

type Step = Decision<Automation, unknown, unknown> | Refusal;
type Took = Decision<Automation, unknown, { isMore: boolean }>;

/**
 * Simulates the aggregate of an automation. Each decision is one commit; a job stays pending until a decision completes
 * it.
 */
class World {
  now: Automation | undefined;
  version = 0;
  at = beginning;
  readers = 0;
  work = new Set<string>();
  told: string[] = [];

  perform<Ask>(decide: (state: Automation | undefined, ask: Ask, context: CommandContext) => unknown, ask: Ask): Step {
    const before = this.now;
    const step = decide(before, ask, this.moment()) as Step;
    if ("refused" in step) return step;
    if (step.state) {
      const { status } = step.state;
      if (before && before.status !== status && !transitions[before.status].includes(status))
        throw new Error(`There is no way from ${before.status} to ${status}.`);
      this.now = JSON.parse(JSON.stringify(step.state)) as Automation;
      this.version += 1;
    }
    for (const one of step.jobs ?? []) this.work.add(one);
    for (const one of step.completedJobs ?? []) if (!step.jobs?.includes(one)) this.work.delete(one);
    this.told.push(...((step.events ?? []) as { status: string }[]).map(({ status }) => status));
    return step;
  }

  moment(): CommandContext {
    return {
      at: new Date(this.at).toISOString(),
      company: "c",
      id: "a",
      version: this.version + 1,
      address: "",
      secret: () => "",
    };
  }
}

const outcome = (entered: boolean): Outcome => ({
  matchStatus: entered ? "Matched" : "VehicleUnknown",
  confidence: entered ? 0.94 : 0,
  evidence: [],
  candidates: [],
  entered,
});

const made = (fines: number): World => {
  const world = new World();
  world.perform(commands.create.decide, {
    items: Array.from({ length: fines }, (_, at) => ({ fine: { reference: `${at}` } })),
  });
  return world;
};

/** Begins a run with a new token, and returns its next step. */
const begun = (world: World): NextStep & { token: string } => {
  const token = `reader ${++world.readers}`;
  const step = world.perform(commands.begin.decide, { token });
  return { ...(("reply" in step ? step.reply : { go: "Done" }) as NextStep), token };
};

const resultsFor = (turn: NextStep, entered: boolean): Result[] =>
  turn.go === "Match"
    ? turn.items.map(({ index, item }) => ({ index, fine: item.fine, outcome: outcome(entered) }))
    : [];

describe("an automation's state machine", () => {
  test("reaches a final status after any sequence of interruptions, by allowed transitions only", () => {
    const action = fc.constantFrom(
      "turn",
      "entered",
      "break",
      "kill",
      "taken over",
      "late",
      "retry",
      "cancel",
      "resolve",
      "time",
      "again",
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.array(action, { maxLength: 60 }), (fines, actions) => {
        const world = made(fines);
        let last: { token: string; results: Result[] } | undefined;
        for (const one of actions) {
          const before = JSON.stringify(world.now!.items.map(({ outcome: known }) => known ?? null));
          if (one === "turn" || one === "entered") {
            const turn = begun(world);
            last = { token: turn.token, results: resultsFor(turn, one === "entered") };
            if (turn.go === "Match") world.perform(commands.took.decide, { ...last, goesOn: true });
          } else if (one === "break") {
            const { go, token } = begun(world);
            if (go === "Match") world.perform(commands.release.decide, { token });
          } else if (one === "kill") {
            const turn = begun(world);
            if (turn.go === "Match") last = { token: turn.token, results: resultsFor(turn, true) };
            world.at += leaseMilliseconds;
          } else if (one === "taken over") {
            const turn = begun(world);
            world.at += leaseMilliseconds;
            const isTaken = begun(world).go === "Match";
            const results = resultsFor(turn, true);
            const { reply } = world.perform(commands.took.decide, {
              token: turn.token,
              results,
              goesOn: false,
            }) as Took;
            const isCounted = world.now!.items.some(({ attempts }) => attempts);
            if (isTaken && (reply.isMore || !isCounted)) throw new Error("The late result counted.");
          } else if (one === "late" && last) {
            world.perform(commands.took.decide, { ...last, goesOn: false });
          } else if (one === "retry") world.perform((state, _: object, context) => retried(state, context), {});
          else if (one === "cancel") world.perform((state, _: object, context) => cancelledBy(state, context), {});
          else if (one === "resolve") {
            const left = world.now!.items.flatMap((item, index) =>
              item.outcome && !item.outcome.entered && !item.resolution ? [index] : [],
            );
            world.perform(commands.resolve.decide, {
              items: left.slice(0, 3).map((index) => ({ index, action: "Dismiss" as const })),
            });
          } else if (one === "time") world.at += 3 * minute;
          else world.perform(commands.create.decide, { items: [] });
          const after = world.now!.items.map(({ outcome: known }) => known ?? null);
          const known = (JSON.parse(before) as (Outcome | null)[]).map((one, index) =>
            world.now!.items[index]!.resolution ? after[index] : (one ?? after[index]),
          );
          expect(after).toEqual(known);
          expect(world.now!.items).toHaveLength(fines);
        }
        for (let turn = 0; world.work.has("automations.run"); turn++) {
          expect(turn).toBeLessThan(fines * mostAttempts + mostFaults + 5);
          const next = begun(world);
          const results = resultsFor(next, true);
          if (next.go === "Match") world.perform(commands.took.decide, { token: next.token, results, goesOn: true });
          world.at += 3 * minute;
        }
        expect([succeeded, failed, needsReview, cancelled]).toContain(world.now!.status);
        expect(world.now!.status === needsReview || world.now!.status === succeeded).toBe(
          world.now!.status !== failed && world.now!.status !== cancelled,
        );
        expect(world.now!.status === succeeded && world.now!.items.some(isPending)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('sets a fine that crashes every run to "needs review", and assigns the others', () => {
    const world = made(60);
    const poison = 7;
    let turns = 0;
    while (world.now!.status < succeeded) {
      expect(++turns).toBeLessThan(80);
      const turn = begun(world);
      if (turn.go !== "Match") continue;
      if (turn.items.some(({ index }) => index === poison)) world.at += leaseMilliseconds;
      else world.perform(commands.took.decide, { token: turn.token, results: resultsFor(turn, true), goesOn: true });
    }
    expect(world.now).toMatchObject({ status: needsReview });
    expect(world.now!.items.filter(({ outcome: known }) => known?.entered)).toHaveLength(59);
    expect(world.now!.items[poison]!.outcome).toMatchObject({
      matchStatus: null,
      entered: false,
      errorCode: "processing_failed",
    });
    expect(world.told).toEqual(["NeedsReview"]);
  });

  test("fails after repeated internal errors, and can be retried five times", () => {
    const world = made(3);
    for (let time = 0; time <= mostRetries; time++) {
      for (let fault = 0; fault < mostFaults; fault++) {
        const { go, token } = begun(world);
        expect(go).toBe("Match");
        world.perform(commands.release.decide, { token });
      }
      expect(begun(world).go).toBe("Done");
      expect(world.now).toMatchObject({ status: failed, errorCode: "engine_unavailable" });
      const again = world.perform((state, _: object, context) => retried(state, context), {});
      expect("refused" in again).toBe(time === mostRetries);
    }
    expect(world.told).toEqual(Array.from({ length: mostRetries + 1 }, () => "Failed"));
  });

  test("never processes a fine in two concurrent runs: the second run is refused as busy", () => {
    const world = made(3);
    const first = begun(world);
    expect([first.go, begun(world).go]).toEqual(["Match", "Busy"]);
    world.at += leaseMilliseconds - 1;
    const renew = { token: first.token };
    expect(world.perform(commands.renew.decide, renew)).toMatchObject({ keepsVersion: true, reply: { isHeld: true } });
    world.at += leaseMilliseconds - 1;
    expect(begun(world).go).toBe("Busy");
    world.at += 1;
    expect(begun(world).go).toBe("Match");
    expect(world.perform(commands.renew.decide, renew)).toMatchObject({ reply: { isHeld: false } });
    expect(world.now!.items.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
  });

  test("restarts a run that an earlier release began, and ignores its attempt counts", () => {
    const world = made(3);
    begun(world);
    const items = world.now!.items.map((item) => ({ ...item, attempts: mostAttempts }));
    const lease = { life: "first", until: new Date(world.at + minute).toISOString(), indexes: [0, 1, 2] } as never;
    world.now = { ...world.now!, items, lease };
    expect(begun(world)).toMatchObject({ go: "Match", items: [{ index: 0 }, { index: 1 }, { index: 2 }] });
  });

  test("replies to a decision on a large automation with the decided fines only", () => {
    const world = made(300);
    for (let turn = begun(world); turn.go === "Match"; turn = begun(world))
      world.perform(commands.took.decide, { token: turn.token, results: resultsFor(turn, false), goesOn: true });
    const step = world.perform(commands.resolve.decide, { items: [{ index: 7, action: "Dismiss" }] });
    expect(step).toMatchObject({
      reply: { status: needsReview, data: { items: [{ index: 7 }], counts: { total: 300, needsReview: 299 } } },
    });
    const cancel = world.perform((state, _: object, context) => cancelledBy(state, context), {});
    expect(cancel).toMatchObject({ reply: { status: cancelled, data: { items: [], counts: { total: 300 } } } });
  });

  test("gives up on a document that is never extracted", () => {
    const world = new World();
    world.perform(commands.create.decide, { items: [{ documentId: "d", fine: {} }] });
    let turns = 0;
    while (world.now!.status < succeeded) {
      expect(++turns).toBeLessThan(100);
      const { go, token } = begun(world);
      if (go === "Match")
        world.perform(commands.took.decide, { token, results: [{ index: 0, waits: true }], goesOn: true });
    }
    expect(world.now!.items[0]!.outcome).toMatchObject({ matchStatus: null, errorCode: "engine_timeout" });
  });
});
