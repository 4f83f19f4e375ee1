import type { GoodsLine, OtherCell } from "../../fields/goods/goods-table.ts";
import type { Route, Stop } from "../../fields/route/stops.ts";
import type { Segment } from "../../layout/layout.ts";
import { foldName } from "../../lexicon/fold.ts";

/** Finds the stop that the text of a cell names. */
type Way = (text: string) => Stop | undefined;

/** "2", "(2)", "D1", "stop 2": the code of a stop. */
const code = /^(?:\p{L}{2,8}\.? ?)?\W?(\p{L}{0,3}\.? ?\d{0,2})\W?$/u;
const ordinal = /^\D{0,4}(\d{1,2})\D?$/u;
const longestCode = 4;

/**
 * Finds the stops of each line of goods from the columns that name one for every line: by its town, by the code that is
 * printed at the stop, or by its number among the stops. Empty if no column does.
 */
export function stopsOfLines(
  lines: readonly GoodsLine[],
  route: Route,
  segments: readonly Segment[],
): ReadonlyMap<GoodsLine, Stop[]> {
  const own = new Set(lines.flatMap((line) => line.segments));
  const printed = stopsByCode(
    route,
    segments.filter((segment) => !own.has(segment)),
  );
  const columns = [...new Set(lines.flatMap(({ others }) => [...others.keys()]))].map((name) =>
    lines.map(({ others }) => others.get(name)),
  );
  const captioned = columns.filter((cells) => cells.some((cell) => cell?.about));
  const found = (["Loading", "Unloading"] as const).flatMap((kind) => {
    const own = captioned.filter((cells) => cells.some((cell) => cell?.about === kind));
    return firstNamed(own, route.stops, printed, kind).slice(0, 1);
  });
  const [named] = [captioned, columns].flatMap((some) => firstNamed(some.toReversed(), route.stops, printed));
  const all = found.length > 0 ? found : named ? [named] : [];
  return new Map(all.length > 0 ? lines.map((line, at) => [line, all.map((stops) => stops[at]!)]) : []);
}

/** The stops at which a code is printed at the beginning: "A  Loading  Verona", "P1 Dairy, Olomouc". */
function stopsByCode({ owner }: Route, segments: readonly Segment[]): ReadonlyMap<string, Stop> {
  const stops = new Map<string, Stop>();
  for (const segment of segments) {
    const [, begin] = /^\W?([\p{L}\d]{1,4})(?=$|[\s.:)–·-])/u.exec(segment.text) ?? [];
    const stop = begin && (/\d/u.test(begin) || begin.length < 3) ? owner(segment, 0) : undefined;
    if (begin && stop && !stops.has(foldName(begin))) stops.set(foldName(begin), stop);
  }
  return stops;
}

/** The stops that the cells of the columns name, in the most certain way first. */
function firstNamed(
  columns: readonly (readonly (OtherCell | undefined)[])[],
  stops: readonly Stop[],
  printed: ReadonlyMap<string, Stop>,
  kind?: Stop["kind"],
): Stop[][] {
  const ofKind = (wanted: Stop["kind"]) => stops.filter((stop) => stop.kind === wanted);
  const among = (some: readonly Stop[], only?: Stop["kind"]) => (text: string) => {
    const stop = some[Number(ordinal.exec(text)?.[1]) - 1];
    return only && stop?.kind !== only ? undefined : stop;
  };
  const byCode: Way = (text) => {
    const [, found] = code.exec(text) ?? [];
    return found && found.length <= longestCode ? printed.get(foldName(found)) : undefined;
  };
  const ways: Way[] = kind
    ? [(text) => ofKind(kind).find((stop) => isIn(stop, text)), among(ofKind(kind))]
    : [
        (text) => stops.find((stop) => isIn(stop, text)),
        byCode,
        among(ofKind("Unloading")),
        among(ofKind("Loading")),
        among(stops, "Unloading"),
      ];
  return ways.flatMap((way) => columns.flatMap((cells) => stopsNamed(cells, stops, way) ?? []));
}

/** The stop that each cell names. Undefined unless all cells name one, and together all stops of a kind. */
function stopsNamed(cells: readonly (OtherCell | undefined)[], stops: readonly Stop[], way: Way): Stop[][] | undefined {
  const found = cells.map((cell) => cell && way(cell.text));
  const different = new Set(found);
  if (different.has(undefined) || different.size < 2) return undefined;
  const isCount = cells.every((cell, at) => Number(ordinal.exec(cell?.text ?? "")?.[1]) === at + 1);
  if (isCount && !cells.some((cell) => cell?.about) && found.some((stop) => stop?.kind === "Loading")) return undefined;
  const kinds = new Set(found.map((stop) => stop!.kind));
  const isWhole = [...kinds].every((kind) => stops.every((stop) => stop.kind !== kind || different.has(stop)));
  return isWhole ? [found as Stop[]] : undefined;
}

/** Whether a text is the town of a stop, or begins with it: "Ogulin: sawn timber". */
function isIn({ address }: Stop, text: string): boolean {
  const { city, normalizedCity } = address?.place.entity.value ?? {};
  const [begin = ""] = text.split(":");
  return [city, normalizedCity].some((town) => town && foldName(town) === foldName(begin));
}
