import type { LedgerVehicle } from "../../src/areas/transactions/ledger.ts";
import type { Transaction } from "../../src/areas/transactions/model.ts";
import { evaluate, type Books } from "./ingest.ts";

/** Lines per commit that are matched again after a change of the fleet. */
const linesAtOnce = 500;

interface Change {
  before: Transaction;
  after: Transaction;
}

/** Matches the next batch of unmatched lines with a vehicle that is new or has changed. Called inside a commit. */
export function rematchUnmatched(
  books: Books,
  { id, after: place, vehicle }: { id: string; after: number; vehicle: LedgerVehicle },
  at: string,
): Change[] {
  const { rows, fleet, totals } = books;
  const { licensePlate: plate, vin, cards } = vehicle;
  const found = rows.unmatched({ plate, vin, cards }, place, linesAtOnce);
  const changes: Change[] = [];
  for (const { n, transaction: before } of found) {
    const after = { ...evaluate(books, before, n), version: before.version + 1, updatedAt: at };
    if (!after.vehicleId) continue;
    rows.update(n, after);
    changes.push({ before, after });
  }
  totals.change(changes);
  fleet.recordRematch(id, found.length === linesAtOnce ? found.at(-1)!.n : undefined);
  return changes;
}
