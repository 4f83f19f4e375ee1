type Header = [name: string, description: string, schema: object];

const text = { type: "string" };

const responseHeaders = {
  XRequestId: [
    "X-Request-Id",
    "The id of this request. Quote it when you contact support.",
    { type: "string", format: "uuid" },
  ],
  ETag: ["ETag", "The version of the resource, or the SHA-256 of a file.", text],
  Location: ["Location", "The address of the resource.", { type: "string", format: "uri-reference" }],
  Link: ["Link", "The address of the resource in the archive.", text],
  FreightId: ["X-Freight-Id", "The id of the freight.", { type: "string", format: "uuid" }],
  IdempotencyReplayed: ["Idempotency-Replayed", "`true` when this is the stored response to an earlier request.", text],
  RateLimit: ["RateLimit", "Remaining requests (`r`), and seconds until more are available (`t`).", text],
  RateLimitPolicy: ["RateLimit-Policy", "Requests (`q`) per window of `w` seconds, and the size of a burst.", text],
  RetryAfter: ["Retry-After", "Seconds to wait.", { type: "integer" }],
  WWWAuthenticate: ["WWW-Authenticate", "The supported authentication schemes.", text],
  ContentDisposition: ["Content-Disposition", "The name of the file.", text],
  ContentRange: ["Content-Range", "The range of the bytes, and the size of the file.", text],
} satisfies Record<string, Header>;
export type ResponseHeader = keyof typeof responseHeaders;

export const responseHeaderRefs = (names: ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [responseHeaders[name][0], { $ref: `#/components/headers/${name}` }]));

export const responseHeaderComponents = () =>
  Object.fromEntries(
    Object.entries(responseHeaders).map(([name, [, description, schema]]) => [name, { description, schema }]),
  );

const requestHeaders = {
  IdempotencyKey: [
    "Idempotency-Key",
    "A request that is repeated with the same key takes effect once: for 24 hours it returns the first response.",
    { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  ],
  IfMatch: ["If-Match", "The `ETag` that was read. The request is refused if the resource has changed since.", text],
  IfNoneMatch: ["If-None-Match", "The `ETag` that the client has. 304 if it is still current.", text],
  Prefer: [
    "Prefer",
    "`wait=N` delays the response until processing is complete, at most N seconds (0 to 30).",
    { type: "string", examples: ["wait=10"] },
  ],
  Range: ["Range", "A single range of bytes.", { type: "string", examples: ["bytes=0-1023"] }],
} satisfies Record<string, Header>;
export type RequestHeader = keyof typeof requestHeaders;

export const requestHeaderRef = (name: RequestHeader) => ({ $ref: `#/components/parameters/${name}` });

export const requestHeaderComponents = () =>
  Object.fromEntries(
    Object.entries(requestHeaders).map(([key, [name, description, schema]]) => [
      key,
      { name, in: "header", required: false, description, schema },
    ]),
  );
