import type { sealsOf, Subscription } from "../../src/areas/webhooks/model.ts";
import type { Env } from "../../src/platform/env.ts";
import { log, logFault } from "../../src/platform/log.ts";
import {
  deliver,
  openAuthentication,
  Tokens,
  type AttemptResult,
  type Receiver,
} from "../../src/platform/receivers/index.ts";
import { unseal, UnsealError } from "../../src/platform/seal.ts";
import { signatureHeaders } from "../../src/platform/sign.ts";
import type { Claimed } from "./rows.ts";

/** The current state of the subscription, and the purposes for which its secrets are sealed. */
export interface Terms {
  subscription: Subscription;
  company: string;
  id: string;
  seals: ReturnType<typeof sealsOf>;
}

/** Sends the deliveries of one subscription. It records nothing. */
export class Sender {
  private readonly storage: DurableObjectStorage;
  private readonly env: Env;
  private opened: { of: Subscription; means: Promise<Means> } | undefined;

  constructor(storage: DurableObjectStorage, env: Env) {
    this.storage = storage;
    this.env = env;
  }

  /** Makes one attempt with the current subscription. Never throws. */
  async send(row: Claimed, terms: Terms | undefined): Promise<AttemptResult> {
    if (!terms) return unsent("The webhook was deleted.");
    try {
      const { receiver, secrets, tokens } = await this.meansOf(terms).means;
      const { event_id: id, body, type, okey: orderKey, manual } = row;
      const headers = await signatureHeaders(secrets, id, body);
      const message = { id, body, headers, type, orderKey, ...(row.kind === "Manual" && { manualTimes: manual }) };
      return await deliver(receiver, message, tokens, this.env);
    } catch (error) {
      logFault("delivery", error, { event: row.event_id });
      return unsent(error instanceof UnsealError ? unopened : "The delivery could not be signed.");
    }
  }

  private meansOf({ subscription, seals }: Terms): { means: Promise<Means> } {
    if (this.opened?.of !== subscription) {
      const means = opened(subscription, seals, this.storage, this.env);
      this.opened = { of: subscription, means };
      means.catch(() => (this.opened = undefined));
    }
    return this.opened;
  }
}

const unopened =
  "The secrets of the webhook can no longer be decrypted. Create a new secret with `PUT …/reset` and `rotateSecret`, and send its `authentication` again.";

const unsent = (detail: string): AttemptResult => ({
  delivered: false,
  error: "refused",
  detail,
  answer: "",
  milliseconds: 0,
  sent: { url: "", headers: {} },
});

interface Means {
  receiver: Receiver;
  secrets: string[];
  tokens: Tokens;
}

/** @throws UnsealError */
async function opened(
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
    secrets: await openedOf(signing(secrets), seals.secret, env),
    tokens: new Tokens(store, env, seals.authentication),
  };
}

/** Unseals the secrets. Those that fail are skipped, as long as one succeeds. @throws UnsealError */
async function openedOf(secrets: Subscription["secrets"], about: string, env: Env): Promise<string[]> {
  const opened = await Promise.all(
    secrets.map(({ sealed }) => unseal(env, about, sealed).catch((error: unknown) => notOpened(error))),
  );
  const usable = opened.filter((one) => one !== undefined);
  if (usable.length === 0) throw new UnsealError();
  if (usable.length < opened.length) log({ what: "webhook.unopened", secrets: opened.length - usable.length });
  return usable;
}

function notOpened(error: unknown): undefined {
  if (!(error instanceof UnsealError)) throw error;
}

/** Returns the secrets that sign deliveries: the current one, and replaced ones that have not expired. */
const signing = (secrets: Subscription["secrets"]) => {
  const now = new Date().toISOString();
  return secrets.filter(({ expiresAt }) => !expiresAt || expiresAt > now);
};
