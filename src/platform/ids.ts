const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Generates a UUID of version 7, which sorts by time, in lower case. */
export function newId(): string {
  // The characters after the version digit come from a random UUID of version 4.
  return `${timeOf(Date.now())}-7${crypto.randomUUID().slice(15)}`;
}

/**
 * Derives a UUID from a time and a name, always the same for the same input.
 * @param at ISO 8601
 */
export async function idAt(at: string, name: string): Promise<string> {
  const digest = await sha256(name);
  return `${timeOf(Date.parse(at))}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/** The first 12 digits of a UUID of version 7 encode the time. */
function timeOf(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** Derives the id of one of several records that are created together, from their common id and an index. */
export const partId = async (id: string, index: number): Promise<string> =>
  `${id.slice(0, -12)}${(await sha256(`${id}/${index}`)).slice(0, 12)}`;

/** Converts an id to lower case, in which all ids are stored; undefined if the text is not a UUID. */
export const idIn = (text: string): string | undefined =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined;

/** Generates 256 random bits in base64url. */
export const newSecret = () =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true });

/** Computes the SHA-256 in lower-case hex. */
export async function sha256(data: string | Uint8Array): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
