import type { Env } from "../env.ts";
import { invalid, wrongField } from "../problem.ts";
import { reseal, seal, unseal } from "../seal.ts";
import { maskedSecret, secretField, type Authentication, type AuthenticationView } from "./shape.ts";

/** As it lies at rest. */
export interface SealedAuthentication {
  /** With its secret sealed. */
  sealed: Authentication;
}

/**
 * @param about what it belongs to, down to the record: it opens nowhere else
 * @throws Problem `validation_failed` where a secret is sent as it is shown: there is none that it could stand for
 */
export async function sealAuthentication(
  env: Env,
  about: string,
  authentication: Authentication,
): Promise<SealedAuthentication> {
  const field = secretField[authentication.type];
  if (field && authentication[field as never] === maskedSecret) {
    const message = `${field} must be sent: ${maskedSecret} is what is shown in the place of a secret.`;
    throw invalid([wrongField(["authentication", field], "required", message)]);
  }
  return { sealed: await withSecret(authentication, (field, secret) => seal(env, `${about}/${field}`, secret)) };
}

/** @throws when the seal is broken or was made for something else */
export const openAuthentication = (
  env: Env,
  about: string,
  { sealed }: SealedAuthentication,
): Promise<Authentication> => withSecret(sealed, (field, secret) => unseal(env, `${about}/${field}`, secret));

/** The same, sealed with the key that seals now. */
export function resealAuthentication(env: Env, about: string, kept: SealedAuthentication): SealedAuthentication {
  const field = secretField[kept.sealed.type];
  if (!field) return kept;
  const secret = reseal(env, `${about}/${field}`, kept.sealed[field as never]);
  return { sealed: { ...kept.sealed, [field]: secret } };
}

/** As its owner is shown it: what is secret can be written and never read. */
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
