import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  after,
  healthy,
  mayBeSent,
  resetTo,
  statusOf,
  type Ended,
  type Health,
  type Limits,
  type Transition,
} from "../../../src/areas/webhooks/health.ts";
import { attemptsInAll, retryAfterIn, waitAfter } from "../../../src/areas/webhooks/retry-policy.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-11-20T09:00:00.000Z");
const limits: Limits = { failures: 20, failuresForMilliseconds: 24 * hour };

/** Applies the attempts one after the other. Each has a time, in milliseconds after the start, and a result. */
function played(ends: [number, Partial<Ended>][], using = limits) {
  let health: Health = healthy(1, start);
  const told: Transition[] = [];
  for (const [at, ended] of ends) {
    const next = after(
      health,
      { epoch: health.epoch, kind: "Scheduled", outcome: "Failed", ...ended },
      start + at,
      using,
      0.5,
    );
    health = next.health;
    told.push(...next.tell);
  }
  return { health, told, status: statusOf(health) };
}

const failures = (count: number, every: number): [number, Partial<Ended>][] =>
  Array.from({ length: count }, (_, index) => [index * every, {}]);

describe("a webhook", () => {
  test.each<[string, [number, Partial<Ended>][], string, number]>([
    ["no attempt", [], "Active", 0],
    ["two failures", failures(2, minute), "Active", 2],
    ["three failures", failures(3, minute), "Failing", 3],
    ["two failures over ten minutes", failures(2, 10 * minute), "Failing", 2],
    ["four failures and a success", [...failures(4, minute), [hour, { outcome: "Delivered" }]], "Active", 0],
    ["a hundred failures in an hour", failures(100, minute / 2), "Failing", 100],
    ["nineteen failures in a day", failures(19, 1.4 * hour), "Failing", 19],
    ["twenty failures in a day", failures(20, 1.3 * hour), "Disabled", 20],
    ["a 410", [[0, { status: 410 }]], "Disabled", 1],
    [
      "the last failed attempt after three days",
      [
        [0, {}],
        [72 * hour, { exhausted: true }],
      ],
      "Disabled",
      2,
    ],
    [
      "the last failed attempt after two days",
      [
        [0, {}],
        [48 * hour, { exhausted: true }],
      ],
      "Failing",
      2,
    ],
    [
      "a 410 and a success",
      [
        [0, { status: 410 }],
        [1, { outcome: "Delivered" }],
      ],
      "Disabled",
      0,
    ],
  ])("has the expected status and failure count after: %s", (_, ends, status, failed) => {
    const { health, status: said } = played(ends);
    expect({ said, failures: health.failures }).toEqual({ said: status, failures: failed });
  });

  test.each<[string, Partial<Ended>]>([
    ["of an earlier epoch", { epoch: 0 }],
    ["that is sent manually", { kind: "Manual" }],
    ["for a test", { kind: "Test" }],
    ["that the service refuses to send", { outcome: "Refused" }],
    ["with an unknown outcome", { outcome: "Unknown" }],
  ])("ignores an attempt %s", (_, ended) => {
    const before = played(failures(4, minute));
    const now = played([...failures(4, minute), [hour, ended]]);
    expect({ ...now.health, clock: 0 }).toEqual({ ...before.health, clock: 0 });
  });

  test("reports each of these once: failing, half of the limit reached, disabled, recovered", () => {
    expect(played(failures(9, 3 * minute)).told).toEqual(["Failing"]);
    expect(played(failures(21, 1.3 * hour)).told).toEqual(["Failing", "HalfWay", "Disabled"]);
    const twice = [...failures(9, 3 * minute), [hour, { outcome: "Delivered" }]] as [number, Partial<Ended>][];
    expect(
      played([...twice, ...twice.map(([at, ended]) => [at + 2 * hour, ended] as [number, Partial<Ended>])]).told,
    ).toEqual(["Failing", "Recovered", "Failing", "Recovered"]);
  });

  test("also reports the recovery after a reset", () => {
    const { health } = played([[0, { status: 410 }]]);
    const again = resetTo(2, health, start + hour);
    const first = after(again, { epoch: 2, kind: "Scheduled", outcome: "Delivered" }, start + hour, limits, 0.5);
    expect(first.tell).toEqual(["Recovered"]);
    const second = after(
      first.health,
      { epoch: 2, kind: "Scheduled", outcome: "Delivered" },
      start + hour,
      limits,
      0.5,
    );
    expect(second.tell).toEqual([]);
  });

  test("ignores a clock that is set back", () => {
    const { health } = played([
      [0, {}],
      [25 * hour, {}],
      [-100 * hour, {}],
    ]);
    expect(health.clock).toBe(start + 25 * hour);
    expect(statusOf(health)).toBe("Failing");
  });
});

