import type { Settled, Settling } from "../src/areas/transactions/ledger.ts";
import type { Transaction } from "../src/areas/transactions/transaction.ts";
import type { Kept } from "./ledger-rows.ts";

/** So many transactions are handed out for differences to be told of. */
const mostShown = 1000;

/**
 * Holds transactions against an invoice: where both come to the same, to the cent, those that are matched are reconciled
 * with it.
 */
export function settled(
  found: readonly Kept[],
  { documentId, net, gross }: Settling,
  at: string,
): Settled & { changes: { n: number; before: Transaction; after: Transaction }[] } {
  const sum = (of: (one: Transaction) => number | undefined) =>
    found.reduce((total, { transaction }) => total + (of(transaction) ?? 0), 0);
  const sums = { net: sum((one) => one.net), vat: sum((one) => one.vat), gross: sum((one) => one.gross) };
  const isEqual = found.length > 0 && (gross === undefined ? net === sums.net : gross === sums.gross);
  const changes = found.flatMap(({ n, transaction: before }) =>
    isEqual && before.status === "Matched"
      ? [
          {
            n,
            before,
            after: { ...before, status: "Reconciled" as const, documentId, version: before.version + 1, updatedAt: at },
          },
        ]
      : [],
  );
  const isSettled = ({ transaction: { status, documentId: known } }: Kept) =>
    status === "Reconciled" && known === documentId;
  const before = found.filter(isSettled).length;
  const reconciled = changes.length + (isEqual ? before : 0);
  return {
    count: found.length,
    ...sums,
    isEqual,
    reconciled,
    unsettled: isEqual ? found.length - reconciled : 0,
    transactions: isEqual ? [] : found.slice(0, mostShown).map(({ transaction }) => transaction),
    changes,
  };
}
