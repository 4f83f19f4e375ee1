import type { Env } from "./env.ts";
import { leaseMilliseconds, underLease } from "./lease.ts";
import { logFault } from "./log.ts";
import { releaseClaim, renewClaim, takeClaim } from "./aggregates.ts";

/**
 * Does something while nobody else in the company does it, however long it takes. One that was cut off keeps others from it
 * until its lease has expired.
 * @param act stops once the signal is aborted, for then somebody else may do it
 * @returns nothing when somebody else does it
 */
export async function alone<Outcome>(
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
      // What is done is done: a claim that cannot be given back expires.
      await release(token).catch((cause: unknown) => logFault(`${name}.release`, cause, { company }));
      return outcome;
    },
  });
}
