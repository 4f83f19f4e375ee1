import { commands as accountCommands } from "../../accounts/commands.ts";
import { withLock } from "../../../platform/lock.ts";
import type { Env, Job } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import { sendMail, type Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { erased } from "../../../domain/person.ts";

/** Maximum number of mails per round. The results of a round are recorded before the next one. */
export const maxMailsPerRound = 50;

/** Identifies the freight that the mails are about. */
export type Mailing = Pick<Job, "company" | "id">;

/** Result of a mail. `NoSender`: this deployment sends no mails. */
export type MailOutcome = "Sent" | "NoSender" | "Blocked" | "Failed";

/** Mails of one kind about a freight. */
interface MailRounds<One> {
  /** Name of the lock that lets only one round run at a time. */
  lock: string;
  /** Returns the next mails to send. @param but ids of offers or shares to omit: their mail failed in this run */
  left: (but: string[]) => Promise<One[]>;
  /** Sends the mails and records the results. @returns ids of the offers or shares whose mail failed */
  round: (ones: One[]) => Promise<string[]>;
  /** Called when no mail is left. */
  finish: () => Promise<unknown>;
}

/**
 * Sends all pending mails, each once. May run concurrently: a run that finds the lock taken ends at once, because the run
 * that holds the lock checks for further mails after each round.
 * @throws if a mail failed; the other mails are not sent again
 */
export async function mailInRounds<One>(
  { company }: Mailing,
  env: Env,
  { lock, left, round, finish }: MailRounds<One>,
): Promise<void> {
  const failed: string[] = [];
  while ((await left(failed)).length > 0) {
    const refused = await withLock(env, company, lock, async () => round(await left(failed)));
    if (!refused) return;
    failed.push(...refused);
  }
  await finish();
  if (failed.length > 0) throw new Error(`${failed.length} mails could not be sent.`);
}

/** Sends mails to guests, except to blocked or erased addresses. @returns the outcomes in the order of the mails */
export async function mailGuests(env: Env, { company, id }: Mailing, mails: Mail[]): Promise<MailOutcome[]> {
  const emails = mails.map(({ to }) => to);
  const { reply: blocked } = await executeCommand(env, accountCommands.blockedOf, { company, id: company }, { emails });
  return Promise.all(
    mails.map(async (mail): Promise<MailOutcome> => {
      if (blocked.includes(mail.to) || mail.to === erased.email) return "Blocked";
      try {
        return (await sendMail(env, mail)) ? "Sent" : "NoSender";
      } catch (error) {
        logFault("freights.mail", error, { company, id, mail: mail.id });
        return "Failed";
      }
    }),
  );
}
