import type { Env } from "../../platform/env.ts";
import { hasKeys } from "../../platform/key-ring.ts";
import { sameDigest } from "../../platform/key-format.ts";
import { deriveSecret } from "../../platform/seal.ts";

/**
 * Where mails to a company go: `in-`, the company, a dash and 64 bits that only this deployment can make, in hex, since
 * mail servers may write local parts in small letters. It says itself whose it is, so that no index is needed.
 */
export function addressOf(env: Env, company: string): string | undefined {
  const domain = domainOf(env);
  return domain && hasKeys(env) ? `in-${company.replaceAll("-", "")}-${tagOf(env, company)}@${domain}` : undefined;
}

/** Whose address it is; undefined when it is nobody's. */
export function companyOf(env: Env, address: string): string | undefined {
  const match = /^in-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})-([0-9a-f]{16})@/i.exec(address);
  if (!match || !hasKeys(env)) return undefined;
  const company = match.slice(1, 6).join("-").toLowerCase();
  return sameDigest(match[6]!.toLowerCase(), tagOf(env, company)) ? company : undefined;
}

/** Whether it is one of this deployment's own: what comes from there is never answered. */
export function isOwn(env: Env, address: string): boolean {
  const own = address.toLowerCase();
  return own === env.MAIL_FROM?.toLowerCase() || companyOf(env, own) !== undefined;
}

const tagOf = (env: Env, company: string): string =>
  Buffer.from(deriveSecret(env, `${company}/mails/address`), "base64url")
    .toString("hex")
    .slice(0, 16);

function domainOf({ MAIL_DOMAIN, MAIL_FROM, LOCAL_MAIL }: Env): string | undefined {
  return MAIL_DOMAIN ?? MAIL_FROM?.split("@")[1] ?? (LOCAL_MAIL === "true" ? "lorry.localhost" : undefined);
}
