import { thresholds } from "../scores.ts";
import { cargoIn, type CargoDraft } from "../../fields/goods/cargo.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import type { Stop } from "../../fields/route/stops.ts";
import type { Segment } from "../../layout/layout.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import type { TransportAnalysis } from "../transport.ts";

/** Labels of goods and of their measures form one topic; every other cargo label is a topic of its own. */
const amounts: ReadonlySet<ConceptId> = new Set([
  "goods",
  "weight",
  "grossWeight",
  "netWeight",
  "pallets",
  "quantity",
  "loadingMetres",
  "packaging",
  "volume",
]);

const cargoConcepts: ReadonlySet<ConceptId> = new Set([
  ...amounts,
  "palletExchange",
  "temperature",
  "coolingMode",
  "dimensions",
  "adr",
  "stackable",
]);

/**
 * Finds the cargo of each stop. Goods belong to the stop at which they are printed. Goods that are printed for the
 * whole order belong to the first loading.
 */
export function cargoByStop(analysis: TransportAnalysis): Map<Stop, CargoDraft> {
  const { document, route } = analysis;
  const general = generalRows(analysis);
  const besideLabels = valuesOfLabels(analysis);
  const ownerOf = (segment: Segment, at: number) => besideLabels.get(segment) ?? route.owner(segment, at);
  const cargo = new Map<Stop, CargoDraft>();
  for (const stop of route.stops)
    cargo.set(
      stop,
      cargoIn(document, (segment, at) => !general.has(segment) && ownerOf(segment, at) === stop),
    );
  const loadings = route.stops.filter((stop) => stop.kind === "Loading");
  const first = loadings[0] ?? route.stops[0];
  if (!first) return cargo;
  moveToLoading(route.stops, first, cargo);
  moveTemperature(route.stops, first, cargo);
  const whole = cargoIn(document, (segment, at) => general.has(segment) || ownerOf(segment, at) === undefined);
  const fromStops = new Set(loadings.flatMap((stop) => Object.keys(cargo.get(stop) ?? {})));
  const missing = Object.fromEntries(Object.entries(whole).filter(([name]) => !fromStops.has(name)));
  cargo.set(first, { ...missing, ...cargo.get(first) });
  shareAmong(loadings, cargo);
  return cargo;
}

/** Fields that hold for the whole journey: what is printed at one loading holds for the goods of the others. */
const ofJourney = [
  "palletsExchange",
  "temeratureFrom",
  "temeratureTo",
  "refrigeratorUnitMode",
  "ftl",
  "adr",
  "stackable",
] as const;

function shareAmong(loadings: readonly Stop[], cargo: Map<Stop, CargoDraft>): void {
  const drafts = loadings.map((stop) => cargo.get(stop) ?? {});
  const shared = Object.fromEntries(
    ofJourney.flatMap((name) => {
      const value = drafts.find((draft) => draft[name])?.[name];
      return value ? [[name, value]] : [];
    }),
  );
  for (const [at, stop] of loadings.entries()) cargo.set(stop, { ...shared, ...drafts[at] });
}

/**
 * Finds rows about cargo that belong to no single stop: their topic, such as weight, occurs at no loading stop, or they
 * cross several stops that are printed side by side.
 */
function generalRows({ document, route }: TransportAnalysis): Set<Segment> {
  const labels = document.annotations.labels.filter(
    (label) =>
      label.standing !== "Loose" &&
      label.meanings.some((each) => cargoConcepts.has(each.concept) && each.weight >= thresholds.meaning),
  );
  const owners = new Map(labels.map((label) => [label, route.owner(label.segment, label.start)]));
  const across = acrossStops(labels, owners);
  const inLoading = new Set(
    labels.filter((label) => owners.get(label)?.kind === "Loading" && !across.has(label)).map(topicOf),
  );
  const segments = new Set<Segment>();
  for (const label of labels) {
    if (!owners.get(label) || (inLoading.has(topicOf(label)) && !across.has(label))) continue;
    segments.add(label.segment);
    for (const area of valueAreasOf(document.annotations, label)) segments.add(area.segment);
  }
  return segments;
}

/**
 * Finds values whose label is in a separate segment to their left, as in "Goods:    onions". If two stops are side by
 * side, the position alone could assign the value to the neighbouring stop.
 */
function valuesOfLabels({ document, route }: TransportAnalysis): ReadonlyMap<Segment, Stop> {
  const stopBySegment = new Map<Segment, Stop>();
  for (const label of document.annotations.labels) {
    const { segment, end, standing, meanings } = label;
    const alone = standing === "Head" && segment.cell === undefined && !/[\p{L}\p{N}]/u.test(segment.text.slice(end));
    if (!alone || !meanings.some(({ concept, weight }) => cargoConcepts.has(concept) && weight >= thresholds.meaning))
      continue;
    const [area] = valueAreasOf(document.annotations, label);
    const owner = route.owner(segment, label.start);
    if (area?.way === "Right" && area.crossed === 0 && owner) stopBySegment.set(area.segment, owner);
  }
  return stopBySegment;
}

function topicOf(label: Label): ConceptId {
  return (
    label.meanings.find((each) => cargoConcepts.has(each.concept) && !amounts.has(each.concept))?.concept ?? "goods"
  );
}

/** If a label or unit is repeated for each stop, the row does not belong to all of them. */
function acrossStops(labels: readonly Label[], owners: ReadonlyMap<Label, Stop | undefined>): ReadonlySet<Label> {
  const rows = Map.groupBy(labels, ({ segment }) => `${segment.page}/${segment.row}`);
  return new Set(
    [...rows.values()].flatMap((beside) => {
      const kinds = beside
        .filter((label) => label.standing === "Head")
        .flatMap((label) => label.meanings.slice(0, 1).map((each) => each.concept));
      const several = new Set(beside.map((label) => owners.get(label))).size > 1;
      return several && new Set(kinds).size === kinds.length && !repeatsUnit(beside, owners) ? beside : [];
    }),
  );
}

/** In "Weight    24 t    14 t    10 t", each stop has a weight of its own. */
function repeatsUnit(beside: readonly Label[], owners: ReadonlyMap<Label, Stop | undefined>): boolean {
  const units = beside.filter(({ standing }) => standing === "Tail");
  const byConcept = Map.groupBy(units, ({ meanings }) => meanings[0]?.concept);
  return [...byConcept.values()].some((labels) => new Set(labels.map((label) => owners.get(label))).size > 1);
}

/** Goods that are printed only once, at an unloading stop, are the whole load, printed below the route. */
function moveToLoading(stops: readonly Stop[], first: Stop, cargo: Map<Stop, CargoDraft>): void {
  const loaded = stops.filter((stop) =>
    ["weight", "pallets", "quantity", "cargoType"].some((name) => name in (cargo.get(stop) ?? {})),
  );
  const [only] = loaded;
  if (loaded.length !== 1 || !only || only.kind === "Loading") return;
  cargo.set(first, { ...cargo.get(only), ...cargo.get(first) });
  cargo.set(only, {});
}

/** A temperature that is printed only once, at an unloading stop, applies to the whole route. */
function moveTemperature(stops: readonly Stop[], first: Stop, cargo: Map<Stop, CargoDraft>): void {
  const cooled = stops.filter((stop) => cargo.get(stop)?.temeratureFrom !== undefined);
  const [only] = cooled;
  if (cooled.length !== 1 || !only || only.kind === "Loading") return;
  const { temeratureFrom, temeratureTo, ...rest } = cargo.get(only) ?? {};
  cargo.set(only, rest);
  cargo.set(first, { ...cargo.get(first), temeratureFrom, temeratureTo });
}
