import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { refuse, type CommandContext } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import { ofFreight, freightEvent } from "../lifecycle.ts";
import { isArchived, type Events, type Freight } from "../model.ts";
import { freightShownBy } from "../guests/view.ts";
import type { PublicFreight } from "../views.ts";
import {
  type Invitation,
  type Recipient,
  type Share,
  type Shared,
  isTooMany,
  mailJob,
  maxShares,
  sendShares,
  recordMailResults,
  shareLink,
  shareWith,
  sharesToMail,
} from "./model.ts";

/** The content of the mail that sends the link to a guest. */
export interface Invited {
  /** The freight, without its price if the share hides the price. */
  freight: PublicFreight;
  shareId: string;
  email: string;
  /** The guest's name, as the company entered it. */
  name?: string;
  message?: string;
  /** ISO 639-1, optionally with a country: `pt-BR`. */
  language?: string;
  link: string;
}

export const shareCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "shares",
)({
  mayShare: ofFreight(({ state }, _ask: object) => notShared(state) ?? { reply: {} }),

  share: ofFreight((turn, ask: { recipients: Recipient[] } & Invitation, context) => {
    const { state: now, events, jobs } = turn;
    const refused = notShared(now);
    if (refused) return refused;
    const { shares, meant } = shareWith(now.shares, ask.recipients, ask, context);
    if (isTooMany(shares, ask))
      return refuse("invalid_state", `A freight can be shared with at most ${maxShares} addresses.`, {
        extra: { currentStatus: now.status, allowed: [] },
      });
    const { shares: after, sent } = sendShares(shares, context.at);
    const state = { ...now, shares: after, updatedAt: context.at };
    if (isDeepStrictEqual(after, now.shares)) return { reply: shownTo(meant, after, context) };
    const isNew = shares.length > now.shares.length || sent.length > 0;
    return {
      state,
      events: [...events, ...(isNew ? [freightEvent("FreightShared", state, context)] : [])],
      jobs: [...jobs, ...(sent.length > 0 ? [mailJob] : [])],
      reply: shownTo(meant, after, context),
    };
  }),

  /**
   * Returns the next mails to send: at most `most`, none for the shares in `but`, and none unless the freight is
   * published.
   */
  toMail: ofFreight(({ state }, { but, most }: { but: string[]; most: number }, context) => {
    const all = state.status === "Published" ? sharesToMail(state.shares) : [];
    const waiting = all.filter(({ shareId }) => !but.includes(shareId)).slice(0, most);
    return { reply: waiting.map((share) => invitedBy(share, state, context)) };
  }),

  /** Records the results of mails, and completes the job if no mail is left. */
  mailed: ofFreight(({ state, events, jobs }, ask: Parameters<typeof recordMailResults>[1], context) => {
    const isSome = [ask.mailed, ask.unsendable, ask.blocked ?? []].flat().length > 0;
    const next = isSome ? { ...state, shares: recordMailResults(state.shares, ask, context.at) } : state;
    const isDone = isArchived(next) || sharesToMail(next.shares).length === 0;
    return { ...(isSome && { state: next, events, jobs }), ...(isDone && { completedJobs: [mailJob] }), reply: {} };
  }),
});

function invitedBy(share: Share, now: Freight, context: CommandContext): Invited {
  const { shareId, email, name, message, language, byBoard } = share;
  return {
    freight: freightShownBy(share, now, context),
    shareId,
    email,
    // A visitor of the board may enter any text as name, so the mail does not contain it.
    ...(name && !byBoard && { name }),
    ...(message && { message }),
    ...(language && { language }),
    link: shareLink(share, context),
  };
}

const shownTo = (meant: readonly Share[], shares: readonly Share[], context: CommandContext) => {
  const addresses = new Set(meant.map(({ email }) => email));
  return shares.filter(({ email }) => addresses.has(email)).map((one) => sharedView(one, context));
};

const sharedView = (share: Share, context: CommandContext): z.input<typeof Shared>["items"][number] => {
  const { shareId, email, name, tier, dueAt, status } = share;
  return {
    freightId: context.id,
    shareId,
    email,
    ...(name && { name }),
    tier,
    dueAt,
    status: status === "Waiting" ? "Waiting" : "Sent",
    link: shareLink(share, context),
  };
};

function notShared({ status }: Freight) {
  if (status === "Published") return undefined;
  return refuse("invalid_state", `The freight is ${status}. Only a published freight can be shared.`, {
    extra: { currentStatus: status, allowed: [] },
  });
}
