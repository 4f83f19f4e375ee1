import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { bareTerms, columnsBesideCells, columnsBesideTerms, type ArchiveTable } from "./tables.ts";
import { boxAround, cellsWithin, haversineOf, type Point } from "../../domain/places/cells.ts";
import { numberPattern, type NumberPattern, wordsIn, wordTerm } from "./terms.ts";
import { invalid, wrongField } from "../problem.ts";

/**
 * Alternatives of terms. `[["plate:A", "status:B"], ["plate:C"]]` matches rows with plate A and status B, or with plate
 * C.
 */
export type AnyOf = string[][];

/** Builds alternatives of one term each. */
export const anyOf = (...terms: string[]): AnyOf => terms.map((term) => [term]);

/** An inclusive range of a column. Rows without a value do not match. */
export interface Range {
  column: string;
  from?: string;
  to?: string;
}

/** A circle around a point. The columns of a row contain its coordinates, and its terms the cell in which it is. */
export interface Near {
  /** Name of the cell terms: `loadingCell` in `loadingCell:1:282:425`. */
  cell: string;
  latitude: string;
  longitude: string;
  point: Point;
  km: number;
}

/** The conditions of a list. A row must match all of them. */
export interface ArchiveConditions {
  table: ArchiveTable;
  company: string;
  /** A row must match one alternative of each group; an empty group matches every row. */
  terms: AnyOf[];
  ranges: Range[];
  near?: Near[];
  /** Numbers in any notation, compared with a column of normalized numbers. `*` stands for any letters and digits. */
  patterns?: { column: string; name: string; pattern: string }[];
  /** For each word, the text of the row must contain a word that begins with it. */
  text?: string;
}

/** One condition of a list. */
export interface Filter {
  /** Columns that the test reads, besides the creation time and the number of the row, which every index range has. */
  columns: string[];
  /**
   * Returns the condition in SQL.
   * @param of alias of the table with the columns: `o` for the row, `s` for the index range
   */
  test: (of: string) => Sql;
  /** Index ranges, each of which contains every matching row. Empty if only a full scan finds the rows. */
  indexRanges: IndexRange[];
}

/** An index range, with the alias `s`. */
export interface IndexRange {
  table: Sql;
  where: Sql;
  /** Column by which the index range is ordered. */
  order?: string;
  /** Columns of the index besides the creation time. */
  holds: readonly string[];
  /** Whether a row may occur more than once. */
  repeats: boolean;
  /** Whether all rows of the index range match, so that no test is needed. */
  exact: boolean;
}

/** Builds the filters of a list, each with the index ranges that contain its matching rows. */
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

/** Further words are ignored. */
const mostWords = 10;

/** Builds the index range of all rows of the company that are not deleted, in the order of a column. */
export const everything = (wanted: ArchiveConditions, column: string): IndexRange =>
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
  // A row must have all terms of an alternative, so one term is enough to find it, and `test` removes the other rows.
  // The longest term is taken because it is probably the rarest.
  const patterns = [...single, ...several.map((way) => way.toSorted((a, b) => b.length - a.length)[0]!)];
  return {
    columns: [],
    test: () => sql`(${join(tests, " or ")})`,
    indexRanges: [
      {
        ...postings(wanted, isOne("s", patterns), several.length === 0, patterns.length === 1),
        holds: beside(wanted, patterns),
      },
    ],
  };
}

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
    indexRanges: [indexed(wanted, column, sql`s.company = ${wanted.company} and ${bounds("s")}`, true)],
  };
}

/**
 * The cells select candidates, and the haversine distance decides. Each row has one cell of the grid, so no candidate
 * is repeated.
 */
function nearFilter(wanted: ArchiveConditions, { cell, latitude, longitude, point, km }: Near): Filter {
  const cells = cellsWithin(point, km).map((name) => `${cell}:${name}`);
  const indexRange = postings(wanted, isOne("s", cells), false, cells.length === 1);
  return {
    columns: [latitude, longitude],
    test: (of) => isWithin(raw(`${of}.${latitude}`), raw(`${of}.${longitude}`), point, km),
    indexRanges: [
      { ...indexRange, repeats: false, holds: [...beside(wanted, cells), ...columnsBesideCells(wanted.table)] },
    ],
  };
}

