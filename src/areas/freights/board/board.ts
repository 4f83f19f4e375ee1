import * as z from "zod";
import { everyone, type ArchiveRow } from "../../../platform/archive/archive.ts";
import { searchable, shapesOf } from "../../../platform/archive/searchable.ts";
import type { Env } from "../../../platform/env.ts";
import { sortedParameters } from "../../../platform/list-parameters.ts";
import { board } from "../../sources/model.ts";
import { endOf, publicView, type Freight } from "../model.ts";
import { routeColumns, routeFields, routeWords, suitableTrailerType } from "../route-search.ts";
import type { PublicFreight } from "../views.ts";

// The built-in public board: the published freights of all companies that publish there, in their public view.

interface BoardEntry {
  shown: PublicFreight;
  /** Used to omit expired freights. Never shown, because it may equal `until`, which only the owner may see. */
  expiresAt: string;
}

/** A freight that accepts any trailer matches every trailer type. */
const fields = routeFields(suitableTrailerType);
const sort = ["createdAt", "loadingDate"] as const;

const search = searchable<Freight, BoardEntry>()({
  table: "board",
  sort,
  columns: routeColumns,
  fields,
  text: routeWords,
});

export const BoardQuery = z.object({ ...shapesOf(fields), ...sortedParameters(sort) });
export type BoardQuery = z.output<typeof BoardQuery>;

/**
 * Builds the board row of a freight; undefined if it is not published on the board. All fields but `expiresAt` are
 * public.
 */
export function boardRow(freight: Freight, id: string): ArchiveRow | undefined {
  const { status, said, publishedAt, updatedAt } = freight;
  if (status !== "Published" || !publishedAt || !said.sources.includes(board)) return undefined;
  const view = { shown: publicView(freight, { at: updatedAt, id }), expiresAt: new Date(endOf(freight)).toISOString() };
  return search.row(freight, { id, company: everyone, createdAt: publishedAt, updatedAt, view });
}

export interface BoardPage {
  items: PublicFreight[];
  nextCursor?: string;
}

/**
 * Lists one page of the board. A freight appears about a second after it was published. A page may be shorter than its
 * limit, because expired freights are omitted.
 * @throws Problem `invalid_cursor`
 */
export async function searchBoard({ ARCHIVE }: Pick<Env, "ARCHIVE">, query: BoardQuery): Promise<BoardPage> {
  const { items, ...more } = await search.list(ARCHIVE, everyone, query);
  const now = new Date().toISOString();
  return { ...more, items: items.filter(({ expiresAt }) => expiresAt > now).map(({ shown }) => shown) };
}
