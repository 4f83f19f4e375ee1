import { anomalyTypes, type Entry, type Status, type Transaction } from "../../src/areas/transactions/model.ts";
import type { TransactionListQuery, ReconciliationRequest } from "../../src/areas/transactions/ledger.ts";
import type { TransactionAmounts } from "../../src/areas/transactions/reconciliation-diff.ts";
import { conditionsOf, reconciliationConditions } from "./conditions.ts";
import { columns, contentOf, digestOf, keyOf, valuesOf, type Value } from "./line.ts";

type Line = { n: number; json: string };

/** The values that are read when a stored line is looked up by its key. `moment`: see {@link momentOf}. */
export type Keyed = {
  feed: string;
  type: Entry["type"];
  amount: number | null;
  productName: string | null;
  moment: string;
};

/** A transaction and its row number in the ledger. */
export interface Kept {
  n: number;
  transaction: Transaction;
}

const inserting = `insert into line (key, ${columns.join(", ")}) values (?, ${columns.map(() => "?").join(", ")})`;
const updating = `update line set ${columns.map((name) => `${name} = ?`).join(", ")} where n = ?`;

const unflagging = `delete from flag where type in (${anomalyTypes.map((type) => `'${type}'`).join(", ")}) and n = ?`;

const waiting = "type = 'Void' and status <> 'Voided'";

/** Maximum number of days between a purchase and its void. */
const voidDays = 30;
const day = 24 * 60 * 60 * 1000;

