import { refuse } from "../../kit/decision.ts";
import { stepsOn } from "../../kit/operation.ts";
import type { CarrierOrder } from "../carrier-orders/index.ts";
import type { OrderView } from "../../reading/views/order.ts";
import { correctionOf, lifeOf, type Correctable } from "../intake/index.ts";
import { envelopeOf } from "./envelope.ts";
import { reading, type events, type Order } from "./order.ts";

/** How feedback puts an order right. */
export const correctable: Correctable<Order> = {
  kindOf: () => "order",
  viewOf: ({ data }) => data,
  envelopeOf: (data: OrderView, checks, { sequenceId }) => envelopeOf({ data, checks }, sequenceId),
};

export const steps = stepsOn<Order, typeof events>(
  "ORDERS",
  "orders",
)({
  ...lifeOf({
    work: reading,
    idName: "orderId",
    ended: ({ status, envelopes }: Order, previousStatus) => ({
      type: status === "Failed" ? ("OrderFailed" as const) : ("OrderProcessed" as const),
      status,
      previousStatus,
      data: envelopes,
    }),
  }),

  ...correctionOf(correctable, ({ status, envelopes }: Order, previousStatus) => ({
    type: "OrderCorrected" as const,
    status,
    previousStatus,
    data: envelopes,
  })),

  /** What is known of it now, for the service itself. An order given to a carrier was read from nothing. */
  look: (order: Order | CarrierOrder | undefined) =>
    order && order.kind === undefined ? { reply: order } : refuse("not_found"),
});
