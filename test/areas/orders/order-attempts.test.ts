import { describe, expect, test } from "vitest";
import { maxAttempts, maxFaults, maxRetries } from "../../../src/areas/intake/commands.ts";
import { commands } from "../../../src/areas/orders/commands.ts";
import type { Order } from "../../../src/areas/orders/model.ts";
import type { Decision, DecisionOrRefusal, CommandContext } from "../../../src/platform/decision.ts";
import { leaseMilliseconds } from "../../../src/platform/lease.ts";

const start = Date.parse("2026-11-20T09:00:00.000Z");
const id = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const moment = (milliseconds = 0): CommandContext => ({
  at: new Date(start + milliseconds).toISOString(),
  company: "0193a5f1-3b7a-7c10-8e55-6d2f9b0a4c31",
  id,
  version: 1,
  address: "https://lorry.beispiel.de",
  secret: (about) => about,
});
const file = { key: "a", name: "a.pdf", mediaType: "application/pdf", sizeBytes: 1, sha256: "00" };

/** Returns the decision. Throws if it is a refusal. */
function made<Reply>(decision: DecisionOrRefusal<Order, unknown, Reply>): Decision<Order, unknown, Reply> {
  if ("refused" in decision) throw new Error(decision.refused);
  return decision;
}

const received = () =>
  made(commands.receive.decide(undefined, { file, metadata: { internalId: "T" } }, moment())).state as Order;
const begin = (order: Order | undefined, at = moment(), token = "first") =>
  made(commands.begin.decide(order, { token }, at));
const release = (order: Order, token = "first") => made(commands.release.decide(order, { token }, moment())).state;
const finish = (order: Order, errorCode: string, token = "first") => {
  const envelopes = [{ sequenceId: 0, status: "Failed" as const, errorCode }];
  return made(commands.finish.decide(order, { token, envelopes }, moment()));
};

describe("an extraction", () => {
  test("is begun by one worker at a time, until its lease expires", () => {
    const { state, reply } = begin(received());
    expect(reply).toMatchObject({ go: "Read" });
    expect(begin(state, moment(leaseMilliseconds - 1), "second").reply).toEqual({ go: "Busy" });
    const taken = begin(state, moment(leaseMilliseconds), "second");
    expect(taken).toMatchObject({ state: { attempts: 1 }, reply: { go: "Read" } });
    expect(finish(taken.state!, "no_text_found", "first").state).toBeUndefined();
    expect(release(taken.state!, "first")).toBeUndefined();
    expect(finish(taken.state!, "no_text_found", "second").state).toMatchObject({ status: "Failed" });
  });

  test("with a renewed lease continues as long as it takes, without a new version", () => {
    let { state } = begin(received());
    for (let passed = 0; passed < 10 * leaseMilliseconds; passed += leaseMilliseconds / 2) {
      expect(begin(state, moment(passed), "second").reply).toEqual({ go: "Busy" });
      const renewed = made(commands.renew.decide(state, { token: "first" }, moment(passed)));
      expect(renewed).toMatchObject({ keepsVersion: true, reply: { isHeld: true } });
      expect(made(commands.renew.decide(state, { token: "second" }, moment(passed)))).toEqual({
        reply: { isHeld: false },
      });
      state = renewed.state;
    }
    expect(state).toMatchObject({ attempts: 0 });
  });

  test("that ends after its lease has expired counts, unless another worker took it over", () => {
    const { state } = begin(received());
    expect(finish(state!, "no_text_found").state).toMatchObject({ status: "Failed", attempts: 0 });
  });

  test("begun by an earlier release is restarted, and its attempts do not count", () => {
    const lease = { life: "first", until: moment(leaseMilliseconds).at } as never;
    const { state, reply } = begin({ ...received(), attempts: maxAttempts, lease });
    expect(reply).toMatchObject({ go: "Read" });
    expect(state).toMatchObject({ attempts: 0, lease: { token: "first" } });
  });

  test("of a file that kills its worker fails with an event after the last attempt", () => {
    let order = received();
    for (let killed = 0; killed < maxAttempts; killed++) {
      const { state, reply } = begin(order, moment(killed * leaseMilliseconds));
      expect(reply).toMatchObject({ go: "Read" });
      order = state!;
    }
    const end = begin(order, moment(maxAttempts * leaseMilliseconds));
    expect(end.reply).toEqual({ go: "Done" });
    expect(end.state).toMatchObject({
      status: "Failed",
      envelopes: [{ errorCode: "engine_timeout" }],
    });
    expect(end.events).toMatchObject([{ type: "OrderFailed", previousStatus: "Processing" }]);
    expect(end.completedJobs).toEqual(["orders.read"]);
    expect(end.state?.lease).toBeUndefined();
  });

  test("that is interrupted by an internal fault does not count as an attempt, but is limited too", () => {
    let order = received();
    for (let fault = 0; fault < maxFaults; fault++) {
      const { state, reply } = begin(order);
      expect(reply, `after ${fault} faults`).toMatchObject({ go: "Read" });
      order = release(state!) as Order;
    }
    expect(begin(order).state).toMatchObject({ status: "Failed", envelopes: [{ errorCode: "engine_unavailable" }] });
  });

  test("is repeated when a file that failed internally is sent again, a limited number of times", () => {
    const again = (order: Order) => made(commands.receive.decide(order, { file }, moment()));
    let order: Order = {
      ...received(),
      status: "Failed",
      envelopes: [{ sequenceId: 0, status: "Failed", errorCode: "engine_timeout" }],
    };
    const { envelopes } = order;
    for (let retry = 1; retry <= maxRetries; retry++) {
      const { state, jobs: work, reply } = again(order);
      expect(reply).toEqual({ orderId: id, duplicateOf: id });
      expect(work).toEqual(["orders.read"]);
      expect(state).toMatchObject({ status: "Processing", attempts: 0, retries: retry });
      order = { ...state!, status: "Failed", envelopes };
    }
    expect(again(order).state).toBeUndefined();
    const refused = [{ sequenceId: 0, status: "Failed" as const, errorCode: "input_not_freight" }];
    expect(again({ ...order, retries: 0, envelopes: refused }).state).toBeUndefined();
  });

  test("ends once: later results change nothing and send no event", () => {
    const { state } = begin(received());
    const first = finish(state!, "input_not_freight").state as Order;
    const second = finish(first, "no_text_found");
    expect(second.state ?? second.events).toBeUndefined();
    expect(release(first)).toBeUndefined();
    expect(begin(first).reply).toEqual({ go: "Done" });
  });

  test("is requested when a file is sent first, not when it is sent again", () => {
    const first = made(commands.receive.decide(undefined, { file }, moment()));
    expect(first).toMatchObject({ jobs: ["orders.read"], reply: { orderId: id } });
    expect(made(commands.receive.decide(first.state, { file }, moment()))).toEqual({
      reply: { orderId: id, duplicateOf: id },
    });
  });
});
