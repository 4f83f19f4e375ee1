import type { ConceptId } from "../know/concepts.ts";
import { cargoIn, type CargoDraft } from "../understand/cargo.ts";
import { codesFor } from "../understand/codes.ts";
import { Found } from "../understand/found.ts";
import type { Segment } from "../understand/layout.ts";
import { sightings, type Label } from "../understand/marks.ts";
import { addressOf } from "../understand/party.ts";
import { fixedAt, nameAt, numbersAt, windowAt } from "../understand/stop-details.ts";
import type { Stop } from "../understand/stops.ts";
import { areasOf } from "../understand/areas.ts";
import type { OrderDraft, Understanding } from "./understanding.ts";

type LocationDraft = NonNullable<OrderDraft["locations"]>[number];

/** The route with everything said of each stop, in order. */
export function locationsOf(understanding: Understanding, orderNumber: string | undefined): LocationDraft[] {
  const { route } = understanding;
  const cargo = cargoByStop(understanding);
  const known = new Set(orderNumber ? [orderNumber] : []);
  const locations = route.stops.map((stop, index) =>
    locationOf(understanding, stop, index + 1, known, cargo.get(stop)),
  );
  containers(understanding, locations);
  return locations;
}

function locationOf(
  understanding: Understanding,
  stop: Stop,
  sequence: number,
  known: ReadonlySet<string>,
  cargo: CargoDraft | undefined,
): LocationDraft {
  const { around, route, seeing } = understanding;
  const { start, end } = windowAt(around, route, stop, seeing);
  const fixTime = fixedAt(around, route, stop);
  const numbers = numbersAt(around, route, stop, known);
  const name = nameAt(around, route, stop);
  const { country, ...address } = addressOf(stop);
  const head = stop.heads[0]?.label;
  return {
    sequence: new Found(sequence, stop.confidence, undefined, "Computed"),
    type: new Found(stop.kind, stop.confidence, head),
    ...(start && { startDate: start }),
    ...(end && { endDate: end }),
    ...(fixTime && { fixTime }),
    ...(name && { name }),
    ...(country && { countryCode: country }),
    ...address,
    ...fromGazetteer(stop),
    ...(numbers.length > 0 && { refrenceNumbers: numbers }),
    ...(cargo && Object.keys(cargo).length > 0 && { cargo: [cargo] }),
  };
}

/** The gazetteer's spelling and the place on the map. */
function fromGazetteer({ address, confidence }: Stop): Pick<LocationDraft, "normalizedCity" | "coordinates"> {
  if (!address) return {};
  const { segment, entity } = address.place;
  const { normalizedCity, coordinates } = entity.value;
  const found = <T>(value: T) =>
    new Found(value, confidence * entity.score, { segment, start: entity.start, end: entity.end }, "Registry");
  return {
    ...(normalizedCity && { normalizedCity: found(normalizedCity) }),
    ...(coordinates && {
      coordinates: { latitude: found(coordinates.latitude), longitude: found(coordinates.longitude) },
    }),
  };
}

const cargoConcepts: ReadonlySet<ConceptId> = new Set([
  "goods",
  "weight",
  "grossWeight",
  "netWeight",
  "pallets",
  "quantity",
  "loadingMetres",
  "packaging",
  "palletExchange",
  "temperature",
  "coolingMode",
  "volume",
  "dimensions",
  "adr",
  "stackable",
]);

/** What is counted stands together with the goods; other labels are topics of their own. */
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

