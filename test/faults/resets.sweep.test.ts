import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { failuresInARow, findViolations } from "./delivery-rules.ts";
import { isFull, patience, seeds } from "./seeds.ts";
import { hour, inWorlds, minute, secretOf, type World } from "./simulated-world.ts";

// Changes to a webhook while deliveries are in progress.

/**
 * Does a random step: adds an event, advances time, resets or moves the webhook, stops the object, or changes the
 * failure rate.
 */
async function step(world: World, walk: Walk): Promise<void> {
  const by = world.random();
  if (by < 0.45) await world.tell({ key: `k${Math.floor(world.random() * 12)}`, version: ++walk.versions });
  else if (by < 0.8) await world.pass(Math.floor(world.random() * 40_000));
  else if (by < 0.86) {
    walk.epoch++;
    await (world.random() < 0.5 ? world.reset() : world.move());
  } else if (by < 0.9) world.kill();
  else walk.bad = world.random();
}

interface Walk {
  epoch: number;
  bad: number;
  versions: number;
  /** Attempts whose response arrived before the object was stopped, in the order of the responses. */
  ended: { isGood: boolean; epoch: number }[];
}

/** Makes the receiver respond with random delays. Records the responses that arrive before the object is stopped. */
function watched(world: World): Walk {
  const walk: Walk = { epoch: 1, bad: world.random(), versions: 0, ended: [] };
  world.answer = () => {
    const isGood = world.random() >= walk.bad;
    const after = Math.floor(world.random() * 10_000);
    const { lives } = world;
    const { epoch } = walk;
    world.timeline.after(after, () => {
      if (world.lives === lives && world.isAlive) walk.ended.push({ isGood, epoch });
    });
    return { status: isGood ? 200 : 500, after };
  };
  return walk;
}

describe("a walk of 200 random steps", () => {
  const vars = { FAILURE_LIMIT: "5", FAILURE_MIN_AGE_S: "0" };

  test("counts only the failures since the last reset", patience, async () => {
    const [found, all] = [{ crashes: 0, disabled: 0, otherwise: 0 }, seeds(20, 2000)];
    await inWorlds(all, { vars }, async (world) => {
      const walk = watched(world);
      let differs = false;
      for (let turn = 0; turn < 200; turn++) {
        await step(world, walk);
        const { failureCount, status } = await world.health();
        const counted = failuresInARow(walk.ended, walk.epoch);
        expect(failureCount).toBe(counted);
        const failed = walk.ended.filter(({ epoch, isGood }) => epoch === walk.epoch && !isGood).length;
        expect(status === "Disabled" && failed < 5).toBe(false);
        found.disabled += Number(status === "Disabled");
        differs ||=
          counted !==
          failuresInARow(
            walk.ended.map((one) => ({ ...one, epoch: 1 })),
            1,
          );
      }
      found.crashes += world.lives - 1;
      found.otherwise += Number(differs);
      world.answer = () => ({ status: 200 });
      await world.reset();
      expect(await world.drained(30 * hour, 10 * minute)).toBe(true);
      expect(findViolations({ ...world, states: await world.states(), mayExhaust: true })).toEqual([]);
    });
    expect(found.crashes).toBeGreaterThan(all.length);
    expect(found.disabled).toBeGreaterThan(all.length);
    // Checks that this test can fail: in more than half of the walks, the failures in a row would be others without
    // resets.
    expect(found.otherwise).toBeGreaterThan(all.length / 2);
  });
});

/** Starts six attempts that will end with `status`. */
async function sixUnderWay(world: World, status: number): Promise<void> {
  world.answer = () => ({ status, after: 5000 });
  for (let key = 0; key < 6; key++) await world.tell({ key: `k${key}`, version: 1 });
  expect(world.arrived).toHaveLength(6);
  await world.pass(1000);
}

