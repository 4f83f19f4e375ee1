import type { LedgerVehicle } from "../../src/areas/transactions/ledger.ts";
import type { Transaction } from "../../src/areas/transactions/model.ts";
import { evaluate, type Books } from "./ingest.ts";

/** Lines looked through again in one commit when the fleet has changed. */
const linesAtOnce = 500;

interface Change {
  before: Transaction;
  after: Transaction;
}

/**
 * Looks through lines that nobody owned for a vehicle that is new or has changed: some of them, from a place in the ledger
 * on. Each is held against those that were found before it. Called inside a commit.
 */
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
