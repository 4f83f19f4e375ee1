import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { backoffAfter } from "../../durable-objects/aggregate/backoff.ts";
import type { SimulatedFreight } from "../support/simulated-freight.ts";
import { hour, minute } from "../support/freights.ts";
import {
  change,
  freightWithoutWebhooks,
  publish,
  second,
  SimulatedWebhook,
  upTo,
} from "../support/simulated-webhook.ts";

// How an aggregate hands over events to webhooks, which may fail or be slow.

let life: SimulatedFreight;

beforeEach(() => {
  life = freightWithoutWebhooks();
});

afterEach(() => life.close());

test.each([
  [1, 750, 1500],
  [2, 1500, 3000],
  [5, 12_000, 24_000],
  [8, 96_000, 192_000],
  [9, 150_000, 300_000],
  [10_000, 150_000, 300_000],
])("after %d failures in a row the wait is between %d and %d ms", (failures, least, most) => {
  expect([backoffAfter(failures, 1), backoffAfter(failures, 0)]).toEqual([least, most]);
});

describe("a failing webhook", () => {
  test.each(["Failing", "Silent"] as const)(
    "(%s) is called less and less often, also after restarts of the aggregate",
    async (is) => {
      const webhook = new SimulatedWebhook(life, "sick");
      webhook.is = is;
      await publish(life);
      for (let end = 0; end < 60; end++) {
        await life.pass(30 * second);
        life.end();
      }
      await life.pass(5.5 * hour);
      const waits = webhook.calls.slice(1).map((at, index) => at - webhook.calls[index]!);
      expect(webhook.calls.length).toBeGreaterThan((6 * hour) / (5 * minute));
      expect(webhook.calls.length).toBeLessThan((6 * hour) / (2.5 * minute) + 10);
      expect(Math.min(...waits.slice(9))).toBeGreaterThanOrEqual(2.5 * minute);
      expect(Math.max(...waits)).toBeLessThan(5 * minute + 20 * second);
      webhook.is = "Well";
      await life.pass(5 * minute);
      expect(webhook.versions).toEqual([1]);
    },
  );

  test("does not delay the others, and gets all events in order when it has recovered", async () => {
    const [well, failing, silent, late] = ["well", "failing", "silent", "late"].map(
      (id) => new SimulatedWebhook(life, id),
    ) as [SimulatedWebhook, SimulatedWebhook, SimulatedWebhook, SimulatedWebhook];
    failing.is = "Failing";
    silent.is = "Silent";
    late.is = "Late";
    await publish(life);
    for (let version = 2; version <= 40; version++) {
      await life.pass(20);
      expect(well.versions).toEqual(upTo(version - 1));
      await life.pass((version % 7) * 5 * second);
      await change(life, version);
    }
    await life.pass(minute);
    failing.is = silent.is = late.is = "Well";
    await life.pass(5 * minute + 10 * second);
    for (const webhook of [well, failing, silent, late]) expect(webhook.versions).toEqual(upTo(40));
    expect(well.calls).toHaveLength(40);
  });

  test("is tried soon when there is a new event, at most every 30 seconds", async () => {
    const webhook = new SimulatedWebhook(life, "sick");
    webhook.is = "Failing";
    await publish(life);
    await life.pass(2 * hour);
    const before = webhook.calls.length;
    for (let version = 2; version <= 61; version++) {
      await change(life, version);
      await life.pass(10 * second);
    }
    expect(webhook.calls.length - before).toBeGreaterThanOrEqual(15);
    expect(webhook.calls.length - before).toBeLessThanOrEqual(21);
    webhook.is = "Well";
    await change(life, 62);
    await life.pass(40 * second);
    expect(webhook.versions).toEqual(upTo(62));
  });
});

test("a company that does not return its subscribers is asked with growing waits, and no event is lost", async () => {
  const webhook = new SimulatedWebhook(life, "well");
  life.isCompanyAway = true;
  await publish(life);
  await life.pass(6 * hour);
  life.end();
  expect(life.companyCalls).toBeGreaterThan((6 * hour) / (5 * minute));
  expect(life.companyCalls).toBeLessThan((6 * hour) / (2.5 * minute) + 10);
  await change(life, 2);
  life.isCompanyAway = false;
  await life.pass(5 * minute);
  expect(webhook.versions).toEqual([1, 2]);
});
