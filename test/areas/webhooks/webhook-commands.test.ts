import fc from "fast-check";
import { expect, test } from "vitest";
import { commands } from "../../../src/areas/webhooks/commands.ts";
import type { Subscription } from "../../../src/areas/webhooks/model.ts";
import type { CommandContext } from "../../../src/platform/decision.ts";

const context: CommandContext = {
  at: "2026-11-20T09:00:00.000Z",
  company: "0193a5f1-3b7a-7c10-8e55-6d2f9b0a4c31",
  id: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
  version: 1,
  address: "https://lorry.beispiel.de",
  secret: (about) => about,
};

/**
 * Generates blocks and unblocks, which arrive in random order. `turn` numbers them in the order in which they happened.
 */
const arrivals = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 6 })
  .map((flags) => flags.map((flag, at) => ({ turn: at + 1, flag })))
  .chain((turns) => fc.shuffledSubarray(turns, { minLength: turns.length }));

const opened = commands.open.decide(
  undefined,
  {
    eventTypes: ["All"],
    callbackUrl: "https://receiver.example/hook",
    authentication: { type: "None" },
    payload: "Full",
    sealed: "a.b",
  } as never,
  context,
) as { state: Subscription };

test("the block with the highest turn counts, in whatever order blocks and unblocks arrive", () => {
  fc.assert(
    fc.property(arrivals, (list) => {
      let { state } = opened;
      for (const { turn, flag } of list) {
        const blocked = commands.stand.decide(state, { turn, isBlocked: flag }, context) as { state?: Subscription };
        state = blocked.state ?? state;
        const held = commands.hold.decide(state, { turn, isHeld: flag }, context) as { state?: Subscription };
        state = held.state ?? state;
      }
      const last = list.find(({ turn }) => turn === list.length)!.flag;
      expect(state.standing?.isBlocked).toBe(last);
      expect(state.hold?.isHeld).toBe(last);
    }),
  );
});
