import { invalidCursor } from "./problem.ts";

interface Types {
  string: string;
  number: number;
  either: string | number;
}
type Kinds = readonly (keyof Types)[];
type Values<Of extends Kinds> = { -readonly [At in keyof Of]: Types[Of[At]] };

interface Listed {
  list: string;
  sort: string;
}

/** Builds a cursor from a list, its order and the sort position of the last item on a page. It is opaque to callers. */
export const writeCursor = ({ list, sort }: Listed, position: readonly (string | number)[]): string =>
  new TextEncoder()
    .encode(JSON.stringify([list, sort, ...position]))
    .toBase64({ alphabet: "base64url", omitPadding: true });

/**
 * Parses a cursor.
 * @param name name of the query parameter, for the error
 * @returns the sort position
 * @throws Problem `invalid_cursor` if the cursor is malformed or belongs to another list or order
 */
export function readCursor<const Of extends Kinds>(
  cursor: string,
  { list, sort }: Listed,
  kinds: Of,
  name?: string,
): Values<Of> {
  try {
    const [madeFor, order, ...position] = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })),
    ) as unknown[];
    const isPosition = position.length === kinds.length && position.every((value, at) => isOf(value, kinds[at]!));
    if (madeFor === list && order === sort && isPosition) return position as Values<Of>;
  } catch {
    // Not a cursor.
  }
  throw invalidCursor(name);
}

const isOf = (value: unknown, kind: keyof Types) =>
  (kind !== "string" && Number.isFinite(value)) || (kind !== "number" && typeof value === "string");
