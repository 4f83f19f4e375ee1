import { isDeepStrictEqual } from "node:util";
import type { Env } from "../env.ts";
import { invalid, wrongField, type Problem } from "../problem.ts";
import { openAuthentication, sealAuthentication, type SealedAuthentication } from "./sealed.ts";
import { maskedSecret, isOfAws, secretField, tokenUrlOf, type Authentication } from "./shape.ts";

interface Change {
  before: SealedAuthentication;
  /** The new value; undefined keeps the previous one. */
  sent: Authentication | undefined;
  /** Whether the address of the receiver stays. */
  isSameAddress: boolean;
  /** Name of the address in the API. */
  addressName: "callbackUrl" | "endpoint";
}

/**
 * The authentication of a receiver after a change. A secret that is not sent stays, but only while the addresses stay: at another
 * address it would be disclosed to the caller. An unchanged value keeps its seal.
 * @param about the record that it belongs to
 * @throws Problem `validation_failed` when a secret must be sent again
 */
export async function updateAuthentication(env: Env, about: string, change: Change): Promise<SealedAuthentication> {
  const { before, sent } = change;
  const field = secretField[sent?.type ?? before.sealed.type];
  if (!sent || (field && sent[field as never] === maskedSecret)) {
    if (field && !mayKeepSecret(change)) throw secretMissing(sent && field, change);
    return sent ? withSecretOf(before, sent) : before;
  }
  const opened = await openAuthentication(env, about, before).catch(() => undefined);
  return isDeepStrictEqual(opened, sent) ? before : sealAuthentication(env, about, sent);
}

/** @param field the member of the authentication; undefined means the whole */
function secretMissing(field: string | undefined, { addressName }: Change): Problem {
  const path = ["authentication", ...(field ? [field] : [])];
  const message = `${path.at(-1)!} must be sent again: a secret is kept only while type, ${addressName} and tokenUrl do not change.`;
  return invalid([wrongField(path, "required", message)]);
}

/** Secrets of AWS are used for signing and never sent. */
function mayKeepSecret({ before: { sealed: before }, sent = before, isSameAddress }: Change): boolean {
  if (sent.type !== before.type) return false;
  return isOfAws(sent) || (isSameAddress && tokenUrlOf(sent) === tokenUrlOf(before));
}

function withSecretOf(before: SealedAuthentication, sent: Authentication): SealedAuthentication {
  const field = secretField[sent.type]!;
  return { sealed: { ...sent, [field]: before.sealed[field as never] } };
}
