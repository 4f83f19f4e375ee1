import type { Env } from "../env.ts";
import { invalid, wrongField } from "../problem.ts";
import { reseal, seal, unseal } from "../seal.ts";
import { maskedSecret, secretField, type Authentication, type AuthenticationView } from "./shape.ts";

/** Authentication as it is stored. */
export interface SealedAuthentication {
  /** With its secret sealed. */
  sealed: Authentication;
}

/**
 * @param about the record that it belongs to: it can be unsealed only for this record
 * @throws Problem `validation_failed` when the mask is sent instead of a secret: there is no previous secret that it could mean
 */
export async function sealAuthentication(
  env: Env,
  about: string,
  authentication: Authentication,
): Promise<SealedAuthentication> {
  const field = secretField[authentication.type];
  if (field && authentication[field as never] === maskedSecret) {
    const message = `${field} must be sent: ${maskedSecret} only masks a secret.`;
    throw invalid([wrongField(["authentication", field], "required", message)]);
  }
  return { sealed: await withSecret(authentication, (field, secret) => seal(env, `${about}/${field}`, secret)) };
}

/** @throws when it cannot be unsealed, or was sealed for another record */
export const openAuthentication = (
  env: Env,
  about: string,
  { sealed }: SealedAuthentication,
): Promise<Authentication> => withSecret(sealed, (field, secret) => unseal(env, `${about}/${field}`, secret));

/** Seals it again with the current key. */
export function resealAuthentication(env: Env, about: string, kept: SealedAuthentication): SealedAuthentication {
  const field = secretField[kept.sealed.type];
  if (!field) return kept;
  const secret = reseal(env, `${about}/${field}`, kept.sealed[field as never]);
  return { sealed: { ...kept.sealed, [field]: secret } };
}

/** The view in the API, in which secrets are masked. */
export function toAuthenticationView({ sealed }: SealedAuthentication): AuthenticationView {
  const field = secretField[sealed.type];
  return { ...sealed, ...(field && { [field]: maskedSecret }) } as AuthenticationView;
}

async function withSecret(
  authentication: Authentication,
  become: (field: string, secret: string) => Promise<string>,
): Promise<Authentication> {
  const field = secretField[authentication.type];
  return field ? { ...authentication, [field]: await become(field, authentication[field as never]) } : authentication;
}
