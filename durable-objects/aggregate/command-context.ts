import type { CommandContext } from "../../src/platform/decision.ts";
import type { Env } from "../../src/platform/env.ts";
import type { CommandCall } from "../../src/platform/aggregates.ts";
import { deriveSecret } from "../../src/platform/seal.ts";

/**
 * The context in which a command decides.
 * @param onClockRead is called when the decision reads the clock, so that its reply is not cached
 */
export function commandContextOf(
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
    secret: (about) => deriveSecret(env, `${company}/${id}/${about}`),
  };
}
