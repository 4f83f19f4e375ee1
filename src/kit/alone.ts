import type { Env } from "./env.ts";
import { newId } from "./ids.ts";
import { releaseClaim, takeClaim } from "./owners.ts";

/**
 * Does something while nobody else in the company does it; not at all, and undefined, when somebody does.
 * @param milliseconds longer than it takes: one that was cut off holds its place for so long
 */
export async function alone<Outcome>(
  env: Env,
  company: string,
  { name, milliseconds }: { name: string; milliseconds: number },
  act: () => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const claim = { holder: newId(), until: Date.now() + milliseconds };
  if (!(await takeClaim(env, company, name, claim)).fresh) return undefined;
  try {
    return await act();
  } finally {
    await releaseClaim(env, company, name, claim);
  }
}
