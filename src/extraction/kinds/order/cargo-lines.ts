import type { CargoDraft } from "../../fields/goods/cargo.ts";
import { goodsTablesIn, type GoodsLine } from "../../fields/goods/goods-table.ts";
import { foldName } from "../../lexicon/fold.ts";
import type { Stop } from "../../fields/route/stops.ts";
import type { TransportAnalysis } from "../transport.ts";
import { cargoByStop } from "./cargo-by-stop.ts";

/** Fields that apply to all lines of goods at a stop. */
const common = ["palletsExchange", "temeratureFrom", "temeratureTo", "refrigeratorUnitMode", "ftl"] as const;

/** Finds the lines of goods of each stop: those of its tables, otherwise one with the values printed at the stop. */
export function cargoLinesByStop(analysis: TransportAnalysis): Map<Stop, CargoDraft[]> {
  const single = cargoByStop(analysis);
  const byStop = linesByStop(analysis);
  return new Map(
    analysis.route.stops.map((stop) => {
      const cargo = single.get(stop) ?? {};
      const lines = byStop.get(stop) ?? [];
      const [only, ...others] = lines;
      if (only && others.length === 0) return [stop, [{ ...cargo, ...only.cargo }]];
      if (only) return [stop, lines.map((line) => ({ ...commonOf(cargo), ...line.cargo }))];
      return [stop, Object.keys(cargo).length > 0 ? [cargo] : []];
    }),
  );
}

const commonOf = (cargo: CargoDraft): CargoDraft =>
  Object.fromEntries(common.flatMap((name) => (cargo[name] ? [[name, cargo[name]]] : [])));

/**
 * A table belongs to the stop in whose section it is printed; a table for the whole order to the first loading, and its
 * lines also to the unloadings that one of its columns names.
 */
function linesByStop({ document, locale, route }: TransportAnalysis): Map<Stop, GoodsLine[]> {
  const tables = goodsTablesIn(document, locale).map((table) => {
    const lines = table.filter(({ cargo }) => Object.keys(cargo).length > 0);
    const [segment] = lines[0]?.segments ?? [];
    return { lines, owner: segment && route.owner(segment, 0) };
  });
  const first = route.stops.find(({ kind }) => kind === "Loading") ?? route.stops[0];
  const owners = new Set(tables.map(({ owner }) => owner));
  const byStop = new Map<Stop, GoodsLine[]>();
  for (const { lines, owner } of tables) {
    const ofWhole = owner === undefined || (owners.size === 1 && owner.kind !== "Loading");
    const add = (stop: Stop | undefined, line: GoodsLine) =>
      stop && byStop.set(stop, [...(byStop.get(stop) ?? []), line]);
    for (const line of lines) add(ofWhole ? first : owner, line);
    if (ofWhole) for (const [line, stop] of destinationsOf(lines, route.stops)) add(stop, line);
  }
  return byStop;
}

/** Finds the column that names an unloading for every line: by its town, or by its number among the unloadings or all stops. */
function destinationsOf(lines: readonly GoodsLine[], stops: readonly Stop[]): [GoodsLine, Stop][] {
  const unloadings = stops.filter(({ kind }) => kind === "Unloading");
  if (unloadings.length < 2) return [];
  const names = new Set(lines.flatMap(({ others }) => [...others.keys()]));
  const ways = [
    (text: string) => unloadings.find((stop) => isIn(stop, text)),
    (text: string) => unloadings[Number(ordinal.exec(text)?.[1]) - 1],
    (text: string) => unloadings.find((stop) => stop === stops[Number(ordinal.exec(text)?.[1]) - 1]),
  ];
  for (const way of ways)
    for (const name of [...names].toReversed()) {
      const found = lines.flatMap((line): [GoodsLine, Stop][] => {
        const stop = way(line.others.get(name) ?? "");
        return stop ? [[line, stop]] : [];
      });
      const isWhole =
        found.length === lines.length && new Set(found.map(([, stop]) => stop)).size === unloadings.length;
      if (isWhole) return found;
    }
  return [];
}

const ordinal = /^\D{0,4}(\d{1,2})\D?$/u;

function isIn({ address }: Stop, text: string): boolean {
  const { city, normalizedCity } = address?.place.entity.value ?? {};
  return [city, normalizedCity].some((town) => town && foldName(town) === foldName(text));
}
