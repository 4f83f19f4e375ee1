import type * as z from "zod";
import { type Event, eventContextOf } from "../../platform/decision.ts";
import type { DeliveryView, SubscriptionView, WebhookBody } from "./model.ts";
import { type AttemptRecord, type DeliveryRecord, type Subscriber, objectOf } from "../../platform/aggregates.ts";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../http/operation.ts";
import { toAuthenticationView } from "../../platform/receivers/index.ts";
import { commands } from "./commands.ts";

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

/** A delivery with its attempts, as callers see it. To a disabled webhook nothing is on its way. */
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

/** The webhooks of the company with what each receives now. */
export const listeners = ({ env, caller: { company } }: Context) =>
  objectOf(env, "COMPANIES", company, company).subscribers();

/** Whether it receives nothing any more: the key that made it was revoked, or may read none of it. */
export const hasStopped = (subscribers: Subscriber[], id: string): boolean =>
  subscribers.find((one) => one.id === id)?.eventTypes.length === 0;

/** A webhook as callers see it. @param known the webhooks of the company, where the caller has them already */
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