describe("the circuit breaker", () => {
  const open = (ends: [number, Partial<Ended>][]) => played(ends).health;

  test("opens after five failures in a row, and lets one attempt through after half a minute", () => {
    const health = open(failures(5, 0));
    expect(mayBeSent(health, start, 6)).toBe(0);
    expect(mayBeSent(health, start + 30_000, 6)).toBe(1);
    expect(mayBeSent(open(failures(4, 0)), start, 6)).toBe(6);
  });

  test("waits longer after each failed probe, ten minutes at most", () => {
    let health = open(failures(5, 0));
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const { breaker } = health;
      if (breaker.is !== "Open") throw new Error("It is not open.");
      waits.push(breaker.until - health.clock);
      health = after(health, { epoch: 1, kind: "Scheduled", outcome: "Failed" }, breaker.until, limits, 0.5).health;
    }
    expect(waits).toEqual([0.5, 1, 2, 4, 8, 10, 10, 10].map((minutes) => minutes * minute));
  });

  test("closes after five successes, one at a time", () => {
    const good = (count: number): [number, Partial<Ended>][] =>
      Array.from({ length: count }, (_, index) => [minute + index, { outcome: "Delivered" }]);
    expect(mayBeSent(open([...failures(5, 0), ...good(4)]), start + hour, 6)).toBe(1);
    expect(mayBeSent(open([...failures(5, 0), ...good(5)]), start + hour, 6)).toBe(6);
    expect(mayBeSent(open([...failures(5, 0), ...good(3), [2 * minute, {}]]), start + 2 * minute, 6)).toBe(0);
  });
});

describe("the retry schedule", () => {
  test("has ten attempts over three days, each wait within a fifth of its length", () => {
    expect(attemptsInAll).toBe(10);
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    fc.assert(
      fc.property(fc.nat(12), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const wait = waitAfter(attempts, {}, random) ?? 0;
        const base = seconds[attempts] ?? 0;
        expect(Math.abs(wait - base * 1000)).toBeLessThanOrEqual(base * 200 + 1);
      }),
    );
    expect(waitAfter(9, {}, 0)).toBeUndefined();
  });

  test.each<[string, number, Parameters<typeof waitAfter>[1], number]>([
    ["a Retry-After of a minute", 0, { retryAfter: minute }, minute],
    ["a Retry-After of a day", 0, { retryAfter: 24 * hour }, hour],
    ["a Retry-After of a day at a late attempt", 4, { retryAfter: 24 * hour }, 10 * hour],
    ["a Retry-After that is shorter than the wait", 2, { retryAfter: 1000 }, 30 * minute],
    ["a 429", 0, { status: 429 }, minute],
    ["a timeout", 0, { timedOut: true }, minute],
    ["a 429 at a late attempt", 2, { status: 429 }, 30 * minute],
  ])("waits the expected time after %s", (_, attempts, failure, expected) => {
    expect(waitAfter(attempts, failure, 0.5)).toBe(expected);
  });

  test.each<[string | null, number | undefined]>([
    ["0", 0],
    ["5", 5000],
    [" 86400 ", 86_400_000],
    ["Fri, 20 Nov 2026 09:00:10 GMT", 10_000],
    ["Fri, 20 Nov 2020 09:00:10 GMT", 0],
    ["-5", undefined],
    ["1e9", undefined],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
  ])("reads the Retry-After %j as %s milliseconds", (header, expected) => {
    expect(retryAfterIn(header, start)).toBe(expected);
  });
});
