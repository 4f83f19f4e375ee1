import { afterEach, beforeEach, expect, test } from "vitest";
import { patience, seeded, seeds } from "../faults/seeds.ts";
import type { SimulatedFreight } from "../support/simulated-freight.ts";
import { minute } from "../support/freights.ts";
import {
  change,
  freightWithoutWebhooks,
  publish,
  second,
  SimulatedWebhook,
  upTo,
} from "../support/simulated-webhook.ts";

// Handover of events from an aggregate to its webhooks, which may fail or be slow.

let life: SimulatedFreight;

beforeEach(() => {
  life = freightWithoutWebhooks();
});

afterEach(() => life.close());

test("each webhook receives all events in order under any failures and restarts", patience, async () => {
  const all = seeds(12, 1000);
  let calls = 0;
  for (const seed of all) {
    const random = seeded(seed);
    const webhooks = ["a", "b", "c"].map((id) => new SimulatedWebhook(life, id));
    const moods = ["Well", "Well", "Failing", "Silent", "Late"] as const;
    await publish(life);
    let version = 1;
    for (let step = 0; step < 40; step++) {
      for (const webhook of webhooks) if (random() < 0.2) webhook.is = moods[Math.floor(random() * moods.length)]!;
      life.isCompanyAway = random() < 0.2;
      if (random() < 0.3) life.endSoon(Math.floor(random() * 40));
      if (random() < 0.6 && (await change(life, version + 1))) version++;
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
    life = freightWithoutWebhooks();
  }
  expect(calls).toBeGreaterThan(50 * all.length);
});
