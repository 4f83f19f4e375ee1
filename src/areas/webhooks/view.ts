import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../http/operation.ts";
import { objectOf, type Subscriber } from "../../platform/aggregates.ts";
import { shownAuthentication } from "../../platform/receivers/index.ts";
import type { SubscriptionView } from "./shapes.ts";
import { commands } from "./subscription.ts";

/** The webhooks of the company with what each receives now. */
export const listeners = ({ env, caller: { company } }: Context) =>
  objectOf(env, "COMPANIES", company, company).subscribers();

/** Whether it receives nothing any more: the key that made it was revoked, or may read none of it. */
export const hasStopped = (subscribers: Subscriber[], id: string): boolean =>
  subscribers.find((one) => one.id === id)?.eventTypes.length === 0;

/** A webhook as callers see it. @param known the webhooks of the company, where the caller has them already */
export async function viewOf(context: Context, id: string, known?: Subscriber[]): Promise<SubscriptionView> {
  const { env, caller, look } = context;
  const [subscription, health, subscribers] = await Promise.all([
    look(commands.look, id, {}),
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
    authentication: authentication ? shownAuthentication(authentication) : { type: "None" },
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