/** The bounding box excludes most rows cheaply. A row without coordinates does not match. */
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
      indexRanges: [indexed(wanted, column, same, true)],
    };
  }
  const begins = sql`${company} and ${value} >= ${beginning} and ${value} < ${beginning + last}`;
  return {
    columns: [column],
    test: (of) => sql`${raw(`${of}.${column}`)} glob ${glob} and ${raw(`${of}.${column}`)} > ''`,
    indexRanges: [
      ...(beginning ? [indexed(wanted, column, begins, glob === `${beginning}*`)] : []),
      ...parts.slice(0, mostParts).map((part) => postings(wanted, isOne("s", [part]), false, true)),
    ],
  };
}

/**
 * D1 limits GLOB patterns to 50 bytes.
 * @throws Problem `validation_failed`
 */
function fitting(pattern: NumberPattern, name: string): NumberPattern {
  if (!pattern.glob.includes("*") || new TextEncoder().encode(pattern.glob).length <= 50) return pattern;
  throw invalid([
    wrongField([name], "too_big", `${name}: A pattern with * must not have more than 50 letters and digits.`),
  ]);
}

/** Further parts of a pattern do not make the search faster. */
const mostParts = 8;

/**
 * Looks up the first few words with this beginning like other terms. Only if the archive has more, the terms of each
 * row are also searched.
 */
function wordFilter(wanted: ArchiveConditions, word: string): Filter {
  const term = wordTerm(word);
  const begin = wordsBeginning(wanted, term);
  return {
    columns: [],
    // Searches the terms as JSON. `,"` begins a term, because a quote inside a term is escaped by a backslash.
    test: () =>
      sql`(${hasTerm(wanted, sql`t.term in (select term from ${begin} limit ${lookedUp})`)}
        or (select count(*) from ${begin}) > ${lookedUp} and exists (
          select 1 from ${raw(`${wanted.table}_views`)} v
          where v.row = s.row and instr(',' || substr(v.terms, 2), ${`,"${term}`}) > 0))`,
    indexRanges: [postings(wanted, sql`s.term >= ${term} and s.term < ${term + last}`, true, false)],
  };
}

const lookedUp = 8;

/** Selects at most one word more than {@link wordFilter} looks up, to detect that there are more. */
function wordsBeginning({ table, company }: ArchiveConditions, term: string): Sql {
  const next = (bound: Sql) =>
    sql`select min(term) from ${raw(`${table}_postings`)} where company = ${company} and term ${bound} and term < ${term + last}`;
  return sql`(with recursive words (term) as (
      ${next(sql`>= ${term}`)} union all select (${next(raw("> words.term"))}) from words where words.term > '' limit ${lookedUp + 1}
    ) select term from words where term > '')`;
}

/** The last code point, which sorts after every letter. */
export const last = "\u{10FFFF}";

const hasOne = (wanted: ArchiveConditions, terms: string[]): Sql => hasTerm(wanted, isOne("t", terms));

/** This condition needs only the index of the postings. */
const hasTerm = ({ table, company }: ArchiveConditions, term: Sql): Sql =>
  sql`exists (select 1 from ${raw(`${table}_postings`)} t where t.company = ${company} and ${term} and t.createdAt = s.createdAt and t.row = s.row)`;

/** The terms are bound as a single value, because D1 accepts at most 100 parameters. */
const isOne = (alias: string, terms: string[]): Sql =>
  terms.length === 1
    ? sql`${raw(alias)}.term = ${terms[0]}`
    : sql`${raw(alias)}.term in (select value from json_each(${JSON.stringify(terms)}))`;

/** With a single term, the rows are ordered by creation time. */
function postings(wanted: ArchiveConditions, terms: Sql, exact: boolean, one: boolean): IndexRange {
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

const indexed = ({ table }: ArchiveConditions, column: string, where: Sql, exact: boolean): IndexRange => ({
  table: raw(`${table} s indexed by ${table}_by_${column}`),
  where,
  order: column,
  holds: [column],
  repeats: false,
  exact,
});
