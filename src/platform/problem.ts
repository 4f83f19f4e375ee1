import * as z from "zod";
import { withoutSecrets } from "./key-format.ts";
import { namesIn, unknownNameMessage, zodMessageOf } from "./validation-messages.ts";

z.config({ customError: zodMessageOf });

/** The media type of every error. */
export const problemMedia = "application/problem+json; x-api-version=1.0";

interface Explained {
  status: number;
  title: string;
  remedy: string;
}

const explained = (status: number, title: string, remedy: string): Explained => ({ status, title, remedy });

/** Every error code of the API, with its status, title and remedy. */
export const reasons = {
  validation_failed: explained(
    400,
    "The request is not valid.",
    "Correct the fields named in `errors` and send the request again.",
  ),
  invalid_id: explained(400, "The id is not a UUID.", "Send the id exactly as the API returned it."),
  invalid_json: explained(
    400,
    "The body is not JSON.",
    "Send one JSON value in UTF-8 with at most 32 levels of nesting.",
  ),
  invalid_cursor: explained(
    400,
    "The cursor does not belong to this list and sort order.",
    "Send `nextCursor` exactly as the API returned it, with the same `sort`; or start again without a cursor.",
  ),
  unknown_parameter: explained(
    400,
    "A query parameter is unknown or repeated.",
    "Remove the parameters named in `errors`, and send each of the others once.",
  ),
  file_missing: explained(
    400,
    "The request contains no file.",
    "Send the file as the part `file` of a multipart form, or as the body itself.",
  ),
  file_empty: explained(400, "The file is empty.", "Send a file that has content."),
  file_encrypted: explained(400, "The file is encrypted.", "Remove the password and send the file again."),
  file_unreadable: explained(400, "The file cannot be read.", "The file is damaged or truncated: send the original."),
  unsupported_file_type: explained(
    400,
    "This file type is not supported.",
    "Send a supported type, such as PDF, DOCX, XLSX, EML or text.",
  ),
  unauthenticated: explained(
    401,
    "The key is missing or invalid.",
    "Send a key in `X-Api-Key`, or use another scheme that `WWW-Authenticate` names.",
  ),
  key_expired: explained(401, "The key has expired.", "Create a new key with `POST /api/v1/keys`."),
  missing_scope: explained(
    403,
    "The key does not have the required scope.",
    "Use a key with the scope named in `scope`.",
  ),
  account_blocked: explained(403, "The account is blocked.", "Ask the administrator of your company."),
  company_suspended: explained(403, "The company is suspended.", "Ask the operator of the service."),
  not_found: explained(
    404,
    "The resource does not exist.",
    "Check the path and the id. This error is also returned for resources of other companies.",
  ),
  not_processed_yet: explained(
    404,
    "The file is still being read.",
    "Ask again after `Retry-After` seconds, wait with `Prefer: wait=N`, or subscribe to a webhook.",
  ),
  method_not_allowed: explained(405, "The path does not support this method.", "Use one of the methods in `Allow`."),
  invalid_state: explained(
    409,
    "The current status does not allow this operation.",
    "Read the record again. Its status must change first.",
  ),
  duplicate_order_number: explained(
    409,
    "The company already has an order with this number.",
    "Change that order with PUT, or send this one to `POST /api/v1/orders/upsert`.",
  ),
  duplicate_external_number: explained(
    409,
    "The company already has a live freight with this external number.",
    "Change that freight with PUT, or withdraw it: the number is released when the freight is archived.",
  ),
  duplicate_offer: explained(
    409,
    "The carrier already has an open offer for this freight.",
    "Change that offer, named in `offerId`, or withdraw it first.",
  ),
  freight_already_booked: explained(
    409,
    "The freight is booked.",
    "Another offer was accepted first. Read the freight in the archive.",
  ),
  carrier_change_refused: explained(
    409,
    "This request cannot change the carrier of an order.",
    "Send the order to `POST /api/v1/orders/upsert`, which can change the carrier and creates a new link; or cancel it and create another.",
  ),
  mapping_not_configured: explained(
    409,
    "The company has no mapping profile.",
    "Create one with `PUT /api/v1/mapping-profiles/opportunities`.",
  ),
  in_progress: explained(
    409,
    "An earlier request is still in progress.",
    "Send the request again after `Retry-After` seconds.",
  ),
  freight_archived: explained(
    410,
    "The freight is no longer live.",
    "Read it in the archive, at the address in `Link`.",
  ),
  version_mismatch: explained(
    412,
    "The resource has changed since it was read.",
    "Read it again, and repeat the request with the new `ETag`.",
  ),
  payload_too_large: explained(
    413,
    "The request is too large.",
    "Send less at once: JSON up to 1 MiB (35 MiB with a document), a file up to 25 MiB. `detail` names the limit.",
  ),
  range_not_satisfiable: explained(
    416,
    "The range is outside the file.",
    "Request a range within the size in `Content-Range`.",
  ),
  unsupported_media_type: explained(
    415,
    "The operation does not support the media type of the body.",
    "Use a media type that the API documentation lists for this operation.",
  ),
  unsupported_api_version: explained(
    415,
    "This API version does not exist.",
    "Send `x-api-version=1.0`, or no version.",
  ),
  idempotency_key_reused: explained(
    422,
    "The idempotency key was used with another request.",
    "Use a new key for each new request, and the same key only to repeat a request.",
  ),
  webhook_target_refused: explained(
    422,
    "Webhooks are not delivered to this address.",
    "Use an https address with a public host name.",
  ),
  rate_limited: explained(429, "Too many requests.", "Wait `Retry-After` seconds, and spread the requests over time."),
  overloaded: explained(
    503,
    "Too many large files are arriving at once.",
    "Send the request again after `Retry-After` seconds.",
  ),
  internal_error: explained(
    500,
    "An internal error occurred.",
    "Try again. If the error persists, contact support with the `requestId`.",
  ),
  external_failure: explained(
    502,
    "An external system that the request needs has failed.",
    "See `source`, `externalStatus` and `externalErrors`. Send the request again when that system works.",
  ),
  external_unavailable: explained(
    503,
    "An external system that the request needs is not available.",
    "Send the request again after `Retry-After` seconds.",
  ),
  external_timeout: explained(
    504,
    "An external system that the request needs did not answer in time.",
    "Send the request again later. `source` names the system.",
  ),
};

