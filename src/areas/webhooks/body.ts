import type * as z from "zod";
import type { Event } from "../../kit/decision.ts";
import type { WebhookBody } from "./shapes.ts";

/** An event as its receiver gets it. */
export function bodyOf(event: Event, payload: "Thin" | "Full"): z.output<typeof WebhookBody> {
  const {
    id,
    type,
    at,
    sequence,
    resource,
    status,
    previousStatus,
    documentId,
    offerId,
    accountId,
    due,
    metadata,
    data,
  } = event;
  return {
    id,
    eventType: type,
    createdAt: at,
    sequence,
    resource,
    status,
    ...(previousStatus && { previousStatus }),
    ...(documentId && { documentId }),
    ...(offerId && { offerId }),
    ...(accountId && { accountId }),
    ...(due && { due }),
    ...(metadata && { metadata }),
    ...(payload === "Full" && data !== undefined && { data }),
  };
}
