import type { Env } from "../env.ts";
import { externalProblem } from "../external.ts";
import { Problem, wrongField } from "../problem.ts";
import { checkedTarget, type TargetRefusal } from "./gate.ts";

/**
 * What stands against calling these addresses, by the field that each was sent in (`authentication.tokenUrl`): 422 for those
 * that are not to be called, else 502, 503 or 504 for a name that could not be looked up.
 */
export async function refusalOfTargets(
  env: Env,
  addresses: Record<string, string | undefined>,
): Promise<Problem | undefined> {
  const checked = await Promise.all(
    Object.entries(addresses).map(async ([field, address]) => {
      const barred = address === undefined ? undefined : await checkedTarget(address, env);
      return barred ? [{ field, barred }] : [];
    }),
  );
  const all = checked.flat();
  const refused = all.filter(({ barred }) => !barred.fault);
  if (refused.length > 0) {
    const errors = refused.map(({ field, barred }) => itemOf(field, barred));
    return new Problem("webhook_target_refused", errors[0]!.message, { errors });
  }
  const [unanswered] = all.map(({ barred }) => barred);
  return unanswered && externalProblem({ source: "NameServer", ...unanswered.fault, message: unanswered.detail });
}

const itemOf = (field: string, { detail }: TargetRefusal) =>
  wrongField(field.split("."), "webhook_target_refused", detail);
