import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { everything, last, type Filter, type IndexRange, type ArchiveConditions } from "./filters.ts";

/** Sort position of a row. */
export interface SortPosition {
  value: string;
  createdAt: string;
  row: number;
}

/** Order of a list. The page starts after the position `after`. */
export interface Order {
  column: string;
  descending: boolean;
  after?: SortPosition;
}

export interface MatchedRow extends SortPosition {
  view: string;
}

interface Search {
  archive: D1Database;
  wanted: ArchiveConditions;
  order: Order;
  limit: number;
}

/** A plan reads the rows of an index range and tests the filters that the index range does not answer. */
interface SearchPlan {
  indexRange: IndexRange;
  /** Tests that need only columns of the index range. They are cheap, so they run first. */
  held: Sql[];
  tests: Sql[];
  /** Table with the columns that the tests read: `s` is the index range, `o` the table of rows. */
  of: "o" | "s";
  /** The plan is fast only if its index range has fewer rows than this. */
  most: number;
  /** Counted up to a limit. */
  rows: number;
}

/**
 * Values of {@link SearchPlan.most}. A row that must be looked up for every test (`testable`) costs more than one that
 * is sorted or tested by columns of the index (`comparable`), and that more than one that is only sorted (`sortable`).
 */
const [sortable, comparable, testable] = [10_000, 4000, 1500];
/** In the first round, at most this many rows are read in order. */
const walkable = 3000;

/**
 * Returns the first matching rows in the requested order. Tests and sorts the rows of the smallest index range. If all
 * index ranges are large, matches are probably frequent, so it reads rows in the requested order, up to a limit. If too
 * few of them match, it repeats both steps with higher limits.
 */
export async function search(search: Search, filters: Filter[]): Promise<MatchedRow[]> {
  const ways = plansFor(search, filters);
  const straight = ways.find((way) => (isTested(way) || ways.length === 1) && inOrder(search, way));
  if (straight) return runPlan(search, straight, Infinity);
  let rows: MatchedRow[] = [];
  for (const times of [1, 20, Infinity]) {
    const way = best(search, await countRows(search, ways, times), times);
    const isShort = isFew(way, times);
    rows = await runPlan(search, way, isShort ? Infinity : walkable * times);
    if (rows.length === search.limit || isShort) break;
  }
  return rows;
}

function plansFor({ wanted, order }: Search, filters: Filter[]): SearchPlan[] {
  const plans = filters.flatMap((filter) =>
    filter.indexRanges.map((indexRange) =>
      planFor(indexRange, order, indexRange.exact ? filters.filter((other) => other !== filter) : filters),
    ),
  );
  return [...plans, planFor(everything(wanted, order.column), order, filters)];
}

function planFor(indexRange: IndexRange, order: Order, filters: Filter[]): SearchPlan {
  const holds = (column: string) => column === "createdAt" || indexRange.holds.includes(column);
  const held = filters.filter(({ columns }) => columns.length > 0 && columns.every(holds));
  const others = filters.filter((filter) => !held.includes(filter));
  const isEnough = holds(order.column) && others.every(({ columns }) => columns.length === 0);
  const way = {
    indexRange,
    held: held.map(({ test }) => test("s")),
    tests: others.map(({ test }) => test("o")),
    of: isEnough ? ("s" as const) : ("o" as const),
  };
  return { ...way, most: mostOf(way, order), rows: Infinity };
}

function mostOf({ of, held, tests }: Pick<SearchPlan, "of" | "held" | "tests">, order: Order): number {
  if (held.length === 0 && tests.length > 0) return testable;
  return of === "s" && held.length === 0 && order.column === "createdAt" ? sortable : comparable;
}

const isTested = ({ held, tests }: SearchPlan) => held.length + tests.length === 0;

const inOrder = ({ order }: Search, { indexRange }: SearchPlan) => indexRange.order === order.column;

/** Counts the rows of the index range of each plan, up to a limit. */
async function countRows({ archive }: Search, ways: SearchPlan[], times: number): Promise<SearchPlan[]> {
  const counts = ways.slice(0, -1).map((way) => {
    const { table, where } = way.indexRange;
    const bound = Math.max(way.most, walkable) * times;
    const furthest = raw(Number.isFinite(bound) ? `limit ${bound}` : "");
    return prepared(archive, sql`select count(*) as rows from (select 1 from ${table} where ${where} ${furthest})`);
  });
  const answers = await archive.batch<{ rows: number }>(counts);
  return ways.map((way, index) => ({ ...way, rows: answers[index]?.results[0]?.rows ?? Infinity }));
}

/** If all plans have many rows, only those without sorting are considered. */
function best(search: Search, ways: SearchPlan[], times: number): SearchPlan {
  const few = ways.filter((way) => isFew(way, times));
  return withFewestRows(few.length > 0 ? few : ways.filter((way) => inOrder(search, way)));
}

const isFew = (way: SearchPlan, times: number) => way.rows < way.most * times;

