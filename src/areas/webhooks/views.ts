import * as z from "zod";
import { type Event, eventContextOf } from "../../platform/decision.ts";
import { deliveredExample } from "./examples.ts";
import { type AttemptRecord, type DeliveryRecord, type Subscriber, objectOf } from "../../platform/aggregates.ts";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../http/operation.ts";
import { AuthenticationView, toAuthenticationView } from "../../platform/receivers/index.ts";
import { commands } from "./commands.ts";

const Failure = z.object({
  at: z.string(),
  status: z.number().optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
});

export const SubscriptionView = z
  .object({
    subscriptionId: z.string(),
    status: z
      .enum(["Active", "Failing", "Disabled"])
      .describe(
        "`Failing` is only a warning. A `Disabled` webhook receives nothing until it is reset; waiting deliveries are kept.",
      ),
    disabledBecause: z
      .enum(["Failures", "Gone", "AccountBlocked", "KeyRevoked"])
      .optional()
      .describe(
        "`Gone`: the receiver answered 410. `AccountBlocked`: the account that created it is blocked; a reset does not change that. `KeyRevoked`: the key that created it was revoked, has expired or may no longer read any of its events: the webhook receives no new events until it is reset with another key.",
      ),
    disablesAfter: z
      .object({ failures: z.number().int(), seconds: z.number() })
      .describe("Number of consecutive failures, and their duration, after which a webhook is disabled."),
    eventTypes: z.array(z.string()),
    receives: z
      .array(z.string())
      .optional()
      .describe("The part of `eventTypes` that it receives, if its key may not read all of them."),
    keyId: z.string().optional().describe("The key that created it. Absent for webhooks of earlier releases."),
    callbackUrl: z.string().optional().describe("Absent with `Lambda` and `Sqs`."),
    authentication: AuthenticationView,
    payload: z.enum(["Thin", "Full"]),
    description: z.string().optional(),
    emails: z.array(z.string()).describe("Addresses that are notified by mail."),
    createdAt: z.string().describe("Events are delivered from this moment on."),
    updatedAt: z.string().describe("When its settings last changed; changes of its status do not count."),
    failureCount: z
      .number()
      .int()
      .describe("Consecutive failed attempts since the last reset; manual attempts do not count."),
    lastSuccessAt: z.string().optional(),
    lastFailure: Failure.optional(),
    pending: z.number().int().describe("Number of pending deliveries, including those that wait for a reset."),
    droppedCount: z
      .number()
      .int()
      .describe("Number of deliveries that were dropped while it was disabled, because they were too old or too many."),
  })
  .meta({ id: "Subscription" });
export type SubscriptionView = z.output<typeof SubscriptionView>;

const Secret = z.string().describe("`whsec_` and base64; returned only in this response.");
export const NewSubscription = SubscriptionView.extend({ secret: Secret }).meta({ id: "NewSubscription" });

export const ResetSubscription = SubscriptionView.extend({ secret: Secret.optional() }).meta({
  id: "ResetSubscription",
});

/** The body of a delivery. */
export const WebhookBody = z
  .object({
    id: z.string().describe("The same for every attempt; also sent in the header `webhook-id`."),
    eventType: z.string(),
    createdAt: z.string(),
    sequence: z
      .number()
      .int()
      .describe(
        "Increases by one with each change of the resource: ignore events with a lower number than you already have.",
      ),
    resource: z.object({ type: z.string(), id: z.string(), url: z.string(), version: z.number().int() }),
    status: z.string(),
    previousStatus: z.string().optional(),
    documentId: z.string().optional().describe("The affected document of the resource."),
    offerId: z.string().optional().describe("The affected offer of the freight."),
    accountId: z.string().optional().describe("The affected account of the company."),
    due: z
      .object({ index: z.number().int(), deadline: z.string(), date: z.string(), daysLeft: z.number().int() })
      .optional()
      .describe("For `FineDeadline`: the fine of the automation, and which of its deadlines."),
    metadata: z.record(z.string(), z.string()).optional(),
    gap: z.literal(true).optional().describe("An earlier event about this resource could not be delivered."),
    data: z.unknown().optional().describe("With the payload `Full`, up to 256 KiB."),
  })
  .meta({ id: "WebhookBody", examples: [deliveredExample] });

export const NotifiedView = z.object({ emails: z.array(z.string()) }).meta({ id: "Notified" });

