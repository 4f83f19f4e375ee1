import type { Env } from "../../kit/env.ts";
import { askOwner } from "../../kit/owners.ts";
import { liveFreights } from "./live.ts";
import { freightSteps, type Hold } from "./steps.ts";

/** Live freights of an account hear that it was blocked or unblocked. May be done twice. */
export async function standFor(
  env: Env,
  company: string,
  { email, turn, isBlocked }: { email: string; turn: number; isBlocked: boolean },
): Promise<void> {
  for await (const ids of liveFreights(env, company, `owner:${email.toLowerCase()}`))
    await Promise.all(ids.map((id) => askOwner(env, freightSteps.stand, { company, id }, { email, turn, isBlocked })));
}

/** Live freights of a company hear that it was suspended or resumed. May be done twice. */
export async function holdAll(env: Env, company: string, hold: Hold): Promise<void> {
  for (const status of ["Published", "Suspended"])
    for await (const ids of liveFreights(env, company, `status:${status}`))
      await Promise.all(ids.map((id) => askOwner(env, freightSteps.hold, { company, id }, hold)));
}
