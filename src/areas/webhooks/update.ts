import type * as z from "zod";
import { refusalOfTargets } from "../../platform/egress/index.ts";
import { externalReasons } from "../../platform/external.ts";
import { Answer } from "../../http/responses.ts";
import { operationsOn, type Context } from "../../http/operation.ts";
import { invalid, wrongField } from "../../platform/problem.ts";
import { updateAuthentication, derivesAddress, tokenUrlOf } from "../../platform/receivers/index.ts";
import { commands as companyCommands } from "../companies/commands.ts";
import { SubscriptionUpdate } from "./input.ts";
import { SubscriptionView, viewOf } from "./views.ts";
import { subscriptionExample } from "./examples.ts";
import { type events, noAuthentication, sealsOf, type Subscription } from "./model.ts";
import { requireHandover, requireReadable, subscribedBy } from "./listeners.ts";
import { commands } from "./commands.ts";

const { put } = operationsOn<Subscription, typeof events>({
  binding: "SUBSCRIPTIONS",
  param: "subscriptionId",
  scope: "webhooks",
});

type Update = z.output<typeof SubscriptionUpdate>;

export const typesIn = ({ eventType, eventTypes = [] }: Pick<Update, "eventType" | "eventTypes">): string[] => [
  ...new Set([...(eventType ? [eventType] : []), ...eventTypes]),
];

export const update = put("/api/v1/webhooks/:subscriptionId", {
  summary: "Change a webhook",
  description:
    "Replaces event types, address, payload and description; `authentication` is kept if it is not sent, and the signing secret is always kept (`PUT …/reset` replaces it). " +
    "Another address or authentication also resets the webhook: waiting deliveries go to the new address, the failure count becomes zero, a disabled webhook is active again, and attempts that are still running do not count. " +
    "Other event types and another payload apply to later events. Identical values do not change the version. " +
    "The webhook is assigned to the key of this request, which must be allowed to read the event types in the request, those that the webhook receives and those of its waiting deliveries.",
  body: SubscriptionUpdate,
  ok: SubscriptionView,
  refuses: ["in_progress", "webhook_target_refused", ...externalReasons],
  example: {
    body: { eventTypes: ["OrderProcessed", "OrderFailed"], callbackUrl: "https://tms.beispiel.de/hooks/lorry" },
    reply: { ...subscriptionExample, eventTypes: ["OrderProcessed", "OrderFailed"] },
  },
  async handle({ params: { subscriptionId: id }, body }, context) {
    const before = await context.send(commands.look, id, {});
    const eventTypes = typesIn(body);
    requireReadable(context.caller, eventTypes);
    await requireHandover(context, id);
    const callbackUrl = addressIn(body, before);
    const about = sealsOf(context.caller.company, id).authentication;
    const authentication = await updateAuthentication(context.env, about, {
      before: before.authentication ?? noAuthentication,
      sent: body.authentication,
      isSameAddress: callbackUrl === before.callbackUrl,
      addressName: "callbackUrl",
    });
    await checkTargets(context, before, { callbackUrl, tokenUrl: tokenUrlOf(authentication.sealed) });
    const { version } = await context.execute(commands.update, id, {
      seen: before.epoch,
      eventTypes,
      ...(callbackUrl !== undefined && { callbackUrl }),
      authentication,
      payload: body.payload ?? "Thin",
      ...(body.description && { description: body.description }),
    });
    // Done even if nothing has changed, because an earlier request may have been interrupted before this step.
    const { caller } = context;
    await context.send(companyCommands.adopt, caller.company, { id, eventTypes, ...subscribedBy(caller) });
    return new Answer(await viewOf(context, id), { version });
  },
});

const typeAfter = ({ authentication }: Update, before: Subscription) =>
  authentication ?? (before.authentication ?? noAuthentication).sealed;

function addressIn(body: Update, before: Subscription): string | undefined {
  if (derivesAddress(typeAfter(body, before))) return undefined;
  if (body.callbackUrl === undefined)
    throw invalid([wrongField(["callbackUrl"], "required", "callbackUrl is required.")]);
  // A text that is not a URL is refused later by `checkTargets`.
  return URL.canParse(body.callbackUrl) ? new URL(body.callbackUrl).href : body.callbackUrl;
}

async function checkTargets(
  { env }: Context,
  { callbackUrl, authentication }: Subscription,
  after: { callbackUrl: string | undefined; tokenUrl: string | undefined },
): Promise<void> {
  const tokenUrl = authentication && tokenUrlOf(authentication.sealed);
  const refusal = await refusalOfTargets(env, {
    ...(after.callbackUrl !== callbackUrl && { callbackUrl: after.callbackUrl }),
    ...(after.tokenUrl !== tokenUrl && { "authentication.tokenUrl": after.tokenUrl }),
  });
  if (refusal) throw refusal;
}
