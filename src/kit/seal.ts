import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { Env } from "./env.ts";

/**
 * Secrets at rest: AES-256-GCM under the deployment's SEAL_KEY. `about` says what the secret belongs to and is bound
 * into the seal, so that a sealed value copied to another record does not open there.
 */
export async function seal(env: Env, about: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(terms(iv, about), await keyOf(env), new TextEncoder().encode(secret));
  return `${iv.toBase64()}.${new Uint8Array(sealed).toBase64()}`;
}

/** @throws when the seal is broken or was made for something else */
export async function unseal(env: Env, about: string, sealed: string): Promise<string> {
  const [iv = "", body = ""] = sealed.split(".");
  const opened = await crypto.subtle.decrypt(
    terms(Uint8Array.fromBase64(iv), about),
    await keyOf(env),
    Uint8Array.fromBase64(body),
  );
  return new TextDecoder().decode(opened);
}

/** The same at once, for what is written within a commit; as it is where the deployment has no key. */
export function sealNow(env: Env, about: string, text: string): string {
  if (!env.SEAL_KEY) return text;
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", rawKey(env), iv).setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${iv.toString("base64")}.${body.toString("base64")}`;
}

/** @throws when the seal is broken or was made for something else */
export function unsealNow(env: Env, about: string, sealed: string): string {
  if (!env.SEAL_KEY) return sealed;
  const [iv, all] = sealed.split(".").map((part) => Buffer.from(part, "base64"));
  if (!iv || !all) throw new Error("It is not sealed.");
  const cipher = createDecipheriv("aes-256-gcm", rawKey(env), iv).setAAD(Buffer.from(about));
  cipher.setAuthTag(all.subarray(-16));
  return cipher.update(all.subarray(0, -16), undefined, "utf8") + cipher.final("utf8");
}

/**
 * 128 bits that only this deployment can make, the same each time for `about`: nothing of them need be kept to say them
 * again. In base64url.
 */
export function derived(env: Env, about: string): string {
  const digest = createHmac("sha256", rawKey(env)).update(about).digest();
  return digest.subarray(0, 16).toString("base64url");
}

const terms = (iv: Uint8Array, about: string) => ({
  name: "AES-GCM",
  iv: iv as BufferSource,
  additionalData: new TextEncoder().encode(about),
});

const keyOf = (env: Env): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", rawKey(env), "AES-GCM", false, ["encrypt", "decrypt"]);

function rawKey({ SEAL_KEY }: Env): Uint8Array {
  if (!SEAL_KEY) throw new Error("SEAL_KEY is not set: 32 random bytes in base64, by `wrangler secret put SEAL_KEY`");
  return Uint8Array.fromBase64(SEAL_KEY);
}
