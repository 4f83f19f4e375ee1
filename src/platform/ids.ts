const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A UUID that sorts by time (version 7), lower case. */
export function newId(): string {
  // Of a random UUID (version 4) everything after its version stands.
  return `${timeOf(Date.now())}-7${crypto.randomUUID().slice(15)}`;
}

/** The same again for the same moment and name. @param at ISO 8601 */
export async function idAt(at: string, name: string): Promise<string> {
  const digest = await sha256(name);
  return `${timeOf(Date.parse(at))}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/** The first part of such a UUID. */
function timeOf(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** The id of one of several things that are made together: the same again for the same id and place. */
export const partId = async (id: string, place: number): Promise<string> =>
  `${id.slice(0, -12)}${(await sha256(`${id}/${place}`)).slice(0, 12)}`;

/** The id that a text is, in lower case as all ids are kept and answered; undefined when it is no UUID. */
export const idIn = (text: string): string | undefined =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined;

/** 256 random bits, base64url. */
export const newSecret = () =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });

/** SHA-256 in lower-case hex. */
export async function sha256(data: string | Uint8Array): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
