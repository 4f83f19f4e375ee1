import { commands as accountCommands } from "../../accounts/commands.ts";
import { withLock } from "../../../platform/lock.ts";
import type { Env, Job } from "../../../platform/env.ts";
import { logFault } from "../../../platform/log.ts";
import { sendMail, type Mail } from "../../../platform/mail.ts";
import { executeCommand } from "../../../platform/aggregates.ts";
import { erased } from "../../../domain/person.ts";

/** Mails that are on their way at once; what came of them is written down before the next ones go. */
export const mostAtOnce = 50;

/** Which freight is mailed about. */
export type Mailing = Pick<Job, "company" | "id">;

/** What came of a mail. `NoSender`: this deployment sends none. */
export type Outcome = "Sent" | "NoSender" | "Blocked" | "Failed";

/** Mails of one kind about a freight. */
interface Post<One> {
  /** Under this name one mails at a time. */
  place: string;
  /** What must be mailed next, but for those that this work was refused. */
  left: (but: string[]) => Promise<One[]>;
  /** Mails them, and writes down what came of it. @returns those that were not taken */
  round: (ones: One[]) => Promise<string[]>;
  /** Nothing is left. */
  finish: () => Promise<unknown>;
}

/**
 * Mails what nobody has mailed yet, each once. May be asked for twice: one mails at a time, and looks again when its round is
 * over, so that whoever found it at work need not wait for it.
 * @throws when one was not taken; those that were are not sent again
 */
export async function mailInRounds<One>(
  { company }: Mailing,
  env: Env,
  { place, left, round, finish }: Post<One>,
): Promise<void> {
  const failed: string[] = [];
  while ((await left(failed)).length > 0) {
    const refused = await withLock(env, company, place, async () => round(await left(failed)));
    if (!refused) return;
    failed.push(...refused);
  }
  await finish();
  if (failed.length > 0) throw new Error(`${failed.length} mails were not taken.`);
}

/** Sends mails to guests, but to nobody whom the company has blocked or who was erased. @returns what came of each */
export async function mailGuests(env: Env, { company, id }: Mailing, mails: Mail[]): Promise<Outcome[]> {
  const emails = mails.map(({ to }) => to);
  const { reply: blocked } = await executeCommand(env, accountCommands.blockedOf, { company, id: company }, { emails });
  return Promise.all(
    mails.map(async (mail): Promise<Outcome> => {
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
