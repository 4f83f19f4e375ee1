import type { Env } from "../../platform/env.ts";
import { executeCommand } from "../../platform/aggregates.ts";
import { ignoreNotFound } from "../../platform/problem.ts";
import { liveFreights } from "./search.ts";
import { publicationCommands } from "./publications/commands.ts";
import { freightCommands, type Hold } from "./commands.ts";

/** Suspends the live freights of a blocked account, or resumes those of an unblocked account. May run twice. */
export async function applyAccountBlock(
  env: Env,
  company: string,
  { email, turn, isBlocked }: { email: string; turn: number; isBlocked: boolean },
): Promise<void> {
  for await (const ids of liveFreights(env, company, `owner:${email.toLowerCase()}`))
    await Promise.all(
      ids.map((id) => executeCommand(env, freightCommands.stand, { company, id }, { email, turn, isBlocked })),
    );
}

/** Suspends or resumes the live freights of a company together with the company. May run twice. */
export async function applyCompanySuspension(env: Env, company: string, hold: Hold): Promise<void> {
  for (const status of liveStatuses)
    for await (const ids of liveFreights(env, company, `status:${status}`))
      await Promise.all(
        ids.map((id) => executeCommand(env, freightCommands.hold, { company, id }, hold).catch(ignoreNotFound)),
      );
}

/**
 * Whether all sources have been called about all changes of the company's freights.
 * @param archivedAfter freights that were archived earlier are not checked
 */
export async function areSourcesNotified(env: Env, company: string, archivedAfter: string): Promise<boolean> {
  for (const status of liveStatuses)
    for await (const ids of liveFreights(env, company, `status:${status}`))
      if (!(await areNotified(env, company, ids))) return false;
  const { results } = await env.ARCHIVE.prepare("select id from freights where company = ? and archivedAt > ?")
    .bind(company, archivedAfter)
    .all<{ id: string }>();
  return areNotified(
    env,
    company,
    results.map(({ id }) => id),
  );
}

const liveStatuses = ["Published", "Suspended"];

async function areNotified(env: Env, company: string, ids: readonly string[]): Promise<boolean> {
  const outcomes = await Promise.all(
    ids.map((id) => executeCommand(env, publicationCommands.untold, { company, id }, {}).catch(ignoreNotFound)),
  );
  return outcomes.every((one) => one === undefined || one.reply.left.length === 0);
}
