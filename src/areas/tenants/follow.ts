import { holdAll } from "../freights/suspend-by-account.ts";
import { commands as webhookCommands } from "../webhooks/subscription.ts";
import type { Env, Job } from "../../platform/env.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { ignoreNotFound, Problem } from "../../platform/problem.ts";
import { commands } from "./commands.ts";

/**
 * The work `tenants.follow`: freights and webhooks of a company that was suspended or resumed hear how it stands now. May be
 * done twice; it is asked for again for a minute, for what was published just before may not be listed yet.
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
  await holdAll(env, company, standing);
  await executeCommand(env, commands.followed, call, { turn, begun });
}

/** @throws Problem `company_suspended` when the operator keeps the company from doing anything */
export async function requireActive(env: Env, company: string): Promise<void> {
  const { reply } = await executeCommand(env, commands.standing, { company, id: company }, {});
  if (reply.isHeld) throw new Problem("company_suspended");
}
