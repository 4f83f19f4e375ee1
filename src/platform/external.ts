import { Problem, type Reason } from "./problem.ts";

/** External systems that operations call before they reply. */
export const externalSources = ["Receiver", "TokenServer", "NameServer", "ExchangeRates"] as const;
export type ExternalSource = (typeof externalSources)[number];

export interface ExternalFailure {
  source: ExternalSource;
  /** HTTP status of its response, if it responded. */
  status?: number | undefined;
  /** Why it did not respond (`timeout`, `dns`, `tls`, `connection`), or the fault of its response. */
  error?: string | undefined;
  /** An explanation for people. It quotes the other system only if the quote cannot contain a secret. */
  message: string;
  /** The header `Retry-After`, unparsed. */
  retryAfter?: string | undefined;
}

/** Error codes of operations that call an external system. */
export const externalReasons = [
  "external_failure",
  "external_unavailable",
  "external_timeout",
] as const satisfies Reason[];

/** Statuses that Cloudflare's edge sends for a server that did not respond in time. */
const edgeTimeouts = new Set([522, 524]);
/** Seconds, if the other system sends no `Retry-After`. */
const defaultRetryAfter = "30";

/** Builds the error for the failure of an external system that the request needs: 502, 503 or 504. */
export function externalProblem(failure: ExternalFailure, extra: Record<string, unknown> = {}): Problem {
  const { source, status, error, message, retryAfter } = failure;
  const reason = reasonOf(failure);
  return new Problem(reason, message, {
    extra: {
      ...extra,
      source,
      ...(status !== undefined && { externalStatus: status }),
      externalErrors: [{ code: error ?? `http_${status}`, message }],
    },
    ...(reason === "external_unavailable" && { headers: { "retry-after": waitIn(retryAfter) } }),
  });
}

function reasonOf({ status = 0, error }: ExternalFailure): Reason {
  if (error === "timeout" || status === 504 || edgeTimeouts.has(status)) return "external_timeout";
  return status === 503 || status === 429 ? "external_unavailable" : "external_failure";
}

const waitIn = (retryAfter: string | undefined) =>
  retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? retryAfter : defaultRetryAfter;