export type Reason = keyof typeof reasons;

/** A field with an error. `field` is for people (`locations[1].city`), `pointer` for programs (`/locations/1/city`). */
export interface ErrorItem {
  code: string;
  field: string;
  pointer: string;
  message: string;
}

/** An error response according to RFC 9457, with further fields such as `errorCode`. */
export class Problem extends Error {
  readonly reason: Reason;
  readonly errors: ErrorItem[];
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly status: number;

  /** @param more `status` only if it differs from that of the reason */
  constructor(
    reason: Reason,
    detail?: string,
    more: {
      errors?: ErrorItem[];
      extra?: Record<string, unknown>;
      headers?: Record<string, string>;
      status?: number;
    } = {},
  ) {
    super(detail ?? (more.errors && countOf(reason, more.errors)) ?? reasons[reason].title);
    this.reason = reason;
    this.errors = more.errors ?? [];
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
    this.status = more.status ?? reasons[reason].status;
  }

  /**
   * Builds the response.
   * @param base base URL of the deployment, for the link to the page that explains the code
   */
  toResponse(instance: string, requestId: string, base: string): Response {
    const body = {
      type: `${base}/errors/${this.reason}`,
      title: reasons[this.reason].title,
      status: this.status,
      detail: this.message,
      instance: withoutSecrets(instance),
      requestId,
      errorCode: this.reason,
      ...(this.errors.length > 0 && { errors: this.errors }),
      ...this.extra,
    };
    return new Response(JSON.stringify(body), {
      status: this.status,
      headers: { "content-type": problemMedia, ...this.headers },
    });
  }
}

function countOf(reason: Reason, errors: ErrorItem[]): string | undefined {
  if (reason !== "validation_failed" || errors.length === 0) return undefined;
  return errors.length === 1 ? "1 field is wrong." : `${errors.length} fields are wrong.`;
}

/** Builds the error of the field at a path. */
export function wrongField(path: readonly PropertyKey[], code: string, message: string): ErrorItem {
  return { code, field: fieldOf(path), pointer: pointerOf(path), message };
}

/** Builds the error of a request with invalid fields: 400 `validation_failed`. */
export const invalid = (errors: ErrorItem[]): Problem => new Problem("validation_failed", undefined, { errors });

/** Builds the error of a cursor that does not belong to the list. */
export const invalidCursor = (name = "cursor") =>
  new Problem("invalid_cursor", undefined, {
    errors: [wrongField([name], "invalid_cursor", `${name} does not belong to this list.`)],
  });

const codes: Partial<Record<z.core.$ZodIssue["code"], string>> = {
  invalid_type: "invalid_type",
  too_big: "too_big",
  too_small: "too_small",
  invalid_format: "invalid_format",
  invalid_value: "unknown_value",
  unrecognized_keys: "unknown_parameter",
};

const maxItems = 50;

/** Converts the issues of a shape to field errors, at most 50. */
export function itemsOf(error: z.ZodError, prefix: PropertyKey[] = []): ErrorItem[] {
  return error.issues.flatMap((issue) => itemsOfIssue(issue, prefix)).slice(0, maxItems);
}

function itemsOfIssue(issue: z.core.$ZodIssue, prefix: PropertyKey[]): ErrorItem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const names = namesIn(issue.message);
    return issue.keys
      .slice(0, maxItems)
      .map((key) => wrongField([...path, key], "unknown_parameter", unknownNameMessage(key, names)));
  }
  const absent = "input" in issue && issue.input === undefined && issue.code.startsWith("invalid_");
  const own = issue.code === "custom" ? issue.params?.["code"] : undefined;
  const code = absent ? "required" : typeof own === "string" ? own : (codes[issue.code] ?? "invalid");
  const name = fieldOf(path.slice(path.findLastIndex((step) => typeof step === "string"))) || "body";
  return [wrongField(path, code, absent ? `${name} is required.` : `${name}: ${issue.message}.`)];
}

/** The caller may send a name of any length. */
const short = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
const fieldOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text ? `${text}.${short(String(step))}` : short(String(step)),
    "",
  );
const pointerOf = (path: readonly PropertyKey[]) =>
  path.map((step) => `/${short(String(step)).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Handler for `catch` that ignores a missing record and throws any other error. */
export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Problem && error.reason === "not_found")) throw error;
}
