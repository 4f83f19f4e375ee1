import { createHash } from "node:crypto";
import type { Moment } from "../../kit/decision.ts";
import { readLink, writeLink } from "../../kit/links.ts";
import type { CarrierOrder } from "./order.ts";

/**
 * The link a carrier gets: `/share/` and a {@link ../../kit/links.ts Link} to the order. Its secret is never kept, only its
 * digest; this deployment can make it again, so that the link can be answered at any time.
 */
export interface ShareToken {
  company: string;
  orderId: string;
  /** SHA-256 of the secret, in hex. */
  digest: string;
}

/** A new link; the one before is dead as soon as this one is kept. */
export const newLink = (number: number, { secret }: Pick<Moment, "secret">): CarrierOrder["link"] => ({
  number,
  digest: digestOf(secret(about(number))),
});

/** The address to pass on to the carrier. */
export function shareUrl({ link }: CarrierOrder, { address, company, id, secret }: Moment): string {
  const known = tokens.get(link);
  const token = known ?? writeLink(company, id, secret(about(link.number)));
  if (!known) tokens.set(link, token);
  return `${address}/share/${token}`;
}

/** Links are shown with each read, and written once. */
const tokens = new WeakMap<CarrierOrder["link"], string>();

const about = (number: number) => `share/${number}`;

/** What a token says, if it is one at all. Whether it is good, only the order knows. */
export function readToken(token: string): ShareToken | undefined {
  const link = readLink(token);
  return link && { company: link.company, orderId: link.id, digest: digestOf(link.secret) };
}

const digestOf = (secret: string) => createHash("sha256").update(Buffer.from(secret, "base64url")).digest("hex");
