import { commands as companyCommands } from "../../companies/commands.ts";
import type { Env } from "../../../platform/env.ts";
import type { Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { mailGuests, mailInRounds, maxMailsPerRound, type Mailing, type MailOutcome } from "../guests/mails.ts";
import { shareCommands, type Invited } from "./commands.ts";

/**
 * Writes the mail of an invitation.
 * @param company name of the company
 */
export type InvitationWriter = (invited: Invited, company: string) => Pick<Mail, "subject" | "text">;

/**
 * Mails each pending link once.
 * @see mailInRounds
 */
export async function mailShares(job: Mailing, env: Env, write: InvitationWriter): Promise<void> {
  const { company, id } = job;
  await mailInRounds(job, env, {
    lock: `freights/mailing/${id}`,
    left: async (but) =>
      (await executeCommand(env, shareCommands.toMail, { company, id }, { but, most: maxMailsPerRound })).reply,
    round: (invited) => mailRound(job, env, invited, write),
    finish: () =>
      executeCommand(env, shareCommands.mailed, { company, id }, { mailed: [], unsendable: [], blocked: [] }),
  });
}

/** @returns ids of the shares whose mail failed */
async function mailRound(job: Mailing, env: Env, invited: Invited[], write: InvitationWriter): Promise<string[]> {
  const { company, id } = job;
  const { name } = (await executeCommand(env, companyCommands.facts, { company, id: company }, {})).reply;
  const mails = invited.map((one) => ({ id: one.shareId, to: one.email, ...write(one, name) }));
  const outcomes = await mailGuests(env, job, mails);
  const sharesWith = (wanted: MailOutcome) =>
    invited.flatMap(({ shareId }, at) => (outcomes[at] === wanted ? [shareId] : []));
  const results = { mailed: sharesWith("Sent"), unsendable: sharesWith("NoSender"), blocked: sharesWith("Blocked") };
  await executeCommand(env, shareCommands.mailed, { company, id }, results);
  return sharesWith("Failed");
}
