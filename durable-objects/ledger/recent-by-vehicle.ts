import type { Entry, Transaction } from "../../src/areas/transactions/model.ts";
import { mostNear, type LedgerRows } from "./rows.ts";

const mostVehicles = 2000;

export interface Near {
  before: readonly Transaction[];
  after: readonly Transaction[];
}

/**
 * A cache of the latest transactions of each vehicle. Most lines arrive in chronological order, so they are compared
 * with these. The table is read if a line is older than the latest transaction, or after a stored line has changed.
 */
export class LedgerNear {
  private readonly rows: LedgerRows;
  private readonly last = new Map<string, readonly Transaction[]>();
  private asOf = 0;

  constructor(rows: LedgerRows) {
    this.rows = rows;
  }

  around(vehicle: string, entry: Entry): Near {
    if (this.asOf !== this.rows.changes) this.forget();
    const known = this.last.get(vehicle);
    if (known && isBehind(entry, known)) return { before: known, after: [] };
    const found = this.rows.nearest(vehicle, entry, -1);
    if (found.after.length === 0) this.remember(vehicle, found.before);
    return found;
  }

  add(one: Transaction): void {
    const { vehicleId } = one;
    const known = vehicleId === undefined ? undefined : this.last.get(vehicleId);
    if (!known || one.type === "Void" || one.status === "Voided") return;
    if (isBehind(one, known)) this.remember(vehicleId!, [one, ...known].slice(0, mostNear));
    else this.last.delete(vehicleId!);
  }

  forget(): void {
    this.last.clear();
    this.asOf = this.rows.changes;
  }

  private remember(vehicle: string, before: readonly Transaction[]): void {
    if (this.last.size >= mostVehicles) this.last.clear();
    this.last.set(vehicle, before);
  }
}

const isBehind = ({ occurredAt }: Entry, [last]: readonly Transaction[]) => !last || last.occurredAt <= occurredAt;
