import * as z from "zod";
import {
  Authentication,
  AuthenticationUpdate,
  AuthenticationView,
  derivesAddress,
} from "../../platform/receivers/index.ts";
import { LineText, Text, choice } from "../../domain/shapes.ts";
import { eventTypes } from "../../events.ts";

// What it is

export const EventChoice = choice(["All", ...eventTypes]).meta({ id: "WebhookEventType" });

const subscriptionInput = <Auth extends z.ZodType<Authentication | undefined>>(authentication: Auth) =>
  z
    .object({
      eventType: EventChoice.optional().describe("`All`, or one name."),
      eventTypes: z.array(EventChoice).min(1).max(50).optional().describe("Several names."),
      callbackUrl: z
        .string()
        .max(2048)
        .optional()
        .describe("https URL of a public address. Required, except with `Lambda` and `Sqs`, which ignore it."),
      authentication,
      payload: choice(["Thin", "Full"])
        .optional()
        .describe(
          "`Full` sends the data with the event; `Thin`, the default, only names the event and its resource. Data of more than 256 KiB as JSON is left out of `Full`: fetch it from the resource.",
        ),
      description: LineText(200).optional(),
    })
    .refine(({ eventType, eventTypes: several }) => eventType !== undefined || several !== undefined, {
      message: "eventType or eventTypes is required",
      path: ["eventType"],
    });

export const SubscriptionInput = subscriptionInput(
  Authentication.optional().describe(
    "How Lorry authenticates to the receiver. Default: `None`. Deliveries are always signed.",
  ),
)
  .superRefine(
    ({ callbackUrl, authentication }, context) => {
      if (callbackUrl === undefined && !(authentication && derivesAddress(authentication)))
        context.addIssue({ code: "invalid_type", expected: "string", input: undefined, path: ["callbackUrl"] });
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .meta({ id: "SubscriptionInput" });

/** Whether `callbackUrl` must be there depends on the authentication that stays when none is sent. */
export const SubscriptionUpdate = subscriptionInput(
  AuthenticationUpdate.optional().describe(
    "Kept if not sent. A secret that is omitted or sent as `***` is kept too, unless `callbackUrl` or `tokenUrl` changes: then send it again.",
  ),
).meta({ id: "SubscriptionUpdate" });

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

export const deliveredExample = {
  id: "evt_0193a5f27c1e7a449d2b5f0c3e1a8b79",
  eventType: "OrderProcessed",
  createdAt: "2026-11-20T09:30:01.200Z",
  sequence: 3,
  resource: {
    type: "Order",
    id: "0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
    url: "/api/v2/orders/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
    version: 3,
  },
  status: "Succeeded",
  previousStatus: "Processing",
  metadata: { internalId: "TMS-4711" },
};

/** What a receiver gets. */
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

export const subscriptionExample: SubscriptionView = {
  subscriptionId: "0193a5f2-8d10-7b02-a9c4-2f6e1d0b7c55",
  status: "Active",
  disablesAfter: { failures: 20, seconds: 86_400 },
  eventTypes: ["All"],
  callbackUrl: "https://tms.beispiel.de/hooks/lorry",
  authentication: { type: "None" },
  payload: "Thin",
  emails: [],
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z",
  failureCount: 0,
  pending: 0,
  droppedCount: 0,
};

const Secret = z.string().describe("`whsec_` and base64; returned only in this response.");
export const NewSubscription = SubscriptionView.extend({ secret: Secret }).meta({ id: "NewSubscription" });

export const ResetInput = z
  .object({
    rotateSecret: z
      .boolean()
      .optional()
      .describe("Creates a new secret and returns it. For 24 hours deliveries are signed with the old secret as well."),
    replayFrom: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Repeats the events since this time, at most 30 days back, with the same ids."),
  })
  .meta({ id: "ResetInput" });

export const ResetSubscription = SubscriptionView.extend({ secret: Secret.optional() }).meta({
  id: "ResetSubscription",
});

/** Whom mails go to: one plain address each. */
export const NotifyInput = z
  .object({
    emails: z
      .array(z.email("Not an e-mail address").max(254))
      .max(10)
      .transform((emails) => [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()])
      .describe("Replaces all addresses; `[]` removes them. Each new address gets a mail with a link to unsubscribe."),
  })
  .meta({ id: "NotifyInput" });

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

export const deliveryExample: DeliveryView = {
  deliveryId: "0193a5f3-0a41-7d20-b6c1-7e8f90a1b2c3",
  eventId: "evt_0193a5f27c1e7a449d2b5f0c3e1a8b79",
  eventType: "OrderProcessed",
  resource: "Order/0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77",
  status: "Pending",
  attempts: [
    {
      kind: "Scheduled",
      at: "2026-11-20T09:30:01.300Z",
      outcome: "Failed",
      milliseconds: 84,
      status: 503,
      answer: "Back in a minute",
    },
  ],
  nextAttemptAt: "2026-11-20T09:30:06.000Z",
  createdAt: "2026-11-20T09:30:01.250Z",
  updatedAt: "2026-11-20T09:30:01.384Z",
};

export const EventTypeView = z
  .object({
    eventType: z.string(),
    description: z.string(),
    schema: z.record(z.string(), z.unknown()).describe("JSON Schema of `data`."),
  })
  .meta({ id: "EventType" });

/** The reason of a test, as its receiver reads it. */
export const TestData = z.object({ message: Text(200) });
