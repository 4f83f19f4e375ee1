import { describe, expect, test } from "vitest";
import { findViolations } from "./delivery-rules.ts";
import type { Answer, Arrived } from "./platform/receivers.ts";
import { patience, seeds } from "./seeds.ts";
import { hour, inWorlds, minute, type World } from "./simulated-world.ts";

// Behaviour of receivers, in simulated time.

const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000);
const down = (world: World, milliseconds: number) => () =>
  ({ status: world.timeline.passed < milliseconds ? 500 : 200 }) as Answer;
const waitsOf = (arrived: readonly Arrived[]) =>
  arrived.slice(1).map(({ at }, index) => at - arrived[index]!.at - (arrived[index]!.answer.after ?? 20));

describe("a receiver that responds with 500", () => {
  test.each([
    ["ten minutes", 10 / 60, 0, 0],
    ["a day", 24, 0, 0],
    ["80 hours", 80, 0.5, 1],
    ["weeks", 400, 1, 1],
  ])("for %s is retried by the schedule, ten times at most", patience, async (_, hours, least, most) => {
    let exhausted = 0;
    await inWorlds(seeds(20, 1000), {}, async (world) => {
      world.answer = down(world, hours * hour);
      await world.tell({ key: "a", version: 1 });
      await world.pass(100 * hour);
      for (const [index, wait] of waitsOf(world.arrived).entries()) {
        expect(wait).toBeGreaterThanOrEqual(schedule[index]! * 0.8 - 1);
        expect(wait).toBeLessThanOrEqual(schedule[index]! * 1.2 + 1000);
      }
      const states = await world.states();
      const [first, last] = [world.arrived[0]!, world.arrived.at(-1)!];
      const isExhausted = world.arrived.length === 10 && last.answer.status === 500;
      exhausted += Number(isExhausted);
      expect([...states.values()]).toEqual([isExhausted ? "Exhausted" : "Delivered"]);
      expect(findViolations({ ...world, states, mayExhaust: true })).toEqual([]);
      const isSpent = isExhausted && last.at - first.at >= 72 * hour;
      expect((await world.health()).status).toBe(isSpent ? "Disabled" : isExhausted ? "Failing" : "Active");
    });
    const part = exhausted / seeds(20, 1000).length;
    expect(part >= least && part <= most).toBe(true);
  });

  test("is disabled after twenty consecutive failures over at least a day, and not before", patience, async () => {
    let late = 0;
    await inWorlds(seeds(10, 300), {}, async (world) => {
      world.answer = () => ({ status: 500 });
      const every = world.random() < 0.5 ? 5 * minute : 2 * hour;
      for (let version = 1; (await world.health()).status !== "Disabled"; version++) {
        const { arrived } = world;
        const [first, last] = [arrived[0]?.at ?? 0, arrived.at(-1)?.at ?? 0];
        // The webhook must be disabled after twenty failures over a day. A failure counts when the response arrives,
        // after 20 ms.
        const isDue = arrived.length >= 20 && last + 20 - (first + 20) >= 24 * hour;
        expect(isDue && world.timeline.passed - last >= 2 * every).toBe(false);
        expect(version).toBeLessThan(2000);
        await world.tell({ key: `k${version % 7}`, version });
        await world.pass(every);
      }
      const { arrived } = world;
      expect(arrived.length).toBeGreaterThanOrEqual(20);
      expect(arrived.at(-1)!.at - arrived[0]!.at).toBeGreaterThanOrEqual(24 * hour - 1);
      late += Number(arrived.length > 20);
      const soFar = arrived.length;
      await world.tell({ key: "more", version: 1 });
      await world.pass(3 * hour);
      expect(arrived.length).toBe(soFar);
      expect(findViolations({ ...world, states: await world.states(), isOver: true })).toEqual([]);
    });
    expect(late).toBeGreaterThan(0);
  });
});

test("a receiver whose responses are lost gets the same id again, and after deduplication each event once", async () => {
  let repeated = 0;
  await inWorlds(seeds(15, 1000), {}, async (world) => {
    const often = 0.05 + world.random() * 0.45;
    world.answer = () => (world.random() < often ? { lost: true, after: 20 } : { status: 200 });
    for (let version = 1; version <= 5; version++)
      await world.tell(...Array.from({ length: 8 }, (_, key) => ({ key: `k${key}`, version })));
    expect(await world.drained(30 * hour, 10 * minute)).toBe(true);
    expect(findViolations({ ...world, states: await world.states() })).toEqual([]);
    repeated += world.arrived.length - new Set(world.arrived.map(({ id }) => id)).size;
  });
  expect(repeated).toBeGreaterThan(0);
});

