import { expect, test } from "vitest";
import { judged } from "./journal.ts";
import { withstand } from "./webhooks.ts";

test(
  "what was acknowledged reaches both receivers on their worst day, however often the service is killed",
  { timeout: 400_000 },
  async () => {
    const { told, ...withstood } = await withstand({ kills: 100, within: 40_000 });
    const { kills, lost, underTwoIds, strangers, late, required, flaps, repeated } = withstood;
    expect({ lost, underTwoIds, strangers, late }).toEqual({ lost: [], underTwoIds: [], strangers: [], late: [] });
    // All of it has really happened.
    expect(kills).toBeGreaterThan(4);
    expect(required).toBeGreaterThan(0);
    expect(Math.min(flaps.refused, flaps.lost, repeated)).toBeGreaterThan(0);
    // What was lost, or invented, on purpose is found.
    const { acknowledged, taken, webhooks } = told;
    const gone = taken[0]!;
    const without = taken.filter(
      ({ webhook, orderId, version }) =>
        [webhook, orderId, version].join() !== [gone.webhook, gone.orderId, gone.version].join(),
    );
    expect(judged(acknowledged, without, webhooks).lost).toHaveLength(1);
    expect(judged(acknowledged, [...taken, { ...gone, id: "evt_another" }], webhooks).underTwoIds).toHaveLength(1);
    expect(judged(acknowledged, taken.toReversed(), webhooks).late).not.toEqual([]);
  },
);
