import { refuse } from "../../platform/decision.ts";
import { commandsOn } from "../../platform/command.ts";
import type { Events } from "../accounts/model.ts";
import { lapsed, nextUnblocking } from "../accounts/commands.ts";
import type { Company } from "./model.ts";
import { passAgain } from "../tenants/commands.ts";
import { nextRetention, retentionDue } from "../privacy/retention.ts";

/**
 * Returns when the next change of the company is due, in milliseconds since 1970: an account's block expires, expired
 * records are deleted, or the deletion of the company is repeated.
 */
export function nextDue(company: Company): number | undefined {
  const { deletion } = company;
  if (deletion) return deletion.againAt === undefined ? undefined : Date.parse(deletion.againAt);
  const times = [nextUnblocking(company), nextRetention(company)].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}

export const companyClock = commandsOn<Company, Events>(
  "COMPANIES",
  "companyClock",
)({
  /** Applies the due changes. Called by the alarm of the aggregate. */
  tick: (company, _ask: object, { at }) => {
    if (!company) return refuse("not_found");
    if (company.deletion) return passAgain(company, at);
    const { state, events, jobs } = lapsed(company, at);
    const kept = retentionDue(state, at);
    return { state: kept.state, events, jobs: [...jobs, ...kept.jobs], reply: {} };
  },
});
