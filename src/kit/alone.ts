import type { Env } from "./env.ts";
import { leaseMilliseconds, underLease } from "./lease.ts";
import { releaseClaim, renewClaim, takeClaim } from "./owners.ts";

/**
 * Does something while nobody else in the company does it, however long it takes. One that was cut off keeps others from it
 * until its lease has expired.
 * @returns nothing when somebody else does it
 */
export async function alone<Outcome>(
  env: Env,
  company: string,
  name: string,
  act: () => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const claim = (holder: string) => ({ holder, until: Date.now() + leaseMilliseconds });
  const release = (holder: string) => releaseClaim(env, company, name, { holder });
  return underLease({
    name,
    begin: async (token) => ((await takeClaim(env, company, name, claim(token))).fresh ? {} : undefined),
    renew: (token) => renewClaim(env, company, name, claim(token)),
    release,
    work: async (_, { token }) => {
      const outcome = await act();
      await release(token);
      return outcome;
    },
  });
}
