import type { Env } from "../../platform/env.ts";
import { hasKeys } from "../../platform/key-ring.ts";
import { sameDigest } from "../../platform/key-format.ts";
import { deriveSecret } from "../../platform/seal.ts";

/**
 * Returns the mail address of a company: `in-`, its id, a dash and a tag of 64 bits that only this deployment can
 * derive. The tag is hexadecimal, because mail servers may convert local parts to lower case.
 */
export function addressOf(env: Env, company: string): string | undefined {
  const domain = domainOf(env);
  return domain && hasKeys(env) ? `in-${company.replaceAll("-", "")}-${tagOf(env, company)}@${domain}` : undefined;
}

/** Returns the id of the company with this address, if any. */
export function companyOf(env: Env, address: string): string | undefined {
  const match = /^in-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})-([0-9a-f]{16})@/i.exec(address);
  if (!match || !hasKeys(env)) return undefined;
  const company = match.slice(1, 6).join("-").toLowerCase();
  return sameDigest(match[6]!.toLowerCase(), tagOf(env, company)) ? company : undefined;
}

/** Whether the address belongs to this deployment. Mails from such an address get no reply. */
export function isOwn(env: Env, address: string): boolean {
  const lower = address.toLowerCase();
  return lower === env.MAIL_FROM?.toLowerCase() || companyOf(env, lower) !== undefined;
}

const tagOf = (env: Env, company: string): string =>
  Buffer.from(deriveSecret(env, `${company}/mails/address`), "base64url")
    .toString("hex")
    .slice(0, 16);

function domainOf({ MAIL_DOMAIN, MAIL_FROM, LOCAL_MAIL }: Env): string | undefined {
  return MAIL_DOMAIN ?? MAIL_FROM?.split("@")[1] ?? (LOCAL_MAIL === "true" ? "lorry.localhost" : undefined);
}
