/** A line of an invoice that has an amount. */
export interface InvoiceLine {
  description?: string;
  quantity?: number;
  /** As printed on the invoice. */
  amount: number;
  /** Cents of the gross or net amount, see `by`. */
  cents: number;
  by: "net" | "gross";
}

/**
 * The data of a transaction that is compared with invoice lines. Amounts are in cents; `n` is its row in the ledger.
 */
export type TransactionAmounts = { n: number; net: number | null; gross: number | null; productName: string | null };

/**
 * Finds invoice lines without a transaction, and transactions without a line. A line matches one transaction of the
 * same amount, or all transactions of a product whose sum is the amount of the line.
 * @returns the unmatched lines, and the ledger rows of the unmatched transactions
 */
export function reconciliationDiff(
  lines: readonly InvoiceLine[],
  transactions: Iterable<TransactionAmounts>,
): { missing: InvoiceLine[]; extra: number[] } {
  const left = new UnmatchedTransactions(transactions);
  const missing = lines.filter((line) => {
    const found = left.singleOf(line) ?? left.productOf(line);
    for (const one of found ?? []) left.remove(one);
    return !found;
  });
  return { missing, extra: left.places() };
}

interface Product {
  name: string;
  all: Set<TransactionAmounts>;
  net: number;
  gross: number;
}

class UnmatchedTransactions {
  private readonly byAmount = {
    net: new Map<number, Set<TransactionAmounts>>(),
    gross: new Map<number, Set<TransactionAmounts>>(),
  };
  private readonly products = new Map<string, Product>();

  constructor(transactions: Iterable<TransactionAmounts>) {
    for (const { productName, ...amounts } of transactions) {
      const product = this.product(productName ?? "");
      // All transactions of a product share one string, because there may be very many of them.
      const one: TransactionAmounts = { ...amounts, productName: product.name };
      product.all.add(one);
      this.add(product, one, 1);
      for (const by of ["net", "gross"] as const) {
        const amount = one[by];
        if (amount !== null)
          this.byAmount[by].set(amount, (this.byAmount[by].get(amount) ?? new Set<TransactionAmounts>()).add(one));
      }
    }
  }

  singleOf({ by, cents }: InvoiceLine): TransactionAmounts[] | undefined {
    const [first] = this.byAmount[by].get(cents) ?? [];
    return first && [first];
  }

  productOf({ by, cents }: InvoiceLine): TransactionAmounts[] | undefined {
    for (const product of this.products.values())
      if (product.all.size > 1 && product[by] === cents) return [...product.all];
    return undefined;
  }

  remove(one: TransactionAmounts): void {
    const product = this.product(one.productName!);
    product.all.delete(one);
    this.add(product, one, -1);
    for (const by of ["net", "gross"] as const) this.byAmount[by].get(one[by] ?? NaN)?.delete(one);
  }

  places(): number[] {
    const all = [...this.products.values()].flatMap((product) => [...product.all].map(({ n }) => n));
    return all.sort((one, other) => one - other);
  }

  private product(name: string): Product {
    const known = this.products.get(name) ?? { name, all: new Set(), net: 0, gross: 0 };
    this.products.set(name, known);
    return known;
  }

  private add(product: Product, { net, gross }: TransactionAmounts, sign: 1 | -1): void {
    product.net += sign * (net ?? 0);
    product.gross += sign * (gross ?? 0);
  }
}
