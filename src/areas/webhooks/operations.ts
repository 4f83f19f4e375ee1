import * as z from "zod";
import { refusalOfTargets } from "../../platform/egress/index.ts";
import { readCursor, writeCursor } from "../../platform/cursor.ts";
import { listEvents, positionOf } from "../../platform/event-log.ts";
import { externalProblem, externalReasons } from "../../platform/external.ts";
import { Answer } from "../../http/responses.ts";
import {
  aliasOf,
  listOf,
  listParameters,
  pageParameters,
  resolveAlias,
  defaultPageSize,
} from "../../platform/list-parameters.ts";
import { operationsOn } from "../../http/operation.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { paginate } from "../../http/paginate.ts";
import { Problem, wrongField } from "../../platform/problem.ts";
import { derivesAddress, sealAuthentication, tokenUrlOf, externalFailureOf } from "../../platform/receivers/index.ts";
import { seal, unsealForReplay } from "../../platform/seal.ts";
import { choice } from "../../domain/shapes.ts";
import { newWebhookSecret } from "../../platform/sign.ts";
import { catalogue, eventTypes, readableEvents } from "../../events.ts";
import { commands as companyCommands } from "../companies/commands.ts";
import {
  bodyOf,
  hasStopped,
  listeners,
  viewOf,
  viewOfDelivery,
  DeliveryView,
  EventTypeView,
  NewSubscription,
  NotifiedView,
  ResetSubscription,
  SubscriptionView,
  TestResult,
  WebhookBody,
  deliveryStatuses,
} from "./views.ts";
import { NotifyInput, ResetInput, SubscriptionInput } from "./input.ts";
import { deliveredExample, deliveryExample, subscriptionExample } from "./examples.ts";
import { type events, sealsOf, type Subscription } from "./model.ts";
import { requireReadable, subscribedBy } from "./listeners.ts";
import { commands } from "./commands.ts";
import { typesIn, update } from "./update.ts";

const { get, post, put, del } = operationsOn<Subscription, typeof events>({
  binding: "SUBSCRIPTIONS",
  param: "subscriptionId",
  scope: "webhooks",
});

const eventsListed = listParameters(["createdAt"], "createdAt");

