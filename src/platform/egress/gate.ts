import type { Env } from "../env.ts";
import { isIpAddress, isAllowedPort, isPublicAddress, isPublicName } from "./addresses.ts";
import { lookUp, type LookupFault } from "./names.ts";

/** Why a target must not be called. `dns`: the name has no address, or the lookup failed. */
export interface TargetRefusal {
  error: "refused" | "dns";
  /** An explanation for people. */
  detail: string;
  /** Why the lookup failed; absent if it did not fail, as for a name without an address. */
  fault?: LookupFault;
}

/**
 * Checks a URL without a lookup: https, a public name and port, no IP address, no credentials, no fragment.
 * @returns the reason for a refusal; undefined if the URL is allowed
 */
export function refusalOfUrl(address: string, env: Env): string | undefined {
  const url = URL.parse(address);
  if (!url || address.length > 2048) return "The address is not a URL of at most 2048 characters.";
  if (url.username || url.password) return "The address must not contain credentials.";
  if (address.includes("#")) return "The address must not have a fragment.";
  if (allowsPrivate(env)) return /^https?:$/.test(url.protocol) ? undefined : "The address must be http or https.";
  if (url.protocol !== "https:") return "The address must be https.";
  if (!isAllowedPort(url.port))
    return "The port must be 443 or above 1023, and not one that databases and similar services use.";
  if (isIpAddress(url.hostname)) return "The address must have a host name, not an IP address.";
  const host = nameOf(url);
  return isPublicName(host) && !isOwnHost(host, env)
    ? undefined
    : "The address must have a public host name that does not belong to this service.";
}

/**
 * Checks a URL and looks up its host name. All its IP addresses must be public.
 * @returns the reason for a refusal (also if there is no address, or the lookup fails); undefined if the target is
 * allowed
 */
export async function checkTarget(
  address: string,
  env: Env,
  signal = new AbortController().signal,
): Promise<TargetRefusal | undefined> {
  const refused = refusalOfUrl(address, env);
  if (refused) return { error: "refused", detail: refused };
  if (allowsPrivate(env)) return undefined;
  const lookup = await lookUp(nameOf(new URL(address)), env, signal);
  if (lookup.is === "Absent") return { error: "dns", detail: "The host name of the address does not exist." };
  if (lookup.is === "Unanswered")
    return {
      error: "dns",
      detail: "The lookup of the host name failed. Try again later.",
      fault: lookup.fault,
    };
  return lookup.addresses.every(isPublicAddress)
    ? undefined
    : { error: "refused", detail: "The host name has an IP address that is not public." };
}

const allowsPrivate = ({ ALLOW_PRIVATE_WEBHOOKS }: Env) => ALLOW_PRIVATE_WEBHOOKS === "true";

const nameOf = ({ hostname }: URL) => hostname.replace(/\.$/, "");

/**
 * Calls to this deployment, or to another Worker of its account on workers.dev, could bypass protections in front of
 * them.
 */
function isOwnHost(host: string, { BASE_URL }: Env): boolean {
  const own = BASE_URL && URL.canParse(BASE_URL) ? nameOf(new URL(BASE_URL)) : undefined;
  if (!own) return false;
  const account = /[^.]+\.workers\.dev$/.exec(own)?.[0];
  return host === own || (account !== undefined && (host === account || host.endsWith(`.${account}`)));
}
