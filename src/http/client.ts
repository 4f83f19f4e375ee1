import type * as z from "zod";
import type { api } from "../api.ts";
import routes from "./client-routes.json" with { type: "json" };
import type { Operation, Parsed, PathParams, Sent } from "./operation.ts";
import type { ErrorItem } from "../platform/problem.ts";

type Api = typeof api;

/** Every operation as a function: `lorry.orders.read({ params: { orderId } })`. */
export type Client = { [Area in keyof Api]: { [Verb in keyof Api[Area]]: Call<Api[Area][Verb]> } };

/** What a file is sent with. */
interface FileAsk<Fields> {
  file: Blob;
  /** When the file has no name of its own. */
  fileName?: string;
  fields?: Fields;
}

/* eslint-disable typescript/no-explicit-any -- what a call does not depend on may be anything */
type Call<Row> =
  Row extends Operation<any, infer Path, infer Query, infer Body, infer Ok, any, any, infer Takes, infer Gives>
    ? Asked<ParamsAsk<Path> & QueryAsk<Query> & BodyAsk<Body, Takes>, Gives extends true ? Response : Parsed<Ok>>
    : never;
/* eslint-enable typescript/no-explicit-any */

/** Nothing has to be said to an operation that needs nothing. */
type Asked<Ask, Reply> = object extends Ask
  ? (ask?: Ask, how?: How) => Promise<Reply>
  : (ask: Ask, how?: How) => Promise<Reply>;
type ParamsAsk<Path> = Path extends string
  ? [keyof PathParams<Path>] extends [never]
    ? object
    : { params: PathParams<Path> }
  : never;
/** Text is what travels, but a number may be said as a number. */
type QueryAsk<Query> = Query extends z.ZodType
  ? { query?: { [Name in keyof Sent<Query>]: Sent<Query>[Name] | Parsed<Query>[Name & keyof Parsed<Query>] } }
  : object;
type BodyAsk<Body, Takes> = Takes extends true
  ? FileAsk<Sent<Body>>
  : Body extends z.ZodType
    ? { body: Sent<Body> }
    : object;

/** How a request is made, whatever it asks. */
export interface How {
  /** The same key makes a repeated POST harmless. */
  idempotencyKey?: string;
  /** The `ETag` that was seen; @throws LorryError `version_mismatch` when it is no longer the one. */
  ifMatch?: string;
  /** Seconds, 0 to 30, the answer may wait for the work to be done. */
  waitSeconds?: number;
  /** Other headers, such as `Range`. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Sees the good answer's status and headers. */
  onResponse?: (response: Response) => void;
}

/** The service said no. */
export class LorryError extends Error {
  readonly status: number;
  /** For programs; empty when the answer was not the service's own. */
  readonly errorCode: string;
  /** Every wrong field. */
  readonly errors: ErrorItem[];
  readonly requestId: string;
  /** Seconds to wait before trying again, when that was said. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole body. */
  readonly problem: Record<string, unknown>;

  constructor(response: Response, problem: Record<string, unknown>) {
    const {
      detail,
      errorCode = "",
      errors = [],
    } = problem as { detail?: string; errorCode?: string; errors?: ErrorItem[] };
    super(detail ?? `The service answered ${response.status}.`);
    this.name = "LorryError";
    this.status = response.status;
    this.errorCode = errorCode;
    this.errors = errors;
    this.requestId = response.headers.get("x-request-id") ?? "";
    this.retryAfterSeconds = Number(response.headers.get("retry-after")) || undefined;
    this.problem = problem;
  }
}

interface AnyAsk extends Partial<FileAsk<Record<string, unknown>>> {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/**
 * A client of the service at `baseUrl`. Its types are read off the list of operations; at run time it needs only
 * `fetch` and the table of methods and paths that `npm run contract` writes, nothing of the server.
 * Operations that give a file answer the `Response`.
 */
export function client(baseUrl: string, key: string, send: typeof fetch = fetch): Client {
  const areas: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries(routes)) {
    const [area, verb] = id.split(".") as [string, string];
    (areas[area] ??= {})[verb] = async (ask: AnyAsk = {}, how: How = {}) => {
      const response = await send(requestOf(baseUrl, key, route, ask, how));
      if (!response.ok) throw new LorryError(response, await problemOf(response));
      how.onResponse?.(response);
      return replyOf(response);
    };
  }
  return areas as unknown as Client;
}

function requestOf(
  baseUrl: string,
  key: string,
  [method, path, media = "application/json"]: string[],
  ask: AnyAsk,
  how: How,
): Request {
  const filled = path!.replace(/:(\w+)/g, (_, name: string) => segment(name, ask.params?.[name]));
  const url = new URL(baseUrl.replace(/\/+$/, "") + filled);
  for (const [name, value] of Object.entries(ask.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, textOf(value));
  return new Request(url, {
    method,
    headers: headersOf(key, media, ask, how),
    body: bodyOf(media, ask),
    signal: how.signal ?? null,
  });
}

/** A value that would lead to another path is no id of anything. */
function segment(name: string, value = ""): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} is missing.`);
  return encodeURIComponent(value);
}

function headersOf(key: string, media: string, ask: AnyAsk, how: How): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    accept: "application/json, */*",
    ...(ask.body !== undefined && { "content-type": media }),
    ...(how.idempotencyKey && { "idempotency-key": how.idempotencyKey }),
    ...(how.ifMatch && { "if-match": how.ifMatch }),
    ...(how.waitSeconds && { prefer: `wait=${how.waitSeconds}` }),
    ...how.headers,
  };
}

function bodyOf(media: string, ask: AnyAsk): BodyInit | null {
  if (ask.file) return formOf(ask.file, ask);
  if (ask.body === undefined) return null;
  return media === "application/json"
    ? JSON.stringify(ask.body)
    : new URLSearchParams(ask.body as Record<string, string>).toString();
}

function formOf(file: Blob, { fileName, fields = {} }: AnyAsk): FormData {
  const form = new FormData();
  form.set("file", file, fileName ?? (file instanceof File ? file.name : "file"));
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, textOf(value));
  }
  return form;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Only what the service itself says in JSON names a version; a file that happens to be JSON does not. */
async function replyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return {};
  return /x-api-version/.test(response.headers.get("content-type") ?? "") ? response.json() : response;
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
