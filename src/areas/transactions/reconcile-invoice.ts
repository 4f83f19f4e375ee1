import { commands as documentCommands } from "../documents/commands.ts";
import { kindOf } from "../documents/model.ts";
import { Answer } from "../../http/responses.ts";
import type { Context } from "../../http/operation.ts";
import { Problem } from "../../platform/problem.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import type { InvoiceView } from "../../extraction/kinds/invoice/view.ts";
import { centsOf } from "./normalize-lines.ts";
import { ledgerOf, type ReconciliationRequest, type TransactionFilter } from "./ledger.ts";
import type { ReconcileInput } from "./input.ts";
import { type ReconcileView, viewOf } from "./model.ts";
import type { InvoiceLine } from "./reconciliation-diff.ts";

/**
 * Compares the company's transactions with an extracted invoice.
 * @throws Problem `not_found`, `invalid_state` if the document is not an extracted invoice
 */
export async function reconcile(
  { documentId, feedId, provider, from, to }: ReconcileInput,
  context: Context,
): Promise<Answer<ReconcileView>> {
  const { env, caller } = context;
  const document = await context.send(documentCommands.look, documentId, {});
  const invoice = document.envelopes[0]?.data as InvoiceView | undefined;
  if (
    kindOf(document) !== "invoice" ||
    !invoice ||
    (invoice.netAmount === undefined && invoice.grossAmount === undefined)
  )
    throw new Problem("invalid_state", "The document must be an invoice from which an amount was extracted.", {
      extra: { currentStatus: document.status, allowed: [] },
    });
  const isNumbered = feedId === undefined && from === undefined && to === undefined;
  if (isNumbered && !invoice.number)
    throw new Problem(
      "invalid_state",
      "The invoice has no number. Send feedId, or from and to, to select the transactions.",
      {
        extra: { currentStatus: document.status, allowed: [] },
      },
    );
  const terms: TransactionFilter["terms"] = omitUndefined({
    feedId,
    provider,
    invoiceNumber: isNumbered ? invoice.number : undefined,
  });
  const request: ReconciliationRequest = omitUndefined({
    documentId,
    wanted: { terms },
    days: from || to ? { from: from ?? "0000", to: to ?? "9999" } : undefined,
    currency: invoice.currency,
    net: centsOf(invoice.netAmount),
    gross: centsOf(invoice.grossAmount),
    lines: invoiceLinesWithAmount(invoice),
  });
  const repeat = context.request.headers.has("idempotency-key") ? context.newId : undefined;
  const { settled, isNew } = await ledgerOf(env, caller.company).settle(request, repeat, context.by);
  const { count, net, vat, gross, by } = settled;
  if (request.currency === undefined && settled.currencies > 1)
    throw new Problem(
      "invalid_state",
      "The invoice has no currency, and the transactions have several currencies. Select transactions of one currency.",
      {
        extra: { currentStatus: document.status, allowed: [] },
      },
    );
  const difference = request[by]! - settled[by];
  const view: ReconcileView = {
    result: settled.isEqual ? "Reconciled" : "Different",
    documentId,
    ...omitUndefined({ invoiceNumber: invoice.number, currency: invoice.currency }),
    invoice: omitUndefined({
      netAmount: invoice.netAmount,
      vatAmount: invoice.vatAmount,
      grossAmount: invoice.grossAmount,
    }),
    transactions: { count, netAmount: net / 100, vatAmount: vat / 100, grossAmount: gross / 100 },
    difference: difference / 100,
    reconciled: settled.reconciled,
    unsettled: settled.unsettled,
    missing: settled.missing.map(missingOf),
    extra: settled.extra.map(viewOf),
  };
  return new Answer(view, { replayed: !isNew });
}

const invoiceLinesWithAmount = ({ lines = [] }: Pick<InvoiceView, "lines">): InvoiceLine[] =>
  lines.flatMap(({ description, quantity, netAmount, grossAmount }) => {
    const [by, amount] = grossAmount === undefined ? (["net", netAmount] as const) : (["gross", grossAmount] as const);
    const cents = centsOf(amount);
    return amount === undefined || cents === undefined
      ? []
      : [{ ...omitUndefined({ description, quantity }), amount, cents, by }];
  });

const missingOf = ({ description, quantity, amount }: InvoiceLine): ReconcileView["missing"][number] => ({
  ...omitUndefined({ description, quantity }),
  amount,
});
