import { isDeepStrictEqual } from "node:util";
import type { Env } from "../env.ts";
import { invalid, wrongField, type Problem } from "../problem.ts";
import { reseal, seal, unseal } from "../seal.ts";
import { derivesAddress, tokenUrlOf, typeOf, type Authentication, type AuthenticationView } from "./authentication.ts";
import { maskedSecret } from "./define-authentication.ts";

export interface SealedAuthentication {
  sealed: Authentication;
}

/**
 * Seals the secret of an authentication.
 * @param about the record of the authentication. The secret can be unsealed only for this record.
 * @throws Problem `validation_failed` if the mask is sent instead of a secret, because there is no previous secret
 */
export async function sealAuthentication(
  env: Env,
  about: string,
  authentication: Authentication,
): Promise<SealedAuthentication> {
  const field = typeOf(authentication).secret;
  if (field && authentication[field as never] === maskedSecret) {
    const message = `Send ${field} itself: ${maskedSecret} is only a placeholder, and no secret is stored yet.`;
    throw invalid([wrongField(["authentication", field], "required", message)]);
  }
  return { sealed: await withSecret(authentication, (field, secret) => seal(env, `${about}/${field}`, secret)) };
}

/**
 * Unseals the secret of an authentication.
 * @throws UnsealError if it cannot be unsealed, or was sealed for another record
 */
export const openAuthentication = (
  env: Env,
  about: string,
  { sealed }: SealedAuthentication,
): Promise<Authentication> => withSecret(sealed, (field, secret) => unseal(env, `${about}/${field}`, secret));

/** Seals the secret of an authentication again with the current key. */
export function resealAuthentication(env: Env, about: string, kept: SealedAuthentication): SealedAuthentication {
  const field = typeOf(kept.sealed).secret;
  if (!field) return kept;
  const secret = reseal(env, `${about}/${field}`, kept.sealed[field as never]);
  return { sealed: { ...kept.sealed, [field]: secret } };
}

/** Returns the view in the API, in which secrets are masked. */
export function toAuthenticationView({ sealed }: SealedAuthentication): AuthenticationView {
  const field = typeOf(sealed).secret;
  return { ...sealed, ...(field && { [field]: maskedSecret }) } as AuthenticationView;
}

async function withSecret(
  authentication: Authentication,
  become: (field: string, secret: string) => Promise<string>,
): Promise<Authentication> {
  const field = typeOf(authentication).secret;
  return field ? { ...authentication, [field]: await become(field, authentication[field as never]) } : authentication;
}

interface Change {
  before: SealedAuthentication;
  /** Undefined keeps the previous authentication. */
  sent: Authentication | undefined;
  isSameAddress: boolean;
  /** Name of the address field in the API. */
  addressName: "callbackUrl" | "endpoint";
}

/**
 * Determines the authentication of a receiver after an update. A secret that is not sent is kept only if the addresses
 * are unchanged. Otherwise, a caller could get it sent to an address of their choice.
 * @param about the record of the authentication
 * @throws Problem `validation_failed` if the secret must be sent again
 */
export async function updateAuthentication(env: Env, about: string, change: Change): Promise<SealedAuthentication> {
  const { before, sent } = change;
  const field = typeOf(sent ?? before.sealed).secret;
  if (!sent || (field && sent[field as never] === maskedSecret)) {
    if (field && !mayKeepSecret(change)) throw secretMissing(sent && field, change);
    return sent ? withSecretOf(before, sent) : before;
  }
  const opened = await openAuthentication(env, about, before).catch(() => undefined);
  return isDeepStrictEqual(opened, sent) ? before : sealAuthentication(env, about, sent);
}

/** @param field the missing field of the authentication; undefined if the whole authentication is missing */
function secretMissing(field: string | undefined, { addressName }: Change): Problem {
  const path = ["authentication", ...(field ? [field] : [])];
  const message = `${path.at(-1)!} must be sent again, because type, ${addressName} or tokenUrl has changed.`;
  return invalid([wrongField(path, "required", message)]);
}

/** A secret that only signs requests is never transmitted, so it may be kept for any address. */
function mayKeepSecret({ before: { sealed: before }, sent = before, isSameAddress }: Change): boolean {
  if (sent.type !== before.type) return false;
  return derivesAddress(sent) || (isSameAddress && tokenUrlOf(sent) === tokenUrlOf(before));
}

function withSecretOf(before: SealedAuthentication, sent: Authentication): SealedAuthentication {
  const field = typeOf(sent).secret!;
  return { sealed: { ...sent, [field]: before.sealed[field as never] } };
}
