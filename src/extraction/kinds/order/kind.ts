import { defineKind } from "../kind.ts";
import { checkOrder } from "./checks.ts";
import { extractOrder } from "./order.ts";
import { commonToOrders, orderStarts } from "./split-orders.ts";
import { ordersInData } from "./structured-data.ts";
import { OrderView } from "./view.ts";

export const order = defineKind({
  apiName: { singular: "Order", plural: "Orders" },
  description: "transport order",
  view: OrderView,
  critical: [
    "/orderNumber",
    "/locations/*/type",
    "/locations/*/countryCode",
    "/locations/*/postalCode",
    "/locations/*/city",
    "/locations/*/startDate",
    "/payments/price",
    "/payments/currency",
    "/payments/paymentDays",
    "/payer/vatCode",
  ],
  stops: "/locations",
  sender: "customer",
  titles: ["titleTransportOrder"],
  numberLabels: ["orderNumber"],
  extract: extractOrder,
  extractStructured: ordersInData,
  starts: orderStarts,
  common: commonToOrders,
  isTabular: true,
  excludedBy: [],
  check: checkOrder,
  notRecognised: { reason: "input_not_freight", message: "The document is not a transport order." },
});
