import { isDeepStrictEqual } from "node:util";
import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import type { Subscriber } from "../../platform/aggregates.ts";
import type { CompanyFacts, events } from "./model.ts";
import { type Company, type Key, localCompany, viewOf } from "./model.ts";
export const commands = commandsOn<Company, typeof events>(
  "COMPANIES",
  "companies",
)({
  found: (company, ask: { facts: CompanyFacts; key: Key; secret?: string | undefined }, context) =>
    company
      ? refuse("invalid_state", "The company already exists.")
      : {
          state: { ...localCompany(context.at), facts: ask.facts, keys: [ask.key] },
          reply: { createdAt: context.at, keyId: ask.key.keyId, ...(ask.secret && { key: ask.secret }) },
        },

  change: (company, { facts }: { facts: CompanyFacts }, { at, id }) => {
    const next = { ...(company ?? localCompany(at)), facts, updatedAt: at };
    return { state: next, reply: viewOf(next, id) };
  },

  facts: (company, _: object, { at }) => ({ reply: (company ?? localCompany(at)).facts }),

  /** Adds a webhook to the company. A webhook that was added before stays unchanged. */
  subscribe: (company, ask: Omit<Subscriber, "since">, { at }) => {
    const now = company ?? localCompany(at);
    if (now.subscribers.some(({ id }) => id === ask.id)) return { reply: {} };
    if (now.subscribers.length >= 100) return refuse("invalid_state", "A company can have at most 100 webhooks.");
    const subscriber = { ...withKnownKey(ask, now), since: at };
    return { state: { ...now, subscribers: [...now.subscribers, subscriber] }, reply: {} };
  },

  /** Assigns a webhook to another key, whose scopes then limit the events that the webhook receives. */
  adopt: (company, ask: Pick<Subscriber, "id" | "keyId" | "scopes" | "accountId"> & Partial<Subscriber>) => {
    const before = company?.subscribers.find((one) => one.id === ask.id);
    if (!company || !before) return refuse("not_found");
    const { eventTypes, since } = before;
    const after = withKnownKey({ eventTypes, ...ask, since }, company);
    if (isDeepStrictEqual(before, after)) return { reply: {} };
    const subscribers = company.subscribers.map((one) => (one === before ? after : one));
    return { state: { ...company, subscribers }, reply: {} };
  },

  unsubscribe: (company, ask: { id: string }) =>
    company?.subscribers.some(({ id }) => id === ask.id)
      ? { state: { ...company, subscribers: company.subscribers.filter(({ id }) => id !== ask.id) }, reply: {} }
      : { reply: {} },
});

/** A key that is not stored in the company is a local key, which cannot be revoked, so its id is omitted. */
function withKnownKey<One extends Pick<Subscriber, "keyId">>({ keyId, ...rest }: One, { keys }: Company) {
  const isKnown = keys.some((key) => key.keyId === keyId);
  return { ...rest, ...(isKnown && { keyId }) };
}