describe("while six attempts are in progress", () => {
  const all = seeds(20, 300);

  test.each([500, 200])("a reset leaves the failure count at zero when they end with %d", async (status) => {
    await inWorlds(all, {}, async (world) => {
      await sixUnderWay(world, status);
      await Promise.all([world.reset(), world.reset()]);
      world.answer = () => ({ status: 200 });
      await world.pass(4500);
      expect(await world.health()).toMatchObject({ failureCount: 0, status: "Active" });
      expect(await world.drained(hour)).toBe(true);
      expect(world.arrived).toHaveLength(status === 200 ? 6 : 12);
      expect(findViolations({ ...world, states: await world.states() })).toEqual([]);
    });
  });

  test("a deletion discards their results, and no further attempt begins", async () => {
    await inWorlds(all, {}, async (world) => {
      await sixUnderWay(world, world.random() < 0.5 ? 500 : 200);
      await world.tell({ key: "k0", version: 2 });
      await world.remove();
      if (world.random() < 0.3) world.kill();
      await world.pass(100 * hour);
      expect(world.arrived).toHaveLength(6);
      expect(await world.states()).toEqual(new Map());
      await world.tell({ key: "k9", version: 1 });
      expect(world.accepted).toHaveLength(7);
    });
  });

  test("a new secret signs the retries, together with the old one", async () => {
    await inWorlds(all, {}, async (world) => {
      await sixUnderWay(world, 500);
      await world.reset(2);
      world.answer = ({ signed, signatures }) => {
        expect(signatures).toHaveLength(2);
        for (const number of [1, 2]) new Webhook(secretOf(number)).verify(signed.body, signed.headers);
        const onlyFirst = { ...signed.headers, "webhook-signature": signatures[0]! };
        expect(() => new Webhook(secretOf(1)).verify(signed.body, onlyFirst)).toThrow("No matching signature");
        return { status: 200 };
      };
      expect(await world.drained(hour)).toBe(true);
      expect(world.arrived).toHaveLength(12);
    });
  });

  test("an address that was removed from the notifications gets no pending mail", async () => {
    await inWorlds(all, {}, async (world) => {
      await world.notify("gone@tms.example", "stays@tms.example");
      await sixUnderWay(world, 410);
      await world.notify("stays@tms.example");
      await world.pass(hour);
      const warned = world.mails.filter(({ subject }) => subject.includes("is disabled")).map(({ to }) => to);
      expect(warned).toEqual(["stays@tms.example"]);
    });
  });
});