export const TestResult = z
  .object({
    eventId: z.string(),
    delivered: z.boolean(),
    status: z.number().int().optional(),
    error: z.string().optional(),
    detail: z.string().optional(),
    answer: z.string().describe("The first KiB of the receiver's response."),
    milliseconds: z.number(),
  })
  .meta({ id: "WebhookTestResult" });

export const deliveryStatuses = ["Pending", "Held", "Sending", "Delivered", "Exhausted", "Dropped"] as const;

const AttemptView = z.object({
  kind: z.enum(["Scheduled", "Manual", "Test"]),
  at: z.string(),
  outcome: z
    .enum(["Delivered", "Failed", "Unknown", "Running"])
    .describe("`Unknown`: the attempt was interrupted and has been repeated."),
  milliseconds: z.number().optional(),
  status: z.number().int().optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
  answer: z.string().optional().describe("The first KiB of the receiver's response."),
});

export const DeliveryView = z
  .object({
    deliveryId: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    resource: z.string().describe("The resource of the event. Deliveries of the same resource keep their order."),
    status: z
      .enum(deliveryStatuses)
      .describe("`Held`: waits for an earlier delivery of the same resource. `Exhausted`: all attempts failed."),
    attempts: z.array(AttemptView).describe("In order."),
    nextAttemptAt: z.string().optional().describe("Absent while the webhook is disabled."),
    createdAt: z.string(),
    updatedAt: z.string().describe("Time of the last attempt, or when it was created or dropped."),
  })
  .meta({ id: "Delivery" });
export type DeliveryView = z.output<typeof DeliveryView>;

export const EventTypeView = z
  .object({
    eventType: z.string(),
    description: z.string(),
    schema: z.record(z.string(), z.unknown()).describe("JSON Schema of `data`."),
  })
  .meta({ id: "EventType" });

/** Builds the body that delivers an event. */
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

/** Returns the view of a delivery with its attempts; without the next attempt while the webhook is disabled. */
export function viewOfDelivery(row: DeliveryRecord & { tried: AttemptRecord[] }, isDisabled: boolean): DeliveryView {
  return {
    deliveryId: row.id,
    eventId: row.event_id,
    eventType: row.type,
    resource: row.okey,
    status: row.state,
    attempts: row.tried.map(viewOfAttempt),
    ...(row.state === "Pending" && !isDisabled && { nextAttemptAt: moment(row.due) }),
    createdAt: moment(row.created),
    updatedAt: moment(row.updated),
  };
}

function viewOfAttempt(attempt: AttemptRecord): DeliveryView["attempts"][number] {
  const { kind, started, ended, outcome, status, error, detail, answer } = attempt;
  return {
    kind,
    at: moment(started),
    outcome: outcome ?? "Running",
    ...(ended !== null && { milliseconds: ended - started }),
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    ...(detail !== null && { detail }),
    ...(answer && { answer }),
  };
}

const moment = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Lists the webhooks of the company, each with the event types that it receives now. */
export const listeners = ({ env, caller: { company } }: Context) =>
  objectOf(env, "COMPANIES", company, company).subscribers();

/** Whether a webhook receives no more events, because its key was revoked, has expired or may not read any of them. */
export const hasStopped = (subscribers: Subscriber[], id: string): boolean =>
  subscribers.find((one) => one.id === id)?.eventTypes.length === 0;

/** Loads the view of a webhook. @param known the webhooks of the company, if they are already loaded */
export async function viewOf(context: Context, id: string, known?: Subscriber[]): Promise<SubscriptionView> {
  const { env, caller, send } = context;
  const [subscription, health, subscribers] = await Promise.all([
    send(commands.look, id, {}),
    objectOf(env, "SUBSCRIPTIONS", caller.company, id).health(),
    known ?? listeners(context),
  ]);
  const listener = subscribers.find((one) => one.id === id);
  const { eventTypes: hears, callbackUrl, authentication, payload, description, createdAt, emails = [] } = subscription;
  const { updatedAt = createdAt } = subscription;
  return {
    subscriptionId: id,
    eventTypes: hears,
    ...(listener && !isDeepStrictEqual(listener.eventTypes, hears) && { receives: listener.eventTypes }),
    ...(listener?.keyId && { keyId: listener.keyId }),
    ...(callbackUrl !== undefined && { callbackUrl }),
    authentication: authentication ? toAuthenticationView(authentication) : { type: "None" },
    payload,
    ...(description && { description }),
    emails: emails.map(({ email }) => email),
    createdAt,
    updatedAt,
    ...health,
    ...(hasStopped(subscribers, id) &&
      !health.disabledBecause && { status: "Disabled" as const, disabledBecause: "KeyRevoked" as const }),
  };
}
