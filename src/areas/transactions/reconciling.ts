import { steps as documentSteps, kindOf } from "../documents/index.ts";
import { Answer } from "../../kit/http.ts";
import type { Context } from "../../kit/operation.ts";
import { Problem } from "../../kit/problem.ts";
import { given } from "../../kit/given.ts";
import type { InvoiceView } from "../../reading/views/invoice.ts";
import { centsOf } from "./entry.ts";
import { ledgerOf, type Settling, type Wanted } from "./ledger.ts";
import type { ReconcileInput, ReconcileView } from "./shapes.ts";
import { viewOf, type Transaction } from "./transaction.ts";

/** So many lines of either side are told. */
const mostTold = 100;

/**
 * Holds the company's transactions against an invoice that was read.
 * @throws Problem `not_found`, `invalid_state` when the document is no invoice that was read
 */
export async function reconcile(
  { documentId, feedId, provider, from, to }: ReconcileInput,
  context: Context,
): Promise<Answer<ReconcileView>> {
  const { env, caller } = context;
  const document = await context.look(documentSteps.look, documentId, {});
  const invoice = document.envelopes[0]?.data as InvoiceView | undefined;
  if (
    kindOf(document) !== "invoice" ||
    !invoice ||
    (invoice.netAmount === undefined && invoice.grossAmount === undefined)
  )
    throw new Problem("invalid_state", "The document is no invoice whose amount was read.", {
      extra: { currentStatus: document.status, allowed: [] },
    });
  const isNumbered = feedId === undefined && from === undefined && to === undefined;
  if (isNumbered && !invoice.number)
    throw new Problem("invalid_state", "The invoice has no number: say feedId, or from and to.", {
      extra: { currentStatus: document.status, allowed: [] },
    });
  const terms: Wanted["terms"] = given({ feedId, provider, invoiceNumber: isNumbered ? invoice.number : undefined });
  const asked: Settling = given({
    documentId,
    wanted: { terms },
    days: from || to ? { from: from ?? "0000", to: to ?? "9999" } : undefined,
    currency: invoice.currency,
    net: centsOf(invoice.netAmount),
    gross: centsOf(invoice.grossAmount),
  });
  const repeat = context.request.headers.has("idempotency-key") ? context.newId : undefined;
  const { settled, isNew } = await ledgerOf(env, caller.company).settle(asked, repeat, context.by);
  const { count, net, vat, gross, by } = settled;
  if (asked.currency === undefined && settled.currencies > 1)
    throw new Problem("invalid_state", "The invoice names no currency, and the transactions are in several.", {
      extra: { currentStatus: document.status, allowed: [] },
    });
  const difference = asked[by]! - settled[by];
  const { missing, extra } = settled.isEqual ? { missing: [], extra: [] } : unpaired(invoice, settled.transactions);
  const view: ReconcileView = {
    result: settled.isEqual ? "Reconciled" : "Different",
    documentId,
    ...given({ invoiceNumber: invoice.number, currency: invoice.currency }),
    invoice: given({ netAmount: invoice.netAmount, vatAmount: invoice.vatAmount, grossAmount: invoice.grossAmount }),
    transactions: { count, netAmount: net / 100, vatAmount: vat / 100, grossAmount: gross / 100 },
    difference: difference / 100,
    reconciled: settled.reconciled,
    unsettled: settled.unsettled,
    missing: missing.slice(0, mostTold),
    extra: extra.slice(0, mostTold).map(viewOf),
  };
  return new Answer(view, { replayed: !isNew });
}

type InvoiceLine = NonNullable<InvoiceView["lines"]>[number];

/**
 * Lines of the invoice that no transaction is for, and the other way round. A line is for one transaction of its amount, or
 * for all transactions of a product that come to it.
 */
export function unpaired(
  { lines = [] }: Pick<InvoiceView, "lines">,
  transactions: readonly Transaction[],
): { missing: ReconcileView["missing"]; extra: Transaction[] } {
  const left = new Set(transactions);
  const missing = lines.filter((line) => {
    const found = singleFor(line, left) ?? productFor(line, left);
    for (const one of found ?? []) left.delete(one);
    return !found;
  });
  return {
    missing: missing.flatMap((line) => {
      const amount = line.grossAmount ?? line.netAmount;
      return amount === undefined
        ? []
        : [{ ...given({ description: line.description, quantity: line.quantity }), amount }];
    }),
    extra: [...left],
  };
}

const isFor = (
  { netAmount, grossAmount }: InvoiceLine,
  { net, gross }: { net: number | undefined; gross: number | undefined },
) =>
  grossAmount === undefined
    ? net !== undefined && centsOf(netAmount) === net
    : gross !== undefined && centsOf(grossAmount) === gross;

function singleFor(line: InvoiceLine, left: ReadonlySet<Transaction>): Transaction[] | undefined {
  for (const one of left) if (isFor(line, { net: one.net, gross: one.gross })) return [one];
  return undefined;
}

function productFor(line: InvoiceLine, left: ReadonlySet<Transaction>): Transaction[] | undefined {
  for (const some of Map.groupBy(left, ({ productName }) => productName ?? "").values()) {
    const sum = (of: "net" | "gross") => some.reduce((total, one) => total + (one[of] ?? 0), 0);
    if (some.length > 1 && isFor(line, { net: sum("net"), gross: sum("gross") })) return some;
  }
  return undefined;
}
