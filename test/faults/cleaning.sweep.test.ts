import { expect, test, vi } from "vitest";
import { isFull, patience } from "./seeds.ts";
import { hour, inWorlds, minute, type World } from "./simulated-world.ts";

// How long the delivery log of a webhook keeps entries, at different rates of events.

const second = 1000;
const day = 24 * hour;

/** Adds `count` events, on average `milliseconds` apart, in groups of `together`. */
async function eventsApart(world: World, milliseconds: number, count: number, together = 1): Promise<void> {
  for (let told = 0; told < count; told += together) {
    const events = Array.from({ length: together }, (_, place) => ({ key: `k${(told + place) % 60}` }));
    await world.tell(...events.map(({ key }) => ({ key, version: Date.now() })));
    await world.pass(milliseconds * together);
  }
}

const isOlder = "select count(*) as n from delivery where created < ?";
const olderThan = (world: World, milliseconds: number): number =>
  Number(world.disk.statement(isOlder).get(Date.now() - milliseconds)!["n"]);
/** Returns the age of the oldest delivery, in milliseconds. */
const ageOfOldest = (world: World): number =>
  Date.now() - Number(world.disk.statement("select created from delivery order by seq limit 1").get()!["created"]);
const countOf = (world: World, table: "delivery" | "attempt"): number =>
  Number(world.disk.statement(`select count(*) as n from ${table}`).get()!["n"]);

test("a steady flow of events does not postpone the cleanup of the delivery log", async () => {
  await inWorlds([1], {}, async (world) => {
    for (let batch = 0; batch < 50; batch++) {
      await world.tell(...Array.from({ length: 50 }, (_, place) => ({ key: `k${place}`, version: batch + 1 })));
      await world.pass(5 * second);
    }
    await world.pass(30 * day - 10 * minute);
    expect(countOf(world, "delivery")).toBe(2500);
    const rings = world.rings;
    await eventsApart(world, 25 * second, 60);
    expect(olderThan(world, day)).toBe(0);
    expect([countOf(world, "delivery"), countOf(world, "attempt")]).toEqual([60, 60]);
    expect(world.rings - rings).toBeGreaterThanOrEqual(30);
  });
});

// With `npm run test:faults -- --full`, the events come for 40 whole days, ten every ten seconds. In `npm run
// test:full`, they come only for 40 seconds of each day, one per second.
test("a webhook with an event every second for 40 days keeps no delivery older than 30 days", patience, async () => {
  await inWorlds([1], {}, async (world) => {
    const busy = isFull ? day : 40 * second;
    let oldest = 0;
    for (let days = 0; days < 40; days++) {
      for (let minutes = 0; minutes < busy / minute; minutes++) {
        await eventsApart(world, second, Math.min(60, busy / second - minutes * 60), isFull ? 10 : 1);
        world.arrived.length = world.accepted.length = 0;
        vi.clearAllMocks();
        oldest = Math.max(oldest, ageOfOldest(world));
      }
      await world.pass(day - busy);
    }
    expect(oldest).toBeLessThanOrEqual(30 * day);
    expect(olderThan(world, 30 * day)).toBe(0);
    // The cleanup keeps the deliveries of at least the last 29 days.
    expect(countOf(world, "delivery")).toBeGreaterThanOrEqual((29 * busy) / second);
    expect(countOf(world, "attempt")).toBe(countOf(world, "delivery"));
    const figures = { events: (40 * busy) / second, kept: countOf(world, "delivery"), rings: world.rings, oldest };
    if (isFull) process.stdout.write(`${JSON.stringify(figures)}\n`);
  });
});

test("an idle webhook is cleaned up on time and then sets no more alarms", async () => {
  await inWorlds([1], {}, async (world) => {
    await world.notify("it@tms.example");
    await world.tell({ key: "k1", version: 1 });
    await world.pass(29 * day);
    expect(countOf(world, "delivery")).toBe(1);
    const rings = world.rings;
    await world.pass(day + minute);
    expect([countOf(world, "delivery"), countOf(world, "attempt")]).toEqual([0, 0]);
    const mails = () => Number(world.disk.db.prepare("select count(*) as n from mail").get()!["n"]);
    expect(mails()).toBe(1);
    await world.pass(11 * day);
    expect(mails()).toBe(0);
    await world.pass(100 * day);
    expect(world.rings - rings).toBeLessThan(5);
  });
});

test("events that wait for a disabled webhook are dropped after 14 days and leave the log 30 days later", async () => {
  await inWorlds([1], { vars: { FAILURE_LIMIT: "1", FAILURE_MIN_AGE_S: "0" } }, async (world) => {
    world.answer = () => ({ status: 500 });
    await world.tell({ key: "k1", version: 1 }, { key: "k1", version: 2 });
    await world.pass(minute);
    expect(await world.health()).toMatchObject({ status: "Disabled", pending: 2 });
    world.kill();
    await world.pass(14 * day);
    expect([...(await world.states()).values()]).toEqual(["Dropped", "Dropped"]);
    await world.pass(30 * day);
    expect([countOf(world, "delivery"), countOf(world, "attempt")]).toEqual([0, 0]);
  });
});
