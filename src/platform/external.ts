import { Problem, type Reason } from "./problem.ts";

/** Systems outside the service that an operation asks before it answers. */
export const externalSources = ["Receiver", "TokenServer", "NameServer", "ExchangeRates"] as const;
export type ExternalSource = (typeof externalSources)[number];

/** What another system did wrong. */
export interface ExternalFailure {
  source: ExternalSource;
  /** The HTTP status that it answered, if it answered one. */
  status?: number | undefined;
  /** Why it did not: `timeout`, `dns`, `tls`, `connection`; or what is wrong with the answer. */
  error?: string | undefined;
  /** A sentence for people. Nothing of what the other system wrote, unless it is known to hold no secret. */
  message: string;
  /** The header as it came. */
  retryAfter?: string | undefined;
}

/** How an operation refuses that asks another system. */
export const externalReasons = [
  "external_failure",
  "external_unavailable",
  "external_timeout",
] as const satisfies Reason[];

/** Statuses by which Cloudflare's edge tells that it did not hear from a server in time. */
const edgeTimeouts = new Set([522, 524]);
/** When to ask again where the other system did not say: seconds. */
const usualRetryAfter = "30";

/** The refusal of a request for which another system was needed, and failed: 502, 503 or 504. */
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

/** A header of another system is passed on only where it has the form of one. */
const waitIn = (retryAfter: string | undefined) =>
  retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? retryAfter : usualRetryAfter;
