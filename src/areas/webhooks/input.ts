import * as z from "zod";
import { Authentication, AuthenticationUpdate, derivesAddress } from "../../platform/receivers/index.ts";
import { LineText, choice } from "../../domain/shapes.ts";
import { eventTypes } from "../../events.ts";

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

/** An update. If it contains no authentication, the stored authentication decides whether `callbackUrl` is required. */
export const SubscriptionUpdate = subscriptionInput(
  AuthenticationUpdate.optional().describe(
    "Kept if not sent. A secret that is omitted or sent as `***` is kept too, unless `callbackUrl` or `tokenUrl` changes: then send it again.",
  ),
).meta({ id: "SubscriptionUpdate" });

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

/** The addresses that are notified by mail. */
export const NotifyInput = z
  .object({
    emails: z
      .array(z.email("Not an e-mail address").max(254))
      .max(10)
      .transform((emails) => [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()])
      .describe("Replaces all addresses; `[]` removes them. Each new address gets a mail with a link to unsubscribe."),
  })
  .meta({ id: "NotifyInput" });
