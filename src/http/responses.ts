import type { Env } from "../platform/env.ts";
import { Problem } from "../platform/problem.ts";

/** A reply with its status, version (for the ETag) and headers. */
export class Answer<Body> {
  readonly body: Body;
  readonly more: { status?: number; version?: number; replayed?: boolean; headers?: Record<string, string> };
  constructor(body: Body, more: Answer<Body>["more"] = {}) {
    this.body = body;
    this.more = more;
  }
}

/** Media type of every JSON response. */
export const mediaType = "application/json; x-api-version=1.0";

/** Media type of a response that only confirms success. */
export const plainMedia = "text/plain; x-api-version=1.0";

/** Returns the public URL of this deployment, without a trailing slash. */
export const addressOf = ({ url }: { url: string }, { BASE_URL }: Env) =>
  BASE_URL?.replace(/\/+$/, "") ?? url.slice(0, url.indexOf("/", "https://".length));

export interface WireResponse {
  status: number;
  body: string | null;
  headers: Record<string, string>;
}

interface WithHeaders {
  headers: Headers;
}

/**
 * Checks the API version in `Content-Type`, `Accept` or `x-api-version`. It may be absent.
 * @throws Problem `unsupported_api_version`
 */
export function checkVersion({ headers }: WithHeaders): void {
  const header = headers.get("x-api-version");
  const types = `${headers.get("content-type")}, ${headers.get("accept")}`;
  if (header === null && !/x-api-version/i.test(types)) return;
  const parameters = Array.from(types.matchAll(/;\s*x-api-version\s*=\s*"?\s*([^",;\s]*)/gi), ([, version]) => version);
  for (const version of [...parameters, header]) {
    if (version && version.trim() !== "1.0") {
      throw new Problem("unsupported_api_version", "The only version is 1.0.", { extra: { supported: ["1.0"] } });
    }
  }
}

/** Reads the seconds of `Prefer: wait=N`, at most 30. */
export function preferredWait(request: WithHeaders): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(request.headers.get("prefer") ?? "")?.[1];
  return Math.min(30, Number(seconds ?? 0));
}

/**
 * Builds a JSON response.
 * @param text the body as JSON
 * @param digest digest of a body that can change without a new version. The ETag is then `"version-digest"`.
 */
export function jsonResponse(
  text: string,
  more: Answer<unknown>["more"],
  status: number,
  digest?: string,
): WireResponse {
  const { version, replayed, headers } = more;
  const response: WireResponse = {
    status: more.status ?? status,
    body: null,
    headers: { "cache-control": "no-store", ...headers },
  };
  if (replayed) response.headers["idempotency-replayed"] = "true";
  if (response.status === 204) return response;
  response.body = text;
  response.headers["content-type"] = mediaType;
  if (version || digest)
    response.headers["etag"] = `"${version && digest ? `${version}-${digest}` : version || digest}"`;
  return response;
}

/** Replaces the body of a response by an empty object in plain text. */
export const asPlainText = (response: WireResponse): WireResponse => ({
  ...response,
  body: "{}",
  headers: { ...response.headers, "content-type": plainMedia },
});

/** Whether `Accept` names JSON and does not prefer plain text. */
export function prefersJson({ headers }: WithHeaders): boolean {
  const json = quality(headers, "application/json");
  return json > 0 && json >= quality(headers, "text/plain");
}

/** Returns a number from 0 to 1; 0 if `Accept` does not name the media type. */
function quality(headers: Headers, media: string): number {
  const named = (headers.get("accept") ?? "")
    .split(",")
    .filter((one) => one.split(";")[0]!.trim().toLowerCase() === media);
  return Math.max(0, ...named.map((one) => Number(/;\s*q\s*=\s*([\d.]+)/i.exec(one)?.[1] ?? 1)));
}

/** Whether `If-None-Match` names this ETag. */
export function matchesEtag(request: WithHeaders, etag: string): boolean {
  const etags = request.headers.get("if-none-match")?.split(",") ?? [];
  return etags.some((one) => one.trim().replace(/^W\//, "") === etag || one.trim() === "*");
}

/** Returns a 304 if the client already has this version, otherwise the response. */
export function conditional(request: WithHeaders & { method: string }, response: WireResponse): WireResponse {
  const etag = response.headers["etag"];
  if (!etag || !["GET", "HEAD"].includes(request.method) || !matchesEtag(request, etag)) return response;
  return { ...response, status: 304, body: null };
}

/** Returns the CORS headers for an allowed origin; undefined for any other. */
export function corsHeaders(request: Request, env: Env): Record<string, string> | undefined {
  const origin = request.headers.get("origin");
  if (!origin) return undefined;
  const allowed = (env.CORS_ORIGINS ?? "").split(",").map((one) => one.trim());
  if (!(allowed.includes(origin) || allowed.includes("*"))) return undefined;
  return {
    "access-control-allow-origin": origin,
    vary: "Origin",
    "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers":
      "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Api-Key, X-Api-Version",
    "access-control-expose-headers":
      "Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Freight-Id, X-Request-Id",
    "access-control-max-age": "600",
  };
}
