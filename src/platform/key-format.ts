import { newSecret, sha256 } from "./ids.ts";

/**
 * A key: `lorry_<company><number>.<secret>`. The part before the dot is its id. The id contains the company, so that no
 * index of all keys is needed. The secret is 256 random bits, of which only the SHA-256 is stored.
 */
export interface PresentedKey {
  company: string;
  keyId: string;
  secret: string;
}

/** A token: `lorryt_<company>.<secret>`. It acts for the key that it was issued for. */
export interface PresentedToken {
  company: string;
  token: string;
}

const companyHex = (company: string) => company.replaceAll("-", "");
const companyOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

export async function makeKey(company: string): Promise<{ keyId: string; key: string; hash: string }> {
  const number = crypto.getRandomValues(new Uint32Array(1))[0]!.toString(16).padStart(8, "0");
  const keyId = `lorry_${companyHex(company)}${number}`;
  const secret = newSecret();
  return { keyId, key: `${keyId}.${secret}`, hash: await sha256(secret) };
}

export const makeToken = (company: string) => `lorryt_${companyHex(company)}.${newSecret()}`;

export function parseKey(text: string): PresentedKey | undefined {
  const match = /^(lorry_([0-9a-f]{32})[0-9a-f]{8})\.([\w-]{43})$/.exec(text);
  return match ? { keyId: match[1]!, company: companyOf(match[2]!), secret: match[3]! } : undefined;
}

export function parseToken(text: string): PresentedToken | undefined {
  const match = /^lorryt_([0-9a-f]{32})\.[\w-]{43}$/.exec(text);
  return match ? { company: companyOf(match[1]!), token: text } : undefined;
}

/** Masks the secret, because a client may send a whole key or token in a path instead of its id. */
export const withoutSecrets = (path: string) => path.replace(/\b(lorryt?_[0-9a-f]{32,40})\.[^/]+/g, "$1.…");

/** Compares two digests in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  return left.length === right.length && crypto.subtle.timingSafeEqual(left, right);
}
