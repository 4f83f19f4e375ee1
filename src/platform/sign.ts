/**
 * Standard Webhooks 1.0: `v1,` and base64(HMAC-SHA-256(secret, "id.timestamp.body")), one for each secret, newest first.
 * @param secrets `whsec_` and base64 of 24 to 64 bytes
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

/** Keys that were made of secrets, because making one takes as long as signing with it. */
const keys = new Map<string, Promise<CryptoKey>>();
const mostKeys = 1_000;

function keyOf(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known) return known;
  const raw = Uint8Array.fromBase64(secret.replace(/^whsec_/, ""));
  const made = crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  if (keys.size >= mostKeys) keys.clear();
  keys.set(secret, made);
  return made;
}

/** A new secret: 32 random bytes. */
export const newWebhookSecret = () => `whsec_${crypto.getRandomValues(new Uint8Array(32)).toBase64()}`;
