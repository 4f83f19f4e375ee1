import type { Env } from "../platform/env.ts";
import { Problem } from "../platform/problem.ts";

/** An answer that says more than its body: status, version (the ETag), headers. */
export class Answer<Body> {
  readonly body: Body;
  readonly more: { status?: number; version?: number; replayed?: boolean; headers?: Record<string, string> };
  constructor(body: Body, more: Answer<Body>["more"] = {}) {
    this.body = body;
    this.more = more;
  }
}

/** The media type of every JSON answer. */
export const mediaType = "application/json; x-api-version=1.0";

/** The media type of an answer that says only that it is done. */
export const plainMedia = "text/plain; x-api-version=1.0";

/** Where this deployment is reached, without a slash at the end. */
export const addressOf = ({ url }: { url: string }, { BASE_URL }: Env) =>
  BASE_URL?.replace(/\/+$/, "") ?? url.slice(0, url.indexOf("/", "https://".length));

/** An answer as it goes onto the wire. */
export interface WireAnswer {
  status: number;
  body: string | null;
  headers: Record<string, string>;
}

interface WithHeaders {
  headers: Headers;
}

/**
 * The version may come as a parameter of the media type that is sent or wanted, as a header or not at all.
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

/** Seconds of `Prefer: wait=N`, at most 30. */
export function preferredWait(request: WithHeaders): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(request.headers.get("prefer") ?? "")?.[1];
  return Math.min(30, Number(seconds ?? 0));
}

/**
 * @param text the body as JSON
 * @param digest of a body that can change while the version stays: the ETag is then `"version-digest"`
 */
export function jsonAnswer(text: string, more: Answer<unknown>["more"], status: number, digest?: string): WireAnswer {
  const { version, replayed, headers } = more;
  const said: WireAnswer = {
    status: more.status ?? status,
    body: null,
    headers: { "cache-control": "no-store", ...headers },
  };
  if (replayed) said.headers["idempotency-replayed"] = "true";
  if (said.status === 204) return said;
  said.body = text;
  said.headers["content-type"] = mediaType;
  if (version || digest) said.headers["etag"] = `"${version && digest ? `${version}-${digest}` : version || digest}"`;
  return said;
}

/** Nothing but that it is done, and the headers. */
export const plainly = (said: WireAnswer): WireAnswer => ({
  ...said,
  body: "{}",
  headers: { ...said.headers, "content-type": plainMedia },
});

/** Whether JSON is accepted by its name, and text no more gladly. */
export function wantsJson({ headers }: WithHeaders): boolean {
  const json = quality(headers, "application/json");
  return json > 0 && json >= quality(headers, "text/plain");
}

/** From 0 to 1: how gladly a media type is taken that is named. */
function quality(headers: Headers, media: string): number {
  const named = (headers.get("accept") ?? "")
    .split(",")
    .filter((one) => one.split(";")[0]!.trim().toLowerCase() === media);
  return Math.max(0, ...named.map((one) => Number(/;\s*q\s*=\s*([\d.]+)/i.exec(one)?.[1] ?? 1)));
}

/** Whether `If-None-Match` names this version. */
export function hasSeen(request: WithHeaders, etag: string): boolean {
  const seen = request.headers.get("if-none-match")?.split(",") ?? [];
  return seen.some((one) => one.trim().replace(/^W\//, "") === etag || one.trim() === "*");
}

/** 304 for a client that has this version already. */
export function conditional(request: WithHeaders & { method: string }, said: WireAnswer): WireAnswer {
  const etag = said.headers["etag"];
  if (!etag || !["GET", "HEAD"].includes(request.method) || !hasSeen(request, etag)) return said;
  return { ...said, status: 304, body: null };
}

/** Headers for browsers of an allowed origin; nothing for everyone else. */
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
