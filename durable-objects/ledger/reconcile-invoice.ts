import type { Reconciliation, ReconciliationRequest } from "../../src/areas/transactions/ledger.ts";
import { reconciliationDiff } from "../../src/areas/transactions/reconciliation-diff.ts";
import type { LedgerRows } from "./rows.ts";

/** Maximum number of missing invoice lines, and of extra transactions, that are reported. */
const mostReported = 100;

/**
 * Compares the sum of transactions with an invoice. If the sums are equal to the cent, matched transactions become
 * reconciled. Gross amounts are compared, with two exceptions: net amounts are compared if the invoice has no gross
 * amount, or if the invoice and all transactions have a net amount but some transactions have no gross amount. Must be
 * called inside a commit.
 */
export function reconcile(
  rows: LedgerRows,
  asked: ReconciliationRequest,
  at: string,
): Reconciliation & { isChanged: boolean } {
  const { nets, grosses, matched, reconciled, ...sums } = rows.sums(asked);
  const isGrossTold =
    asked.gross !== undefined && (grosses === sums.count || asked.net === undefined || nets < sums.count);
  const by = isGrossTold ? "gross" : "net";
  const isEqual = sums.count > 0 && sums.currencies <= 1 && asked[by] === sums[by];
  if (isEqual) rows.reconcile(asked, at);
  return {
    ...sums,
    by,
    isEqual,
    isChanged: isEqual && matched > 0,
    reconciled: isEqual ? matched + reconciled : 0,
    unsettled: isEqual ? sums.count - matched - reconciled : 0,
    ...(isEqual || sums.count > mostPaired ? { missing: [], extra: [] } : differences(rows, asked)),
  };
}

function differences(rows: LedgerRows, asked: ReconciliationRequest): Pick<Reconciliation, "missing" | "extra"> {
  const { missing, extra } = reconciliationDiff(asked.lines, rows.bought(asked));
  return { missing: missing.slice(0, mostReported), extra: rows.at(extra.slice(0, mostReported)) };
}

/** Maximum number of transactions that are paired in memory, which takes about 25 MB. */
const mostPaired = 50_000;

/** Builds the result for a company without transactions. */
export const emptyReconciliation = ({ gross, lines }: ReconciliationRequest): Reconciliation => ({
  count: 0,
  net: 0,
  vat: 0,
  gross: 0,
  by: gross === undefined ? "net" : "gross",
  currencies: 0,
  isEqual: false,
  reconciled: 0,
  unsettled: 0,
  missing: lines.slice(0, mostReported),
  extra: [],
});
