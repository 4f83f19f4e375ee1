import * as z from "zod";
import { listArchive, normalizeNumber, tombstone, type ArchiveQuery, type ArchiveRow } from "./archive.ts";
import { anyOf, type AnyOf, type ArchiveConditions } from "./filters.ts";
import type { ArchiveTable, archiveTables } from "./tables.ts";
import { listOf, listParameters, defaultPageSize, type Page } from "../list-parameters.ts";
import { QueryMoment, QueryMomentEnd } from "../../domain/shapes.ts";

// `search.ts` of an area declares how its records are listed and searched. The query parameters, the terms and columns
// of the archive row, and the conditions of a search are derived from this declaration. A new searchable field is one
// line in it, and a migration if it needs a column.
//
//     const search = searchable<Vehicle, VehicleView>()({
//       table: "vehicles",
//       sort: ["createdAt", "updatedAt", "licensePlate"],
//       columns: { licensePlate: ({ licensePlate }) => licensePlate },
//       fields: {
//         countryCode: exact(Country.optional(), ({ countryCode }) => countryCode),
//         licensePlate: exact(z.string().max(30).optional(), ({ licensePlate }) => licensePlate, normalizeNumber),
//         availableFrom: rangeFrom("availableTo", QueryClock.optional()),
//         internalId: internalId(),
//         text: words(),
//       },
//       text: ({ licensePlate, comments }) => [licensePlate, comments],
//     });
//
//     search.query                                    the zod object of the list's query, paging included
//     search.list(env.ARCHIVE, caller.company, query) one page of views
//     search.listing(VehicleView)                     query, response shape and handler of a list operation
//     search.row(vehicle, { id, company, createdAt, updatedAt, view })   the archive row

/** The conditions that a parameter adds to a list. */
export type Conditions = Partial<Pick<ArchiveConditions, "terms" | "ranges" | "near" | "patterns" | "text">>;

type Value = string | number | undefined;

/** A parameter of a list: its shape, the terms and columns of a row, and the conditions that it adds to a search. */
export interface SearchField<Thing, Shape extends z.ZodType = z.ZodType> {
  shape: Shape;
  /**
   * Returns the terms of a record.
   * @param name name of the parameter
   */
  terms?(thing: Thing, name: string): string[];
  /** Returns the columns of the row that belong only to this field. */
  columns?(thing: Thing): ArchiveRow["columns"];
  conditions(value: NonNullable<z.output<Shape>>, name: string): Conditions;
}

/**
 * Declares a parameter that must equal one of the record's values. If the parameter is a list, one equal value
 * suffices.
 * @param key normalizes the record's values and the searched values
 */
export const exact = <Thing, Shape extends z.ZodType<Value | string[] | null>>(
  shape: Shape,
  valuesOf: (thing: Thing) => Value | readonly Value[],
  key: (value: string) => string = (value) => value,
): SearchField<Thing, Shape> => ({
  shape,
  terms: (thing, name) => termsNamed(name, ([] as Value[]).concat(valuesOf(thing)), key),
  conditions: (value, name) => ({ terms: [anyOf(...[value].flat().map((one) => `${name}:${key(`${one}`)}`))] }),
});

const termsNamed = (name: string, values: readonly Value[], key: (value: string) => string): string[] =>
  values.flatMap((value) => (value === undefined || value === "" ? [] : [`${name}:${key(`${value}`)}`]));

/**
 * Declares a parameter for a number, such as that of an order, or a pattern with `*`. Whitespace, punctuation and case
 * are ignored. The column `numberKey` contains the normalized number.
 */
export const numberOrPattern = <Thing, Shape extends z.ZodType<string | undefined>>(
  shape: Shape,
  numberOf: (thing: Thing) => string | undefined,
): SearchField<Thing, Shape> => ({
  ...exact(shape, numberOf, normalizeNumber),
  columns: (thing) => ({ numberKey: normalizeNumber(numberOf(thing) ?? "") }),
  conditions: (number, name) =>
    number.includes("*")
      ? { patterns: [{ column: "numberKey", name, pattern: number }] }
      : { terms: [anyOf(`${name}:${normalizeNumber(number)}`)] },
});

