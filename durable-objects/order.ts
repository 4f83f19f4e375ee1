import { commands as carrierOrderCommands } from "../src/areas/carrier-orders/commands.ts";
import { operations as carrierOrderOperations } from "../src/areas/carrier-orders/operations.ts";
import type { CarrierOrder } from "../src/areas/carrier-orders/model.ts";
import { carrierOrderRow } from "../src/areas/carrier-orders/search.ts";
import { commands } from "../src/areas/orders/commands.ts";
import { operations } from "../src/areas/orders/operations.ts";
import type { Order } from "../src/areas/orders/model.ts";
import { orderRow } from "../src/areas/orders/search.ts";
import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import { numberKey, numberClaim } from "../src/platform/unique-numbers.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

type Kept = Order | CarrierOrder;

/** One object for each order: one that was extracted from a document, or one that is given to a carrier. */
export class OrderObject extends Aggregate<Kept> {
  readonly noun = "Order";
  readonly decisions = decisionsOf({
    orders: { operations, commands },
    carrierOrders: { operations: carrierOrderOperations, commands: carrierOrderCommands },
  });
  urlOf = (id: string, { kind }: Kept) => `/api/${kind === "Carrier" ? "v1" : "v2"}/orders/${id}`;
  archiveRow = (state: Kept, company: string, id: string): ArchiveRow =>
    state.kind === "Carrier" ? carrierOrderRow(state, company, id) : orderRow(state, company, id);
  protected override claimsOf = (state: Kept) =>
    state.kind === "Carrier" ? [numberClaim("orders", numberKey(state.given.orderNumber))] : [];
  protected override isComplete = ({ status }: Kept) => status !== "Processing";
}
