/**
 * Builds the headers of Standard Webhooks 1.0, with one signature for each secret: `v1,` and
 * base64(HMAC-SHA-256(secret, "id.timestamp.body")).
 * @param secrets newest first; each `whsec_` and base64 of 24 to 64 bytes
 */
export async function signatureHeaders(
  secrets: string[],
  id: string,
  body: string,
  atSeconds = Math.floor(Date.now() / 1000),
): Promise<Record<string, string>> {
  const message = new TextEncoder().encode(`${id}.${atSeconds}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, message)));
  return { "webhook-id": id, "webhook-timestamp": String(atSeconds), "webhook-signature": signatures.join(" ") };
}

async function sign(secret: string, message: Uint8Array): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), message);
  return `v1,${new Uint8Array(signature).toBase64()}`;
}

/** Importing a key takes as long as signing. */
const keys = new Map<string, Promise<CryptoKey>>();
const maxKeys = 1_000;

function keyOf(secret: string): Promise<CryptoKey> {
  const cached = keys.get(secret);
  if (cached) return cached;
  const raw = Uint8Array.fromBase64(secret.replace(/^whsec_/, ""));
  const key = crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  if (keys.size >= maxKeys) keys.clear();
  keys.set(secret, key);
  return key;
}

/** Generates a secret of 32 random bytes. */
export const newWebhookSecret = () => `whsec_${crypto.getRandomValues(new Uint8Array(32)).toBase64()}`;
