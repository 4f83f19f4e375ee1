import { commands as companyCommands } from "../../companies/commands.ts";
import type { Env } from "../../../platform/env.ts";
import { idAt } from "../../../platform/ids.ts";
import type { Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { type Mailing, mailGuests, mailInRounds, mostAtOnce } from "./mails.ts";
import { type OfferNotification, offerNotificationCommands } from "./offer-notification-commands.ts";

/** Puts a tiding into words. @param company who shows the freight */
export type OfferNotificationWriter = (tiding: OfferNotification, company: string) => Pick<Mail, "subject" | "text">;

/** Mails guests what the company has answered to their offers, each answer once. @see mailInRounds */
export const mailOfferNotifications = (job: Mailing, env: Env, write: OfferNotificationWriter): Promise<void> => {
  const { company, id } = job;
  return mailInRounds(job, env, {
    place: `freights/answering/${id}`,
    left: async (but) =>
      (await executeCommand(env, offerNotificationCommands.toTell, { company, id }, { but, most: mostAtOnce })).reply,
    round: (tidings) => mailRound(job, env, tidings, write),
    finish: () => executeCommand(env, offerNotificationCommands.told, { company, id }, { those: [] }),
  });
};

/** @returns the offers of which the mail was not taken */
async function mailRound(
  job: Mailing,
  env: Env,
  tidings: OfferNotification[],
  write: OfferNotificationWriter,
): Promise<string[]> {
  const { company, id } = job;
  const { name } = (await executeCommand(env, companyCommands.facts, { company, id: company }, {})).reply;
  const mails = await Promise.all(
    tidings.map(async (tiding) => ({ id: await idOf(tiding), to: tiding.email, ...write(tiding, name) })),
  );
  const outcomes = await mailGuests(env, job, mails);
  const offers = tidings.map(({ offer }) => offer);
  const those = offers.filter((_, at) => outcomes[at] !== "Failed");
  await executeCommand(
    env,
    offerNotificationCommands.told,
    { company, id },
    { those: those.map(({ offerId, updatedAt }) => ({ offerId, updatedAt })) },
  );
  return offers.filter((_, at) => outcomes[at] === "Failed").map(({ offerId }) => offerId);
}

/** The same for the same answer, whoever mails it. */
const idOf = ({ offer: { offerId, updatedAt } }: OfferNotification) => idAt(updatedAt, `${offerId}/${updatedAt}`);
