import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import type { CarrierOrder } from "../carrier-orders/model.ts";
import type { OrderView } from "../../extraction/kinds/order/view.ts";
import { correctionCommands, extractionCommands } from "../intake/commands.ts";
import type { Correctable } from "../intake/corrections.ts";
import { isPresent } from "../intake/model.ts";
import { removalCommands } from "../intake/removal.ts";
import { envelopeOf, files, type events, type Order } from "./model.ts";

/** How feedback reads and corrects the data of an extracted order. */
export const correctable: Correctable<Order> = {
  kindOf: () => "order",
  viewOf: ({ data }) => data,
  envelopeOf: (data: OrderView, checks, { sequenceId }) => envelopeOf({ data, checks }, sequenceId),
};

const extraction = extractionCommands(files, ({ status, envelopes }: Order) => ({
  type: status === "Failed" ? ("OrderFailed" as const) : ("OrderProcessed" as const),
  status,
  data: envelopes,
}));

export const commands = commandsOn<Order, typeof events>(
  "ORDERS",
  "orders",
)({
  ...extraction,
  ...correctionCommands(correctable, ({ status, envelopes }: Order) => ({
    type: "OrderCorrected" as const,
    status,
    data: envelopes,
  })),
  ...removalCommands(extraction, files, { event: "OrderDeleted" }),

  /** Returns the state of an order, for internal use. Carrier orders are refused, because they were not extracted. */
  look: (order: Order | CarrierOrder | undefined) =>
    isPresent(order) && order.kind === undefined ? { reply: order } : refuse("not_found"),
});
