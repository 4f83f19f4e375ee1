import { expect, test } from "vitest";
import { serviceWithoutOutbox } from "./service-without-outbox.ts";
import { findDeliveryFaults } from "./delivery-journal.ts";
import { productRuntime } from "./service-processes.ts";
import type { KillableService } from "./killable-service.ts";
import { deliverWebhooksUnderKills } from "./webhooks-under-kills.ts";

test(
  "acknowledged changes reach two unreliable receivers, even if the runtime is killed a hundred times",
  { timeout: 900_000 },
  async () => {
    const { told, ...outcome } = await deliverWebhooksUnderKills({ open: productRuntime, kills: 100 });
    const { kills, lost, undone, underTwoIds, strangers, late, required, cutOff, flaps, repeated } = outcome;
    expect({ kills, lost, undone, underTwoIds, strangers, late }).toEqual({
      kills: 100,
      lost: [],
      undone: [],
      underTwoIds: [],
      strangers: [],
      late: [],
    });
    // Every kind of fault really occurred.
    expect(Math.min(required, cutOff, flaps.refused, flaps.lost, repeated)).toBeGreaterThan(0);
    // Control: events that are deliberately lost, undone or invented are detected.
    const { acknowledged, taken, webhooks } = told;
    const gone = taken[0]!;
    const without = taken.filter(
      ({ webhook, orderId, version }) =>
        [webhook, orderId, version].join() !== [gone.webhook, gone.orderId, gone.version].join(),
    );
    expect(findDeliveryFaults(acknowledged, without, webhooks).lost).toHaveLength(1);
    expect(findDeliveryFaults([...acknowledged, acknowledged[0]!], taken, webhooks).undone).toHaveLength(1);
    expect(
      findDeliveryFaults(acknowledged, [...taken, { ...gone, id: "evt_another" }], webhooks).underTwoIds,
    ).toHaveLength(1);
    expect(findDeliveryFaults(acknowledged, taken.toReversed(), webhooks).late).not.toEqual([]);
  },
);

test("a service that responds first and then notifies, without an outbox, loses events when it is killed", async () => {
  const spared = await deliverWebhooksUnderKills({
    open: async (folder) => neverKilled(await serviceWithoutOutbox(folder)),
    kills: 10,
  });
  expect({ lost: spared.lost, undone: spared.undone }).toEqual({ lost: [], undone: [] });
  const killed = await deliverWebhooksUnderKills({ open: serviceWithoutOutbox, kills: 10, patience: 3_000 });
  expect({ kills: killed.kills, undone: killed.undone }).toEqual({ kills: 10, undone: [] });
  expect(killed.lost).not.toEqual([]);
});

/** Wraps a service so that it is never killed. */
const neverKilled = (service: KillableService): KillableService => ({
  url: service.url,
  start: () => service.start(),
  kill: async () => undefined,
  end: () => service.end(),
});
