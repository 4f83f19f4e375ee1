import type { Moment } from "../../src/kit/decision.ts";
import type { Env } from "../../src/kit/env.ts";
import type { Call } from "../../src/kit/owners.ts";
import { derived } from "../../src/kit/seal.ts";

/**
 * What a decision may know of the moment it is made in.
 * @param looked is called when it looks at the clock: its answer does not last
 */
export function momentOf(
  env: Env,
  { company, id, address, by }: Call,
  { version, looked }: { version: number; looked: () => void },
): Moment {
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
