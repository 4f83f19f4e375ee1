import { refuse } from "../../kit/decision.ts";
import type { StoredFile } from "../../kit/files.ts";
import { stepsOn } from "../../kit/operation.ts";
import type { CarrierOrder } from "../carrier-orders/index.ts";
import type { events, Order } from "./order.ts";
import type { OrderEnvelope } from "./shapes.ts";

/** A file whose reading was begun this often without coming to an end kills its reader. */
export const mostAttempts = 3;
/** Readings that broke off by a fault of ours, a storage that did not answer: with the waits between them some two minutes. */
export const mostFaults = 12;
/** A reading that has not ended by then is thought dead; longer than any reading may take. */
export const leaseMilliseconds = 90_000;
/** How often a file that failed by our fault is read once more when it comes again. */
export const mostRetries = 5;

/** What is known of a file when it has come in. */
export interface Received {
  file: StoredFile;
  additionalInfo?: string;
  metadata?: Record<string, string>;
}

export const steps = stepsOn<Order, typeof events>(
  "ORDERS",
  "orders",
)({
  /** A file has come. The same file again is the same order; if it was our fault that it failed, it is read once more. */
  receive: (order, ask: Received, { at, id }) => {
    const anew = { status: "Processing" as const, attempts: 0, envelopes: [], updatedAt: at };
    if (!order) return { state: { ...ask, ...anew, createdAt: at }, work: ["orders.read"], reply: { orderId: id } };
    const reply = { orderId: id, duplicateOf: id };
    const { retries = 0 } = order;
    if (!failedByUs(order) || retries >= mostRetries) return { reply };
    return { state: { ...order, ...anew, faults: 0, retries: retries + 1 }, work: ["orders.read"], reply };
  },

  /** Someone sets about reading. A no is normal: it is read already, or someone is at it. */
  begin: (order, _: object, { at, life }) => {
    if (!order || order.status !== "Processing") return { done: ["orders.read"], reply: { go: "Done" as const } };
    if (order.lease && order.lease.life === life && order.lease.until > at) return { reply: { go: "Busy" as const } };
    const failed = givenUp(order);
    if (failed) return { ...settled(order, [failed], at), reply: { go: "Done" as const } };
    const lease = { life, until: new Date(Date.parse(at) + leaseMilliseconds).toISOString() };
    return { state: { ...order, attempts: order.attempts + 1, lease }, reply: { go: "Read" as const, order } };
  },

  /** The reading has come to an end, good or bad. The first end counts. */
  finish: (order, { envelopes }: { envelopes: OrderEnvelope[] }, { at }) =>
    order?.status === "Processing"
      ? { ...settled(order, envelopes, at), reply: {} }
      : { done: ["orders.read"], reply: {} },

  /** What is known of it now, for the service itself. */
  look: (order: Order | CarrierOrder | undefined) =>
    order && order.kind === undefined ? { reply: order } : refuse("not_found"),

  /** The reading broke off by a fault of ours and may be tried again: the file has not killed its reader. */
  release: (order) => {
    if (order?.status !== "Processing") return { reply: {} };
    const { lease: _, faults = 0, ...rest } = order;
    return { state: { ...rest, attempts: Math.max(0, order.attempts - 1), faults: faults + 1 }, reply: {} };
  },
});

/** The end of an order that nobody reads once more. */
function givenUp({ attempts, faults = 0 }: Order): OrderEnvelope | undefined {
  const failed = (errorCode: string, message: string) => ({
    sequenceId: 0,
    status: "Failed" as const,
    errorCode,
    message,
  });
  if (attempts >= mostAttempts) return failed("engine_timeout", `Reading was begun ${attempts} times and never ended.`);
  if (faults >= mostFaults)
    return failed("engine_unavailable", `Reading broke off ${faults} times by a fault of ours.`);
  return undefined;
}

const failedByUs = ({ status, envelopes }: Order) =>
  status === "Failed" && envelopes.some(({ errorCode }) => errorCode?.startsWith("engine_"));

function settled(order: Order, envelopes: OrderEnvelope[], at: string) {
  const status = statusOf(envelopes);
  const { lease: _, ...rest } = order;
  return {
    state: { ...rest, status, envelopes, updatedAt: at },
    events: [
      {
        type: status === "Failed" ? ("OrderFailed" as const) : ("OrderProcessed" as const),
        status,
        previousStatus: order.status,
        data: envelopes,
      },
    ],
    done: ["orders.read"],
  };
}

/** Of several orders in one file the best one that is not whole speaks for all. */
function statusOf(envelopes: OrderEnvelope[]): Order["status"] {
  if (envelopes.every(({ status }) => status === "Succeeded")) return "Succeeded";
  return envelopes.some(({ status }) => status !== "Failed") ? "Partial" : "Failed";
}
