import { readCursor, writeCursor } from "../platform/cursor.ts";
import { usualLimit, type Page } from "../platform/lists.ts";

/** A page asked of a list that is held whole. */
interface Asked<Item> {
  /** Its name: a cursor of another list is refused. */
  list: string;
  /** A field, with a minus for descending. */
  sort: string;
  /** The field that names an item: those that are alike in `sort` stand in its order. */
  id: keyof Item & string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

type Value = string | number;
type Place = [value: Value, id: Value];

/**
 * One page of a list that is held whole. The cursor holds the last item's place in the order, so that items that come in
 * meanwhile neither repeat nor hide any. @throws Problem `invalid_cursor`
 */
export function pageOf<Item extends object>(
  items: readonly Item[],
  { list, sort, id, limit = usualLimit, cursor }: Asked<Item>,
): Page<Item> {
  const field = sort.replace(/^-/, "") as keyof Item;
  const placeOf = (item: Item): Place => [valueOf(item[field]), valueOf(item[id])];
  const direction = sort.startsWith("-") ? -1 : 1;
  const ordered = items.toSorted((a, b) => direction * compared(placeOf(a), placeOf(b)));
  const after = cursor === undefined ? undefined : readCursor(cursor, { list, sort }, ["either", "either"]);
  const rest = after ? ordered.filter((item) => direction * compared(placeOf(item), after) > 0) : ordered;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page,
    ...(last && rest.length > limit && { nextCursor: writeCursor({ list, sort }, placeOf(last)) }),
  };
}

const valueOf = (value: unknown): Value => (typeof value === "number" || typeof value === "string" ? value : "");

const compared = ([a, first]: Place, [b, second]: Place): number =>
  a === b ? (first < second ? -1 : first > second ? 1 : 0) : a < b ? -1 : 1;
