import type { CargoDraft } from "../../fields/goods/cargo.ts";
import { goodsListsIn } from "../../fields/goods/goods-lists.ts";
import { goodsTablesIn, type GoodsLine } from "../../fields/goods/goods-table.ts";
import type { Stop } from "../../fields/route/stops.ts";
import type { TransportAnalysis } from "../transport.ts";
import { cargoByStop } from "./cargo-by-stop.ts";
import { stopsOfLines } from "./stops-of-lines.ts";

/** Fields that apply to all lines of goods at a stop. */
const common = ["palletsExchange", "temeratureFrom", "temeratureTo", "refrigeratorUnitMode", "ftl"] as const;

/** Finds the lines of goods of each stop: those of its tables, otherwise one with the values printed at the stop. */
export function cargoLinesByStop(analysis: TransportAnalysis): Map<Stop, CargoDraft[]> {
  const single = cargoByStop(analysis);
  const byStop = linesByStop(analysis, goodsTablesIn(analysis.document, analysis.locale));
  const listed = linesByStop(analysis, goodsListsIn(analysis.document));
  return new Map(
    analysis.route.stops.map((stop) => {
      const cargo = single.get(stop) ?? {};
      const lines = byStop.get(stop) ?? listed.get(stop) ?? [];
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
 * A table belongs to the stop in whose section it is printed. The lines of a table for the whole order belong to the
 * stops that its columns name, and those without a loading to the first loading, unless they repeat another line.
 */
function linesByStop({ document, route }: TransportAnalysis, found: readonly GoodsLine[][]): Map<Stop, GoodsLine[]> {
  const tables = found.map((table) => {
    const lines = table.filter(({ cargo }) => Object.keys(cargo).length > 0);
    const [segment] = lines[0]?.segments ?? [];
    return { lines, owner: segment && route.owner(segment, 0) };
  });
  const first = route.stops.find(({ kind }) => kind === "Loading") ?? route.stops[0];
  const owners = new Set(tables.map(({ owner }) => owner));
  const byStop = new Map<Stop, GoodsLine[]>();
  for (const { lines, owner } of tables) {
    const named = stopsOfLines(lines, route, document.annotations.layout.segments);
    const ofWhole = named.size > 0 || owner === undefined || (owners.size === 1 && owner.kind !== "Loading");
    const isLoaded = lines.some((line) => named.get(line)?.some(({ kind }) => kind === "Loading"));
    for (const line of lines) {
      const loading = isLoaded ? [] : [ofWhole ? first : owner];
      for (const stop of [...loading, ...(named.get(line) ?? [])])
        if (stop) byStop.set(stop, [...(byStop.get(stop) ?? []), line]);
    }
  }
  return byStop;
}
