import * as z from "zod";
import { refuse } from "../kit/decision.ts";
import { checkedTarget } from "../kit/egress/index.ts";
import type { Env } from "../kit/env.ts";
import { Answer } from "../kit/http.ts";
import { operationsOn, stepsOn, type Context } from "../kit/operation.ts";
import { objectOf } from "../kit/owners.ts";
import { invalidCursor, Problem, wrongField, type ErrorItem } from "../kit/problem.ts";
import { isId } from "../kit/ids.ts";
import {
  Authentication,
  AuthenticationView,
  isOfAws,
  sealAuthentication,
  shownAuthentication,
  type SealedAuthentication,
} from "../kit/receivers/index.ts";
import { seal, unseal } from "../kit/seal.ts";
import { choice, LineText, listOf, queryInteger } from "../kit/shapes.ts";
import { newWebhookSecret } from "../kit/sign.ts";
import { eventTypes } from "../events.ts";
import * as companies from "./companies.ts";

// What it is

const EventChoice = choice(["All", ...eventTypes]);

const SubscriptionInput = z
  .object({
    eventType: EventChoice.optional().describe("`All`, or one name."),
    eventTypes: z.array(EventChoice).min(1).max(50).optional().describe("Several names."),
    callbackUrl: z
      .string()
      .max(2048)
      .optional()
      .describe("https to a public address. Required, but not looked at with `Lambda` and `Sqs`."),
    authentication: Authentication.optional().describe(
      "How we prove to the receiver who we are; `None` when not said. Deliveries are signed in any case.",
    ),
    payload: choice(["Thin", "Full"])
      .optional()
      .describe(
        "`Full` sends the data with the event; `Thin`, the default, only says what happened to what. Data of more than 256 KiB as JSON is left out of `Full`: fetch it from the resource.",
      ),
    description: LineText(200).optional(),
  })
  .refine(({ eventType, eventTypes: several }) => eventType !== undefined || several !== undefined, {
    message: "eventType or eventTypes must be given",
    path: ["eventType"],
  })
  .superRefine(
    ({ callbackUrl, authentication }, context) => {
      if (callbackUrl === undefined && !(authentication && isOfAws(authentication)))
        context.addIssue({ code: "invalid_type", expected: "string", input: undefined, path: ["callbackUrl"] });
    },
    { when: ({ value }) => typeof value === "object" && value !== null },
  )
  .meta({ id: "SubscriptionInput" });

export const SubscriptionView = z
  .object({
    subscriptionId: z.string(),
    status: z.enum(["Active", "Failing", "Disabled"]),
    eventTypes: z.array(z.string()),
    callbackUrl: z.string().optional().describe("Absent with `Lambda` and `Sqs`."),
    authentication: AuthenticationView,
    payload: z.enum(["Thin", "Full"]),
    description: z.string().optional(),
    createdAt: z.string().describe("Events from this moment on are delivered."),
    failureCount: z.number().int().describe("Failed attempts in a row."),
    lastSuccessAt: z.string().optional(),
    lastFailure: z
      .object({
        at: z.string(),
        status: z.number().optional(),
        error: z.string().optional(),
        detail: z.string().optional(),
      })
      .optional(),
    pending: z.number().int().describe("Deliveries on their way."),
  })
  .meta({ id: "Subscription" });
export type SubscriptionView = z.output<typeof SubscriptionView>;

const deliveredExample = {
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
    id: z.string().describe("The same on every attempt; also in the header `webhook-id`."),
    eventType: z.string(),
    createdAt: z.string(),
    sequence: z
      .number()
      .int()
      .describe("Rises by one with each change of the resource: drop what is older than what you have."),
    resource: z.object({ type: z.string(), id: z.string(), url: z.string(), version: z.number().int() }),
    status: z.string(),
    previousStatus: z.string().optional(),
    documentId: z.string().optional().describe("The document of the resource that it happened to."),
    metadata: z.record(z.string(), z.string()).optional(),
    data: z.unknown().optional().describe("With the payload `Full`, up to 256 KiB."),
  })
  .meta({ id: "WebhookBody", examples: [deliveredExample] });