describe("Retry-After", () => {
  test.each<[string, (now: number) => string, number]>([
    ["0", () => "0", 60_000],
    ["5", () => "5", 60_000],
    ["a day", () => "86400", hour],
    ["a date", (now) => new Date(now + 10 * minute).toUTCString(), 10 * minute],
    ["garbage", () => "soon", 60_000],
    ["negative", () => "-5", 60_000],
  ])("of %s is respected, within bounds", async (_, header, expected) => {
    await inWorlds(seeds(5, 50), {}, async (world) => {
      world.answer = () =>
        world.arrived.length === 0 ? { status: 429, headers: { "retry-after": header(Date.now()) } } : { status: 200 };
      await world.tell({ key: "a", version: 1 });
      await world.pass(3 * hour);
      const [wait] = waitsOf(world.arrived);
      expect(wait).toBeGreaterThanOrEqual(expected - 1000);
      expect(wait).toBeLessThanOrEqual(expected * 1.02 + 1000);
    });
  });
});

test("a receiver that responds with 410 is disabled at once, one mail is sent, and its events are kept", async () => {
  await inWorlds(seeds(5, 20), {}, async (world) => {
    world.answer = () => ({ status: 410 });
    await world.notify("it@tms.example");
    await world.tell({ key: "a", version: 1 }, { key: "b", version: 1 });
    await world.pass(hour);
    await world.tell({ key: "a", version: 2 });
    await world.pass(hour);
    expect(await world.health()).toMatchObject({ status: "Disabled", disabledBecause: "Gone", pending: 3 });
    expect(world.mails.filter(({ subject }) => subject.includes("is disabled"))).toHaveLength(1);
    expect(world.arrived.length).toBeLessThanOrEqual(2);
    world.answer = () => ({ status: 200 });
    await world.reset();
    expect(await world.drained(hour)).toBe(true);
    expect(findViolations({ ...world, states: await world.states() })).toEqual([]);
  });
});

describe("fifty orders and a receiver that fails at random", () => {
  const changes = async (world: World, keys: number, versions: number) => {
    for (let version = 1; version <= versions; version++)
      for (let key = 0; key < keys; key++) await world.tell({ key: `k${key}`, version });
  };

  test("the events of each order arrive in order", patience, async () => {
    let failed = 0;
    await inWorlds(seeds(15, 1000), {}, async (world) => {
      const often = world.random() * 0.5;
      world.answer = () => ({ status: world.random() < often ? 500 : 200, after: Math.floor(world.random() * 3000) });
      await changes(world, 50, 4);
      expect(await world.drained(400 * hour, 10 * minute)).toBe(true);
      expect(findViolations({ ...world, states: await world.states(), mayExhaust: true })).toEqual([]);
      failed += world.arrived.filter(({ answer }) => answer.status === 500).length;
    });
    expect(failed).toBeGreaterThan(0);
  });

  test("a failing order does not delay the others, and its next event reports a gap", async () => {
    await inWorlds(seeds(5, 50), {}, async (world) => {
      world.answer = ({ key, version }) => ({ status: key === "k0" && version === 1 ? 500 : 200 });
      await changes(world, 50, 3);
      await world.pass(minute);
      const others = world.arrived.filter(({ key }) => key !== "k0");
      expect(others).toHaveLength(49 * 3);
      expect(world.arrived.filter(({ key, version }) => key === "k0" && version > 1)).toEqual([]);
      for (let version = 4; version < 14; version++) {
        await world.tell({ key: "k1", version });
        await world.pass(10 * hour);
      }
      expect((await world.health()).pending).toBe(0);
      const of = world.arrived.filter(({ key }) => key === "k0");
      expect(of.map(({ version, gap }) => (gap ? -version : version))).toEqual([...Array(10).fill(1), -2, 3]);
      expect((await world.health()).status).toBe("Active");
    });
  });

  test("the check detects events that arrive out of order", async () => {
    await inWorlds([1], {}, async (world) => {
      await changes(world, 3, 3);
      await world.pass(minute);
      const states = await world.states();
      const { accepted, arrived } = world;
      expect(findViolations({ accepted, arrived, states })).toEqual([]);
      expect(findViolations({ accepted, arrived: arrived.toReversed(), states })).not.toEqual([]);
      expect(findViolations({ accepted, arrived: arrived.slice(1), states })).toHaveLength(1);
      expect(findViolations({ accepted: accepted.slice(1), arrived, states })).toHaveLength(1);
      expect(findViolations({ accepted, arrived, states: new Map() })).toHaveLength(9);
    });
  });
});
