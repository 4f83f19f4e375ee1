import type { Env } from "../env.ts";
import { isIpAddress, isAllowedPort, isPublicAddress, isPublicName } from "./addresses.ts";
import { lookUp, type LookupFault } from "./names.ts";

/** A no of the gate. `dns`: the name has no address, or nobody could say which. */
export interface TargetRefusal {
  error: "refused" | "dns";
  /** A sentence for people. */
  detail: string;
  /** Why the name could not be looked up, where that is all that stands against the call. */
  fault?: LookupFault;
}

/**
 * What an address itself shows: https to a public name and port, no number, no credentials, no fragment. Asks nobody.
 * @returns why the address is refused, or nothing
 */
export function refusalOfUrl(address: string, env: Env): string | undefined {
  const url = URL.parse(address);
  if (!url || address.length > 2048) return "The address is not a URL of at most 2048 characters.";
  if (url.username || url.password) return "The address must not hold credentials.";
  if (address.includes("#")) return "The address must not have a fragment.";
  if (allowsPrivate(env)) return /^https?:$/.test(url.protocol) ? undefined : "The address must be http or https.";
  if (url.protocol !== "https:") return "The address must be https.";
  if (!isAllowedPort(url.port)) return "The port must be 443 or above 1023, and none that databases and the like use.";
  if (isIpAddress(url.hostname)) return "The address must have a name, not a number.";
  const host = nameOf(url);
  return isPublicName(host) && !isOwnHost(host, env) ? undefined : "The address is not public.";
}

/**
 * The same, and every address that its name leads to must be public. A name that leads nowhere, or that nobody could look
 * up, is refused as well.
 * @returns why the address is refused, or nothing
 */
export const checkedTarget = (address: string, env: Env): Promise<TargetRefusal | undefined> =>
  checkTarget(address, env, new AbortController().signal);

/** What stands against a call to an address now. */
export async function checkTarget(address: string, env: Env, signal: AbortSignal): Promise<TargetRefusal | undefined> {
  const refused = refusalOfUrl(address, env);
  if (refused) return { error: "refused", detail: refused };
  if (allowsPrivate(env)) return undefined;
  const looked = await lookUp(nameOf(new URL(address)), env, signal);
  if (looked.is === "Absent") return { error: "dns", detail: "The name of the address does not exist." };
  if (looked.is === "Unanswered")
    return {
      error: "dns",
      detail: "The name of the address could not be looked up; try again later.",
      fault: looked.fault,
    };
  return looked.addresses.every(isPublicAddress)
    ? undefined
    : { error: "refused", detail: "The name of the address leads to an address that is not public." };
}

const allowsPrivate = ({ ALLOW_PRIVATE_WEBHOOKS }: Env) => ALLOW_PRIVATE_WEBHOOKS === "true";

const nameOf = ({ hostname }: URL) => hostname.replace(/\.$/, "");

/** This deployment, and whatever else its account has on workers.dev: calls to oneself may pass doors that stand in front. */
function isOwnHost(host: string, { BASE_URL }: Env): boolean {
  const own = BASE_URL && URL.canParse(BASE_URL) ? nameOf(new URL(BASE_URL)) : undefined;
  if (!own) return false;
  const account = /[^.]+\.workers\.dev$/.exec(own)?.[0];
  return host === own || (account !== undefined && (host === account || host.endsWith(`.${account}`)));
}
