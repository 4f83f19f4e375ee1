import type { CommandContext } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import type { CommandCall } from "../../src/platform/aggregates.ts";
import { derived } from "../../src/platform/seal.ts";

/**
 * What a decision may know of the moment it is made in.
 * @param looked is called when it looks at the clock: its answer does not last
 */
export function momentOf(
  env: Env,
  { company, id, address, by }: CommandCall,
  { version, looked }: { version: number; looked: () => void },
): CommandContext {
  const at = new Date();
  return {
    get at() {
      looked();
      return at.toISOString();
    },
    company,
    id,
    version,
    address: address ?? env.BASE_URL ?? "",
    by,
    secret: (about) => derived(env, `${company}/${id}/${about}`),
  };
}
