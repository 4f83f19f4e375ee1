import { anomalyTypes } from "../src/areas/transactions/shapes.ts";
import type { Entry, Transaction } from "../src/areas/transactions/transaction.ts";
import type { ListAsked, Wanted } from "../src/areas/transactions/ledger.ts";
import { columns, contentOf, externalKey, hashOf, valuesOf, type Value } from "./ledger-line.ts";

type Line = { n: number; json: string };

/** A transaction and its place in the ledger. */
export interface Kept {
  n: number;
  transaction: Transaction;
}

const inserting = `insert into line (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
const updating = `update line set ${columns.map((name) => `${name} = ?`).join(", ")} where n = ?`;

const waiting = "type = 'Void' and status <> 'Voided'";

/** How far back a void looks for what it takes back. */
const voidDays = 30;
const day = 24 * 60 * 60 * 1000;

/** The ledger's table of transactions: one row each, with the columns it is found by beside the whole of it as JSON. */
export class LedgerRows {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    const texts = columns.filter(
      (name) => !["at", "milli", "net", "vat", "gross", "updated", "content"].includes(name),
    );
    this.sql.exec(`
      create table if not exists line (n integer primary key,
        ${texts.map((name) => `${name} text`).join(", ")},
        at integer not null, milli integer, net integer, vat integer, gross integer, updated integer not null, content integer not null);
      create unique index if not exists line_id on line (id);
      create unique index if not exists line_key on line (key);
      create index if not exists line_content on line (content);
      create index if not exists line_at on line (at);
      create index if not exists line_vehicle on line (vehicle, at) where vehicle is not null;
      create index if not exists line_plate on line (plate, at) where plate is not null;
      create index if not exists line_card on line (card, at) where card is not null;
      create index if not exists line_feed on line (feed);
      create index if not exists line_status on line (status);
      create index if not exists line_updated on line (updated);
      create index if not exists line_invoice on line (invoice) where invoice is not null;
      create index if not exists line_waiting on line (at) where ${waiting};
      create index if not exists line_internal on line (internalId) where internalId is not null;
      create table if not exists flag (type text not null, n integer not null, primary key (type, n)) without rowid;`);
  }

  insert(transaction: Transaction): void {
    this.sql.exec(inserting, ...valuesOf(transaction));
    if (transaction.anomalies.length > 0) this.flag(this.lastRow(), transaction);
  }

  private lastRow(): number {
    return this.sql.exec<{ n: number }>("select last_insert_rowid() as n").one().n;
  }

  update(n: number, transaction: Transaction): void {
    this.sql.exec(updating, ...valuesOf(transaction), n);
    for (const type of anomalyTypes) this.sql.exec("delete from flag where type = ? and n = ?", type, n);
    this.flag(n, transaction);
  }

  private flag(n: number, { anomalies }: Transaction): void {
    for (const { type } of anomalies) this.sql.exec("insert or ignore into flag (type, n) values (?, ?)", type, n);
  }

  byId(id: string): Kept | undefined {
    return this.one("where id = ?", id);
  }

  byKey(key: string): Kept | undefined {
    return this.one("where key = ?", key);
  }

  /** Those of these keys that are there. */
  keysAmong(keys: readonly string[]): Set<string> {
    const found = this.sql.exec<{ key: string }>(
      "select key from line where key in (select value from json_each(?))",
      JSON.stringify(keys),
    );
    return new Set(found.toArray().map(({ key }) => key));
  }

  /** Digests of contents, of those of these entries, that are there. */
  contentsAmong(entries: readonly Entry[]): Set<number> {
    const found = this.sql.exec<{ content: number }>(
      "select distinct content from line where content in (select value from json_each(?))",
      JSON.stringify(entries.map((entry) => hashOf(contentOf(entry)))),
    );
    return new Set(found.toArray().map(({ content }) => content));
  }

  /** Another transaction that says the same, whatever number it has. */
  twinOf(entry: Entry): Transaction | undefined {
    const text = contentOf(entry);
    return this.some("where content = ? and type = ? and status <> 'Voided' limit 5", hashOf(text), entry.type)
      .map(({ transaction }) => transaction)
      .find((one) => contentOf(one) === text);
  }

  /** Whether a void waits for what it takes back. */
  hasWaiting(): boolean {
    return this.sql.exec(`select 1 from line indexed by line_waiting where ${waiting} limit 1`).toArray().length > 0;
  }

  /** What was bought with the same card or plate in the days before, the latest first. */
  purchasesBefore({ card, licensePlate, occurredAt }: Entry): Kept[] {
    const [column, value] = card ? ["card", card.digest] : ["plate", licensePlate ?? null];
    if (value === null) return [];
    const at = Date.parse(occurredAt);
    return this.some(
      `where ${column} = ? and at between ? and ? and type = 'Purchase' order by at desc limit 200`,
      value,
      at - voidDays * day,
      at + 60_000,
    );
  }

  /** Voids that have found nothing to take back, of the same card or plate in the days after. */
  voidsAfter({ card, licensePlate, occurredAt }: Entry): Kept[] {
    const [column, value] = card ? ["card", card.digest] : ["plate", licensePlate ?? null];
    if (value === null) return [];
    const at = Date.parse(occurredAt);
    return this.some(
      `where ${column} = ? and at between ? and ? and type = 'Void' and status <> 'Voided' order by at limit 20`,
      value,
      at - 60_000,
      at + voidDays * day,
    );
  }

  /** The vehicle's transactions nearest in time, without those that were taken back. */
  nearest(vehicle: string, { occurredAt }: Entry, but: number): { before: Transaction[]; after: Transaction[] } {
    const at = Date.parse(occurredAt);
    const found = (condition: string) =>
      this.some(
        `indexed by line_vehicle where vehicle = ? and ${condition} and n <> ? and status <> 'Voided' and type <> 'Void' order by at ${condition.startsWith("at <=") ? "desc" : "asc"} limit ${mostNear}`,
        vehicle,
        at,
        but,
      ).map(({ transaction }) => transaction);
    return { before: found("at <= ?"), after: found("at > ?") };
  }

  /** Lines without a vehicle that may be of this one, from a place in the ledger on. */
  unmatched(
    { plate, vin, cards }: { plate?: string | undefined; vin?: string | undefined; cards: string[] },
    after: number,
    limit: number,
  ): Kept[] {
    return this.some(
      `where n > ? and vehicle is null and status in ('Unmatched', 'Flagged')
       and (plate = ? or vin = ? or card in (select value from json_each(?))) order by n limit ?`,
      after,
      plate ?? null,
      vin ?? null,
      JSON.stringify(cards),
      limit,
    );
  }

  list({ sort, limit, after, ...wanted }: ListAsked): { found: Kept[]; next?: [number, number] } {
    const { conditions, values } = conditionsOf(wanted);
    const byTime = sort.endsWith("occurredAt");
    const [order, sign] = sort.startsWith("-") ? ["desc", "<"] : ["asc", ">"];
    if (after && byTime) {
      conditions.push(`(at, n) ${sign} (?, ?)`);
      values.push(...after);
    } else if (after) {
      conditions.push(`n ${sign} ?`);
      values.push(after[1]);
    }
    const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
    const keys = byTime ? `at ${order}, n ${order}` : `n ${order}`;
    const rows = this.sql
      .exec<Line & { at: number }>(
        `select n, at, json from line ${where} order by ${keys} limit ?`,
        ...values,
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      found: page.map(keptOf),
      ...(rows.length > limit && last && { next: [last.at, last.n] as [number, number] }),
    };
  }

  /** Transactions that an invoice may be for, those that were taken back left out. */
  settling(wanted: Wanted, days: { from: string; to: string } | undefined, currency: string | undefined): Kept[] {
    const { conditions, values } = conditionsOf(wanted);
    conditions.push("status <> 'Voided'");
    if (days) {
      conditions.push("day between ? and ?");
      values.push(days.from, days.to);
    }
    if (currency) {
      conditions.push("currency = ?");
      values.push(currency);
    }
    return this.some(`where ${conditions.join(" and ")} order by n limit ${mostSettled}`, ...values);
  }

  private one(rest: string, ...values: Value[]): Kept | undefined {
    return this.some(`${rest} limit 1`, ...values)[0];
  }

  private some(rest: string, ...values: Value[]): Kept[] {
    return this.sql
      .exec<Line>(`select n, json from line ${rest}`, ...values)
      .toArray()
      .map(keptOf);
  }
}

/** So many transactions of a vehicle are looked at before and after a line. */
export const mostNear = 4;

/** An invoice is for no more lines than these. */
const mostSettled = 100_000;

const keptOf = ({ n, json }: Line): Kept => ({ n, transaction: JSON.parse(json) });

/** A number of the provider has none of its own: keys begin with it. */
const columnOf: Partial<Record<keyof Wanted["terms"], string>> = {
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

/** What a list asks for, as SQL over the table `line`. */
export function conditionsOf({ terms, card, anomaly, from, to, updatedSince }: Wanted): {
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
