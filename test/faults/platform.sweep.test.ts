import { describe, expect, test } from "vitest";
import { SubscriptionObject } from "../../durable-objects/subscription.ts";
import { mailedTwice, findViolations } from "./delivery-rules.ts";
import { patience, seeds } from "./seeds.ts";
import { hour, inWorlds, minute, type World } from "./simulated-world.ts";

// Faults of the platform: an object may stop at any moment, its alarms may be lost or fail, and its clock may be wrong.

const orders = Array.from({ length: 6 }, (_, number) => `k${number}`);

/** Returns a function that adds an event with the next version of a random key. */
function changing(world: World) {
  const versions = new Map<string, number>();
  return async () => {
    const key = orders[Math.floor(world.random() * orders.length)]!;
    const version = (versions.get(key) ?? 0) + 1;
    versions.set(key, version);
    await world.tell({ key, version });
  };
}

const flapping = (world: World) => () => {
  const by = world.random();
  if (by < 0.15) return { status: 500 };
  if (by < 0.22) return { hangs: true };
  if (by < 0.27) return { broken: true };
  return by < 0.32 ? { lost: true } : { status: 200, after: Math.floor(world.random() * 400) };
};

async function healed(world: World): Promise<void> {
  world.kill();
  world.answer = () => ({ status: 200 });
  await world.reset();
  expect(await world.drained(30 * hour, 10 * minute)).toBe(true);
  expect(findViolations({ ...world, states: await world.states(), mayExhaust: true })).toEqual([]);
}

describe("an object that stops", () => {
  test("at any storage call loses no event and invents none", patience, async () => {
    let cutOff = 0;
    let repeated = 0;
    await inWorlds(seeds(40, 3000), {}, async (world) => {
      const change = changing(world);
      world.answer = flapping(world);
      for (let step = 0; step < 40; step++) {
        if (world.random() < 0.4) world.killSoon(Math.floor(world.random() * 60));
        if (world.random() < 0.1) world.kill();
        if (world.random() < 0.06) await world.reset();
        await change();
        await world.pass(Math.floor(world.random() * 3000));
      }
      await healed(world);
      const tried = (await world.log()).flatMap((delivery) => delivery.tried);
      cutOff += tried.filter(({ outcome }) => outcome === "Unknown").length;
      repeated += world.arrived.length - new Set(world.arrived.map(({ id }) => id)).size;
    });
    expect(cutOff).toBeGreaterThan(seeds(40, 3000).length);
    expect(repeated).toBeGreaterThan(seeds(40, 3000).length);
  });

  test("at the same storage call a hundred times in a row still delivers", patience, async () => {
    for (let call = 0; call < 45; call++)
      await inWorlds(seeds(1, 20), {}, async (world) => {
        await world.tell({ key: "k0", version: 1 }, { key: "k0", version: 2 }, { key: "k1", version: 1 });
        for (let life = 0; life < 100; life++) {
          world.kill();
          world.killSoon(call);
          await world.pass(500);
        }
        expect(world.lives).toBeGreaterThan(100);
        await healed(world);
      });
  });

  test("sends each mail once", patience, async () => {
    let twice = 0;
    await inWorlds(seeds(20, 500), { vars: { FAILURE_LIMIT: "6", FAILURE_MIN_AGE_S: "3600" } }, async (world) => {
      world.answer = () => ({ status: 500 });
      await world.notify("it@tms.example", "dispo@tms.example");
      const change = changing(world);
      for (let step = 0; step < 30; step++) {
        if (world.random() < 0.5) world.killSoon(Math.floor(world.random() * 80));
        await change();
        await world.pass(5 * minute);
      }
      world.kill();
      await world.pass(12 * hour);
      expect((await world.health()).status).toBe("Disabled");
      expect(mailedTwice(world.mails)).toEqual([]);
      expect(
        new Set(world.mails.filter(({ subject }) => subject.includes("is disabled")).map(({ to }) => to)).size,
      ).toBe(2);
      twice += world.mailings - world.mails.length;
    });
    expect(twice).toBeGreaterThan(0);
    expect(
      mailedTwice([
        { to: "a", subject: "b" },
        { to: "a", subject: "b" },
      ]),
    ).toEqual(["a: b"]);
  });
});

test("each recovery is announced by a mail", async () => {
  await inWorlds([1, 2, 3], {}, async (world) => {
    await world.notify("it@tms.example");
    for (let time = 1; time <= 2; time++) {
      world.answer = () => ({ status: 500 });
      await world.tell({ key: `k${time}`, version: 1 });
      await world.pass(2 * hour);
      world.answer = () => ({ status: 200 });
      await world.pass(20 * hour);
      expect(world.mails.filter(({ subject }) => subject.includes("has recovered"))).toHaveLength(time);
    }
  });
});

/** A faulty class, for a control test: it does its work before it sets the next alarm. */
class Careless extends SubscriptionObject {
  override async alarm(): Promise<void> {
    await this.runDue();
    await this.arm();
  }
}

