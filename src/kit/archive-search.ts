import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { everything, last, type Filter, type Source, type Wanted } from "./archive-filters.ts";

/** Where a row stands in an order: by the column, then by creation, then by the row. */
export interface Place {
  value: string;
  createdAt: string;
  row: number;
}

/** The order of a list, and the place after which it goes on. */
export interface Order {
  column: string;
  descending: boolean;
  after?: Place;
}

/** A row found. */
export interface Found extends Place {
  view: string;
}

interface Search {
  archive: D1Database;
  wanted: Wanted;
  order: Order;
  limit: number;
}

/** A way to the rows: those of a source, each tested for what the source does not answer. */
interface Way {
  source: Source;
  tests: Sql[];
  /** How many rows the source has, as far as they were counted. */
  rows: number;
}

/** So many rows are sorted, or tested and sorted, before that takes longer than walking in order until a page is full. */
const [sortable, testable] = [4000, 1500];
/** So many are counted all the same: of several ways to walk the one with the fewest rows ends soonest. */
const countable = 6000;
/** So many are walked before one is surer to end by sorting more of them. */
const walkable = 3000;

/**
 * The first rows in the order, as fast as the rarest of the filters: their rows are counted, not far, and the fewest are
 * tested and sorted. When all are many, rows that pass soon stand in the order asked for, so that is walked, and again
 * not far: filters that hardly meet are counted and walked further.
 */
export async function search(search: Search, filters: Filter[]): Promise<Found[]> {
  const ways = waysOf(search, filters);
  const straight = ways.find((way) => (way.tests.length === 0 || ways.length === 1) && inOrder(search, way));
  if (straight) return follow(search, straight, Infinity);
  const near = filters.length > 1 ? testable : sortable;
  let found: Found[] = [];
  for (const [most, walked] of [
    [near, walkable],
    [20 * near, 20 * walkable],
    [Infinity, Infinity],
  ] as const) {
    const way = best(search, await counted(search, ways, Math.max(most, countable)), most);
    found = await follow(search, way, way.rows < most ? Infinity : walked);
    if (found.length === search.limit || way.rows < most) break;
  }
  return found;
}

/** By the sources of every filter, and last by walking through everything. */
function waysOf({ wanted, order }: Search, filters: Filter[]): Way[] {
  const way = (source: Source, tested: Filter[]) => ({ source, tests: tested.map(({ test }) => test), rows: Infinity });
  const found = filters.flatMap((filter) =>
    filter.sources.map((source) => way(source, source.exact ? filters.filter((other) => other !== filter) : filters)),
  );
  return [...found, way(everything(wanted, order.column), filters)];
}

const inOrder = ({ order }: Search, { source }: Way) => source.order === order.column;

async function counted({ archive }: Search, ways: Way[], bound: number): Promise<Way[]> {
  const furthest = raw(Number.isFinite(bound) ? `limit ${bound}` : "");
  const counts = ways
    .slice(0, -1)
    .map(({ source: { table, where } }) =>
      prepared(archive, sql`select count(*) as rows from (select 1 from ${table} where ${where} ${furthest})`),
    );
  const answers = await archive.batch<{ rows: number }>(counts);
  return ways.map((way, index) => ({ ...way, rows: answers[index]?.results[0]?.rows ?? Infinity }));
}

/** The way with the fewest rows; when all are many, of those that need no sorting. */
function best(search: Search, ways: Way[], bound: number): Way {
  const least = fewest(ways);
  return least.rows < bound ? least : fewest(ways.filter((way) => inOrder(search, way)));
}

const fewest = (ways: Way[]) => ways.reduce((least, way) => (way.rows < least.rows ? way : least));

/** The first rows that pass on a way. */
async function follow(search: Search, way: Way, bound: number): Promise<Found[]> {
  const { archive, order, limit } = search;
  const found = inOrder(search, way) ? walk(search, way, bound) : gather(search, way);
  const columns = raw(`o.row, o.view, o.createdAt, o.${order.column} as value`);
  const { results } = await prepared(archive, sql`select ${columns} ${found} limit ${limit}`).all<Found>();
  return results;
}

/** Row by row in the order of the source, looking at no more of them than the bound. */
function walk({ wanted, order }: Search, { source: { table, where }, tests }: Way, bound: number): Sql {
  const begun = [where, ...after(order, "s")];
  const near = Number.isFinite(bound) ? [notBeyond(table, begun, order, bound)] : [];
  return sql`from ${table} cross join ${raw(wanted.table)} o on o.row = s.row
    where ${all([...begun, ...near, ...tests])} order by ${keys(order, "s")}`;
}

/** No further than the place so many rows on, or to the end when there are fewer. */
function notBeyond(table: Sql, begun: Sql[], order: Order, rows: number): Sql {
  const value = raw(`s.${order.column}`);
  const place = sql`select ${value} from ${table} where ${all(begun)} order by ${keys(order, "s")} limit 1 offset ${rows}`;
  return order.descending ? sql`${value} >= coalesce((${place}), '')` : sql`${value} <= coalesce((${place}), ${last})`;
}

/** All rows of the source, sorted: by creation before any is tested, and testing ends when a page is full. */
function gather(search: Search, way: Way): Sql {
  return search.order.column === "createdAt" ? sortedFirst(search, way) : testedFirst(search, way);
}

function sortedFirst({ wanted, order, limit }: Search, { source: { table, where, repeats }, tests }: Way): Sql {
  const sought = all([where, ...after(order, "s")]);
  const most = tests.length === 0 ? limit : -1;
  return sql`from (select s.row, s.createdAt from ${table} where ${sought} ${once(repeats)} order by ${keys(order, "s")} limit ${most}) s
    cross join ${raw(wanted.table)} o on o.row = s.row
    ${tests.length > 0 ? sql`where ${all(tests)}` : empty} order by ${keys(order, "s")}`;
}

/** What is sorted are places; the rows themselves are fetched of the page only. */
function testedFirst({ wanted, order, limit }: Search, { source: { table, where, repeats }, tests }: Way): Sql {
  const rest = [...tests, ...after(order, "o")];
  return sql`from (select o.row, o.createdAt, o.${raw(order.column)}
      from (select s.row, s.createdAt from ${table} where ${where} ${once(repeats)}) s
      cross join ${raw(wanted.table)} o on o.row = s.row
      ${rest.length > 0 ? sql`where ${all(rest)}` : empty} order by ${keys(order, "o")} limit ${limit}) s
    cross join ${raw(wanted.table)} o on o.row = s.row order by ${keys(order, "s")}`;
}

const once = (repeats: boolean) => (repeats ? raw("group by s.createdAt, s.row") : empty);

const all = (conditions: Sql[]) => join(conditions, " and ");

/** Beyond the place where the page before ended. */
function after(order: Order, alias: string): Sql[] {
  if (!order.after) return [];
  const { value, createdAt, row } = order.after;
  const place = order.column === "createdAt" ? [createdAt, row] : [value, createdAt, row];
  const names = raw(namesOf(order, alias).join(", "));
  return [sql`(${names}) ${raw(order.descending ? "<" : ">")} (${join(place)})`];
}

const keys = (order: Order, alias: string): Sql =>
  raw(
    namesOf(order, alias)
      .map((name) => `${name} ${order.descending ? "desc" : "asc"}`)
      .join(", "),
  );

const namesOf = ({ column }: Order, alias: string) =>
  [...new Set([column, "createdAt", "row"])].map((name) => `${alias}.${name}`);

const prepared = (archive: D1Database, query: Sql) => archive.prepare(query.sql).bind(...query.values);
