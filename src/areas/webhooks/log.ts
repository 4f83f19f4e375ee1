import type { AttemptRecord, DeliveryRecord } from "../../platform/aggregates.ts";
import type { DeliveryView } from "./shapes.ts";

/** A delivery with its attempts, as callers see it. To a disabled webhook nothing is on its way. */
export function viewOfDelivery(row: DeliveryRecord & { tried: AttemptRecord[] }, isDisabled: boolean): DeliveryView {
  return {
    deliveryId: row.id,
    eventId: row.event_id,
    eventType: row.type,
    resource: row.okey,
    status: row.state,
    attempts: row.tried.map(viewOfAttempt),
    ...(row.state === "Pending" && !isDisabled && { nextAttemptAt: moment(row.due) }),
    createdAt: moment(row.created),
    updatedAt: moment(row.updated),
  };
}

function viewOfAttempt(attempt: AttemptRecord): DeliveryView["attempts"][number] {
  const { kind, started, ended, outcome, status, error, detail, answer } = attempt;
  return {
    kind,
    at: moment(started),
    outcome: outcome ?? "Running",
    ...(ended !== null && { milliseconds: ended - started }),
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    ...(detail !== null && { detail }),
    ...(answer && { answer }),
  };
}

const moment = (milliseconds: number) => new Date(milliseconds).toISOString();
