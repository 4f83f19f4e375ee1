import { commands as companyCommands } from "../../companies/commands.ts";
import type { Env } from "../../../platform/env.ts";
import { idAt } from "../../../platform/ids.ts";
import type { Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { type Mailing, mailGuests, mailInRounds, maxMailsPerRound } from "./mails.ts";
import type { CommandContext } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import { ofFreight } from "../lifecycle.ts";
import { publicView, type Events, type Freight } from "../model.ts";
import { shareLink } from "../shares/model.ts";
import type { PublicFreight } from "../views.ts";
import { guestOffer, type GuestOffer } from "./view.ts";
import { notificationJob, markNotified, offersToNotify, type NotifiedOffer } from "./offer-notifications.ts";

/** The company's answer to an offer, for the mail to the guest. */
export interface OfferNotification {
  freight: PublicFreight;
  offer: GuestOffer;
  email: string;
  /** URL of the guest's page. */
  link: string;
  /** ISO 639-1: the language of the page on which the offer was made. */
  language?: string;
}

// `tidings` is part of the command names, which must stay compatible with earlier releases.
export const offerNotificationCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "tidings",
)({
  /** Returns the next notifications to send: at most `most`, and none for the offers in `but`. */
  toTell: ofFreight(({ state }, { but, most }: { but: string[]; most: number }, context) => ({
    reply: pendingNotifications(state, context)
      .filter(({ offer }) => !but.includes(offer.offerId))
      .slice(0, most),
  })),

  /** Records sent notifications, and completes the job if none is left. */
  told: ofFreight(({ state, events, jobs }, { those }: { those: NotifiedOffer[] }, context) => {
    const next = { ...state, offers: markNotified(state.offers, those, context.at) };
    const isChanged = next.offers.some((offer, at) => offer !== state.offers[at]);
    const isDone = pendingNotifications(next, context).length === 0;
    return {
      ...(isChanged && { state: next, events, jobs }),
      ...(isDone && { completedJobs: [notificationJob] }),
      reply: {},
    };
  }),
});

function pendingNotifications(state: Freight, context: CommandContext): OfferNotification[] {
  if (state.status === "Suspended") return [];
  const freight = publicView(state, context);
  return offersToNotify(state.offers, context.at).flatMap((offer): OfferNotification[] => {
    const share = state.shares.find(({ shareId }) => shareId === offer.shareId);
    if (!share) return [];
    const { language } = offer;
    return [
      {
        freight,
        offer: guestOffer(offer, context.id),
        email: share.email,
        link: shareLink(share, context),
        ...(language && { language }),
      },
    ];
  });
}

/**
 * Writes the mail of a notification.
 * @param company name of the company
 */
export type OfferNotificationWriter = (
  notification: OfferNotification,
  company: string,
) => Pick<Mail, "subject" | "text">;

/**
 * Sends each pending notification once.
 * @see mailInRounds
 */
export const mailOfferNotifications = (job: Mailing, env: Env, write: OfferNotificationWriter): Promise<void> => {
  const { company, id } = job;
  return mailInRounds(job, env, {
    lock: `freights/answering/${id}`,
    left: async (but) =>
      (await executeCommand(env, offerNotificationCommands.toTell, { company, id }, { but, most: maxMailsPerRound }))
        .reply,
    round: (notifications) => mailRound(job, env, notifications, write),
    finish: () => executeCommand(env, offerNotificationCommands.told, { company, id }, { those: [] }),
  });
};

/** @returns ids of the offers whose mail failed */
async function mailRound(
  job: Mailing,
  env: Env,
  notifications: OfferNotification[],
  write: OfferNotificationWriter,
): Promise<string[]> {
  const { company, id } = job;
  const { name } = (await executeCommand(env, companyCommands.facts, { company, id: company }, {})).reply;
  const mails = await Promise.all(
    notifications.map(async (notification) => ({
      id: await idOf(notification),
      to: notification.email,
      ...write(notification, name),
    })),
  );
  const outcomes = await mailGuests(env, job, mails);
  const offers = notifications.map(({ offer }) => offer);
  const mailed = offers.filter((_, at) => outcomes[at] !== "Failed");
  await executeCommand(
    env,
    offerNotificationCommands.told,
    { company, id },
    { those: mailed.map(({ offerId, updatedAt }) => ({ offerId, updatedAt })) },
  );
  return offers.filter((_, at) => outcomes[at] === "Failed").map(({ offerId }) => offerId);
}

/** Derived from the answer, so that a repeated mail has the same id. */
const idOf = ({ offer: { offerId, updatedAt } }: OfferNotification) => idAt(updatedAt, `${offerId}/${updatedAt}`);
