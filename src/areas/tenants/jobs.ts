import { areSourcesNotified, applyCompanySuspension } from "../freights/suspend-by-account.ts";
import type { Env, Job } from "../../platform/env.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { commands } from "./commands.ts";
import { commands as webhookCommands } from "../webhooks/commands.ts";
import { Problem, ignoreNotFound } from "../../platform/problem.ts";

/**
 * After this time, in milliseconds, the changes of requests whose keys were removed are in the archive: keys are cached
 * for five seconds, and the archive has a delay of up to three seconds.
 */
export const settledMilliseconds = 10_000;
/** The deletion does not wait longer for a connector that cannot be reached. */
const patienceMilliseconds = 60 * 60 * 1000;

/**
 * Before a company is deleted, makes its connectors remove its freights. Failed calls are repeated, so the freights
 * must exist until all calls have succeeded.
 * @param since when the deletion was requested
 * @returns whether the freights may be deleted
 */
export async function areConnectorsNotified(env: Env, company: string, since: string): Promise<boolean> {
  const age = Date.now() - Date.parse(since);
  if (age >= patienceMilliseconds) return true;
  // A freight that was published just before the deletion may not be listed yet.
  if (age < settledMilliseconds) return false;
  if (await objectOf(env, "COMPANIES", company, company).isLaggingSince(Date.now())) return false;
  const { reply: standing } = await executeCommand(env, commands.standing, { company, id: company }, {});
  await applyCompanySuspension(env, company, standing);
  const archivedAfter = new Date(Date.parse(since) - patienceMilliseconds).toISOString();
  return areSourcesNotified(env, company, archivedAfter);
}

/**
 * Runs the job `tenants.follow`, which applies the suspension or resumption of a company to its freights and webhooks.
 * May run twice. It is repeated for a minute, because freights that were just published may not be listed yet.
 */
export async function follow({ company }: Job, env: Env): Promise<void> {
  const begun = new Date().toISOString();
  const call = { company, id: company };
  const { reply: standing } = await executeCommand(env, commands.standing, call, {});
  const { turn, isHeld } = standing;
  const subscribers = await objectOf(env, "COMPANIES", company, company).subscribers();
  await Promise.all(
    subscribers.map(({ id }) =>
      executeCommand(env, webhookCommands.hold, { company, id }, { turn, isHeld }).catch(ignoreNotFound),
    ),
  );
  await applyCompanySuspension(env, company, standing);
  await executeCommand(env, commands.followed, call, { turn, begun });
}

/** @throws Problem `company_suspended` if the company is suspended, deleted or being deleted */
export async function requireActive(env: Env, company: string): Promise<void> {
  const { reply } = await executeCommand(env, commands.standing, { company, id: company }, {});
  if (reply.isHeld) throw new Problem("company_suspended");
}