/** The ledger's table of transactions. A row contains the whole transaction as JSON, and columns for searching. */
export class LedgerRows {
  private readonly sql: SqlStorage;
  /**
   * Number of updates and deletions of rows since the object started. A cache is outdated when this number has changed.
   */
  changes = 0;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    const texts = columns.filter(
      (name) => !["at", "milli", "net", "vat", "gross", "updated", "content"].includes(name),
    );
    this.sql.exec(`
      create table if not exists line (n integer primary key, key text not null,
        ${texts.map((name) => `${name} text`).join(", ")},
        at integer not null, milli integer, net integer, vat integer, gross integer, updated integer not null, content integer not null);
      create unique index if not exists line_id on line (id);
      create unique index if not exists line_key on line (key);
      create index if not exists line_content on line (content);
      create index if not exists line_at on line (at);
      create index if not exists line_vehicle on line (vehicle, at) where vehicle is not null;
      create index if not exists line_plate on line (plate, at) where plate is not null;
      create index if not exists line_card on line (card, at) where card is not null;
      create index if not exists line_vin on line (vin) where vin is not null;
      create index if not exists line_feed on line (feed);
      create index if not exists line_status on line (status);
      create index if not exists line_updated on line (updated);
      create index if not exists line_invoice on line (invoice) where invoice is not null;
      create index if not exists line_waiting on line (at) where ${waiting};
      create index if not exists line_internal on line (internalId) where internalId is not null;
      create table if not exists flag (type text not null, n integer not null, primary key (type, n)) without rowid;`);
  }

  /**
   * Updates lines of an earlier release, whose keys and digests did not begin with the minute. Otherwise their
   * duplicates would be accepted as new.
   */
  migrate(): void {
    for (let lines = this.page(0, 1000); lines.length > 0; lines = this.page(lines.at(-1)!.n, 1000))
      for (const { n, transaction } of lines)
        this.sql.exec(
          "update or ignore line set key = ?, content = ? where n = ?",
          keyOf(transaction),
          digestOf(contentOf(transaction), transaction),
          n,
        );
  }

  insert(transaction: Transaction, { key, content }: { key: string; content: number }): void {
    this.sql.exec(inserting, key, ...valuesOf(transaction, content));
    if (transaction.anomalies.length > 0) this.flag(this.lastRow(), transaction);
  }

  private lastRow(): number {
    return this.sql.exec<{ n: number }>("select last_insert_rowid() as n").one().n;
  }

  update(n: number, transaction: Transaction): void {
    this.changes += 1;
    this.sql.exec(updating, ...valuesOf(transaction), n);
    this.sql.exec(unflagging, n);
    this.flag(n, transaction);
  }

  delete(n: number): void {
    this.changes += 1;
    this.sql.exec("delete from line where n = ?", n);
    this.sql.exec(unflagging, n);
  }

  private flag(n: number, { anomalies }: Transaction): void {
    for (const { type } of anomalies) this.sql.exec("insert or ignore into flag (type, n) values (?, ?)", type, n);
  }

  byId(id: string): Kept | undefined {
    return this.one("where id = ?", id);
  }

  /** Finds transactions of a type with the entry's number, oldest first. A receipt may have several. */
  ofNumber(entry: Entry, type: Entry["type"]): Kept[] {
    const key = keyOf({ ...entry, type });
    return this.some("where key = ? or key > ? and key < ? order by n limit 20", key, `${key}\n`, `${key}\n\u{10FFFF}`);
  }

  /**
   * Returns the given keys that exist, each with the values that distinguish its line from others with the same number.
   */
  keysAmong(keys: readonly string[]): Map<string, Keyed> {
    const found = this.sql.exec<Keyed & { key: string }>(
      `select key, feed, type, coalesce(gross, net) as amount, json ->> '$.productName' as productName,
         substr(json ->> '$.local', 1, iif(json ->> '$.timed', 16, 10)) as moment from line
       where key in (select value from json_each(?))`,
      JSON.stringify(keys),
    );
    return new Map(found.toArray().map(({ key, ...keyed }) => [key, keyed]));
  }

  /** Replaces a key that contains personal data with one that no line can have. */
  rekey(n: number, key: string): void {
    this.sql.exec("update line set key = ? where n = ?", key, n);
  }

  keyOf(n: number): string {
    return this.sql.exec<{ key: string }>("select key from line where n = ?", n).one().key;
  }

  page(after: number, limit: number): Kept[] {
    return this.some("where n > ? order by n limit ?", after, limit);
  }

  /** Returns the last row of the page after a row; undefined if the page is empty. */
  lastOfNext(after: number, limit: number): number | undefined {
    const page = "select n from line where n > ? order by n limit ?";
    const { last } = this.sql.exec<{ last: number | null }>(`select max(n) as last from (${page})`, after, limit).one();
    return last ?? undefined;
  }

  /** Finds lines that have not changed since a time, in milliseconds since 1970. */
  unchangedSince(before: number, limit: number): Kept[] {
    return this.some("where updated < ? order by updated limit ?", before, limit);
  }

  contentsAmong(digests: readonly number[]): Set<number> {
    const found = this.sql.exec<{ content: number }>(
      "select distinct content from line where content in (select value from json_each(?))",
      JSON.stringify(digests),
    );
    return new Set(found.toArray().map(({ content }) => content));
  }

  /** Finds another transaction with the same content, regardless of its number. @param content digest of the content */
  twinOf(entry: Entry, content: number): Transaction | undefined {
    const text = contentOf(entry);
    return this.some("where content = ? and type = ? and status <> 'Voided' limit 5", content, entry.type)
      .map(({ transaction }) => transaction)
      .find((one) => contentOf(one) === text);
  }

  /** Counts the lines of a feed by status. */
  standing(feedId: string): Map<Status, number> {
    const counts = this.sql.exec<{ status: Status; count: number }>(
      "select status, count(*) as count from line indexed by line_feed where feed = ? group by status",
      feedId,
    );
    return new Map(counts.toArray().map(({ status, count }) => [status, count]));
  }

  /** Whether the ledger has a void whose purchase has not arrived yet. */
  hasWaiting(): boolean {
    return this.sql.exec(`select 1 from line indexed by line_waiting where ${waiting} limit 1`).toArray().length > 0;
  }

  /** Finds purchases with the same card or plate in the 30 days before the entry, latest first. */
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

  /** Finds voids without a purchase, with the same card or plate, in the 30 days after the entry. */
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

  /** Finds the vehicle's transactions that are nearest in time, except voids and voided transactions. */
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

  /**
   * Returns the next lines after a row that have no vehicle, but have the given plate, the given VIN or one of the
   * cards.
   */
  unmatched(
    { plate, vin, cards }: { plate?: string | undefined; vin?: string | undefined; cards: string[] },
    after: number,
    limit: number,
  ): Kept[] {
    return this.some(
      `where n in (select n from line where plate = ? union select n from line where vin = ?
         union select n from line where card in (select value from json_each(?)))
       and n > ? and vehicle is null and status in ('Unmatched', 'Flagged') order by n limit ?`,
      plate ?? null,
      vin ?? null,
      JSON.stringify(cards),
      after,
      limit,
    );
  }

  list({ sort, limit, after, ...wanted }: TransactionListQuery): { found: Kept[]; next?: [number, number] } {
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

  /** Returns the sums of the transactions that may belong to the invoice; see {@link reconciliationConditions}. */
  sums(asked: ReconciliationRequest): Sums {
    const { where, values } = reconciliationConditions(asked);
    return this.sql
      .exec<Sums>(
        `select count(*) as count, coalesce(sum(net), 0) as net, coalesce(sum(vat), 0) as vat, coalesce(sum(gross), 0) as gross,
           count(net) as nets, count(gross) as grosses, count(distinct currency) as currencies,
           count(*) filter (where status = 'Matched') as matched, count(*) filter (where status = 'Reconciled') as reconciled
         from line where ${where}`,
        ...values,
      )
      .one();
  }

  reconcile(asked: ReconciliationRequest, at: string): void {
    const { where, values } = reconciliationConditions(asked);
    this.changes += 1;
    this.sql.exec(
      `update line set status = 'Reconciled', updated = ?, json = json_set(json, '$.status', 'Reconciled', '$.documentId', ?,
         '$.version', (json ->> '$.version') + 1, '$.updatedAt', ?)
       where ${where} and status = 'Matched'`,
      Date.parse(at),
      asked.documentId,
      at,
      ...values,
    );
  }

  /** Returns the transactions that may belong to the invoice, one by one, to be paired with its lines. */
  bought(asked: ReconciliationRequest): Iterable<TransactionAmounts> {
    const { where, values } = reconciliationConditions(asked);
    const columnsOf = "n, net, gross, json ->> '$.productName' as productName";
    return this.sql.exec<TransactionAmounts>(`select ${columnsOf} from line where ${where} order by n`, ...values);
  }

  at(places: readonly number[]): Transaction[] {
    const found = this.some("where n in (select value from json_each(?)) order by n", JSON.stringify(places));
    return found.map(({ transaction }) => transaction);
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

/** A line is compared with at most this many transactions of its vehicle before it, and as many after it. */
export const mostNear = 4;

const keptOf = ({ n, json }: Line): Kept => ({ n, transaction: JSON.parse(json) });

/** Sums in cents, the numbers of lines with a net amount and with a gross amount, and the number of lines by status. */
type Sums = {
  count: number;
  net: number;
  vat: number;
  gross: number;
  nets: number;
  grosses: number;
  currencies: number;
  matched: number;
  reconciled: number;
};
