import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { cellsWithin, haversineOf, type Point } from "./cells.ts";
import { numberPattern, type NumberPattern, wordsIn, wordTerm } from "./archive-terms.ts";
import { invalid, wrongField } from "./problem.ts";

/** Terms one of which a row must have; a way of several terms asks for all of them. `[["plate:A"], ["plate:B"]]` is either plate. */
export type AnyOf = string[][];

/** Any of these terms. */
export const anyOf = (...terms: string[]): AnyOf => terms.map((term) => [term]);

/** An inclusive range over a column. A row without a value is in none. */
export interface Range {
  column: string;
  from?: string;
  to?: string;
}

/** A circle of so many kilometres about a point. A row with a place has its degrees in columns and stands under its cells. */
export interface Near {
  /** The name of the terms: `loadingCell` of `loadingCell:1:282:425`. */
  cell: string;
  latitude: string;
  longitude: string;
  point: Point;
  km: number;
}

/** What a list asks for. A row must pass all of it. */
export interface Wanted {
  table: string;
  company: string;
  /** Any of each group; a group without a way asks for nothing. */
  terms: AnyOf[];
  ranges: Range[];
  near?: Near[];
  /** Numbers as anyone writes them, `*` for any letters and digits; compared with a column of tight numbers. */
  patterns?: { column: string; name: string; pattern: string }[];
  /** Words, each of which may be the beginning of one. */
  text?: string;
}

/** One condition of a list. */
export interface Filter {
  /** True of what passes: of the row `o`, or of its creation and its number in the source, `s`. */
  test: Sql;
  /** Where rows that pass are found; any one of these is enough. Empty when one can only look at all. */
  sources: Source[];
}

/** Rows that stand together in an index, as `s`. */
export interface Source {
  table: Sql;
  where: Sql;
  /** The column in whose order they stand. */
  order?: string;
  /** Whether a row may stand there more than once. */
  repeats: boolean;
  /** Whether all of them pass, so that no test is needed. */
  exact: boolean;
}

/** The conditions of a list, each with the places its rows are found. */
export function filtersOf(wanted: Wanted): Filter[] {
  return [
    ...wanted.terms.filter((group) => group.length > 0).map((group) => termFilter(wanted, group)),
    ...wanted.ranges.filter(({ from, to }) => from || to).map((range) => rangeFilter(wanted, range)),
    ...(wanted.near ?? []).map((near) => nearFilter(wanted, near)),
    ...(wanted.patterns ?? []).map((one) => patternFilter(wanted, one)),
    ...wordsIn(wanted.text ?? "")
      .slice(0, mostWords)
      .map((word) => wordFilter(wanted, word)),
  ];
}

/** Of a longer text the first words are looked for. */
const mostWords = 10;

/** All rows of the company, in the order of a column. */
export const everything = (wanted: Wanted, column: string): Source =>
  indexed(wanted, column, sql`s.company = ${wanted.company}`, true);

function termFilter(wanted: Wanted, group: AnyOf): Filter {
  const single = group.flatMap((way) => (way.length === 1 ? way : []));
  const several = group.filter((way) => way.length > 1);
  const tests = several.map(
    (way) =>
      sql`(${join(
        way.map((term) => hasOne(wanted, [term])),
        " and ",
      )})`,
  );
  if (single.length > 0) tests.push(hasOne(wanted, single));
  // A row with all terms of a way is found under any of them; the longest is likely the rarest.
  const sought = [...single, ...several.map((way) => way.toSorted((a, b) => b.length - a.length)[0]!)];
  return {
    test: sql`(${join(tests, " or ")})`,
    sources: [postings(wanted, isOne("s", sought), several.length === 0, sought.length === 1)],
  };
}

function rangeFilter(wanted: Wanted, { column, from, to }: Range): Filter {
  const bounds = (alias: string) => {
    const value = raw(`${alias}.${column}`);
    return sql`${value} ${from ? sql`>= ${from}` : sql`> ''`}${to ? sql` and ${value} <= ${to}` : empty}`;
  };
  return {
    test: bounds("o"),
    sources: [indexed(wanted, column, sql`s.company = ${wanted.company} and ${bounds("s")}`, true)],
  };
}

