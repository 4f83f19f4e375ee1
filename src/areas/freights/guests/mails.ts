import { commands as accountCommands } from "../../accounts/commands.ts";
import { withLock } from "../../../platform/lock.ts";
import type { Env, Job } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import { sendMail, type Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { erased } from "../../../domain/person.ts";

/** Maximum number of mails per round; the results are recorded before the next round. */
export const maxMailsPerRound = 50;

/** The freight of the mails. */
export type Mailing = Pick<Job, "company" | "id">;

/** Result of a mail. `NoSender`: this deployment sends no mails. */
export type MailOutcome = "Sent" | "NoSender" | "Blocked" | "Failed";

/** Mails of one kind about a freight. */
interface MailRounds<One> {
  /** Name of the lock: one round at a time. */
  lock: string;
  /** The next mails to send, except those that failed in this run. */
  left: (but: string[]) => Promise<One[]>;
  /** Sends them and records the results. @returns ids of failed mails */
  round: (ones: One[]) => Promise<string[]>;
  /** Called when no mail is left. */
  finish: () => Promise<unknown>;
}

/**
 * Sends all pending mails, each once. May run twice: only one run sends at a time and checks for further mails after each
 * round, so a run that finds the lock taken ends at once.
 * @throws if a mail failed; the others are not sent again
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
  if (failed.length > 0) throw new Error(`${failed.length} mails were not taken.`);
}

/** Sends mails to guests, except to blocked or erased addresses. @returns the result of each */
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
