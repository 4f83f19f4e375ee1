import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import type { CarrierOrder } from "../carrier-orders/order.ts";
import type { OrderView } from "../../extraction/kinds/order/view.ts";
import { correctionOf, isThere, lifeOf, removalOf, type Correctable } from "../intake/index.ts";
import { envelopeOf } from "./envelope.ts";
import { folder, reading, removing, type events, type Order } from "./order.ts";

/** How feedback puts an order right. */
export const correctable: Correctable<Order> = {
  kindOf: () => "order",
  viewOf: ({ data }) => data,
  envelopeOf: (data: OrderView, checks, { sequenceId }) => envelopeOf({ data, checks }, sequenceId),
};

const life = lifeOf({
  work: reading,
  idName: "orderId",
  ended: ({ status, envelopes }: Order, previousStatus) => ({
    type: status === "Failed" ? ("OrderFailed" as const) : ("OrderProcessed" as const),
    status,
    previousStatus,
    data: envelopes,
  }),
});

export const commands = commandsOn<Order, typeof events>(
  "ORDERS",
  "orders",
)({
  ...life,
  ...correctionOf(correctable, ({ status, envelopes }: Order, previousStatus) => ({
    type: "OrderCorrected" as const,
    status,
    previousStatus,
    data: envelopes,
  })),
  ...removalOf(life, {
    job: removing,
    reading,
    folder,
    deleted: (orderId, previousStatus) => ({
      type: "OrderDeleted" as const,
      status: "Deleted",
      previousStatus,
      data: { orderId },
    }),
  }),

  /** What is known of it now, for the service itself. An order given to a carrier was read from nothing. */
  look: (order: Order | CarrierOrder | undefined) =>
    isThere(order) && order.kind === undefined ? { reply: order } : refuse("not_found"),
});
