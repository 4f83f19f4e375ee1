import { applyAccountBlock } from "../freights/suspend-by-account.ts";
import { commands as webhookCommands } from "../webhooks/commands.ts";
import type { Env, Job } from "../../platform/env.ts";
import { executeCommand, objectOf } from "../../platform/aggregates.ts";
import { commands } from "./commands.ts";

/**
 * Runs the job `accounts.follow`, which applies the block state of accounts to their freights and webhooks. May run
 * twice. The job is repeated for a minute, because freights that were published shortly before the change may not be
 * listed yet.
 */
export async function follow({ company }: Job, env: Env): Promise<void> {
  const begun = new Date().toISOString();
  const call = { company, id: company };
  const { reply: changed } = await executeCommand(env, commands.unfollowed, call, {});
  const subscribers = changed.length > 0 ? await objectOf(env, "COMPANIES", company, company).subscribers() : [];
  for (const account of changed) {
    const { accountId, turn, isBlocked } = account;
    await applyAccountBlock(env, company, account);
    await Promise.all(
      subscribers
        .filter(({ accountId: maker }) => maker === accountId)
        .map(({ id }) => executeCommand(env, webhookCommands.stand, { company, id }, { turn, isBlocked })),
    );
  }
  await executeCommand(env, commands.followed, call, { begun });
}
