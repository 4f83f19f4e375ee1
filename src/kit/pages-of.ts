import { invalidCursor } from "./problem.ts";

/** A page asked of a list that is held whole. */
interface Asked<Item> {
  /** A field, with a minus for descending. */
  sort: string;
  /** The field that names an item: those that are alike in `sort` stand in its order. */
  id: keyof Item & string;
  limit?: number | undefined;
  cursor?: string | undefined;
}

type Place = [value: string, id: string];

/**
 * One page of a list that is held whole. The cursor holds the last item's place in the order, so that items that come in
 * meanwhile neither repeat nor hide any. @throws Problem `invalid_cursor`
 */
export function pageOf<Item extends object>(
  items: readonly Item[],
  { sort, id, limit = 50, cursor }: Asked<Item>,
): { items: Item[]; nextCursor?: string } {
  const field = sort.replace(/^-/, "") as keyof Item;
  const placeOf = (item: Item): Place => [String(item[field] ?? ""), String(item[id])];
  const direction = sort.startsWith("-") ? -1 : 1;
  const ordered = items.toSorted((a, b) => direction * compared(placeOf(a), placeOf(b)));
  const after = cursor === undefined ? undefined : placeIn(cursor, sort);
  const rest = after ? ordered.filter((item) => direction * compared(placeOf(item), after) > 0) : ordered;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { items: page, ...(last && rest.length > limit && { nextCursor: written(sort, placeOf(last)) }) };
}

const compared = ([a, first]: Place, [b, second]: Place): number =>
  a === b ? (first < second ? -1 : first > second ? 1 : 0) : a < b ? -1 : 1;

const written = (sort: string, place: Place): string =>
  new TextEncoder().encode(JSON.stringify([sort, ...place])).toBase64({ alphabet: "base64url", omitPadding: true });

function placeIn(cursor: string, sort: string): Place {
  try {
    const [madeFor, value, id] = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })),
    );
    if (madeFor === sort && typeof value === "string" && typeof id === "string") return [value, id];
  } catch {
    // Falls through to the refusal: it was not ours, whatever was wrong with it.
  }
  throw invalidCursor();
}