/** Goods stand with the stop they are printed at; goods printed for the whole order stand with the first loading. */
function cargoByStop({ around, route }: Understanding): Map<Stop, CargoDraft> {
  const general = generalRows();
  const cargo = new Map<Stop, CargoDraft>();
  for (const stop of route.stops)
    cargo.set(
      stop,
      cargoIn(around, (segment, at) => !general.has(segment) && route.owner(segment, at) === stop),
    );
  const loadings = route.stops.filter((stop) => stop.kind === "Loading");
  const first = loadings[0] ?? route.stops[0];
  if (!first) return cargo;
  moveToLoading(route.stops, first, cargo);
  const whole = cargoIn(around, (segment, at) => general.has(segment) || route.owner(segment, at) === undefined);
  const given = new Set(loadings.flatMap((stop) => Object.keys(cargo.get(stop) ?? {})));
  const missing = Object.fromEntries(Object.entries(whole).filter(([name]) => !given.has(name)));
  cargo.set(first, { ...missing, ...cargo.get(first) });
  return cargo;

  /** Rows with cargo labels under stops that are no stop's own: below the last stop alone, or across several stops. */
  function generalRows(): Set<Segment> {
    const labels = around.marks.labels.filter(
      (label) =>
        label.standing !== "Loose" &&
        label.meanings.some((each) => cargoConcepts.has(each.concept) && each.weight >= 0.5),
    );
    const owners = new Map(labels.map((label) => [label, route.owner(label.segment, label.start)]));
    const topic = (label: Label) =>
      label.meanings.find((each) => cargoConcepts.has(each.concept) && !amounts.has(each.concept))?.concept ?? "goods";
    const inLoading = new Set(
      labels.filter((label) => owners.get(label)?.kind === "Loading" && !across(label)).map(topic),
    );
    const found = new Set<Segment>();
    for (const label of labels) {
      if (!owners.get(label) || (inLoading.has(topic(label)) && !across(label))) continue;
      found.add(label.segment);
      for (const area of areasOf(around.marks, label)) found.add(area.segment);
    }
    return found;

    function across(label: Label): boolean {
      const beside = labels.filter(
        (other) => other.segment.page === label.segment.page && other.segment.row === label.segment.row,
      );
      const kinds = beside
        .filter((other) => other.standing === "Head")
        .flatMap((other) => other.meanings.slice(0, 1).map((each) => each.concept));
      return new Set(beside.map((other) => owners.get(other))).size > 1 && new Set(kinds).size === kinds.length;
    }
  }
}

/** One description of goods under the last stop, none under a loading: it is the whole load, printed below the route. */
function moveToLoading(stops: readonly Stop[], first: Stop, cargo: Map<Stop, CargoDraft>): void {
  const loaded = stops.filter((stop) =>
    ["weight", "pallets", "quantity", "cargoType"].some((name) => name in (cargo.get(stop) ?? {})),
  );
  const [only] = loaded;
  if (loaded.length !== 1 || !only || only.kind === "Loading") return;
  cargo.set(first, { ...cargo.get(only), ...cargo.get(first) });
  cargo.set(only, {});
}

const containerSize = /\b(?:20|22|40|45)\s?['’′]?\s?(?:ft)?\s?(?:DV|DC|GP|ST|HC|HQ|RF|RE|OT|FR|TK|PW|BOX)\b/u;

/** Containers travel the whole way: their number stands at every stop but those where they are empty. */
function containers({ around, route }: Understanding, locations: LocationDraft[]): void {
  const number = sightings(around.marks, "Container").find(({ entity }) => entity.score >= 0.5);
  const type = around.marks.layout.segments.find(
    (segment) => !around.prose.has(segment) && containerSize.test(segment.text),
  );
  const match = type && containerSize.exec(type.text);
  for (const [index, location] of locations.entries()) {
    const stop = route.stops[index];
    if (number)
      location.containerNumber = new Found(number.entity.value.replace(/[^\p{L}\p{N}]/gu, ""), 0.7, {
        segment: number.segment,
        start: number.entity.start,
        end: number.entity.end,
      });
    if (match && location.type?.value === "Loading")
      location.containerType = new Found(match[0].replace(/[\s'’′]/gu, ""), 0.6, {
        segment: type,
        start: match.index,
        end: match.index + match[0].length,
      });
    const slot = codesFor(around, ["terminalSlot"], (segment, at) => route.owner(segment, at) === stop)[0];
    if (slot && slot.score >= 0.3) location.tarCode = new Found(slot.piece.text, slot.score, slot.piece);
  }
}