describe("an alarm", () => {
  const failing = (world: World) => async (times: number) => {
    world.answer = () => ({ status: 500 });
    await world.tell({ key: "k0", version: 1 });
    await world.pass(1000);
    world.breakStorage(true);
    await world.pass(times * 15_000);
    world.answer = () => ({ status: 200 });
    world.breakStorage(false);
  };

  test("that fails ten times in a row still rings again", async () => {
    await inWorlds(seeds(20, 50), {}, async (world) => {
      await failing(world)(11);
      expect(await world.drained(30_000, 1000)).toBe(true);
    });
  });

  test("is given up by the platform if it is set only after the work", async () => {
    await inWorlds([1, 2, 3], { Object: Careless }, async (world) => {
      await failing(world)(11);
      expect(await world.drained(24 * hour, hour)).toBe(false);
    });
  });

  test("that was lost is set again when the object restarts", async () => {
    await inWorlds(seeds(30, 100), {}, async (world) => {
      world.answer = () => (world.random() < 0.5 ? { status: 500 } : { hangs: true });
      await world.tell({ key: "k0", version: 1 });
      await world.pass(1000 + world.random() * 10_000);
      world.loseAlarm();
      world.kill();
      world.answer = () => ({ status: 200 });
      await world.pass(hour);
      expect(world.arrived.some(({ answer }) => answer.status === 200)).toBe(false);
      world.object();
      await world.pass(minute);
      expect((await world.health()).pending).toBe(0);
    });
  });

  test("does not ring without need", async () => {
    await inWorlds(seeds(5, 20), {}, async (world) => {
      world.answer = () => ({ status: 500 });
      await world.tell({ key: "k0", version: 1 });
      await world.pass(5 * hour);
      const before = world.rings;
      await world.pass(10 * hour);
      expect(world.rings - before).toBeLessThan(12);
    });
  });
});

describe("a clock", () => {
  const leaps = [hour, -hour, 24 * hour, -24 * hour];

  test(
    "that jumps forwards and backwards or stands still loses nothing and causes no concurrent duplicates",
    patience,
    async () => {
      let jumps = 0;
      await inWorlds(seeds(20, 1000), {}, async (world) => {
        const change = changing(world);
        const underWay = new Set<string>();
        const often = world.random() * 0.4;
        world.answer = ({ id }) => {
          expect(underWay.has(id)).toBe(false);
          underWay.add(id);
          world.timeline.after(200, () => underWay.delete(id));
          return { status: world.random() < often ? 500 : 200, after: 200 };
        };
        for (let step = 0; step < 40; step++) {
          const by = world.random();
          if (by < 0.2) world.timeline.jump(leaps[Math.floor(world.random() * leaps.length)]!);
          jumps += Number(by < 0.2);
          if (by > 0.95) world.timeline.stand(true);
          await change();
          await world.pass(Math.floor(world.random() * 5000));
          world.timeline.stand(false);
        }
        world.answer = () => ({ status: 200 });
        await world.reset();
        expect(await world.drained(41 * 25 * hour, hour)).toBe(true);
        expect(findViolations({ ...world, states: await world.states(), mayExhaust: true })).toEqual([]);
      });
      expect(jumps).toBeGreaterThan(seeds(20, 1000).length);
    },
  );

  test("that is set back does not postpone the disabling of a webhook", async () => {
    await inWorlds(seeds(10, 100), {}, async (world) => {
      world.answer = () => ({ status: 500 });
      for (let version = 1; version <= 30; version++) {
        await world.tell({ key: `k${version}`, version });
        await world.pass(hour);
      }
      expect((await world.health()).status).toBe("Disabled");
      world.timeline.jump(-48 * hour);
      await world.tell({ key: "k1", version: 100 });
      await world.pass(hour);
      expect((await world.health()).status).toBe("Disabled");
    });
  });
});

test(
  "events that are handed over twice, late or with a lost response are stored once and in order",
  patience,
  async () => {
    let repeats = 0;
    await inWorlds(seeds(40, 10_000), {}, async (world) => {
      const batches = Array.from({ length: 6 }, (_, batch) =>
        orders.slice(0, 3).map((key) => ({ key, version: batch + 1, id: `evt_${key}_${batch}` })),
      );
      for (const batch of batches) {
        if (world.random() < 0.3) world.killSoon(Math.floor(world.random() * 25));
        await world.tell(...batch);
        const again = batches.slice(0, batches.indexOf(batch) + 1).filter(() => world.random() < 0.4);
        repeats += again.length;
        for (const one of again.toSorted(() => world.random() - 0.5)) await world.tell(...one.toReversed());
        await world.pass(world.random() < 0.5 ? 10 : 2000);
      }
      expect(await world.drained(hour)).toBe(true);
      expect(world.accepted).toHaveLength(18);
      expect(findViolations({ ...world, states: await world.states() })).toEqual([]);
    });
    expect(repeats).toBeGreaterThan(seeds(40, 10_000).length);
  },
);
