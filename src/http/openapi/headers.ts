type Header = [name: string, description: string, schema: object];

const text = { type: "string" };

/** Headers of answers. */
const answered = {
  XRequestId: [
    "X-Request-Id",
    "Names this request; tell it when you ask about it.",
    { type: "string", format: "uuid" },
  ],
  ETag: ["ETag", "The version of the resource, or the SHA-256 of a file.", text],
  Location: ["Location", "Where the resource is read.", { type: "string", format: "uri-reference" }],
  Link: ["Link", "Where it is read in the archive.", text],
  FreightId: ["X-Freight-Id", "The id of the freight.", { type: "string", format: "uuid" }],
  IdempotencyReplayed: ["Idempotency-Replayed", "`true` when this is the stored answer to an earlier request.", text],
  RateLimit: ["RateLimit", "What is left (`r`) and in how many seconds there is more (`t`).", text],
  RateLimitPolicy: [
    "RateLimit-Policy",
    "Requests (`q`) in a window of `w` seconds, and how many may come at once.",
    text,
  ],
  RetryAfter: ["Retry-After", "Seconds to wait.", { type: "integer" }],
  WWWAuthenticate: ["WWW-Authenticate", "The ways to say who you are.", text],
  ContentDisposition: ["Content-Disposition", "The file's name.", text],
  ContentRange: ["Content-Range", "Which bytes these are, of how many.", text],
} satisfies Record<string, Header>;
export type HeaderName = keyof typeof answered;

export const headerRefs = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [answered[name][0], { $ref: `#/components/headers/${name}` }]));

export const headerComponents = () =>
  Object.fromEntries(
    Object.entries(answered).map(([name, [, description, schema]]) => [name, { description, schema }]),
  );

/** Headers a request may carry. */
const asked = {
  IdempotencyKey: [
    "Idempotency-Key",
    "Repeat a request with the same key, and it is done once: for 24 hours the first answer is given again.",
    { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  ],
  IfMatch: ["If-Match", "The `ETag` you have seen; refused when the resource has changed since.", text],
  IfNoneMatch: ["If-None-Match", "The `ETag` you have; 304 when it is still the one.", text],
  Prefer: [
    "Prefer",
    "`wait=N` holds the answer until the work is done, N seconds at most (0 to 30).",
    { type: "string", examples: ["wait=10"] },
  ],
  Range: ["Range", "One range of bytes.", { type: "string", examples: ["bytes=0-1023"] }],
} satisfies Record<string, Header>;
export type AskedHeader = keyof typeof asked;

export const askedRef = (name: AskedHeader) => ({ $ref: `#/components/parameters/${name}` });

export const askedComponents = () =>
  Object.fromEntries(
    Object.entries(asked).map(([key, [name, description, schema]]) => [
      key,
      { name, in: "header", required: false, description, schema },
    ]),
  );
