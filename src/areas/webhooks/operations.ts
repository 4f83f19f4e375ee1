import * as z from "zod";
import { refusalOfTargets } from "../../platform/egress/index.ts";
import { readCursor, writeCursor } from "../../platform/cursor.ts";
import { eventsFrom, positionOf } from "../../platform/event-log.ts";
import { externalProblem, externalReasons } from "../../platform/external.ts";
import { Answer } from "../../http/responses.ts";
import { aliasOf, listOf, listParameters, pageParameters, sentAs, usualLimit } from "../../platform/lists.ts";
import { operationsOn } from "../../http/operation.ts";
import { objectOf } from "../../platform/aggregates.ts";
import { pageOf } from "../../http/pages.ts";
import { Problem, wrongField } from "../../platform/problem.ts";
import { isOfAws, sealAuthentication, tokenUrlOf, unreachedBy } from "../../platform/receivers/index.ts";
import { seal, unsealAgain } from "../../platform/seal.ts";
import { choice } from "../../domain/shapes.ts";
import { newWebhookSecret } from "../../platform/sign.ts";
import { catalogue, eventTypes, readableEvents } from "../../events.ts";
import { commands as companyCommands } from "../companies/commands.ts";
import { bodyOf, hasStopped, listeners, viewOf, viewOfDelivery } from "./views.ts";
import {
  DeliveryView,
  EventTypeView,
  NewSubscription,
  NotifiedView,
  NotifyInput,
  ResetInput,
  ResetSubscription,
  SubscriptionInput,
  SubscriptionView,
  TestResult,
  WebhookBody,
  deliveredExample,
  deliveryExample,
  deliveryStatuses,
  subscriptionExample,
} from "./model.ts";
import { type events } from "./events.ts";
import { requireReadable, subscribedBy } from "./listeners.ts";
import { sealsOf, commands, type Subscription } from "./commands.ts";
import { typesIn, update } from "./update.ts";

