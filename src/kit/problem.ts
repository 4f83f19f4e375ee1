import type * as z from "zod";

/** Every code of the contract, with its status and the sentence that explains it to people. */
export const reasons = {
  validation_failed: [400, "The request is not valid."],
  invalid_id: [400, "The id is not a UUID."],
  invalid_json: [400, "The body is not JSON."],
  invalid_cursor: [400, "The cursor was not made by this service."],
  unknown_parameter: [400, "A query parameter is not known."],
  file_missing: [400, "The request carries no file."],
  file_empty: [400, "The file is empty."],
  file_encrypted: [400, "The file is encrypted."],
  file_unreadable: [400, "The file cannot be read."],
  unsupported_file_type: [400, "Files of this type are not read."],
  unauthenticated: [401, "The key is missing or not known."],
  key_expired: [401, "The key has expired."],
  missing_scope: [403, "The key does not have the scope."],
  account_blocked: [403, "The account is blocked."],
  not_found: [404, "There is no such thing."],
  not_processed_yet: [404, "The file is still being read."],
  method_not_allowed: [405, "The path does not take this method."],
  invalid_state: [409, "The current status does not allow this."],
  in_progress: [409, "The first request with this key is still running."],
  version_mismatch: [412, "The resource has changed since it was read."],
  payload_too_large: [413, "The request is too large."],
  range_not_satisfiable: [416, "The file does not have these bytes."],
  unsupported_media_type: [415, "The body has a media type this operation does not take."],
  unsupported_api_version: [415, "This API version does not exist."],
  idempotency_key_reused: [422, "The idempotency key was used with another request."],
  webhook_target_refused: [422, "Webhooks are not delivered to this address."],
  rate_limited: [429, "Too many requests."],
  internal_error: [500, "Something broke on our side."],
} as const satisfies Record<string, readonly [number, string]>;

export type Reason = keyof typeof reasons;

/** One wrong field. `field` is for people (`locations[1].city`), `pointer` for programs (`/locations/1/city`). */
export interface ErrorItem {
  code: string;
  field: string;
  pointer: string;
  message: string;
}

/** A refusal on its way to the wire: RFC 9457, with the names of the specification's error models. */
export class Problem extends Error {
  readonly reason: Reason;
  readonly errors: ErrorItem[];
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(reason: Reason, detail?: string, more: { errors?: ErrorItem[]; extra?: Record<string, unknown>; headers?: Record<string, string> } = {}) {
    super(detail ?? reasons[reason][1]);
    this.reason = reason;
    this.errors = more.errors ?? [];
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return reasons[this.reason][0];
  }

  toResponse(instance: string, requestId: string): Response {
    const body = {
      type: `/docs/errors#${this.reason}`,
      title: reasons[this.reason][1],
      status: this.status,
      detail: this.message,
      instance,
      requestId,
      errorCode: this.reason,
      ...(this.errors.length > 0 && { errors: this.errors }),
      ...this.extra,
    };
    return new Response(JSON.stringify(body), {
      status: this.status,
      headers: { "content-type": "application/problem+json; x-api-version=1.0", ...this.headers },
    });
  }
}

/** A wrong field found by hand rather than by a shape. */
export function wrongField(path: readonly PropertyKey[], code: string, message: string): ErrorItem {
  return { code, field: fieldOf(path), pointer: pointerOf(path), message };
}

/** A request with wrong fields: 400 `validation_failed`, every field named. */
export function invalid(errors: ErrorItem[]): Problem {
  return new Problem("validation_failed", errors.length === 1 ? "1 field is wrong." : `${errors.length} fields are wrong.`, { errors });
}

const codes: Partial<Record<z.core.$ZodIssue["code"], string>> = {
  invalid_type: "invalid_type",
  too_big: "too_big",
  too_small: "too_small",
  invalid_format: "invalid_format",
  invalid_value: "unknown_value",
  unrecognized_keys: "unknown_parameter",
};

/** What a shape found wrong, at most 50 fields of it. */
export function itemsOf(error: z.ZodError, prefix: PropertyKey[] = []): ErrorItem[] {
  return error.issues.flatMap((issue) => itemsOfIssue(issue, prefix)).slice(0, 50);
}

function itemsOfIssue(issue: z.core.$ZodIssue, prefix: PropertyKey[]): ErrorItem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => wrongField([...path, key], "unknown_parameter", `${short(key)} is not a parameter of this operation.`));
  }
  const absent = "input" in issue && issue.input === undefined && issue.code.startsWith("invalid_");
  const code = absent ? "required" : (codes[issue.code] ?? "invalid");
  const name = short(String(path.at(-1) ?? "body"));
  return [wrongField(path, code, absent ? `${name} is required.` : `${name}: ${issue.message}.`)];
}

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const fieldOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : text ? `${text}.${short(String(step))}` : short(String(step))), "");
const pointerOf = (path: readonly PropertyKey[]) => path.map((step) => `/${short(String(step)).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
