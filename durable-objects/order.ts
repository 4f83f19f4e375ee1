import * as orders from "../src/areas/orders/index.ts";
import { orderRow, type Order } from "../src/areas/orders/order.ts";
import { decisionsOf, Owner } from "./owner.ts";

/** One object for each order. */
export class OrderObject extends Owner<Order> {
  readonly noun = "Order";
  readonly binding = "ORDERS";
  readonly decisions = decisionsOf({ orders });
  urlOf = (id: string) => `/api/v2/orders/${id}`;
  archiveRow = orderRow;
  protected override isSettled = ({ status }: Order) => status !== "Processing";
}
