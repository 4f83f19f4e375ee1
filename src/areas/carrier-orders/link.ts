import { createHash } from "node:crypto";
import type { CommandContext } from "../../platform/decision.ts";
import { parseShareLink, formatShareLink } from "../../platform/share-link.ts";

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

/** What is kept of a link. */
export interface OrderLink {
  /** Counts the links of the order. */
  number: number;
  digest: string;
}

/** An order as far as its link goes. */
type Linked = { link: OrderLink };

/** A new link; the one before is dead as soon as this one is kept. */
export const newLink = (number: number, { secret }: Pick<CommandContext, "secret">): OrderLink => ({
  number,
  digest: digestOf(secret(about(number))),
});

/** The address to pass on to the carrier; of a link that {@link canShow}. */
export const shareUrl = ({ link }: Linked, context: CommandContext): string =>
  `${context.address}/share/${writtenOf(link, context).token}`;

/** Whether the secret is the one the link was made with: with another `SEAL_KEY` it is not. */
export const canShow = ({ link }: Linked, context: CommandContext): boolean => writtenOf(link, context).isRight;

interface WrittenLink {
  token: string;
  isRight: boolean;
}

/** Links are shown with each read, and written once. */
const written = new WeakMap<OrderLink, WrittenLink>();

function writtenOf(link: OrderLink, { company, id, secret }: CommandContext): WrittenLink {
  const known = written.get(link);
  if (known) return known;
  const own = secret(about(link.number));
  const made = { token: formatShareLink(company, id, own), isRight: digestOf(own) === link.digest };
  written.set(link, made);
  return made;
}

const about = (number: number) => `share/${number}`;

/** What a token says, if it is one at all. Whether it is good, only the order knows. */
export function readToken(token: string): ShareToken | undefined {
  const link = parseShareLink(token);
  return link && { company: link.company, orderId: link.id, digest: digestOf(link.secret) };
}

const digestOf = (secret: string) => createHash("sha256").update(Buffer.from(secret, "base64url")).digest("hex");
