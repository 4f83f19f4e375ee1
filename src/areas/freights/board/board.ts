import * as z from "zod";
import { anyOf, everyone, listArchive, type ArchiveQuery, type ArchiveRow } from "../../../platform/archive/archive.ts";
import type { Env } from "../../../platform/env.ts";
import { sortedParameters } from "../../../platform/lists.ts";
import { board } from "../../sources/index.ts";
import { clockAt, placeTerms, pointOf } from "../endpoint-index.ts";
import { endOf, publicView, type Freight } from "../freight.ts";
import { placesIn, searchFields } from "../searching.ts";
import type { PublicFreight } from "../views.ts";

// The built-in board: open freights of all companies that publish there, as everyone may see them.

/** Letters of the comments that are found by their words. */
const longestText = 2_000;
/** Number of the trailer type that stands for any. */
const anyTrailer = 10;

/** What the board keeps of a freight. */
interface Kept {
  /** What everyone sees. */
  shown: PublicFreight;
  /** When its time is over. That may be `until`, which is its owner's alone: it is compared, and never shown. */
  expiresAt: string;
}

/** How a freight stands on the board; undefined when it does not. Nothing that is shown of it is its owner's alone. */
export function boardRow(now: Freight, id: string): ArchiveRow | undefined {
  const { status, said, publishedAt, updatedAt } = now;
  if (status !== "Published" || !publishedAt || !said.sources.includes(board)) return undefined;
  const [loading, unloading] = [said.locations[0]!, said.locations.at(-1)!];
  const trailers = said.requirements.trailerTypes?.length ? said.requirements.trailerTypes : [anyTrailer];
  return {
    table: "board",
    company: everyone,
    id,
    createdAt: publishedAt,
    updatedAt,
    terms: [
      ...trailers.map((type) => `trailerType:${type}`),
      ...placeTerms("loading", loading),
      ...placeTerms("unloading", unloading),
    ],
    text: [
      ...said.locations.flatMap(({ address }) => [address.city, address.postalCode]),
      said.comments?.slice(0, longestText),
    ]
      .filter(Boolean)
      .join(" "),
    columns: {
      loadingDate: clockAt(loading),
      unloadingDate: clockAt(unloading),
      ...pointOf("loading", loading),
      ...pointOf("unloading", unloading),
    },
    view: { shown: publicView(now, { at: updatedAt, id }), expiresAt: new Date(endOf(now)).toISOString() },
  };
}

/** What the board can be searched by. Freights that take any trailer are found by each. */
export const BoardQuery = z.object({
  ...searchFields,
  ...sortedParameters(["createdAt", "loadingDate"]),
});
export type BoardQuery = z.output<typeof BoardQuery>;

export interface BoardPage {
  items: PublicFreight[];
  /** Absent on the last page. */
  nextCursor?: string;
}

/**
 * One page of the board. A freight appears about a second after it was published, and one whose time is over is not shown
 * though nobody may have taken it off yet: a page with such a one is shorter. @throws Problem `invalid_cursor`
 */
export async function searchBoard({ ARCHIVE }: Pick<Env, "ARCHIVE">, query: BoardQuery): Promise<BoardPage> {
  const { items, ...more } = await listArchive<Kept>(ARCHIVE, asked(query));
  const now = new Date().toISOString();
  return { ...more, items: items.filter(({ expiresAt }) => expiresAt > now).map(({ shown }) => shown) };
}

function asked(query: BoardQuery): ArchiveQuery {
  const places = placesIn(query);
  return {
    table: "board",
    company: everyone,
    ...places,
    terms: [
      ...places.terms,
      ...(query.trailerType ? [anyOf(`trailerType:${query.trailerType}`, `trailerType:${anyTrailer}`)] : []),
    ],
    text: query.text,
    sort: query.sort ?? "-createdAt",
    limit: query.limit ?? 50,
    cursor: query.cursor,
  };
}
