import type { Env } from "./env.ts";

/** A key of the deployment. The key of `SEAL_KEY` has no id. */
export interface RingKey {
  id?: string;
  bytes: Uint8Array;
}

/** The first encrypts, all decrypt, and secrets are derived from the last. */
type KeyRing = [RingKey, ...RingKey[]];

type Settings = Pick<Env, "SEAL_KEYS" | "SEAL_KEY">;

let cached: { SEAL_KEYS: string | undefined; SEAL_KEY: string | undefined; ring: KeyRing } | undefined;

export const hasKeys = ({ SEAL_KEYS, SEAL_KEY }: Settings): boolean => Boolean(SEAL_KEYS?.trim() || SEAL_KEY);

/**
 * Returns the keys of `SEAL_KEYS` in order, then `SEAL_KEY`.
 * @throws Error if there is no key, or a key is malformed
 */
export function keyRing({ SEAL_KEYS, SEAL_KEY }: Settings): KeyRing {
  if (cached && cached.SEAL_KEYS === SEAL_KEYS && cached.SEAL_KEY === SEAL_KEY) return cached.ring;
  const ring = [...keysIn(SEAL_KEYS ?? ""), ...(SEAL_KEY ? [{ bytes: bytesOf("SEAL_KEY", SEAL_KEY) }] : [])];
  const [first, ...rest] = ring;
  if (!first)
    throw new Error(
      "SEAL_KEYS is not set: an id, a colon and 32 random bytes in base64, by `wrangler secret put SEAL_KEYS`",
    );
  cached = { SEAL_KEYS, SEAL_KEY, ring: [first, ...rest] };
  return cached.ring;
}

/** `2026:…,2025:…`. Commas or whitespace separate the keys. */
function keysIn(text: string): RingKey[] {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(keyIn);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error("SEAL_KEYS has two keys with the same id.");
  return keys;
}

function keyIn(text: string): RingKey {
  const colon = text.indexOf(":");
  const id = text.slice(0, Math.max(0, colon));
  if (!/^[\w-]{1,32}$/.test(id))
    throw new Error("SEAL_KEYS: each key is an id of letters, digits, - and _, a colon and 32 random bytes in base64.");
  return { id, bytes: bytesOf(`The key ${id} of SEAL_KEYS`, text.slice(colon + 1)) };
}

function bytesOf(name: string, base64: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length !== 32 || !/^[A-Za-z0-9+/]{43}=$/.test(base64))
    throw new Error(`${name} is not 32 bytes in base64.`);
  return new Uint8Array(bytes);
}
