import { commands as accountCommands } from "../../accounts/commands.ts";
import { withLock } from "../../../platform/lock.ts";
import type { Env, Job } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import { sendMail, type Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { erased } from "../../../domain/person.ts";

/** Maximum number of mails per round. Their results are recorded before the next round. */
export const maxMailsPerRound = 50;

/** The freight that the mails are about. */
export type Mailing = Pick<Job, "company" | "id">;

/** `NoSender`: this deployment sends no mails. */
export type MailOutcome = "Sent" | "NoSender" | "Blocked" | "Failed";

interface MailRounds<One> {
  /** Name of the lock that lets only one round run at a time. */
  lock: string;
  /**
   * Returns the next mails to send.
   * @param but ids of offers or shares whose mail failed in this run
   */
  left: (but: string[]) => Promise<One[]>;
  /**
   * Sends the mails and records the results.
   * @returns ids of the offers or shares whose mail failed
   */
  round: (ones: One[]) => Promise<string[]>;
  finish: () => Promise<unknown>;
}

/**
 * Sends all pending mails, each once. May run concurrently: a run that finds the lock taken ends, because the run with
 * the lock looks for further mails after each round.
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

/**
 * Sends mails to guests, except to blocked or erased addresses.
 * @returns the outcomes in the order of the mails
 */
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