describe("events that wait for a reset", () => {
  const disabled = async (world: World) => {
    world.answer = () => ({ status: 410 });
    await world.tell({ key: "first", version: 1 });
    await world.pass(minute);
  };

  test("are delivered in order, ten per second", patience, async () => {
    // In the full run, these events and those that are already waiting are as many as a disabled webhook keeps.
    const many = isFull ? 99_950 : 2000;
    await inWorlds([1], {}, async (world) => {
      await disabled(world);
      const calls: number[] = [];
      const timed = async (call: () => Promise<unknown>) => {
        const began = performance.now();
        await call();
        calls.push(performance.now() - began);
      };
      for (let number = 0; number < many; number += 50)
        await timed(() =>
          world.tell(
            ...Array.from({ length: 50 }, (_, more) => ({
              key: `k${(number + more) % 999}`,
              version: number + more + 1,
            })),
          ),
        );
      world.answer = () => ({ status: 200 });
      const [from, began] = [world.arrived.length, world.timeline.passed];
      await timed(() => world.reset());
      for (let second = 0; second < many / 10 + 60; second += 60) {
        await world.pass(minute);
        await timed(() => world.health());
      }
      expect((await world.health()).pending).toBe(0);
      const out = world.arrived.slice(from);
      expect(out.map(({ version }) => version)).toEqual([
        1,
        ...Array.from({ length: many }, (_, number) => number + 1),
      ]);
      for (const [index, { at }] of out.entries()) expect(at - began).toBeGreaterThanOrEqual(index * 100 - 100);
      expect(out.at(-1)!.at - began).toBeLessThan(many * 110 + 1000);
      if (isFull) process.stdout.write(`${many} held: the longest call took ${Math.round(Math.max(...calls))} ms\n`);
    });
  });

  test("are retried by the schedule when they fail again, not ten times per second", async () => {
    await inWorlds(seeds(10, 200), {}, async (world) => {
      await disabled(world);
      await world.tell(...Array.from({ length: 40 }, (_, number) => ({ key: `k${number % 9}`, version: number + 1 })));
      world.answer = ({ key }) => ({ status: key === "k3" ? 500 : 200 });
      await world.reset();
      await world.pass(4 * minute);
      const of = world.arrived.filter(({ key }) => key === "k3");
      expect(of).toHaveLength(2);
      expect(of[1]!.at - of[0]!.at).toBeGreaterThanOrEqual(4000);
      world.answer = () => ({ status: 200 });
      expect(await world.drained(10 * hour)).toBe(true);
      expect(findViolations({ ...world, states: await world.states() })).toEqual([]);
    });
  });

  test("and are too old are recorded as dropped, and later events of the same key are delivered", async () => {
    await inWorlds(seeds(3, 30), {}, async (world) => {
      await disabled(world);
      await world.tell({ key: "a", version: 1 }, { key: "a", version: 2 }, { key: "b", version: 1 });
      await world.pass(10 * 24 * hour);
      await world.tell({ key: "a", version: 3 }, { key: "c", version: 1 });
      await world.pass(5 * 24 * hour);
      await world.tell({ key: "c", version: 2 });
      expect(await world.health()).toMatchObject({ droppedCount: 4, pending: 3 });
      world.answer = () => ({ status: 200 });
      await world.reset();
      expect(await world.drained(hour)).toBe(true);
      const out = world.arrived.filter(({ answer }) => answer.status === 200);
      expect(out.map(({ key, version, gap }) => [key, version, gap])).toEqual([
        ["a", 3, true],
        ["c", 1, false],
        ["c", 2, false],
      ]);
      expect(findViolations({ ...world, states: await world.states(), isOver: true })).toEqual([]);
    });
  });

  test("are kept when the object stops repeatedly meanwhile", async () => {
    await inWorlds(seeds(20, 300), {}, async (world) => {
      await disabled(world);
      for (let number = 1; number <= 60; number++) await world.tell({ key: `k${number % 5}`, version: number });
      world.answer = () => ({ status: world.random() < 0.2 ? 500 : 200 });
      await world.reset();
      for (let life = 0; life < 20; life++) {
        world.killSoon(Math.floor(world.random() * 80));
        await world.pass(300);
      }
      world.kill();
      world.answer = () => ({ status: 200 });
      expect(await world.drained(30 * hour, 10 * minute)).toBe(true);
      expect(findViolations({ ...world, states: await world.states() })).toEqual([]);
    });
  });
});

test("an event that is resent by hand is delivered whatever its state was", patience, async () => {
  let byHand = 0;
  await inWorlds(seeds(20, 1000), {}, async (world) => {
    const often = world.random() * 0.6;
    world.answer = () => ({ status: world.random() < often ? 500 : 200, after: Math.floor(world.random() * 3000) });
    for (let number = 1; number <= 40; number++) {
      await world.tell({ key: `k${number % 4}`, version: number });
      const log = await world.log();
      const one = log[Math.floor(world.random() * log.length)];
      if (one && world.random() < 0.4) await world.resend(one.id);
      if (world.random() < 0.2) world.killSoon(Math.floor(world.random() * 60));
      await world.pass(Math.floor(world.random() * 4000));
    }
    world.kill();
    world.answer = () => ({ status: 200 });
    await world.reset();
    expect(await world.drained(30 * hour, 10 * minute)).toBe(true);
    const log = await world.log();
    byHand += log.flatMap(({ tried }) => tried).filter(({ kind }) => kind === "Manual").length;
    expect(log.map(({ state }) => state)).toEqual(log.map(() => "Delivered"));
  });
  expect(byHand).toBeGreaterThan(seeds(20, 1000).length);
});
