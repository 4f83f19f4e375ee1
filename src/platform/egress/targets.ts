import type { Env } from "../env.ts";
import { externalProblem } from "../external.ts";
import { Problem, wrongField } from "../problem.ts";
import { checkTarget, type TargetRefusal } from "./gate.ts";

/**
 * Checks the target URLs of a request.
 * @param addresses the URLs by request field, such as `authentication.tokenUrl`
 * @returns undefined if all are allowed; otherwise a 422 if a URL is not allowed, or a 502, 503 or 504 if a lookup
 * failed
 */
export async function refusalOfTargets(
  env: Env,
  addresses: Record<string, string | undefined>,
): Promise<Problem | undefined> {
  const checked = await Promise.all(
    Object.entries(addresses).map(async ([field, address]) => {
      const refusal = address === undefined ? undefined : await checkTarget(address, env);
      return refusal ? [{ field, refusal }] : [];
    }),
  );
  const all = checked.flat();
  const refused = all.filter(({ refusal }) => !refusal.fault);
  if (refused.length > 0) {
    const errors = refused.map(({ field, refusal }) => itemOf(field, refusal));
    return new Problem("webhook_target_refused", errors[0]!.message, { errors });
  }
  const [unanswered] = all.map(({ refusal }) => refusal);
  return unanswered && externalProblem({ source: "NameServer", ...unanswered.fault, message: unanswered.detail });
}

const itemOf = (field: string, { detail }: TargetRefusal) =>
  wrongField(field.split("."), "webhook_target_refused", detail);
