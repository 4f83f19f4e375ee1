import { createHash } from "node:crypto";
import type { CommandContext } from "../../platform/decision.ts";
import { parseShareLink, formatShareLink } from "../../platform/share-link.ts";

/**
 * The content of the token in a carrier's link, `/share/<token>`, with the digest of its secret. Only this digest is
 * stored, but the deployment can derive the secret again, so the link can be shown at any time.
 */
export interface ShareToken {
  company: string;
  orderId: string;
  /** SHA-256 of the secret, in hex. */
  digest: string;
}

/** A link as it is stored. */
export interface OrderLink {
  /** Sequence number of the link within the order. */
  number: number;
  digest: string;
}

type WithLink = { link: OrderLink };

/** Creates a link. When it is stored, the previous link becomes invalid. */
export const newLink = (number: number, { secret }: Pick<CommandContext, "secret">): OrderLink => ({
  number,
  digest: digestOf(secret(about(number))),
});

/** Returns the URL for the carrier. The link must satisfy {@link canDeriveSecret}. */
export const shareUrl = ({ link }: WithLink, context: CommandContext): string =>
  `${context.address}/share/${derivedLink(link, context).token}`;

/** Whether the secret can be derived. It cannot after `SEAL_KEY` was changed. */
export const canDeriveSecret = ({ link }: WithLink, context: CommandContext): boolean =>
  derivedLink(link, context).isValid;

interface DerivedLink {
  token: string;
  isValid: boolean;
}

/** Cache of derived links, because every read of an order shows its link. */
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

/** Parses a token. Returns undefined if it is malformed. The order checks the secret. */
export function readToken(token: string): ShareToken | undefined {
  const link = parseShareLink(token);
  return link && { company: link.company, orderId: link.id, digest: digestOf(link.secret) };
}

const digestOf = (secret: string) => createHash("sha256").update(Buffer.from(secret, "base64url")).digest("hex");
