import { isDeepStrictEqual } from "node:util";
import type { ChangeInput } from "../../src/areas/transactions/input.ts";
import { open, type Status, type Transaction } from "../../src/areas/transactions/model.ts";
import { refuse, type Refusal } from "../../src/platform/decision.ts";
import { wrongField } from "../../src/platform/problem.ts";
import { latin } from "../../src/areas/transactions/normalize-lines.ts";
import { driverAt, evaluate, type Books } from "./ingest.ts";
import type { Kept } from "./rows.ts";

/** Status changes that a caller may request, by current status. */
const allowed: Record<Status, Status[]> = {
  Received: ["Voided"],
  Unmatched: ["Matched", "Ignored", "Voided"],
  Flagged: ["Matched", "Ignored", "Voided"],
  Matched: ["Reconciled", "Flagged", "Voided"],
  Reconciled: [],
  Ignored: [],
  Voided: [],
};

/**
 * Applies a change to a transaction. A change to identical values returns the transaction with its version unchanged.
 */
export function changeTransaction(
  books: Books,
  { n, transaction: now }: Kept,
  change: ChangeInput,
  at: string,
): Transaction | Refusal {
  const { status, vehicleId, licensePlate, driver, comment, metadata } = change;
  const isMoved = vehicleId !== undefined && vehicleId !== now.vehicleId;
  const isRenamed = licensePlate !== undefined && latin(licensePlate) !== now.licensePlate;
  if ((isMoved || isRenamed) && !open.includes(now.status)) return refused(now.status);
  const placed = isMoved
    ? assignVehicle(books, now, vehicleId)
    : isRenamed
      ? evaluate(books, { ...now, licensePlate: latin(licensePlate) }, n)
      : now;
  if ("refused" in placed) return placed;
  const said: Transaction = {
    ...placed,
    ...(comment !== undefined && { comment }),
    ...(metadata && { metadata }),
    ...(driver !== undefined && { driver: { name: driver } }),
  };
  const after = status === undefined || status === said.status ? said : withStatus(said, status);
  if ("refused" in after || isDeepStrictEqual(after, now)) return "refused" in after ? after : now;
  return { ...after, version: now.version + 1, updatedAt: at };
}

/** Assigns the vehicle that a person selected, whatever anomalies the transaction has. */
function assignVehicle({ fleet }: Books, now: Transaction, vehicleId: string): Transaction | Refusal {
  const vehicle = fleet.byId(vehicleId);
  if (!vehicle) {
    const message = `There is no vehicle ${vehicleId}.`;
    return refuse("validation_failed", message, { errors: [wrongField(["vehicleId"], "not_found", message)] });
  }
  const driver = now.driver?.name ?? driverAt(vehicle, now.occurredAt);
  return { ...now, vehicleId, matchedBy: "Human", status: "Matched", ...(driver && { driver: { name: driver } }) };
}

function withStatus(now: Transaction, status: Status): Transaction | Refusal {
  if (!allowed[now.status].includes(status)) return refused(now.status);
  if (status === "Matched" && !now.vehicleId) {
    const message = "vehicleId is required: the transaction has no vehicle yet.";
    return refuse("validation_failed", message, { errors: [wrongField(["vehicleId"], "required", message)] });
  }
  return { ...now, status };
}

const refused = (status: Status): Refusal =>
  refuse("invalid_state", `The transaction is ${status}, and this status does not allow the requested change.`, {
    extra: { currentStatus: status, allowed: allowed[status] },
  });

/** Replaces the stored transaction and updates the totals. */
export function replaceLine({ rows, totals }: Books, { n, transaction: before }: Kept, after: Transaction): void {
  rows.update(n, after);
  totals.change([{ before, after }]);
}

/** Deletes a transaction and updates the totals. */
export function forgetLine({ rows, totals }: Books, id: string): void {
  const kept = rows.byId(id);
  if (!kept) return;
  rows.delete(kept.n);
  totals.change([{ before: kept.transaction }]);
}
