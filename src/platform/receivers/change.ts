import { isDeepStrictEqual } from "node:util";
import type { Env } from "../env.ts";
import { invalid, wrongField, type Problem } from "../problem.ts";
import { openAuthentication, sealAuthentication, type SealedAuthentication } from "./sealed.ts";
import { maskedSecret, isOfAws, secretField, tokenUrlOf, type Authentication } from "./shape.ts";

interface Change {
  before: SealedAuthentication;
  /** As it was sent; without it the one before stays. */
  sent: Authentication | undefined;
  /** Whether the receiver keeps its address. */
  isSameAddress: boolean;
  /** What callers call its address. */
  addressName: "callbackUrl" | "endpoint";
}

/**
 * The authentication of a receiver after a change. A secret that is not sent stays, but only for the addresses that it was
 * given for: sent to another address it would be shown to whoever asked for the change. What is sent as it was stays
 * sealed as it was.
 * @param about what it belongs to
 * @throws Problem `validation_failed` where a secret has to be sent again
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

/** @param field the member of the authentication; without one all of it is meant */
function secretMissing(field: string | undefined, { addressName }: Change): Problem {
  const path = ["authentication", ...(field ? [field] : [])];
  const message = `${path.at(-1)!} must be sent again: a secret stays only while type, ${addressName} and tokenUrl stay.`;
  return invalid([wrongField(path, "required", message)]);
}

/** Secrets of AWS sign and are never sent. */
function mayKeepSecret({ before: { sealed: before }, sent = before, isSameAddress }: Change): boolean {
  if (sent.type !== before.type) return false;
  return isOfAws(sent) || (isSameAddress && tokenUrlOf(sent) === tokenUrlOf(before));
}

function withSecretOf(before: SealedAuthentication, sent: Authentication): SealedAuthentication {
  const field = secretField[sent.type]!;
  return { sealed: { ...sent, [field]: before.sealed[field as never] } };
}
