import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { Env } from "./env.ts";
import { hasKeys, keyRing, type RingKey } from "./key-ring.ts";
import { Problem } from "./problem.ts";

/** A sealed value cannot be unsealed: its key is no longer in the key ring, or it was sealed for another purpose. */
export class UnsealError extends Error {
  constructor() {
    super("The sealed value cannot be opened with any key of SEAL_KEYS.");
  }
}

/**
 * Encrypts a secret at rest with AES-256-GCM and the first key of the deployment.
 * @param about names the record and the purpose of the secret. The value can be unsealed only with the same name.
 */
export async function seal(env: Env, about: string, secret: string): Promise<string> {
  const [key] = keyRing(env);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    cipherParameters(iv, about),
    await importKey(key),
    new TextEncoder().encode(secret),
  );
  return format(key, iv.toBase64(), new Uint8Array(sealed).toBase64());
}

/**
 * Decrypts a sealed secret.
 * @throws UnsealError
 */
export async function unseal(env: Env, about: string, sealed: string): Promise<string> {
  const { iv, body, keys } = parse(env, sealed);
  for (const key of keys) {
    const opened = await crypto.subtle
      .decrypt(cipherParameters(Uint8Array.fromBase64(iv), about), await importKey(key), Uint8Array.fromBase64(body))
      .catch(() => undefined);
    if (opened) return new TextDecoder().decode(opened);
  }
  throw new UnsealError();
}

/**
 * Unseals a secret that an earlier request with the same idempotency key sealed.
 * @throws Problem `idempotency_key_reused` if it can no longer be unsealed
 */
export function unsealForReplay(env: Env, about: string, sealed: string): Promise<string> {
  return unseal(env, about, sealed).catch((error: unknown) => {
    throw error instanceof UnsealError ? new Problem("idempotency_key_reused", lostReply) : error;
  });
}

/** Error text for a repeated request whose stored reply cannot be unsealed. */
export const lostReply =
  "The request was executed before, and its stored response can no longer be decrypted. Read the record, or send a new request with another Idempotency-Key.";

/** Seals a text synchronously, for use within a commit. Returns the text unchanged if the deployment has no key. */
export function sealSync(env: Env, about: string, text: string): string {
  if (!hasKeys(env)) return text;
  const [key] = keyRing(env);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, iv).setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return format(key, iv.toString("base64"), body.toString("base64"));
}

/** Returns the secret if replies are sealed, so that a reply may contain it; otherwise undefined. */
export const sealable = (secret: string, env: Env): string | undefined => (hasKeys(env) ? secret : undefined);

/**
 * Unseals a text of {@link sealSync}.
 * @throws UnsealError
 */
export function unsealSync(env: Env, about: string, sealed: string): string {
  // JSON that was stored while the deployment had no key.
  if (sealed.startsWith("{")) return sealed;
  if (!hasKeys(env)) throw new UnsealError();
  const { iv, body, keys } = parse(env, sealed);
  const all = Buffer.from(body, "base64");
  for (const key of keys) {
    try {
      const cipher = createDecipheriv("aes-256-gcm", key.bytes, Buffer.from(iv, "base64")).setAAD(Buffer.from(about));
      cipher.setAuthTag(all.subarray(-16));
      return cipher.update(all.subarray(0, -16), undefined, "utf8") + cipher.final("utf8");
    } catch {
      // Another key may fit.
    }
  }
  throw new UnsealError();
}

/**
 * Seals a value again with the first key. A value that already uses it, or cannot be unsealed, is returned unchanged.
 */
export function reseal(env: Env, about: string, sealed: string): string {
  if (!hasKeys(env) || parse(env, sealed).id === keyRing(env)[0].id) return sealed;
  try {
    return sealSync(env, about, unsealSync(env, about, sealed));
  } catch (error) {
    if (error instanceof UnsealError) return sealed;
    throw error;
  }
}

/**
 * Derives 128 bits in base64url that only this deployment can derive, always the same for `about`. The last key of the
 * ring is used, so that a new first key does not change them.
 */
export function deriveSecret(env: Env, about: string): string {
  const digest = createHmac("sha256", keyRing(env).at(-1)!.bytes).update(about).digest();
  return digest.subarray(0, 16).toString("base64url");
}

const cipherParameters = (iv: Uint8Array, about: string) => ({
  name: "AES-GCM",
  iv: iv as BufferSource,
  additionalData: new TextEncoder().encode(about),
});

const importKey = ({ bytes }: RingKey): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);

const format = ({ id }: RingKey, iv: string, body: string): string =>
  `${id === undefined ? "" : `${id}.`}${iv}.${body}`;

/** A value without a key id may be sealed with any key: with `SEAL_KEY`, which has no id, or by an earlier release. */
function parse(env: Env, sealed: string): { id: string | undefined; iv: string; body: string; keys: RingKey[] } {
  const [body = "", iv = "", id] = sealed.split(".").toReversed();
  const ring = keyRing(env);
  return { id, iv, body, keys: id === undefined ? ring : ring.filter((key) => key.id === id) };
}