const withFewestRows = (ways: SearchPlan[]) => ways.reduce((least, way) => (way.rows < least.rows ? way : least));

/** Views are read only for the rows of the page. */
async function runPlan(search: Search, way: SearchPlan, bound: number): Promise<MatchedRow[]> {
  const { archive, order, limit, wanted } = search;
  const matches = inOrder(search, way) ? walk(search, way, bound) : gather(search, way);
  const by = raw(["value", "createdAt", "row"].map((name) => `f.${name} ${directionOf(order)}`).join(", "));
  const page = sql`select f.row, f.createdAt, f.value, v.view from (${matches} limit ${limit}) f
    cross join ${raw(wanted.table)}_views v on v.row = f.row order by ${by}`;
  const { results } = await prepared(archive, page).all<MatchedRow>();
  return results;
}

function walk(search: Search, way: SearchPlan, bound: number): Sql {
  const { order } = search;
  const { table, where } = way.indexRange;
  const begun = [where, ...after(order, "s")];
  const near = Number.isFinite(bound) ? [notBeyond(table, begun, order, bound)] : [];
  return sql`select ${positionOf(order, "s")} from ${table} ${rowsOf(search, way)}
    where ${all([...begun, ...near, ...way.held, ...way.tests])} order by ${keys(order, "s")}`;
}

/** Builds a condition for the first `rows` rows of the index range. */
function notBeyond(table: Sql, begun: Sql[], order: Order, rows: number): Sql {
  const value = raw(`s.${order.column}`);
  const position = sql`select ${value} from ${table} where ${all(begun)} order by ${keys(order, "s")} limit 1 offset ${rows}`;
  return order.descending
    ? sql`${value} >= coalesce((${position}), '')`
    : sql`${value} <= coalesce((${position}), ${last})`;
}

/** If the order is by creation time, sorting comes before the tests, so that it can stop when the page is full. */
function gather(search: Search, way: SearchPlan): Sql {
  return search.order.column === "createdAt" ? sortedFirst(search, way) : testedFirst(search, way);
}

function sortedFirst(search: Search, way: SearchPlan): Sql {
  const { order, limit } = search;
  const { table, where, repeats } = way.indexRange;
  const matching = all([where, ...after(order, "s"), ...way.held]);
  const most = way.tests.length === 0 ? limit : -1;
  return sql`select ${positionOf(order, "s")}
    from (select s.row, s.createdAt from ${table} where ${matching} ${once(repeats)} order by ${keys(order, "s")} limit ${most}) s
    ${rowsOf(search, way)} ${way.tests.length > 0 ? sql`where ${all(way.tests)}` : empty} order by ${keys(order, "s")}`;
}

function testedFirst(search: Search, way: SearchPlan): Sql {
  const { order } = search;
  const { table, where, repeats } = way.indexRange;
  const rest = [...way.tests, ...after(order, way.of)];
  const more = way.of === "s" ? raw(`, s.${order.column}`) : empty;
  return sql`select ${positionOf(order, way.of)}
    from (select s.row, s.createdAt${more} from ${table} where ${all([where, ...way.held])} ${once(repeats)}) s
    ${rowsOf(search, way)} ${rest.length > 0 ? sql`where ${all(rest)}` : empty} order by ${keys(order, way.of)}`;
}

const rowsOf = ({ wanted }: Search, { of }: SearchPlan) =>
  of === "o" ? sql`cross join ${raw(wanted.table)} o on o.row = s.row` : empty;

const positionOf = ({ column }: Order, of: string) => raw(`${of}.row, ${of}.createdAt, ${of}.${column} as value`);

const once = (repeats: boolean) => (repeats ? raw("group by s.createdAt, s.row") : empty);

const all = (conditions: Sql[]) => join(conditions, " and ");

function after(order: Order, alias: string): Sql[] {
  if (!order.after) return [];
  const { value, createdAt, row } = order.after;
  const position = order.column === "createdAt" ? [createdAt, row] : [value, createdAt, row];
  const names = raw(namesOf(order, alias).join(", "));
  return [sql`(${names}) ${raw(order.descending ? "<" : ">")} (${join(position)})`];
}

const keys = (order: Order, alias: string): Sql =>
  raw(
    namesOf(order, alias)
      .map((name) => `${name} ${directionOf(order)}`)
      .join(", "),
  );

const directionOf = ({ descending }: Order) => (descending ? "desc" : "asc");

const namesOf = ({ column }: Order, alias: string) =>
  [...new Set([column, "createdAt", "row"])].map((name) => `${alias}.${name}`);

/** Equal values are bound once, because D1 accepts at most 100 parameters. */
function prepared(archive: D1Database, { strings, values }: Sql): D1PreparedStatement {
  const bound = [...new Set(values)];
  const query = strings.reduce((text, next, index) => `${text}?${bound.indexOf(values[index - 1]) + 1}${next}`);
  return archive.prepare(query).bind(...bound);
}
