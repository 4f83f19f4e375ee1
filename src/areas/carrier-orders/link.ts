import { createHash } from "node:crypto";
import type { CommandContext } from "../../platform/decision.ts";
import { parseShareLink, formatShareLink } from "../../platform/share-link.ts";

/**
 * The token of a carrier's link, `/share/<token>`. Only the digest of its secret is stored. The deployment can derive the
 * secret again, so the link can be shown at any time.
 */
export interface ShareToken {
  company: string;
  orderId: string;
  /** SHA-256 of the secret, in hex. */
  digest: string;
}

/** A link as it is stored. */
export interface OrderLink {
  /** Counts the links of the order. */
  number: number;
  digest: string;
}

type WithLink = { link: OrderLink };

/** A new link. Storing it disables the previous one. */
export const newLink = (number: number, { secret }: Pick<CommandContext, "secret">): OrderLink => ({
  number,
  digest: digestOf(secret(about(number))),
});

/** The URL for the carrier. The link must satisfy {@link canDeriveSecret}. */
export const shareUrl = ({ link }: WithLink, context: CommandContext): string =>
  `${context.address}/share/${derivedLink(link, context).token}`;

/** Whether the secret can be derived: not after a change of `SEAL_KEY`. */
export const canDeriveSecret = ({ link }: WithLink, context: CommandContext): boolean =>
  derivedLink(link, context).isValid;

interface DerivedLink {
  token: string;
  isValid: boolean;
}

/** Cache, because every read shows the link. */
const cache = new WeakMap<OrderLink, DerivedLink>();

function derivedLink(link: OrderLink, { company, id, secret }: CommandContext): DerivedLink {
  const cached = cache.get(link);
  if (cached) return cached;
  const own = secret(about(link.number));
  const derived = { token: formatShareLink(company, id, own), isValid: digestOf(own) === link.digest };
  cache.set(link, derived);
  return derived;
}

const about = (number: number) => `share/${number}`;

/** Parses a token. Whether its secret is valid is decided by the order. */
export function readToken(token: string): ShareToken | undefined {
  const link = parseShareLink(token);
  return link && { company: link.company, orderId: link.id, digest: digestOf(link.secret) };
}

const digestOf = (secret: string) => createHash("sha256").update(Buffer.from(secret, "base64url")).digest("hex");
