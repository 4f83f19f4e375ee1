import type { ExternalFailure } from "../external.ts";
import type { AttemptResult } from "./deliver.ts";
import { faultOfTokenServer } from "./tokens.ts";

/** Statuses of Cloudflare's edge for a server that it cannot reach. */
const answersOfEdge = { from: 520, to: 530 };

/**
 * The external system that prevented an attempt: a token server without a token, or an unreachable receiver. Undefined if the
 * receiver responded, or the target is not allowed.
 */
export function externalFailureOf({
  delivered,
  status = 0,
  error,
  detail,
}: Pick<AttemptResult, "delivered" | "status" | "detail"> & { error?: string }): ExternalFailure | undefined {
  if (delivered || error === "refused" || error === "function") return undefined;
  if (error === "token" && detail !== undefined)
    return { source: "TokenServer", ...faultOfTokenServer(detail), message: detail };
  const message = "The receiver could not be reached.";
  if (error !== undefined) return { source: "Receiver", error, message: detail ?? message };
  return status >= answersOfEdge.from && status <= answersOfEdge.to
    ? { source: "Receiver", status, message }
    : undefined;
}
