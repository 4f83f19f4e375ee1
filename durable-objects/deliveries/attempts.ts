import { logBuffered } from "../../src/platform/log.ts";
import type { AttemptRecord } from "../../src/platform/aggregates.ts";
import type { AttemptResult } from "../../src/platform/receivers/index.ts";
import type { Claimed } from "./rows.ts";
import type { EndedAttempt } from "./in-flight-attempts.ts";

/** Builds the record that is stored for an ended attempt. */
export const toAttemptRecord = ({ row, attempted, began }: EndedAttempt, now: number): Omit<AttemptRecord, "kind"> => ({
  id: row.attempt_id,
  started: began,
  ended: now,
  outcome: attempted.delivered ? "Delivered" : "Failed",
  status: attempted.status ?? null,
  error: attempted.error ?? null,
  detail: attempted.detail ?? null,
  answer: attempted.answer.slice(0, 1024),
});

/** Builds the result of an attempt for the caller who requested it. */
export const toAttemptOutcome = ({ outcome, status, error, detail, answer, started, ended }: AttemptRecord) => ({
  delivered: outcome === "Delivered",
  ...(status !== null && { status }),
  ...(error !== null && { error }),
  ...(detail !== null && { detail }),
  answer: answer ?? "",
  milliseconds: (ended ?? started) - started,
});

export function logAttempt({ event_id: event, type, attempts, kind }: Claimed, attempted: AttemptResult): void {
  const { status, error, milliseconds } = attempted;
  logBuffered({ what: "delivery", event, type, attempt: attempts + 1, kind, status, error, milliseconds });
}