/** Declares a parameter for values with more than one notation, by the terms of a record and of a search. */
export const termsBy = <Thing, Shape extends z.ZodType<string | null | undefined>>(
  shape: Shape,
  termsOf: (thing: Thing, name: string) => string[],
  search: (value: string, name: string) => AnyOf,
): SearchField<Thing, Shape> => ({
  shape,
  terms: termsOf,
  conditions: (value, name) => ({ terms: [search(value, name)] }),
});

/** Declares a parameter for the inclusive lower bound of a column. */
export const rangeFrom = <Shape extends z.ZodType>(
  column: string,
  shape: Shape,
  key: (value: NonNullable<z.output<Shape>>) => string = String,
): SearchField<unknown, Shape> => ({
  shape,
  conditions: (value) => ({ ranges: [{ column, from: key(value) }] }),
});

/** Declares a parameter for the inclusive upper bound of a column. */
export const rangeTo = <Shape extends z.ZodType>(
  column: string,
  shape: Shape,
  key: (value: NonNullable<z.output<Shape>>) => string = String,
): SearchField<unknown, Shape> => ({
  shape,
  conditions: (value) => ({ ranges: [{ column, to: key(value) }] }),
});

/** The parameters `createdFrom` and `createdTo`. */
export const createdBetween = {
  createdFrom: rangeFrom("createdAt", QueryMoment.optional()),
  createdTo: rangeTo("createdAt", QueryMomentEnd.optional()),
};

const InternalId = z.string().max(512).optional();

/** Declares a parameter for the caller's own number of a record, from its metadata. */
export const internalId = <Thing extends { metadata?: Record<string, string> | undefined }>() =>
  exact<Thing, typeof InternalId>(InternalId, ({ metadata }) => metadata?.["internalId"]);

const Words = z.string().max(200).optional();

/** Declares a parameter for full-text search in the text of the row. */
export const words = (
  description = "Words; each matches the beginning of a word.",
  shape = Words,
): SearchField<unknown, typeof Words> => ({
  shape: shape.describe(description),
  conditions: (text) => ({ text }),
});

// eslint-disable-next-line typescript/no-explicit-any -- each field has a shape of its own
type Fields<Thing> = Record<string, SearchField<Thing, any>>;

type Shapes<Declared extends Fields<never>> = { [Name in keyof Declared]: Declared[Name]["shape"] };

type Parameters<Declared extends Fields<never>> = {
  [Name in keyof Declared]?: z.output<Declared[Name]["shape"]> | undefined;
};

interface Paging {
  sort?: string | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
  cursorName?: string;
  updatedSince?: string | null | undefined;
}

/** Returns the shapes of the fields, for a query or a body with further members. */
export const shapesOf = <const Declared extends Fields<never>>(fields: Declared): Shapes<Declared> =>
  Object.fromEntries(Object.entries(fields).map(([name, { shape }]) => [name, shape])) as Shapes<Declared>;

type RowHead<View> = Pick<ArchiveRow, "id" | "company" | "createdAt" | "updatedAt" | "beside"> & { view: View };

interface Declaration<Thing, Table extends ArchiveTable, Sort extends string, Declared extends Fields<Thing>> {
  table: Table;
  sort: readonly Sort[];
  fields: Declared;
  columns?: { [Column in (typeof archiveTables)[Table][number]]?: (thing: Thing) => string | null | undefined };
  /** Terms for searches by the service itself. */
  terms?: (thing: Thing) => string[];
  /**
   * A term of all records that are not deleted, for tables that keep the rows of deleted records. A search adds it
   * unless it has other terms or a circle, which deleted records do not match.
   */
  presence?: string;
  /** The records never change, so `updatedSince` is compared with the creation time. */
  immutable?: true;
  /** Words for full-text search. */
  text?: (thing: Thing) => readonly (string | undefined)[];
}

/** Further characters of the text are not searchable. */
const longestText = 20_000;

