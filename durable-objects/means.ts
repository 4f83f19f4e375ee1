import type { sealsOf, Subscription } from "../src/areas/webhooks/subscription.ts";
import type { Env } from "../src/kit/env.ts";
import { openAuthentication, Tokens, type Receiver } from "../src/kit/receivers/index.ts";
import { unseal } from "../src/kit/seal.ts";

/** What an attempt is made with. */
export interface Means {
  receiver: Receiver;
  secrets: string[];
  tokens: Tokens;
}

/** @throws when a seal is broken */
export async function opened(
  { secrets, callbackUrl: url, authentication }: Subscription,
  seals: ReturnType<typeof sealsOf>,
  { kv }: DurableObjectStorage,
  env: Env,
): Promise<Means> {
  const store = {
    get: () => kv.get<string>("token"),
    put: (sealed: string | undefined) => void (sealed === undefined ? kv.delete("token") : kv.put("token", sealed)),
  };
  return {
    receiver: {
      url,
      authentication: authentication
        ? await openAuthentication(env, seals.authentication, authentication)
        : { type: "None" },
    },
    secrets: await Promise.all(signing(secrets).map(({ sealed }) => unseal(env, seals.secret, sealed))),
    tokens: new Tokens(store, env, seals.authentication),
  };
}

/** Of secrets that were replaced those that receivers may still use. */
const signing = (secrets: Subscription["secrets"]) => {
  const now = new Date().toISOString();
  return secrets.filter(({ expiresAt }) => !expiresAt || expiresAt > now);
};
