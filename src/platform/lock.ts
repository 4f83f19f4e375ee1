import type { Env } from "./env.ts";
import { leaseMilliseconds, underLease } from "./lease.ts";
import { logFault } from "./log.ts";
import { releaseClaim, renewClaim, takeClaim } from "./aggregates.ts";

/**
 * Runs a function while it holds the lock `name` of the company, however long the function takes. A killed run blocks
 * others until its lease expires.
 * @param act must stop when the signal is aborted, because another holder may have the lock then
 * @returns undefined if another holder has the lock, or has taken it over
 */
export async function withLock<Outcome>(
  env: Env,
  company: string,
  name: string,
  act: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const claim = (holder: string) => ({ holder, until: Date.now() + leaseMilliseconds });
  const release = (holder: string) => releaseClaim(env, company, name, { holder });
  return underLease({
    name,
    begin: async (token) => ((await takeClaim(env, company, name, claim(token))).fresh ? {} : undefined),
    renew: (token) => renewClaim(env, company, name, claim(token)),
    release,
    work: async (_, { token, signal }) => {
      const outcome = await act(signal);
      // If the claim cannot be released, it expires.
      await release(token).catch((cause: unknown) => logFault(`${name}.release`, cause, { company }));
      return outcome;
    },
  });
}