/** The cells say where to look, and the distance on the globe (by haversines) what passes. */
function nearFilter(wanted: Wanted, { cell, latitude, longitude, point, km }: Near): Filter {
  const [north, east] = [latitude, longitude].map((column) => sql`cast(${raw(`o.${column}`)} as real)`) as [Sql, Sql];
  const halfSquare = (degrees: Sql) => sql`pow(sin(radians(${degrees}) / 2), 2)`;
  const away = sql`${halfSquare(sql`${north} - ${point.latitude}`)}
    + cos(radians(${north})) * cos(radians(${point.latitude})) * ${halfSquare(sql`${east} - ${point.longitude}`)}`;
  const cells = cellsWithin(point, km).map((name) => `${cell}:${name}`);
  return {
    test: sql`(${raw(`o.${latitude}`)} > '' and ${away} <= ${haversineOf(km)})`,
    sources: [postings(wanted, isOne("s", cells), false, cells.length === 1)],
  };
}

function patternFilter(
  wanted: Wanted,
  { column, name, pattern }: { column: string; name: string; pattern: string },
): Filter {
  const { glob, beginning, parts } = fitting(numberPattern(pattern), name);
  const [own, value] = [raw(`o.${column}`), raw(`s.${column}`)];
  const company = sql`s.company = ${wanted.company}`;
  if (glob === beginning) {
    const same = sql`${company} and ${value} = ${glob} and ${value} > ''`;
    return { test: sql`${own} = ${glob} and ${own} > ''`, sources: [indexed(wanted, column, same, true)] };
  }
  const begins = sql`${company} and ${value} >= ${beginning} and ${value} < ${beginning + last}`;
  return {
    test: sql`${own} glob ${glob} and ${own} > ''`,
    sources: [
      ...(beginning ? [indexed(wanted, column, begins, glob === `${beginning}*`)] : []),
      ...parts.slice(0, mostParts).map((part) => postings(wanted, isOne("s", [part]), false, true)),
    ],
  };
}

/** D1 compares with no longer pattern than fifty bytes. @throws Problem `validation_failed` */
function fitting(pattern: NumberPattern, name: string): NumberPattern {
  if (!pattern.glob.includes("*") || new TextEncoder().encode(pattern.glob).length <= 50) return pattern;
  throw invalid([wrongField([name], "too_big", `${name}: A pattern with * has at most 50 letters and digits.`)]);
}

/** More parts of a pattern than these make nothing rarer. */
const mostParts = 8;

function wordFilter(wanted: Wanted, word: string): Filter {
  const term = wordTerm(word);
  return {
    // The row's terms as JSON: a quote after a comma opens a term, for one inside a term has a backslash before it.
    test: sql`instr(',' || substr(o.terms, 2), ${`,"${term}`}) > 0`,
    sources: [postings(wanted, sql`s.term >= ${term} and s.term < ${term + last}`, true, false)],
  };
}

/** Greater than every letter. */
export const last = "\u{10FFFF}";

/** Answered by an index alone: only a row that has one is fetched. */
const hasOne = ({ table, company }: Wanted, terms: string[]): Sql =>
  sql`exists (select 1 from ${raw(`${table}_postings`)} t where t.company = ${company} and ${isOne("t", terms)} and t.createdAt = s.createdAt and t.row = s.row)`;

/** However many they are, they are bound as one value: D1 takes a hundred. */
const isOne = (alias: string, terms: string[]): Sql =>
  terms.length === 1
    ? sql`${raw(alias)}.term = ${terms[0]}`
    : sql`${raw(alias)}.term in (select value from json_each(${JSON.stringify(terms)}))`;

/** Rows found by terms; of one term they stand in the order of creation. A range over that narrows them at once. */
function postings(wanted: Wanted, terms: Sql, exact: boolean, one: boolean): Source {
  const created = wanted.ranges.filter(({ column }) => column === "createdAt");
  const bounds = created.flatMap(({ from, to }) => [
    ...(from ? [sql` and s.createdAt >= ${from}`] : []),
    ...(to ? [sql` and s.createdAt <= ${to}`] : []),
  ]);
  return {
    table: raw(`${wanted.table}_postings s`),
    where: sql`s.company = ${wanted.company} and ${terms}${bounds.length > 0 ? join(bounds, "") : empty}`,
    ...(one && { order: "createdAt" }),
    repeats: !one,
    exact,
  };
}

/** Rows found by a column, in its order. */
const indexed = ({ table }: Wanted, column: string, where: Sql, exact: boolean): Source => ({
  table: raw(`${table} s indexed by ${table}_by_${column}`),
  where,
  order: column,
  repeats: false,
  exact,
});