const subscriptionExample: SubscriptionView = {
  subscriptionId: "0193a5f2-8d10-7b02-a9c4-2f6e1d0b7c55",
  status: "Active",
  eventTypes: ["All"],
  callbackUrl: "https://tms.beispiel.de/hooks/lorry",
  authentication: { type: "None" },
  payload: "Thin",
  createdAt: "2026-11-20T09:00:00.000Z",
  failureCount: 0,
  pending: 0,
};

// What happens to it

export const events = {};

// What is remembered: the deliveries have tables of their own in the object

export interface Subscription {
  eventTypes: string[];
  /** Not with receivers of AWS. */
  callbackUrl?: string;
  /** None when it is not there. */
  authentication?: SealedAuthentication;
  payload: "Thin" | "Full";
  description?: string;
  /** Sealed; all of them sign, newest first. */
  secrets: { sealed: string; createdAt: string }[];
  createdAt: string;
  deletedAt?: string;
  metadata?: undefined;
}

/** What the secrets that sign, and those that prove who we are, are bound to. */
export const sealsOf = (company: string, subscriptionId: string) => ({
  secret: `${company}/webhooks/${subscriptionId}/secret`,
  authentication: `${company}/webhooks/${subscriptionId}/authentication`,
});

export const steps = stepsOn<Subscription, typeof events>(
  "SUBSCRIPTIONS",
  "webhooks",
)({
  open: (_, ask: Omit<Subscription, "createdAt" | "secrets"> & { sealed: string }, { at }) => {
    const { sealed, ...said } = ask;
    return { state: { ...said, secrets: [{ sealed, createdAt: at }], createdAt: at }, reply: { sealed } };
  },

  look: (subscription) => (subscription && !subscription.deletedAt ? { reply: subscription } : refuse("not_found")),

  close: (subscription, _asked: object, { at }) => {
    if (!subscription) return refuse("not_found");
    if (subscription.deletedAt) return { reply: {} };
    const { authentication: _, ...rest } = subscription;
    return { state: { ...rest, secrets: [], deletedAt: at }, reply: {} };
  },
});

// What may be asked

const { get, post, del } = operationsOn<Subscription, typeof events>({
  binding: "SUBSCRIPTIONS",
  param: "subscriptionId",
  scope: "webhooks",
});

