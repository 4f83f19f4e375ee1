/**
 * Content of the token in a guest's link. The token is 48 bytes in base64url: 16 each for company, record and secret.
 */
export interface ShareLink {
  company: string;
  id: string;
  /** 16 bytes in base64url. */
  secret: string;
}

export function formatShareLink(company: string, id: string, secret: string): string {
  const ids = Buffer.from(`${company}${id}`.replaceAll("-", ""), "hex");
  return Buffer.concat([ids, Buffer.from(secret, "base64url")]).toString("base64url");
}

/** Parses the token of a link; undefined if it is malformed. Only the record can verify the secret. */
export function parseShareLink(text: string): ShareLink | undefined {
  if (!/^[\w-]{64}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const [company, id] = [uuidOf(bytes.subarray(0, 16)), uuidOf(bytes.subarray(16, 32))];
  return { company, id, secret: bytes.subarray(32).toString("base64url") };
}

const uuidOf = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
