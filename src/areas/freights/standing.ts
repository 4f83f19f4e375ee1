import type { Env } from "../../kit/env.ts";
import { askOwner } from "../../kit/owners.ts";
import { liveFreights } from "./live.ts";
import { freightSteps } from "./steps.ts";

/** Live freights of an account hear that it was blocked or unblocked. May be done twice. */
export async function standFor(
  env: Env,
  company: string,
  { email, turn, isBlocked }: { email: string; turn: number; isBlocked: boolean },
): Promise<void> {
  for await (const ids of liveFreights(env, company, `owner:${email.toLowerCase()}`))
    await Promise.all(ids.map((id) => askOwner(env, freightSteps.stand, { company, id }, { email, turn, isBlocked })));
}