// What may be asked

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
      const asked = views.filter((view) => view !== undefined).filter(({ updatedAt }) => updatedAt >= updatedSince);
      return pageOf(asked, { ...page, list: "webhooks", sort, id: "subscriptionId" });
    },
  }),

  create: post("/api/v1/webhooks", {
    summary: "Subscribe to events",
    description:
      "The secret is shown only in this answer, and again when the request is repeated with its Idempotency-Key: it signs every delivery by Standard Webhooks 1.0 (headers webhook-id, webhook-timestamp, webhook-signature). " +
      "A delivery is good when the receiver answers 2xx within 15 seconds; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later when `Retry-After` asks for it. " +
      "A receiver that fails five times in a row is probed with one delivery at a time; one that goes on failing is disabled, and what it would have got is kept for 14 days, until it is reset. " +
      "A webhook receives only what the key that made it may read: naming an event type that the key may not read is refused, and `All` means every type that it may read. It follows the key when that is rotated, and receives nothing new once the key is revoked or has expired (`KeyRevoked`).",
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
      const callbackUrl = isOfAws(authentication) ? undefined : body.callbackUrl;
      const targets = { callbackUrl, "authentication.tokenUrl": tokenUrlOf(authentication) };
      const refusal = await refusalOfTargets(env, targets);
      if (refusal && !(await context.look(commands.look, id, {}).catch(absent))) throw refusal;
      const about = sealsOf(caller.company, id);
      const { reply, replayed, version } = await context.execute(commands.open, id, {
        eventTypes: types,
        ...(callbackUrl !== undefined && { callbackUrl: new URL(callbackUrl).href }),
        authentication: await sealAuthentication(env, about.authentication, authentication),
        payload: body.payload ?? "Thin",
        ...(body.description && { description: body.description }),
        sealed: await seal(env, about.secret, newWebhookSecret()),
      });
      const { eventTypes: subscribed } = await context.look(commands.look, id, {});
      await context.look(companyCommands.subscribe, caller.company, {
        id,
        eventTypes: subscribed,
        ...subscribedBy(caller),
      });
      const view = await viewOf(context, id);
      const headers = { location: `/api/v1/webhooks/${id}` };
      const secret = await unsealAgain(env, about.secret, reply.sealed);
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
    description: "Deliveries that wait are dropped. Deleting again answers the same.",
    ok: z.object({}),
    status: 204,
    async handle({ params }, context) {
      await context.execute(commands.close, params.subscriptionId, {});
      await context.look(companyCommands.unsubscribe, context.caller.company, { id: params.subscriptionId });
      return {};
    },
  }),

  reset: put("/api/v1/webhooks/:subscriptionId/reset", {
    summary: "Start a webhook anew",
    description:
      "The failure count becomes zero, a disabled webhook is active again, and what waits goes out at once, in its order and ten a second. One whose key was revoked (`KeyRevoked`) belongs to the key that asks from then on, which must be allowed to read the event types it names; `replayFrom` sends what it missed.",
    body: ResetInput,
    optionalBody: true,
    ok: ResetSubscription,
    example: { body: {}, reply: subscriptionExample },
    async handle({ params: { subscriptionId: id }, body: { rotateSecret, replayFrom } }, context) {
      const { caller, env } = context;
      const isOrphaned = hasStopped(await listeners(context), id);
      if (isOrphaned) requireReadable(caller, (await context.look(commands.look, id, {})).eventTypes);
      const secret = rotateSecret ? newWebhookSecret() : undefined;
      const about = sealsOf(caller.company, id);
      const { version } = await context.execute(commands.reset, id, {
        ...(secret && { sealed: await seal(env, about.secret, secret) }),
        ...(replayFrom && { replayFrom }),
        ...(isOrphaned && { adoptedBy: { accountId: caller.account?.accountId } }),
      });
      if (isOrphaned) await context.look(companyCommands.adopt, caller.company, { id, ...subscribedBy(caller) });
      return new Answer({ ...(await viewOf(context, id)), ...(secret && { secret }) }, { version });
    },
  }),

  notify: put("/api/v1/webhooks/:subscriptionId/notify", {
    summary: "Say who is told by mail when a webhook fails",
    description:
      "Once when it has been failing for ten minutes, once half-way to being disabled, once when it is disabled, and once when it is well again.",
    body: NotifyInput,
    ok: NotifiedView,
    refuses: ["rate_limited"],
    example: { body: { emails: ["it@tms.beispiel.de"] }, reply: { emails: ["it@tms.beispiel.de"] } },
    async handle({ params, body }, { execute }) {
      const { reply, version } = await execute(commands.notify, params.subscriptionId, body);
      return new Answer(reply, { version });
    },
  }),

  test: post("/api/v1/webhooks/:subscriptionId/test", {
    summary: "Send a test event now",
    description:
      "One attempt, also to a disabled webhook; it counts for nothing. The answer tells what the receiver said, whatever its status. A receiver that was not reached, and a token server that gave no token, are answered with 502, 503 or 504, and the rest of the result beside it.",
    ok: TestResult,
    refuses: [...externalReasons],
    example: {
      reply: { eventId: deliveredExample.id, delivered: true, status: 204, answer: "", milliseconds: 61 },
    },
    async handle({ params: { subscriptionId: id } }, { env, caller, execute, newId }) {
      const { version, replayed } = await execute(commands.ask, id, {});
      const outcome = await objectOf(env, "SUBSCRIPTIONS", caller.company, id).test(`evt_${newId.replaceAll("-", "")}`);
      if (!outcome) throw new Problem("not_found", "The webhook was deleted meanwhile.");
      const { status: _, detail: __, ...rest } = outcome;
      const failure = unreachedBy(outcome);
      if (failure) throw externalProblem(failure, rest);
      return new Answer(outcome, { version, replayed });
    },
  }),

  deliveries: get("/api/v1/webhooks/:subscriptionId/deliveries", {
    summary: "List the deliveries of a webhook",
    description:
      "Newest first unless `sort` says otherwise, each with its attempts; kept for 30 days after it is done. A delivery changes with each attempt. Deliveries of events that the key may not read are left out.",
    query: z.object({
      ...listParameters(["createdAt"]),
      status: choice(deliveryStatuses).optional(),
    }),
    ok: listOf(DeliveryView),
    example: {
      query: { status: "Pending" },
      reply: { items: [deliveryExample], nextCursor: "WyItY3JlYXRlZEF0Iiw0NzExXQ" },
    },
    async handle({ params: { subscriptionId: id }, query }, { env, caller, look }) {
      const { sort = "-createdAt", limit = usualLimit, cursor, status, updatedSince } = query;
      const [after] = cursor === undefined ? [] : readCursor(cursor, { list: "deliveries", sort }, ["number"]);
      await look(commands.look, id, {});
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
    summary: "Send a delivery once more",
    description: "Now, whatever has become of it, with the id it had; the attempt counts for nothing.",
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
    summary: "List the events one can subscribe to",
    description: "Each with the JSON Schema of its `data`.",
    query: z.object(pageParameters),
    ok: listOf(EventTypeView),
    example: {
      reply: { items: [{ eventType: "Test", description: "Sent on request.", schema: { type: "object" } }] },
    },
    handle: async ({ query }) =>
      pageOf(catalogue(), { ...query, list: "event-types", sort: "eventType", id: "eventType" }),
  }),

  events: get("/api/v1/events", {
    summary: "List what has happened",
    description:
      "The polling twin of webhooks: the same bodies, oldest first unless `sort` says otherwise, kept for 30 days, a second or two behind. `cursor` takes the id of any event: to hear what comes after the last page, ask again with the id of the last one you have. Events that the key may not read are left out: those of orders need `orders:read`, those of freights, offers and requests `freights:read`, and so on.",
    query: z.object({
      ...eventsListed,
      after: aliasOf("cursor", eventsListed.cursor),
      since: aliasOf("updatedSince", eventsListed.updatedSince),
      eventType: choice(eventTypes).optional(),
      payload: choice(["Thin", "Full"]).optional().describe("`Full` has the data with it."),
    }),
    ok: listOf(WebhookBody),
    example: { query: { eventType: "OrderProcessed" }, reply: { items: [deliveredExample] } },
    async handle({ query }, { env, caller }) {
      const { eventType, payload = "Thin", sort = "createdAt", limit = usualLimit } = query;
      if (eventType) requireReadable(caller, [eventType]);
      const cursor = sentAs<string>({ cursor: query.cursor, after: query.after }, "cursor", "after");
      const since = sentAs<string>(
        { updatedSince: query.updatedSince, since: query.since },
        "updatedSince",
        "since",
      ).value;
      const after =
        cursor.value === undefined ? undefined : await positionOf(env.ARCHIVE, caller.company, cursor.value);
      if (cursor.value !== undefined && after === undefined) throw unknownEvent(cursor.name);
      const readable = readableEvents(caller.scopes);
      const types = eventType ? [eventType] : readable.length < eventTypes.length ? readable : undefined;
      const asked = { isDescending: sort === "-createdAt", after, since, types, limit: limit + 1 };
      const found = (await eventsFrom(env.ARCHIVE, caller.company, asked)).map(({ event }) => event);
      const page = found.slice(0, limit);
      return {
        items: page.map((event) => bodyOf(event, payload)),
        ...(found.length > limit && { nextCursor: page.at(-1)!.id }),
      };
    },
  }),
};

const unknownEvent = (name: string) =>
  new Problem("invalid_cursor", "There is no such event, or it is older than 30 days.", {
    errors: [wrongField([name], "invalid_cursor", `${name} is not the id of an event that is kept.`)],
  });

/** Closed, but not yet out of its company's index. */
function absent(error: unknown): undefined {
  if (!(error instanceof Problem && error.reason === "not_found")) throw error;
}
