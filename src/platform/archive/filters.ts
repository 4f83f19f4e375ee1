import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { bareTerms, columnsBesideCells, columnsBesideTerms, type ArchiveTable } from "./tables.ts";
import { boxAround, cellsWithin, haversineOf, type Point } from "../../domain/places/cells.ts";
import { numberPattern, type NumberPattern, wordsIn, wordTerm } from "./terms.ts";
import { invalid, wrongField } from "../problem.ts";

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
export interface ArchiveConditions {
  table: ArchiveTable;
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
  /** Columns of a row that it looks at; none when the row's creation and number are enough, which every source has as `s`. */
  columns: string[];
  /** True of what passes. @param of where these columns are: the row `o`, or the source `s` */
  test: (of: string) => Sql;
  /** Where rows that pass are found; any one of these is enough. Empty when one can only look at all. */
  sources: Source[];
}

/** Rows that stand together in an index, as `s`. */
export interface Source {
  table: Sql;
  where: Sql;
  /** The column in whose order they stand. */
  order?: string;
  /** Columns that stand there too, besides the creation. */
  holds: readonly string[];
  /** Whether a row may stand there more than once. */
  repeats: boolean;
  /** Whether all of them pass, so that no test is needed. */
  exact: boolean;
}

/** The conditions of a list, each with the places its rows are found. */
export function filtersOf(wanted: ArchiveConditions): Filter[] {
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

/** All rows of the company but those of deleted things, in the order of a column. */
export const everything = (wanted: ArchiveConditions, column: string): Source =>
  indexed(wanted, column, sql`s.company = ${wanted.company} and s.createdAt > ''`, true);

function termFilter(wanted: ArchiveConditions, group: AnyOf): Filter {
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
    columns: [],
    test: () => sql`(${join(tests, " or ")})`,
    sources: [
      {
        ...postings(wanted, isOne("s", sought), several.length === 0, sought.length === 1),
        holds: beside(wanted, sought),
      },
    ],
  };
}

/** What stands beside every one of these terms. */
const beside = ({ table }: ArchiveConditions, terms: string[]): readonly string[] =>
  terms.some((term) => bareTerms.some((name) => term.startsWith(`${name}:`))) ? [] : columnsBesideTerms(table);

function rangeFilter(wanted: ArchiveConditions, { column, from, to }: Range): Filter {
  const bounds = (of: string) => {
    const value = raw(`${of}.${column}`);
    return sql`${value} ${from ? sql`>= ${from}` : sql`> ''`}${to ? sql` and ${value} <= ${to}` : empty}`;
  };
  return {
    columns: [column],
    test: bounds,
    sources: [indexed(wanted, column, sql`s.company = ${wanted.company} and ${bounds("s")}`, true)],
  };
}

/** The cells say where to look, and the distance on the globe (by haversines) what passes. A row stands in one cell of a grid. */
function nearFilter(wanted: ArchiveConditions, { cell, latitude, longitude, point, km }: Near): Filter {
  const cells = cellsWithin(point, km).map((name) => `${cell}:${name}`);
  const source = postings(wanted, isOne("s", cells), false, cells.length === 1);
  return {
    columns: [latitude, longitude],
    test: (of) => isWithin(raw(`${of}.${latitude}`), raw(`${of}.${longitude}`), point, km),
    sources: [{ ...source, repeats: false, holds: [...beside(wanted, cells), ...columnsBesideCells(wanted.table)] }],
  };
}

/** Most places lie outside of the box about the circle, which is soon told. A row without a place is nowhere. */
function isWithin(latitude: Sql, longitude: Sql, point: Point, km: number): Sql {
  const { south, north, west, east } = boxAround(point, km);
  const sides = west === undefined ? empty : sql` and ${longitude} between ${west} and ${east}`;
  const halfSquare = (degrees: Sql, middle: number) => sql`pow(sin((${degrees} - ${middle}) * ${halfRadian}), 2)`;
  const away = sql`${halfSquare(latitude, point.latitude)}
    + cos(${latitude} * ${2 * halfRadian}) * ${Math.cos(2 * halfRadian * point.latitude)} * ${halfSquare(longitude, point.longitude)}`;
  return sql`(${latitude} between ${south} and ${north}${sides} and ${away} <= ${haversineOf(km)})`;
}

const halfRadian = Math.PI / 360;