export const operations = {
  list: get("/api/v1/webhooks", {
    summary: "List webhooks",
    query: z.object({ limit: queryInteger(1, 200).optional(), cursor: z.string().max(500).optional() }),
    ok: listOf(SubscriptionView),
    example: { reply: { items: [subscriptionExample] } },
    async handle({ query }, context) {
      const { env, caller } = context;
      if (query.cursor && !isId(query.cursor)) throw invalidCursor();
      const subscribers = await objectOf(env, "COMPANIES", caller.company, caller.company).subscribers();
      const ids = subscribers.map(({ id }) => id).sort();
      const rest = ids.filter((id) => id > (query.cursor ?? ""));
      const page = rest.slice(0, query.limit ?? 50);
      const views = await Promise.all(page.map((id) => viewOf(context, id).catch(absent)));
      return {
        items: views.filter((view) => view !== undefined),
        ...(rest.length > page.length && { nextCursor: page.at(-1) }),
      };
    },
  }),

  create: post("/api/v1/webhooks", {
    summary: "Subscribe to events",
    description:
      "The secret is shown only in this answer, and again when the request is repeated with its Idempotency-Key: it signs every delivery by Standard Webhooks 1.0 (headers webhook-id, webhook-timestamp, webhook-signature). " +
      "A delivery is good when the receiver answers 2xx within 15 seconds; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h.",
    body: SubscriptionInput,
    ok: SubscriptionView.extend({ secret: z.string().describe("`whsec_` and base64.") }).meta({
      id: "NewSubscription",
    }),
    status: 201,
    refuses: ["invalid_state", "webhook_target_refused"],
    example: {
      body: { eventType: "All", callbackUrl: "https://tms.beispiel.de/hooks/lorry" },
      reply: { ...subscriptionExample, secret: "whsec_bG9ycnktZG9jdW1lbnRhdGlvbi1leGFtcGxlLWtleSE=" },
    },
    async handle({ body }, context) {
      const { env, caller, newId: id } = context;
      const { authentication = { type: "None" } } = body;
      const callbackUrl = isOfAws(authentication) ? undefined : body.callbackUrl;
      const errors = await refusedTargets(env, { callbackUrl, "authentication.tokenUrl": tokenUrlOf(authentication) });
      if (errors.length > 0 && !(await context.look(steps.look, id, {}).catch(absent)))
        throw new Problem("webhook_target_refused", errors[0]!.message, { errors });
      const about = sealsOf(caller.company, id);
      const { reply, replayed, version } = await context.perform(steps.open, id, {
        eventTypes: [...new Set([...(body.eventType ? [body.eventType] : []), ...(body.eventTypes ?? [])])],
        ...(callbackUrl !== undefined && { callbackUrl: new URL(callbackUrl).href }),
        authentication: await sealAuthentication(env, about.authentication, authentication),
        payload: body.payload ?? "Thin",
        ...(body.description && { description: body.description }),
        sealed: await seal(env, about.secret, newWebhookSecret()),
      });
      const view = await viewOf(context, id);
      await context.look(companies.steps.subscribe, caller.company, { id, eventTypes: view.eventTypes });
      const headers = { location: `/api/v1/webhooks/${id}` };
      const secret = await unseal(env, about.secret, reply.sealed);
      return new Answer({ ...view, secret }, { replayed, version, headers });
    },
  }),

  read: get("/api/v1/webhooks/:subscriptionId", {
    summary: "Read a webhook",
    ok: SubscriptionView,
    example: { reply: subscriptionExample },
    async handle({ params }, context) {
      const { version } = await context.perform(steps.look, params.subscriptionId, {});
      return new Answer(await viewOf(context, params.subscriptionId), { version });
    },
  }),

  remove: del("/api/v1/webhooks/:subscriptionId", {
    summary: "Unsubscribe",
    description: "Deliveries that wait are dropped. Deleting again answers the same.",
    ok: z.object({}),
    status: 204,
    async handle({ params }, context) {
      await context.perform(steps.close, params.subscriptionId, {});
      await context.look(companies.steps.unsubscribe, context.caller.company, { id: params.subscriptionId });
      return {};
    },
  }),

  eventTypes: get("/api/v1/webhooks/event-types", {
    summary: "List the events one can subscribe to",
    ok: z.object({ items: z.array(z.object({ eventType: z.string() })) }),
    example: { reply: { items: [{ eventType: "OrderProcessed" }] } },
    handle: async () => ({ items: eventTypes.map((eventType) => ({ eventType })) }),
  }),
};

/** Failures in a row from which a webhook is called failing. */
const failingFrom = 3;

const tokenUrlOf = (authentication: Authentication) =>
  authentication.type === "OAuth2" ? authentication.tokenUrl : undefined;

/** Every address that is not to be called, by the field it was sent in. */
async function refusedTargets(env: Env, addresses: Record<string, string | undefined>): Promise<ErrorItem[]> {
  const checked = await Promise.all(
    Object.entries(addresses).map(async ([field, address]) => {
      const refused = address === undefined ? undefined : await checkedTarget(address, env);
      return refused ? [wrongField(field.split("."), "webhook_target_refused", refused)] : [];
    }),
  );
  return checked.flat();
}

/** Closed, but not yet out of its company's index. */
function absent(error: unknown): undefined {
  if (!(error instanceof Problem && error.reason === "not_found")) throw error;
}

async function viewOf({ env, caller, look }: Context, id: string): Promise<SubscriptionView> {
  const [subscription, health] = await Promise.all([
    look(steps.look, id, {}),
    objectOf(env, "SUBSCRIPTIONS", caller.company, id).health(),
  ]);
  const { eventTypes: hears, callbackUrl, authentication, payload, description, createdAt } = subscription;
  const status = health.failureCount >= failingFrom ? "Failing" : "Active";
  return {
    subscriptionId: id,
    status,
    eventTypes: hears,
    ...(callbackUrl !== undefined && { callbackUrl }),
    authentication: authentication ? shownAuthentication(authentication) : { type: "None" },
    payload,
    ...(description && { description }),
    createdAt,
    ...health,
  };
}
