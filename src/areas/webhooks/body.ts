import type * as z from "zod";
import { eventContextOf, type Event } from "../../platform/decision.ts";
import type { WebhookBody } from "./shapes.ts";

/** An event as its receiver gets it. */
export function bodyOf(event: Event, payload: "Thin" | "Full"): z.output<typeof WebhookBody> {
  const { id, type, at, sequence, resource, status, metadata, data } = event;
  return {
    id,
    eventType: type,
    createdAt: at,
    sequence,
    resource,
    status,
    ...eventContextOf(event),
    ...(metadata && { metadata }),
    ...(payload === "Full" && data !== undefined && { data }),
  };
}