function patternFilter(
  wanted: ArchiveConditions,
  { column, name, pattern }: { column: string; name: string; pattern: string },
): Filter {
  const { glob, beginning, parts } = fitting(numberPattern(pattern), name);
  const value = raw(`s.${column}`);
  const company = sql`s.company = ${wanted.company}`;
  if (glob === beginning) {
    const same = sql`${company} and ${value} = ${glob} and ${value} > ''`;
    return {
      columns: [column],
      test: (of) => sql`${raw(`${of}.${column}`)} = ${glob} and ${raw(`${of}.${column}`)} > ''`,
      sources: [indexed(wanted, column, same, true)],
    };
  }
  const begins = sql`${company} and ${value} >= ${beginning} and ${value} < ${beginning + last}`;
  return {
    columns: [column],
    test: (of) => sql`${raw(`${of}.${column}`)} glob ${glob} and ${raw(`${of}.${column}`)} > ''`,
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

/**
 * A word may be the beginning of one. The first few words that begin so are looked up like any term; only where there are
 * more, what the row is found under is read.
 */
function wordFilter(wanted: ArchiveConditions, word: string): Filter {
  const term = wordTerm(word);
  const begin = wordsBeginning(wanted, term);
  return {
    columns: [],
    // The row's terms as JSON: a quote after a comma opens a term, for one inside a term has a backslash before it.
    test: () =>
      sql`(${hasTerm(wanted, sql`t.term in (select term from ${begin} limit ${lookedUp})`)}
        or (select count(*) from ${begin}) > ${lookedUp} and exists (
          select 1 from ${raw(`${wanted.table}_views`)} v
          where v.row = s.row and instr(',' || substr(v.terms, 2), ${`,"${term}`}) > 0))`,
    sources: [postings(wanted, sql`s.term >= ${term} and s.term < ${term + last}`, true, false)],
  };
}

const lookedUp = 8;

/** Each word once, from one to the next: one more than are looked up. */
function wordsBeginning({ table, company }: ArchiveConditions, term: string): Sql {
  const next = (bound: Sql) =>
    sql`select min(term) from ${raw(`${table}_postings`)} where company = ${company} and term ${bound} and term < ${term + last}`;
  return sql`(with recursive words (term) as (
      ${next(sql`>= ${term}`)} union all select (${next(raw("> words.term"))}) from words where words.term > '' limit ${lookedUp + 1}
    ) select term from words where term > '')`;
}

/** Greater than every letter. */
export const last = "\u{10FFFF}";

const hasOne = (wanted: ArchiveConditions, terms: string[]): Sql => hasTerm(wanted, isOne("t", terms));

/** Answered by an index alone: only a row that has one is fetched. */
const hasTerm = ({ table, company }: ArchiveConditions, term: Sql): Sql =>
  sql`exists (select 1 from ${raw(`${table}_postings`)} t where t.company = ${company} and ${term} and t.createdAt = s.createdAt and t.row = s.row)`;

/** However many they are, they are bound as one value: D1 takes a hundred. */
const isOne = (alias: string, terms: string[]): Sql =>
  terms.length === 1
    ? sql`${raw(alias)}.term = ${terms[0]}`
    : sql`${raw(alias)}.term in (select value from json_each(${JSON.stringify(terms)}))`;

/** Rows found by terms; of one term they stand in the order of creation. A range over that narrows them at once. */
function postings(wanted: ArchiveConditions, terms: Sql, exact: boolean, one: boolean): Source {
  const created = wanted.ranges.filter(({ column }) => column === "createdAt");
  const bounds = created.flatMap(({ from, to }) => [
    ...(from ? [sql` and s.createdAt >= ${from}`] : []),
    ...(to ? [sql` and s.createdAt <= ${to}`] : []),
  ]);
  return {
    table: raw(`${wanted.table}_postings s`),
    where: sql`s.company = ${wanted.company} and ${terms}${bounds.length > 0 ? join(bounds, "") : empty}`,
    ...(one && { order: "createdAt" }),
    holds: [],
    repeats: !one,
    exact,
  };
}

/** Rows found by a column, in its order. */
const indexed = ({ table }: ArchiveConditions, column: string, where: Sql, exact: boolean): Source => ({
  table: raw(`${table} s indexed by ${table}_by_${column}`),
  where,
  order: column,
  holds: [column],
  repeats: false,
  exact,
});
