import * as carrierOrders from "../src/areas/carrier-orders/index.ts";
import * as orders from "../src/areas/orders/index.ts";
import { orderRow, type Order } from "../src/areas/orders/order.ts";
import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import { comparedNumber, numberClaim } from "../src/platform/unique-numbers.ts";
import { decisionsOf, Aggregate } from "./aggregate/aggregate.ts";

type Kept = Order | carrierOrders.CarrierOrder;

/** One object for each order, read from a document or given to a carrier. */
export class OrderObject extends Aggregate<Kept> {
  readonly noun = "Order";
  readonly decisions = decisionsOf({ orders, carrierOrders });
  urlOf = (id: string, { kind }: Kept) => `/api/${kind === "Carrier" ? "v1" : "v2"}/orders/${id}`;
  archiveRow = (state: Kept, company: string, id: string): ArchiveRow =>
    state.kind === "Carrier" ? carrierOrders.carrierOrderRow(state, company, id) : orderRow(state, company, id);
  protected override claimsOf = (state: Kept) =>
    state.kind === "Carrier" ? [numberClaim("orders", comparedNumber(state.given.orderNumber))] : [];
  protected override isSettled = ({ status }: Kept) => status !== "Processing";
}
