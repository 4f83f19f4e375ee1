import { readCursor, writeCursor } from "../platform/cursor.ts";
import { defaultPageSize, type Page } from "../platform/list-parameters.ts";

interface PageRequest<Item> {
  /** Name of the list. A cursor of another list is refused. */
  list: string;
  /** Sort field, with a minus for descending order. */
  sort: string;
  /** Field by which items with equal sort values are sorted. */
  id: keyof Item & string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

type Value = string | number;
type Position = [value: Value, id: Value];

/**
 * Returns one page of an in-memory list. Items that are added between two requests do not cause repeated or missed
 * items.
 * @throws Problem `invalid_cursor`
 */
export function paginate<Item extends object>(
  items: readonly Item[],
  { list, sort, id, limit = defaultPageSize, cursor }: PageRequest<Item>,
): Page<Item> {
  const field = sort.replace(/^-/, "") as keyof Item;
  const positionOf = (item: Item): Position => [valueOf(item[field]), valueOf(item[id])];
  const direction = sort.startsWith("-") ? -1 : 1;
  const ordered = items.toSorted((a, b) => direction * compare(positionOf(a), positionOf(b)));
  const after = cursor === undefined ? undefined : readCursor(cursor, { list, sort }, ["either", "either"]);
  const rest = after ? ordered.filter((item) => direction * compare(positionOf(item), after) > 0) : ordered;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page,
    ...(last && rest.length > limit && { nextCursor: writeCursor({ list, sort }, positionOf(last)) }),
  };
}

const valueOf = (value: unknown): Value => (typeof value === "number" || typeof value === "string" ? value : "");

const compare = ([a, first]: Position, [b, second]: Position): number =>
  a === b ? (first < second ? -1 : first > second ? 1 : 0) : a < b ? -1 : 1;
