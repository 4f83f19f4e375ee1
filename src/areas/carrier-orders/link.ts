import { createHash } from "node:crypto";
import type { Moment } from "../../kit/decision.ts";
import type { CarrierOrder } from "./order.ts";

/**
 * The link a carrier gets: `/share/` and 48 bytes in base64url, of which the first 32 say which order of which company and
 * the last 16 are the secret. The secret is never kept, only its digest; this deployment can make it again, so that the
 * link can be answered at any time.
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
  digest: digestOf(Buffer.from(secret(about(number)), "base64url")),
});

/** The address to pass on to the carrier. */
export function shareUrl({ link }: CarrierOrder, { address, company, id, secret }: Moment): string {
  const known = tokens.get(link);
  const token = known ?? written(company, id, secret(about(link.number)));
  if (!known) tokens.set(link, token);
  return `${address}/share/${token}`;
}

/** Links are shown with each read, and written once. */
const tokens = new WeakMap<CarrierOrder["link"], string>();

const about = (number: number) => `share/${number}`;

function written(company: string, orderId: string, secret: string): string {
  const ids = Buffer.from(`${company}${orderId}`.replaceAll("-", ""), "hex");
  return Buffer.concat([ids, Buffer.from(secret, "base64url")]).toString("base64url");
}

/** What a token says, if it is one at all. Whether it is good, only the order knows. */
export function readToken(token: string): ShareToken | undefined {
  if (!/^[\w-]{64}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const [company, orderId] = [uuidOf(bytes.subarray(0, 16)), uuidOf(bytes.subarray(16, 32))];
  return { company, orderId, digest: digestOf(bytes.subarray(32)) };
}

const uuidOf = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const digestOf = (secret: Buffer) => createHash("sha256").update(secret).digest("hex");
