import { describe, expect, test } from "vitest";
import { leaseMilliseconds, mostAttempts, mostFaults, mostRetries } from "../src/areas/intake/steps.ts";
import { steps } from "../src/areas/orders/steps.ts";
import type { Order } from "../src/areas/orders/order.ts";
import type { Change, Decision, Moment } from "../src/kit/decision.ts";

const start = Date.parse("2026-11-20T09:00:00.000Z");
const id = "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77";
const moment = (milliseconds = 0, life = "first"): Moment => ({
  at: new Date(start + milliseconds).toISOString(),
  company: "0193a5f1-3b7a-7c10-8e55-6d2f9b0a4c31",
  id,
  version: 1,
  life,
  address: "https://lorry.beispiel.de",
  secret: (about) => about,
});
const file = { key: "a", name: "a.pdf", mediaType: "application/pdf", sizeBytes: 1, sha256: "00" };

/** What came of a decision that was not refused. */
function made<Reply>(decision: Decision<Order, unknown, Reply>): Change<Order, unknown, Reply> {
  if ("refused" in decision) throw new Error(decision.refused);
  return decision;
}

const received = () =>
  made(steps.receive.decide(undefined, { file, metadata: { internalId: "T" } }, moment())).state as Order;
const begin = (order: Order | undefined, at = moment()) => made(steps.begin.decide(order, {}, at));
const release = (order: Order) => made(steps.release.decide(order, undefined as never, moment())).state as Order;

describe("reading", () => {
  test("is begun by one at a time, until its lease is over or its object has another life", () => {
    const { state, reply } = begin(received());
    expect(reply).toMatchObject({ go: "Read" });
    expect(begin(state, moment(leaseMilliseconds - 1)).reply).toEqual({ go: "Busy" });
    expect(begin(state, moment(leaseMilliseconds + 1)).reply).toMatchObject({ go: "Read" });
    expect(begin(state, moment(1, "second")).reply).toMatchObject({ go: "Read" });
  });

  test("of a file that kills its reader ends as Failed, is told of and asked for no more", () => {
    let order = received();
    for (let life = 0; life < mostAttempts; life++) order = begin(order, moment(0, `life ${life}`)).state!;
    const end = begin(order, moment(0, "last"));
    expect(end.reply).toEqual({ go: "Done" });
    expect(end.state).toMatchObject({
      status: "Failed",
      envelopes: [{ errorCode: "engine_timeout" }],
    });
    expect(end.events).toMatchObject([{ type: "OrderFailed", previousStatus: "Processing" }]);
    expect(end.done).toEqual(["orders.read"]);
    expect(end.state?.lease).toBeUndefined();
  });

  test("that breaks off by a fault of ours is no attempt, and has an end as well", () => {
    let order = received();
    for (let fault = 0; fault < mostFaults; fault++) {
      const { state, reply } = begin(order);
      expect(reply, `after ${fault} faults`).toMatchObject({ go: "Read" });
      order = release(state!);
    }
    expect(begin(order).state).toMatchObject({ status: "Failed", envelopes: [{ errorCode: "engine_unavailable" }] });
  });

  test("is done again when a file comes back that failed by our fault, but not for ever", () => {
    const again = (order: Order) => made(steps.receive.decide(order, { file }, moment()));
    let order: Order = {
      ...received(),
      status: "Failed",
      envelopes: [{ sequenceId: 0, status: "Failed", errorCode: "engine_timeout" }],
    };
    const { envelopes } = order;
    for (let retry = 1; retry <= mostRetries; retry++) {
      const { state, work, reply } = again(order);
      expect(reply).toEqual({ orderId: id, duplicateOf: id });
      expect(work).toEqual(["orders.read"]);
      expect(state).toMatchObject({ status: "Processing", attempts: 0, retries: retry });
      order = { ...state!, status: "Failed", envelopes };
    }
    expect(again(order).state).toBeUndefined();
    const refused = [{ sequenceId: 0, status: "Failed" as const, errorCode: "input_not_freight" }];
    expect(again({ ...order, retries: 0, envelopes: refused }).state).toBeUndefined();
  });

  test("ends once: what comes later changes nothing and tells nobody", () => {
    const { state } = begin(received());
    const finish = (order: Order, errorCode: string) =>
      made(steps.finish.decide(order, { envelopes: [{ sequenceId: 0, status: "Failed", errorCode }] }, moment()));
    const first = finish(state!, "input_not_freight").state as Order;
    const second = finish(first, "no_text_found");
    expect(second.state ?? second.events).toBeUndefined();
    expect(made(steps.release.decide(first, undefined as never, moment())).state).toBeUndefined();
    expect(begin(first).reply).toEqual({ go: "Done" });
  });

  test("is asked for when a file comes, and not when it comes again", () => {
    const first = made(steps.receive.decide(undefined, { file }, moment()));
    expect(first).toMatchObject({ work: ["orders.read"], reply: { orderId: id } });
    expect(made(steps.receive.decide(first.state, { file }, moment()))).toEqual({
      reply: { orderId: id, duplicateOf: id },
    });
  });
});
