import { isDeepStrictEqual } from "node:util";
import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import { sameDigest } from "../../platform/key-format.ts";
import { aboutMail, noAuthentication, type events, type SealedSecret, type Subscription } from "./model.ts";

/** A replaced secret still signs deliveries for this time, so that receivers can switch to the new one. */
const overlapMilliseconds = 24 * 60 * 60 * 1000;
const mostSecrets = 10;
/** Per webhook and day. The limit keeps callers from sending mails to many strangers. */
const mostNewAddresses = 20;
const aDay = 24 * 60 * 60 * 1000;

type Opening = Pick<Subscription, "eventTypes" | "callbackUrl" | "authentication" | "payload" | "description"> & {
  sealed: string;
};

export const commands = commandsOn<Subscription, typeof events>(
  "SUBSCRIPTIONS",
  "webhooks",
)({
  open: (_, { sealed, ...said }: Opening, { at, address, by }) => ({
    state: {
      ...said,
      secrets: [{ sealed, createdAt: at }],
      epoch: 1,
      address,
      ...(by?.accountId && { accountId: by.accountId }),
      createdAt: at,
    },
    reply: { sealed },
  }),

  /**
   * Changes the webhook and assigns it to the caller's account. If the receiver changes, waiting deliveries go to the
   * new receiver, and earlier failures no longer count.
   * @param seen epoch of the webhook when the request read it. Secrets that the request does not change come from that
   * reading, so the change is refused if the epoch has changed since.
   */
  update: (subscription, { seen, ...said }: Omit<Opening, "sealed"> & { seen: number }, { at, by }) => {
    if (!subscription || subscription.deletedAt) return refuse("not_found");
    if (subscription.epoch !== seen)
      return refuse("in_progress", "The webhook was changed or reset by another request. Read it and try again.", {
        headers: { "retry-after": "1" },
      });
    const owned = by?.accountId === subscription.accountId ? subscription : belongingTo(subscription, by?.accountId);
    const {
      eventTypes: _,
      callbackUrl,
      authentication = noAuthentication,
      payload: __,
      description: ___,
      ...rest
    } = owned;
    const isSameReceiver = callbackUrl === said.callbackUrl && isDeepStrictEqual(authentication, said.authentication);
    const next: Subscription = { ...rest, ...said, epoch: rest.epoch + (isSameReceiver ? 0 : 1) };
    const isSame = isDeepStrictEqual(next, { ...subscription, authentication });
    return isSame ? { reply: {} } : { state: { ...next, updatedAt: at }, reply: {} };
  },

  /**
   * Records that the account was blocked or unblocked. A call with a lower `turn` than the stored one is ignored. A
   * higher `turn` is stored even if nothing else changes, because a call with a lower one may still arrive.
   */
  stand: (subscription, { turn, isBlocked }: { turn: number; isBlocked: boolean }) => {
    const { turn: before = 0, isBlocked: was = false } = subscription?.standing ?? {};
    if (!subscription || subscription.deletedAt || turn < before || (turn === before && was === isBlocked))
      return { reply: {} };
    return { state: { ...subscription, standing: { turn, isBlocked } }, reply: {} };
  },

  /** Records that the company was suspended or resumed. For `turn`, the rule of `stand` applies. */
  hold: (subscription, { turn, isHeld }: { turn: number; isHeld: boolean }) => {
    const { turn: before = 0, isHeld: was = false } = subscription?.hold ?? {};
    if (!subscription || subscription.deletedAt || turn < before || (turn === before && was === isHeld))
      return { reply: {} };
    return { state: { ...subscription, hold: { turn, isHeld } }, reply: {} };
  },

  look: (subscription) => (subscription && !subscription.deletedAt ? { reply: subscription } : refuse("not_found")),

  /** Checks that the webhook exists, before a request about its deliveries. */
  ask: (subscription, _asked: object) =>
    subscription && !subscription.deletedAt ? { reply: {} } : refuse("not_found"),

  close: (subscription, _asked: object, { at }) => {
    if (!subscription) return refuse("not_found");
    if (subscription.deletedAt) return { reply: {} };
    const { authentication: _, emails: __, replay: ___, ...rest } = subscription;
    return { state: { ...rest, secrets: [], deletedAt: at }, completedJobs: ["webhooks.replay"], reply: {} };
  },

  /**
   * Resets the webhook: earlier failures no longer count, and waiting deliveries are sent. Optionally replaces the
   * secret, replays events and changes the owner.
   * @param ask.adoptedBy the new owner of the webhook, if the owner changes
   */
  reset: (
    subscription,
    ask: { sealed?: string; replayFrom?: string; adoptedBy?: { accountId?: string | undefined } | undefined },
    { at },
  ) => {
    if (!subscription || subscription.deletedAt) return refuse("not_found");
    const secrets = ask.sealed ? rotated(subscription.secrets, ask.sealed, at) : subscription.secrets;
    const replay = ask.replayFrom && { replay: { after: 0, since: new Date(ask.replayFrom).toISOString() } };
    const owned = ask.adoptedBy ? belongingTo(subscription, ask.adoptedBy.accountId) : subscription;
    return {
      state: { ...owned, epoch: subscription.epoch + 1, secrets, ...replay, updatedAt: at },
      ...(replay && { jobs: ["webhooks.replay"] }),
      reply: {},
    };
  },

  /** Records the position up to which the event log was replayed. An undefined position completes the job. */
  replayed: (subscription, { after }: { after: number | undefined }) => {
    if (!subscription?.replay) return { completedJobs: ["webhooks.replay"], reply: {} };
    const { replay, ...rest } = subscription;
    if (after === undefined) return { state: rest, completedJobs: ["webhooks.replay"], reply: {} };
    return { state: { ...rest, replay: { ...replay, after } }, reply: {} };
  },

  notify: (subscription, { emails }: { emails: string[] }, { at, address }) => {
    if (!subscription || subscription.deletedAt) return refuse("not_found");
    const known = new Map((subscription.emails ?? []).map((one) => [one.email.toLowerCase(), one]));
    const next = emails.map((email) => known.get(email.toLowerCase()) ?? { email, addedAt: at });
    const fresh = next.filter(({ addedAt, email }) => addedAt === at && !known.has(email.toLowerCase()));
    const yesterday = new Date(Date.parse(at) - aDay).toISOString();
    const added = [...(subscription.added ?? []).filter((time) => time > yesterday), ...fresh.map(() => at)];
    if (added.length > mostNewAddresses)
      return refuse("rate_limited", `At most ${mostNewAddresses} new addresses a day can be added to a webhook.`, {
        headers: { "retry-after": "86400" },
      });
    return {
      state: { ...subscription, emails: next, added, address, updatedAt: at },
      reply: { emails: next.map(({ email }) => email) },
    };
  },

  forget: (subscription, { email }: { email: string }) => {
    const emails = subscription?.emails?.filter((one) => one.email.toLowerCase() !== email.toLowerCase());
    return subscription && emails && emails.length < subscription.emails!.length
      ? { state: { ...subscription, emails }, reply: {} }
      : { reply: {} };
  },

  /** Removes the address whose mail contains the link with this secret. Idempotent. */
  unsubscribe: (subscription, { secret }: { secret: string }, context) => {
    if (!subscription || subscription.deletedAt) return refuse("not_found");
    const emails = subscription.emails ?? [];
    const left = emails.filter(({ email }) => !sameDigest(context.secret(aboutMail(email)), secret));
    return left.length === emails.length ? { reply: {} } : { state: { ...subscription, emails: left }, reply: {} };
  },
});

/** Whether the previous account was blocked no longer matters. */
function belongingTo(subscription: Subscription, accountId?: string): Subscription {
  const { accountId: _, standing: __, ...rest } = subscription;
  return { ...rest, ...(accountId && { accountId }) };
}

function rotated(secrets: SealedSecret[], sealed: string, at: string): SealedSecret[] {
  const expiresAt = new Date(Date.parse(at) + overlapMilliseconds).toISOString();
  const before = secrets.filter((one) => !one.expiresAt || one.expiresAt > at);
  return [{ sealed, createdAt: at }, ...before.map((one) => ({ expiresAt, ...one }))].slice(0, mostSecrets);
}
