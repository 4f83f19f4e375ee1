import { invalidCursor } from "./problem.ts";

/** What a cursor holds at each place. */
interface Types {
  string: string;
  number: number;
  either: string | number;
}
type Kinds = readonly (keyof Types)[];
type Values<Of extends Kinds> = { -readonly [At in keyof Of]: Types[Of[At]] };

/** A list, and the order that a page of it is in. */
interface Listed {
  list: string;
  sort: string;
}

/**
 * A cursor holds the list and the order it was made for, and the place of the last item of its page. Callers do not look
 * into it.
 */
export const writeCursor = ({ list, sort }: Listed, place: readonly (string | number)[]): string =>
  new TextEncoder()
    .encode(JSON.stringify([list, sort, ...place]))
    .toBase64({ alphabet: "base64url", omitPadding: true });

/**
 * The place that a cursor holds.
 * @param name the parameter that it was sent in
 * @throws Problem `invalid_cursor` when it was not made for this list and order, or not by this service
 */
export function readCursor<const Of extends Kinds>(
  cursor: string,
  { list, sort }: Listed,
  kinds: Of,
  name?: string,
): Values<Of> {
  try {
    const [madeFor, order, ...place] = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })),
    ) as unknown[];
    const isPlace = place.length === kinds.length && place.every((value, at) => isOf(value, kinds[at]!));
    if (madeFor === list && order === sort && isPlace) return place as Values<Of>;
  } catch {
    // What cannot be decoded is refused like any other foreign cursor.
  }
  throw invalidCursor(name);
}

const isOf = (value: unknown, kind: keyof Types) =>
  (kind !== "string" && Number.isFinite(value)) || (kind !== "number" && typeof value === "string");