export const searchable =
  <Thing, View>() =>
  <Table extends ArchiveTable, const Sort extends string, const Declared extends Fields<Thing>>(
    declared: Declaration<Thing, Table, Sort, Declared>,
  ) => {
    const { table, fields, presence } = declared;
    const conditionsOf = (query: Parameters<Declared>): Required<Conditions> =>
      combineConditions(
        Object.entries(fields).map(([name, field]) => {
          const value: unknown = query[name];
          return value === undefined || value === null || value === "" ? {} : field.conditions(value, name);
        }),
      );
    const queryShape = z.object({ ...listParameters(declared.sort), ...shapesOf(fields) });
    return {
      query: queryShape,

      row: (thing: Thing, head: RowHead<View>): ArchiveRow => ({
        table,
        ...head,
        terms: [
          ...new Set([
            ...(presence ? [presence] : []),
            ...Object.entries(fields).flatMap(([name, field]) => field.terms?.(thing, name) ?? []),
            ...(declared.terms?.(thing) ?? []),
          ]),
        ],
        text: (declared.text?.(thing) ?? []).filter(Boolean).join(" ").slice(0, longestText),
        columns: Object.assign(
          Object.fromEntries(
            Object.entries(declared.columns ?? {}).map(([name, valueOf]) => [
              name,
              (valueOf as (thing: Thing) => string | null | undefined)(thing) ?? null,
            ]),
          ),
          ...Object.values(fields).map((field) => field.columns?.(thing)),
        ) as ArchiveRow["columns"],
      }),

      tombstone: (company: string, id: string): ArchiveRow => tombstone(table, company, id),

      /**
       * Builds the archive query from parameters.
       * @param more conditions that are not parameters
       */
      asked(company: string, query: Parameters<Declared> & Paging, more: Conditions = {}): ArchiveQuery {
        const { updatedSince, sort, limit, cursor, cursorName } = query;
        const conditions = combineConditions([
          more,
          conditionsOf(query),
          updatedSince
            ? { ranges: [{ column: declared.immutable ? "createdAt" : "updatedAt", from: updatedSince }] }
            : {},
        ]);
        const isFound = conditions.terms.some((group) => group.length > 0) || conditions.near.length > 0;
        return {
          table,
          company,
          ...conditions,
          terms: presence && !isFound ? [anyOf(presence)] : conditions.terms,
          sort: sort ?? "-createdAt",
          limit: limit ?? defaultPageSize,
          ...(cursor !== undefined && cursor !== null && { cursor }),
          ...(cursorName && { cursorName }),
        };
      },

      /** @throws Problem `invalid_cursor` */
      list(
        archive: D1Database,
        company: string,
        query: Parameters<Declared> & Paging,
        more?: Conditions,
      ): Promise<Page<View>> {
        return listArchive<View>(archive, this.asked(company, query, more));
      },

      /**
       * Returns the members of an operation that lists the records of the caller's company.
       * @param view shape of one record
       */
      listing<Shape extends z.ZodType>(view: Shape) {
        return {
          query: queryShape,
          ok: listOf(view),
          handle: (
            { query }: { query: z.output<typeof queryShape> },
            { env, caller }: { env: { ARCHIVE: D1Database }; caller: { company: string } },
          ): Promise<Page<View>> => this.list(env.ARCHIVE, caller.company, query as Parameters<Declared> & Paging),
        };
      },
    };
  };

function combineConditions(all: readonly Conditions[]): Required<Conditions> {
  return {
    terms: all.flatMap(({ terms = [] }) => terms),
    ranges: bothEnds(all.flatMap(({ ranges = [] }) => ranges)),
    near: all.flatMap(({ near = [] }) => near),
    patterns: all.flatMap(({ patterns = [] }) => patterns),
    text: all.flatMap(({ text = [] }) => text).join(" "),
  };
}

/** Combines the lower and the upper bound of a column, so that an index answers both at once. */
const bothEnds = (ranges: readonly ArchiveConditions["ranges"][number][]) =>
  ranges.reduce<ArchiveConditions["ranges"]>((joined, range) => {
    const at = joined.findIndex(
      ({ column, from, to }) => column === range.column && !(from && range.from) && !(to && range.to),
    );
    if (at < 0) return [...joined, range];
    const { column, from = range.from, to = range.to } = joined[at]!;
    return joined.with(at, { column, from, to });
  }, []);
