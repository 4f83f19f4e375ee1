import type { Env } from "../env.ts";
import { wrongField, type ErrorItem } from "../problem.ts";
import { checkedTarget } from "./gate.ts";

/** Every address that is not to be called, by the field it was sent in: `authentication.tokenUrl`. */
export async function refusedTargets(env: Env, addresses: Record<string, string | undefined>): Promise<ErrorItem[]> {
  const checked = await Promise.all(
    Object.entries(addresses).map(async ([field, address]) => {
      const refused = address === undefined ? undefined : await checkedTarget(address, env);
      return refused ? [wrongField(field.split("."), "webhook_target_refused", refused)] : [];
    }),
  );
  return checked.flat();
}
