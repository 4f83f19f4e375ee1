import * as carrierOrders from "./areas/carrier-orders/index.ts";
import * as orders from "./areas/orders/order.ts";

/** Everything a subscriber can hear, gathered from the areas where it happens. */
export const events = { ...orders.events, ...carrierOrders.events };
export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]];