export const operations = {
  list: get("/api/v1/webhooks", {
    summary: "List webhooks",
    query: z.object(listParameters(["createdAt", "updatedAt"], "createdAt")),
    ok: listOf(SubscriptionView),
    example: { reply: { items: [subscriptionExample] } },
    async handle({ query }, context) {
      const { sort = "createdAt", updatedSince = "", ...page } = query;
      const subscribers = await listeners(context);
      const views = await Promise.all(subscribers.map(({ id }) => viewOf(context, id, subscribers).catch(absent)));
      const changed = views.filter((view) => view !== undefined).filter(({ updatedAt }) => updatedAt >= updatedSince);
      return paginate(changed, { ...page, list: "webhooks", sort, id: "subscriptionId" });
    },
  }),

  create: post("/api/v1/webhooks", {
    summary: "Subscribe to events",
    description:
      "The signing secret is returned only in this response, and again if the request is repeated with its Idempotency-Key. It signs every delivery by Standard Webhooks 1.0 (headers webhook-id, webhook-timestamp, webhook-signature). " +
      "A delivery succeeds if the receiver answers 2xx within 15 seconds; otherwise it is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, or later if `Retry-After` asks for it. " +
      "After five failures in a row, the receiver is probed with one delivery at a time. If it continues to fail, the webhook is disabled, and its events are kept for 14 days or until it is reset. " +
      "A webhook receives only events that the key which created it may read: other event types are refused, and `All` means all types that the key may read. If the key is rotated, the webhook follows the new key; once the key is revoked or expired, it receives no new events (`KeyRevoked`).",
    body: SubscriptionInput,
    ok: NewSubscription,
    status: 201,
    refuses: ["invalid_state", "webhook_target_refused", ...externalReasons],
    example: {
      body: { eventType: "All", callbackUrl: "https://tms.beispiel.de/hooks/lorry" },
      reply: { ...subscriptionExample, secret: "whsec_bG9ycnktZG9jdW1lbnRhdGlvbi1leGFtcGxlLWtleSE=" },
    },
    async handle({ body }, context) {
      const { env, caller, newId: id } = context;
      const { authentication = { type: "None" } } = body;
      const types = typesIn(body);
      requireReadable(caller, types);
      const callbackUrl = derivesAddress(authentication) ? undefined : body.callbackUrl;
      const targets = { callbackUrl, "authentication.tokenUrl": tokenUrlOf(authentication) };
      const refusal = await refusalOfTargets(env, targets);
      if (refusal && !(await context.send(commands.look, id, {}).catch(absent))) throw refusal;
      const about = sealsOf(caller.company, id);
      const { reply, replayed, version } = await context.execute(commands.open, id, {
        eventTypes: types,
        ...(callbackUrl !== undefined && { callbackUrl: new URL(callbackUrl).href }),
        authentication: await sealAuthentication(env, about.authentication, authentication),
        payload: body.payload ?? "Thin",
        ...(body.description && { description: body.description }),
        sealed: await seal(env, about.secret, newWebhookSecret()),
      });
      const { eventTypes: subscribed } = await context.send(commands.look, id, {});
      await context.send(companyCommands.subscribe, caller.company, {
        id,
        eventTypes: subscribed,
        ...subscribedBy(caller),
      });
      const view = await viewOf(context, id);
      const headers = { location: `/api/v1/webhooks/${id}` };
      const secret = await unsealForReplay(env, about.secret, reply.sealed);
      return new Answer({ ...view, secret }, { replayed, version, headers });
    },
  }),

  read: get("/api/v1/webhooks/:subscriptionId", {
    summary: "Read a webhook",
    ok: SubscriptionView,
    example: { reply: subscriptionExample },
    async handle({ params }, context) {
      const { version } = await context.execute(commands.look, params.subscriptionId, {});
      return new Answer(await viewOf(context, params.subscriptionId), { version });
    },
  }),

  update,

  remove: del("/api/v1/webhooks/:subscriptionId", {
    summary: "Unsubscribe",
    description: "Waiting deliveries are dropped. Repeating the request returns the same response.",
    ok: z.object({}),
    status: 204,
    async handle({ params }, context) {
      await context.execute(commands.close, params.subscriptionId, {});
      await context.send(companyCommands.unsubscribe, context.caller.company, { id: params.subscriptionId });
      return {};
    },
  }),

  reset: put("/api/v1/webhooks/:subscriptionId/reset", {
    summary: "Reset a webhook",
    description:
      "Resets the failure count to zero, enables a disabled webhook, and sends waiting deliveries in order, ten per second. A webhook whose key was revoked (`KeyRevoked`) is assigned to the key of this request, which must be allowed to read its event types; `replayFrom` sends the events that it missed.",
    body: ResetInput,
    optionalBody: true,
    ok: ResetSubscription,
    example: { body: {}, reply: subscriptionExample },
    async handle({ params: { subscriptionId: id }, body: { rotateSecret, replayFrom } }, context) {
      const { caller, env } = context;
      const isOrphaned = hasStopped(await listeners(context), id);
      if (isOrphaned) requireReadable(caller, (await context.send(commands.look, id, {})).eventTypes);
      const secret = rotateSecret ? newWebhookSecret() : undefined;
      const about = sealsOf(caller.company, id);
      const { version } = await context.execute(commands.reset, id, {
        ...(secret && { sealed: await seal(env, about.secret, secret) }),
        ...(replayFrom && { replayFrom }),
        ...(isOrphaned && { adoptedBy: { accountId: caller.account?.accountId } }),
      });
      if (isOrphaned) await context.send(companyCommands.adopt, caller.company, { id, ...subscribedBy(caller) });
      return new Answer({ ...(await viewOf(context, id)), ...(secret && { secret }) }, { version });
    },
  }),

  notify: put("/api/v1/webhooks/:subscriptionId/notify", {
    summary: "Set who is notified by mail when a webhook fails",
    description:
      "A mail is sent after ten minutes of failures, half-way to being disabled, when the webhook is disabled, and when it has recovered.",
    body: NotifyInput,
    ok: NotifiedView,
    refuses: ["rate_limited"],
    example: { body: { emails: ["it@tms.beispiel.de"] }, reply: { emails: ["it@tms.beispiel.de"] } },
    command: commands.notify,
  }),

  test: post("/api/v1/webhooks/:subscriptionId/test", {
    summary: "Send a test event now",
    description:
      "Makes one attempt, even if the webhook is disabled; it does not change the failure count. The response contains the receiver's response, whatever its status. If the receiver could not be reached or the token server issued no token, the status is 502, 503 or 504, with the remaining result in the problem.",
    ok: TestResult,
    refuses: [...externalReasons],
    example: {
      reply: { eventId: deliveredExample.id, delivered: true, status: 204, answer: "", milliseconds: 61 },
    },
    async handle({ params: { subscriptionId: id } }, { env, caller, execute, newId }) {
      const { version, replayed } = await execute(commands.ask, id, {});
      const outcome = await objectOf(env, "SUBSCRIPTIONS", caller.company, id).test(`evt_${newId.replaceAll("-", "")}`);
      if (!outcome) throw new Problem("not_found", "The webhook was deleted by another request.");
      const { status: _, detail: __, ...rest } = outcome;
      const failure = externalFailureOf(outcome);
      if (failure) throw externalProblem(failure, rest);
      return new Answer(outcome, { version, replayed });
    },
  }),

  deliveries: get("/api/v1/webhooks/:subscriptionId/deliveries", {
    summary: "List the deliveries of a webhook",
    description:
      "Newest first unless `sort` is sent, each with its attempts; kept for 30 days after completion. `updatedAt` changes with each attempt. Deliveries of events that the key may not read are omitted.",
    query: z.object({
      ...listParameters(["createdAt"]),
      status: choice(deliveryStatuses).optional(),
    }),
    ok: listOf(DeliveryView),
    example: {
      query: { status: "Pending" },
      reply: { items: [deliveryExample], nextCursor: "WyItY3JlYXRlZEF0Iiw0NzExXQ" },
    },
    async handle({ params: { subscriptionId: id }, query }, { env, caller, send }) {
      const { sort = "-createdAt", limit = defaultPageSize, cursor, status, updatedSince } = query;
      const [after] = cursor === undefined ? [] : readCursor(cursor, { list: "deliveries", sort }, ["number"]);
      await send(commands.look, id, {});
      const object = objectOf(env, "SUBSCRIPTIONS", caller.company, id);
      const rows = await object.deliveryLog({
        isDescending: sort === "-createdAt",
        after,
        limit: limit + 1,
        states: status ? [status] : [],
        types: readableEvents(caller.scopes),
        changedSince: updatedSince === undefined ? 0 : Date.parse(updatedSince),
      });
      const { status: health } = await object.health();
      const page = rows.slice(0, limit);
      return {
        items: page.map((row) => viewOfDelivery(row, health === "Disabled")),
        ...(rows.length > limit && { nextCursor: writeCursor({ list: "deliveries", sort }, [page.at(-1)!.seq]) }),
      };
    },
  }),

  resend: post("/api/v1/webhooks/:subscriptionId/deliveries/:deliveryId/resend", {
    summary: "Repeat a delivery",
    description: "Sends it now, whatever its status, with the same id; the attempt does not change the failure count.",
    ok: z.object({ deliveryId: z.string() }),
    status: 202,
    example: { reply: { deliveryId: deliveryExample.deliveryId } },
    async handle({ params: { subscriptionId: id, deliveryId } }, { env, caller, execute, newId }) {
      const { version, replayed } = await execute(commands.ask, id, {});
      const object = objectOf(env, "SUBSCRIPTIONS", caller.company, id);
      const isThere = await object.resend(deliveryId, newId, readableEvents(caller.scopes));
      if (!isThere) throw new Problem("not_found");
      return new Answer({ deliveryId }, { version, replayed });
    },
  }),

  eventTypes: get("/api/v1/webhooks/event-types", {
    summary: "List the event types",
    description: "Each with the JSON Schema of its `data`.",
    query: z.object(pageParameters),
    ok: listOf(EventTypeView),
    example: {
      reply: { items: [{ eventType: "Test", description: "Sent on request.", schema: { type: "object" } }] },
    },
    handle: async ({ query }) =>
      paginate(catalogue(), { ...query, list: "event-types", sort: "eventType", id: "eventType" }),
  }),

  events: get("/api/v1/events", {
    summary: "List events",
    description:
      "For polling instead of webhooks: the same bodies, oldest first unless `sort` is sent, kept for 30 days, with a delay of one or two seconds. `cursor` accepts the id of any event: to continue after the last page, send the id of the last event that you have. Events that the key may not read are omitted: orders need `orders:read`; freights, offers and requests `freights:read`; and so on.",
    query: z.object({
      ...eventsListed,
      after: aliasOf("cursor", eventsListed.cursor),
      since: aliasOf("updatedSince", eventsListed.updatedSince),
      eventType: choice(eventTypes).optional(),
      payload: choice(["Thin", "Full"]).optional().describe("`Full` includes the data."),
    }),
    ok: listOf(WebhookBody),
    example: { query: { eventType: "OrderProcessed" }, reply: { items: [deliveredExample] } },
    async handle({ query }, { env, caller }) {
      const { eventType, payload = "Thin", sort = "createdAt", limit = defaultPageSize } = query;
      if (eventType) requireReadable(caller, [eventType]);
      const cursor = resolveAlias<string>({ cursor: query.cursor, after: query.after }, "cursor", "after");
      const since = resolveAlias<string>(
        { updatedSince: query.updatedSince, since: query.since },
        "updatedSince",
        "since",
      ).value;
      const after =
        cursor.value === undefined ? undefined : await positionOf(env.ARCHIVE, caller.company, cursor.value);
      if (cursor.value !== undefined && after === undefined) throw unknownEvent(cursor.name);
      const readable = readableEvents(caller.scopes);
      const types = eventType ? [eventType] : readable.length < eventTypes.length ? readable : undefined;
      const selection = { isDescending: sort === "-createdAt", after, since, types, limit: limit + 1 };
      const events = (await listEvents(env.ARCHIVE, caller.company, selection)).map(({ event }) => event);
      const page = events.slice(0, limit);
      return {
        items: page.map((event) => bodyOf(event, payload)),
        ...(events.length > limit && { nextCursor: page.at(-1)!.id }),
      };
    },
  }),
};

const unknownEvent = (name: string) =>
  new Problem("invalid_cursor", "The event does not exist or is older than 30 days.", {
    errors: [wrongField([name], "invalid_cursor", `${name} is not the id of a stored event.`)],
  });

/** Handler of `catch` for a webhook that was deleted but is still in the index of its company. */
function absent(error: unknown): undefined {
  if (!(error instanceof Problem && error.reason === "not_found")) throw error;
}
