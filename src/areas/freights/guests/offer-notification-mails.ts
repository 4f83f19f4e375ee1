import { commands as companyCommands } from "../../companies/commands.ts";
import type { Env } from "../../../platform/env.ts";
import { idAt } from "../../../platform/ids.ts";
import type { Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { type Mailing, mailGuests, mailInRounds, mostAtOnce } from "./mails.ts";
import { type OfferNotification, offerNotificationCommands } from "./offer-notification-commands.ts";

/** Writes the mail of a notification. @param company name of the company */
export type OfferNotificationWriter = (
  notification: OfferNotification,
  company: string,
) => Pick<Mail, "subject" | "text">;

/** Sends each pending notification once. @see mailInRounds */
export const mailOfferNotifications = (job: Mailing, env: Env, write: OfferNotificationWriter): Promise<void> => {
  const { company, id } = job;
  return mailInRounds(job, env, {
    place: `freights/answering/${id}`,
    left: async (but) =>
      (await executeCommand(env, offerNotificationCommands.toTell, { company, id }, { but, most: mostAtOnce })).reply,
    round: (notifications) => mailRound(job, env, notifications, write),
    finish: () => executeCommand(env, offerNotificationCommands.told, { company, id }, { those: [] }),
  });
};

/** @returns the offers of which the mail was not taken */
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

/** The mail id, derived from the answer. */
const idOf = ({ offer: { offerId, updatedAt } }: OfferNotification) => idAt(updatedAt, `${offerId}/${updatedAt}`);
