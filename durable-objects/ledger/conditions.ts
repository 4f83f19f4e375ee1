import type { ReconciliationRequest, TransactionFilter } from "../../src/areas/transactions/ledger.ts";
import { externalKey, type Value } from "./line.ts";

// SQL conditions for the ledger's table of transactions.

const columnOf: Partial<Record<keyof TransactionFilter["terms"], string>> = {
  feedId: "feed",
  provider: "provider",
  status: "status",
  kind: "kind",
  type: "type",
  licensePlate: "plate",
  vehicleId: "vehicle",
  driver: "driver",
  country: "country",
  currency: "currency",
  invoiceNumber: "invoice",
  internalId: "internalId",
};

/**
 * Returns the SQL conditions of a list of transactions. The number that the provider gave a transaction (`externalId`)
 * has no column of its own; it is the beginning of the key.
 */
export function conditionsOf({ terms, card, anomaly, from, to, updatedSince }: TransactionFilter): {
  conditions: string[];
  values: Value[];
} {
  const conditions: string[] = [];
  const values: Value[] = [];
  const add = (condition: string, value: Value) => {
    conditions.push(condition);
    values.push(value);
  };
  for (const [name, value] of Object.entries(terms)) {
    if (value === undefined) continue;
    const column = columnOf[name as keyof typeof columnOf];
    if (column) add(`${column} = ?`, value);
    else {
      add("key >= ?", externalKey(value));
      add("key < ?", `${externalKey(value)}\u{10FFFF}`);
    }
  }
  if (card?.digest) add("card = ?", card.digest);
  if (card?.last4) add("last4 = ?", card.last4);
  if (anomaly) add("n in (select n from flag where type = ?)", anomaly);
  if (from) add("at >= ?", Date.parse(from));
  if (to) add("at <= ?", Date.parse(to));
  if (updatedSince) add("updated >= ?", Date.parse(updatedSince));
  return { conditions, values };
}

/**
 * Returns the SQL condition for the transactions that may belong to an invoice. They match the request and are not
 * voided, not ignored and not on another invoice.
 */
export function reconciliationConditions({ wanted, days, currency, documentId }: ReconciliationRequest): {
  where: string;
  values: Value[];
} {
  const { conditions, values } = conditionsOf(wanted);
  conditions.push("status not in ('Voided', 'Ignored')");
  conditions.push("(status <> 'Reconciled' or coalesce(json ->> '$.documentId', ?) = ?)");
  values.push(documentId, documentId);
  if (days) {
    conditions.push("day between ? and ?");
    values.push(days.from, days.to);
  }
  if (currency) {
    conditions.push("currency = ?");
    values.push(currency);
  }
  return { where: conditions.join(" and "), values };
}
