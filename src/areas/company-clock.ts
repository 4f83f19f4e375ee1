import { refuse } from "../kit/decision.ts";
import { stepsOn } from "../kit/operation.ts";
import type { Events } from "./accounts/account.ts";
import { lapsed, nextUnblocking } from "./accounts/index.ts";
import type { Company } from "./companies.ts";

/** When time alone does something to a company next, in milliseconds since 1970. */
export const nextDue = (company: Company): number | undefined => nextUnblocking(company);

export const companyClock = stepsOn<Company, Events>(
  "COMPANIES",
  "companyClock",
)({
  /** What time alone does; the object's alarm asks for it. */
  tick: (company, _ask: object, { at }) => (company ? { ...lapsed(company, at), reply: {} } : refuse("not_found")),
});
