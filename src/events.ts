import * as z from "zod";
import { areasAfterWebhooks, areasBeforeWebhooks } from "./areas.ts";
import type { Area } from "./areas/define-area.ts";
import { events as webhookEvents } from "./areas/webhooks/model.ts";
import { holds, type Caller, type ScopeArea } from "./platform/credential.ts";
import type { RecordType } from "./platform/registered.ts";
import { records } from "./records.ts";

type EventsOf<One> = One extends { events: infer Events } ? Events[keyof Events] : never;
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type Source = (typeof areasBeforeWebhooks)[number] | (typeof areasAfterWebhooks)[number];
export type EventType = KeysOf<EventsOf<Source> | typeof webhookEvents>;

const sources: Area[] = [
  ...areasBeforeWebhooks,
  ...areasAfterWebhooks,
  { operations: {}, descriptions: {}, events: { Subscription: webhookEvents } },
];

const registered = Object.entries(records).flatMap(([type, { scope }]) =>
  sources
    .flatMap(({ events }) => Object.entries(events?.[type as RecordType] ?? {}))
    .map(([name, data]) => ({ name, data, scope })),
);

/** All event types to which a webhook may subscribe, with the schemas of their data. */
export const events = Object.fromEntries(registered.map(({ name, data }) => [name, data])) as Record<
  EventType,
  z.ZodType
>;
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]];

/** The scope that is required to read events of each type: that of the record that the event is about. */
export const scopeOfEvent = Object.fromEntries(registered.map(({ name, scope }) => [name, `${scope}:read`])) as Record<
  EventType,
  `${ScopeArea}:read`
>;

/** Returns the event types that a caller with these scopes may read. */
export const readableEvents = (scopes: Caller["scopes"]): EventType[] =>
  eventTypes.filter((type) => holds({ scopes }, scopeOfEvent[type]));

/** Lists all event types with their descriptions and schemas. */
export const catalogue = (): { eventType: string; description: string; schema: Record<string, unknown> }[] =>
  Object.entries(events).map(([eventType, data]) => ({
    eventType,
    description: data.description ?? eventType,
    schema: z.toJSONSchema(data, { io: "output", unrepresentable: "any" }),
  }));
