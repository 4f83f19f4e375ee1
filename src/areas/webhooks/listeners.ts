import { requireScope } from "../../http/caller.ts";
import { holds, readScopes, type Caller } from "../../platform/credential.ts";
import type { Context } from "../../http/operation.ts";
import { objectOf, type Subscriber } from "../../platform/aggregates.ts";
import { eventTypes, readableEvents, scopeOfEvent, type EventType } from "../../events.ts";
import { scopesOfKey, type Company } from "../companies/model.ts";
import { listeners } from "./views.ts";

/**
 * Lists the webhooks of a company, each with the event types that it receives now: the subscribed types that its key
 * may still read. Webhooks of earlier releases have no stored key and receive all subscribed types.
 */
export const listenersOf = (company: Company, at: string): Subscriber[] =>
  company.subscribers.map((subscriber) => {
    const readable = readableBy(subscriber, company, at);
    if (readable.length === eventTypes.length) return subscriber;
    const received = subscriber.eventTypes.includes("All")
      ? readable
      : readable.filter((type) => subscriber.eventTypes.includes(type));
    return { ...subscriber, eventTypes: received };
  });

function readableBy({ keyId, scopes }: Subscriber, company: Company, at: string): EventType[] {
  const then = readableEvents(scopes ?? ["*"]);
  if (keyId === undefined) return then;
  const now = readableEvents(scopesOfKey(company, keyId, at));
  return then.filter((type) => now.includes(type));
}

/**
 * Returns the owner of a webhook that this caller creates or takes over. It receives only events that the caller may
 * read.
 */
export function subscribedBy(caller: Caller): Pick<Subscriber, "keyId" | "scopes" | "accountId"> {
  const { keyId, scopes, account } = caller;
  return {
    keyId,
    ...(!scopes.includes("*") && { scopes: readScopes.filter((scope) => holds(caller, scope)) }),
    ...(account && { accountId: account.accountId }),
  };
}

/**
 * Checks that the caller may read all events of a webhook, including those of waiting deliveries. Otherwise it could
 * redirect events that it may not read to its own receiver.
 * @throws Problem `missing_scope` for the first type that the caller may not read
 */
export async function requireHandover(context: Context, id: string): Promise<void> {
  const { env, caller } = context;
  const [subscribers, waiting] = await Promise.all([
    listeners(context),
    objectOf(env, "SUBSCRIPTIONS", caller.company, id).waitingTypes(),
  ]);
  const received = subscribers.find((one) => one.id === id)?.eventTypes ?? [];
  requireReadable(caller, [...(received.includes("All") ? eventTypes : received), ...waiting]);
}

/**
 * @throws Problem `missing_scope` for the first of these event types that the caller may not read. `All` is allowed.
 */
export function requireReadable(caller: Caller, types: readonly string[]): void {
  for (const type of types) if (type !== "All") requireScope(caller, scopeOfEvent[type as EventType]);
}
