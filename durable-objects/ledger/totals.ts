import type { LedgerFleet } from "./fleet.ts";
import type { SummaryKind, TransactionFilter } from "../../src/areas/transactions/ledger.ts";
import { type TotalView, driverOf, type Transaction } from "../../src/areas/transactions/model.ts";
import { milliOf } from "./line.ts";
import { conditionsOf } from "./conditions.ts";

/** Dimensions by which totals are stored, so that summaries need not read transactions. */
const dimensions = ["month", "vehicle", "driver", "country", "currency", "kind"] as const;
const dimensionOf: Partial<Record<keyof TransactionFilter["terms"], (typeof dimensions)[number]>> = {
  vehicleId: "vehicle",
  driver: "driver",
  country: "country",
  currency: "currency",
  kind: "kind",
};

type Sums = {
  count: number;
  milli: number;
  net: number;
  vat: number;
  gross: number;
};

type Found = Sums & { what: string; currency: string; kind: string };

const sums = "sum(count) as count, sum(milli) as milli, sum(net) as net, sum(vat) as vat, sum(gross) as gross";
const mostTotals = 100_000;

const dropped = `delete from total where ${dimensions.map((name) => `${name} = ?`).join(" and ")} and count = 0`;

const isCounted = ({ status }: Transaction) => status !== "Voided" && status !== "Ignored";

/** Sums of all transactions, in cents and thousandths of a litre, updated with every change of a transaction. */
export class LedgerTotals {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    this.sql.exec(`create table if not exists total (${dimensions.map((name) => `${name} text not null`).join(", ")},
      count integer not null, milli integer not null, net integer not null, vat integer not null, gross integer not null,
      primary key (${dimensions.join(", ")})) without rowid`);
  }

  /**
   * Applies changes of transactions to the totals. Must be called inside a commit; one call with several changes saves
   * writes.
   */
  change(changes: readonly { before?: Transaction; after?: Transaction }[]): void {
    const deltas = new Map<string, Sums>();
    for (const { before, after } of changes) {
      if (before) add(deltas, before, -1);
      if (after) add(deltas, after, 1);
    }
    for (const [key, { count, milli, net, vat, gross }] of deltas) {
      if (count === 0 && milli === 0 && net === 0 && vat === 0 && gross === 0) continue;
      this.sql.exec(
        `insert into total (${dimensions.join(", ")}, count, milli, net, vat, gross) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         on conflict do update set count = count + excluded.count, milli = milli + excluded.milli, net = net + excluded.net,
           vat = vat + excluded.vat, gross = gross + excluded.gross`,
        ...JSON.parse(key),
        count,
        milli,
        net,
        vat,
        gross,
      );
      if (count < 0) this.sql.exec(dropped, ...JSON.parse(key));
    }
  }

  /** Computes the totals by vehicle, driver, country or month, separately for each currency. */
  summary(by: SummaryKind, wanted: TransactionFilter): (TotalView & { what: string })[] {
    const rows = this.canSum(wanted) ? this.fromTotals(by, wanted) : this.fromLines(by, wanted);
    const totals = new Map<string, TotalView & { what: string; cents: Record<string, number> }>();
    for (const { what, currency, kind, count, milli, net, vat, gross } of rows) {
      const key = JSON.stringify([what, currency]);
      const known = totals.get(key) ?? {
        what,
        ...(currency && { currency }),
        count: 0,
        litres: 0,
        netAmount: 0,
        vatAmount: 0,
        grossAmount: 0,
        kinds: {},
        cents: {},
      };
      known.count += count;
      known.litres += milli;
      known.netAmount += net;
      known.vatAmount += vat;
      known.grossAmount += gross;
      known.cents[kind] = (known.cents[kind] ?? 0) + gross;
      totals.set(key, known);
    }
    return [...totals.values()]
      .filter(({ count }) => count > 0)
      .map(({ cents, ...total }) => ({
        ...total,
        litres: total.litres / 1000,
        netAmount: total.netAmount / 100,
        vatAmount: total.vatAmount / 100,
        grossAmount: total.grossAmount / 100,
        kinds: Object.fromEntries(Object.entries(cents).map(([kind, gross]) => [kind, gross / 100])),
      }));
  }

  private canSum({ terms, card, anomaly, from, to, updatedSince }: TransactionFilter): boolean {
    const asked = Object.entries(terms).flatMap(([name, value]) =>
      value === undefined ? [] : [name as keyof TransactionFilter["terms"]],
    );
    return !card && !anomaly && !from && !to && !updatedSince && asked.every((name) => dimensionOf[name] !== undefined);
  }

  private fromTotals(by: SummaryKind, { terms }: TransactionFilter): Found[] {
    const asked = Object.entries(terms).filter(([, value]) => value !== undefined);
    const where =
      asked.map(([name]) => `${dimensionOf[name as keyof TransactionFilter["terms"]]} = ?`).join(" and ") || "true";
    return this.sql
      .exec<Found>(
        `select ${by} as what, currency, kind, ${sums} from total where ${where} group by 1, 2, 3 having sum(count) > 0 order by 1, 2, 3 limit ${mostTotals}`,
        ...asked.map(([, value]) => value),
      )
      .toArray();
  }

  private fromLines(by: SummaryKind, wanted: TransactionFilter): Found[] {
    const { conditions, values } = conditionsOf(wanted);
    const where = ["status not in ('Voided', 'Ignored')", ...conditions].join(" and ");
    return this.sql
      .exec<Found>(
        `select coalesce(${by}, '') as what, coalesce(currency, '') as currency, kind, count(*) as count, sum(coalesce(milli, 0)) as milli,
           sum(coalesce(net, 0)) as net, sum(coalesce(vat, 0)) as vat, sum(coalesce(gross, 0)) as gross
         from line where ${where} group by 1, 2, 3 order by 1, 2, 3 limit ${mostTotals}`,
        ...values,
      )
      .toArray();
  }
}

/**
 * Converts a total to its view in the API. The value by which the totals are grouped becomes a field, such as `driver`;
 * for a vehicle, its plate is added.
 */
export function toTotalView(
  by: SummaryKind,
  { what, ...total }: TotalView & { what: string },
  fleet: LedgerFleet,
): TotalView {
  if (by === "vehicle") {
    const plate = fleet.byId(what)?.licensePlate;
    return { ...(what && { vehicleId: what }), ...(plate && { licensePlate: plate }), ...total };
  }
  return { ...(what && { [{ driver: "driver", country: "countryCode", month: "month" }[by]]: what }), ...total };
}

function add(deltas: Map<string, Sums>, one: Transaction, sign: 1 | -1): void {
  if (!isCounted(one)) return;
  const key = JSON.stringify([
    one.local.slice(0, 7),
    one.vehicleId ?? "",
    driverOf(one) ?? "",
    one.countryCode ?? "",
    one.currency ?? "",
    one.kind,
  ]);
  const known = deltas.get(key) ?? { count: 0, milli: 0, net: 0, vat: 0, gross: 0 };
  known.count += sign;
  known.milli += sign * milliOf(one);
  known.net += sign * (one.net ?? 0);
  known.vat += sign * (one.vat ?? 0);
  known.gross += sign * (one.gross ?? 0);
  deltas.set(key, known);
}
