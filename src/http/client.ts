import type * as z from "zod";
import type { api } from "../api.ts";
import routes from "./client-routes.json" with { type: "json" };
import type { Operation, Parsed, PathParams, Sent } from "./operation.ts";
import type { ErrorItem } from "../platform/problem.ts";

type Api = typeof api;

/** Every operation as a function: `lorry.orders.read({ params: { orderId } })`. */
export type Client = { [Area in keyof Api]: { [Verb in keyof Api[Area]]: Call<Api[Area][Verb]> } };

interface FileInput<Fields> {
  file: Blob;
  /** Used if the file has no name. */
  fileName?: string;
  fields?: Fields;
}

/* eslint-disable typescript/no-explicit-any -- a call does not depend on these parameters */
type Call<Row> =
  Row extends Operation<any, infer Path, infer Query, infer Body, infer Ok, any, any, infer Takes, infer Gives>
    ? ClientCall<
        ParamsInput<Path> & QueryInput<Query> & BodyInput<Body, Takes>,
        Gives extends true ? Response : Parsed<Ok>
      >
    : never;
/* eslint-enable typescript/no-explicit-any */

/** The input is optional if the operation requires none. */
type ClientCall<Ask, Reply> = object extends Ask
  ? (ask?: Ask, how?: CallOptions) => Promise<Reply>
  : (ask: Ask, how?: CallOptions) => Promise<Reply>;
type ParamsInput<Path> = Path extends string
  ? [keyof PathParams<Path>] extends [never]
    ? object
    : { params: PathParams<Path> }
  : never;
/** Query parameters may be passed as text or as the parsed type, such as a number. */
type QueryInput<Query> = Query extends z.ZodType
  ? { query?: { [Name in keyof Sent<Query>]: Sent<Query>[Name] | Parsed<Query>[Name & keyof Parsed<Query>] } }
  : object;
type BodyInput<Body, Takes> = Takes extends true
  ? FileInput<Sent<Body>>
  : Body extends z.ZodType
    ? { body: Sent<Body> }
    : object;

/** Options of every call. */
export interface CallOptions {
  /** A POST that is repeated with the same key takes effect once. */
  idempotencyKey?: string;
  /**
   * An earlier `ETag` of the resource. If the resource has changed since then, the call throws LorryError
   * `version_mismatch`.
   */
  ifMatch?: string;
  /** Maximum time, 0 to 30 seconds, for which the response waits for background processing. */
  waitSeconds?: number;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Receives the status and headers of a successful response. */
  onResponse?: (response: Response) => void;
}

/** An error response of the service. */
export class LorryError extends Error {
  readonly status: number;
  /** The code for programs. Empty if the response is not from the service but, for example, from a proxy. */
  readonly errorCode: string;
  readonly errors: ErrorItem[];
  readonly requestId: string;
  /** Seconds of the header `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
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

interface AnyInput extends Partial<FileInput<Record<string, unknown>>> {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/**
 * Creates a client of the service at `baseUrl`. Operations that return a file resolve to the `Response`. It needs only
 * `fetch` and the table of routes that `npm run contract` writes.
 */
export function client(baseUrl: string, key: string, send: typeof fetch = fetch): Client {
  const areas: Record<string, Record<string, unknown>> = {};
  for (const [id, route] of Object.entries(routes)) {
    const [area, verb] = id.split(".") as [string, string];
    (areas[area] ??= {})[verb] = async (ask: AnyInput = {}, how: CallOptions = {}) => {
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
  ask: AnyInput,
  how: CallOptions,
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

/** @throws TypeError for `""`, `.` and `..`, which would change the path */
function segment(name: string, value = ""): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} is missing.`);
  return encodeURIComponent(value);
}

function headersOf(key: string, media: string, ask: AnyInput, how: CallOptions): Record<string, string> {
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

function bodyOf(media: string, ask: AnyInput): BodyInit | null {
  if (ask.file) return formOf(ask.file, ask);
  if (ask.body === undefined) return null;
  return media === "application/json"
    ? JSON.stringify(ask.body)
    : new URLSearchParams(ask.body as Record<string, string>).toString();
}

function formOf(file: Blob, { fileName, fields = {} }: AnyInput): FormData {
  const form = new FormData();
  form.set("file", file, fileName ?? (file instanceof File ? file.name : "file"));
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, textOf(value));
  }
  return form;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** JSON of the service has an API version in its media type; a stored JSON file does not. */
async function replyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return {};
  return /x-api-version/.test(response.headers.get("content-type") ?? "") ? response.json() : response;
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
