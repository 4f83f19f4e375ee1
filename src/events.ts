import * as z from "zod";
import { events as aboutAccounts } from "./areas/accounts/account.ts";
import { events as aboutAutomations } from "./areas/automations/automation.ts";
import * as carrierOrders from "./areas/carrier-orders/index.ts";
import * as documentCollections from "./areas/document-collections/index.ts";
import * as documents from "./areas/documents/index.ts";
import * as driversDocuments from "./areas/drivers-documents/index.ts";
import * as freights from "./areas/freights/index.ts";
import * as opportunities from "./areas/opportunities/index.ts";
import * as orders from "./areas/orders/order.ts";
import { events as aboutTransactions } from "./areas/transactions/transaction.ts";
import { events as aboutWebhooks } from "./areas/webhooks/events.ts";

/** Everything a subscriber can hear, gathered from the areas where it happens. */
export const events = {
  ...orders.events,
  ...carrierOrders.events,
  ...opportunities.events,
  ...documents.events,
  ...documentCollections.events,
  ...driversDocuments.events,
  ...freights.events,
  ...aboutAccounts,
  ...aboutTransactions,
  ...aboutAutomations,
  ...aboutWebhooks,
};
export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]];

/** All of them with what they mean and what comes with them. */
export const catalogue = (): { eventType: string; description: string; schema: Record<string, unknown> }[] =>
  Object.entries(events as Record<string, z.ZodType>).map(([eventType, data]) => ({
    eventType,
    description: data.description ?? eventType,
    schema: z.toJSONSchema(data, { io: "output", unrepresentable: "any" }),
  }));
