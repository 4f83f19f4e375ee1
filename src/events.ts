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
import { events as aboutQuality } from "./areas/quality/record.ts";
import { events as aboutTransactions } from "./areas/transactions/transaction.ts";
import { events as aboutWebhooks } from "./areas/webhooks/events.ts";
import { holds, type Caller, type ScopeArea } from "./platform/credential.ts";

/** The events of each area, by whose scope they are read. */
const byScope = {
  orders: { ...orders.events, ...carrierOrders.events },
  freights: { ...opportunities.events, ...freights.events },
  documents: { ...documents.events, ...documentCollections.events, ...aboutQuality, ...driversDocuments.events },
  finance: { ...aboutTransactions, ...aboutAutomations },
  accounts: aboutAccounts,
  webhooks: aboutWebhooks,
} satisfies Partial<Record<ScopeArea, object>>;

/** Everything a subscriber can hear, gathered from the areas where it happens. */
export const events = {
  ...byScope.orders,
  ...opportunities.events,
  ...byScope.documents,
  ...freights.events,
  ...byScope.accounts,
  ...byScope.finance,
  ...byScope.webhooks,
};
export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]];

/** The scope that an event of each type is read with. */
export const scopeOfEvent = Object.fromEntries(
  Object.entries(byScope).flatMap(([area, of]) => Object.keys(of).map((type) => [type, `${area}:read`])),
) as Record<EventType, `${ScopeArea}:read`>;

/** The types of event that may be read with these scopes. */
export const readableEvents = (scopes: Caller["scopes"]): EventType[] =>
  eventTypes.filter((type) => holds({ scopes }, scopeOfEvent[type]));

/** All of them with what they mean and what comes with them. */
export const catalogue = (): { eventType: string; description: string; schema: Record<string, unknown> }[] =>
  Object.entries(events as Record<string, z.ZodType>).map(([eventType, data]) => ({
    eventType,
    description: data.description ?? eventType,
    schema: z.toJSONSchema(data, { io: "output", unrepresentable: "any" }),
  }));
