import type { CargoDraft } from "../../fields/goods/cargo.ts";
import { codesFor } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { sightings } from "../../fields/labels/annotations.ts";
import { addressOf } from "../../fields/parties/party.ts";
import { fixedAt, nameAt, windowAt } from "../../fields/route/stop-details.ts";
import { numbersAt } from "../../fields/route/stop-numbers.ts";
import type { Stop } from "../../fields/route/stops.ts";
import { cargoByStop } from "./cargo.ts";
import type { OrderDraft, Understanding } from "../transport.ts";

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
    sequence: new FieldValue(sequence, stop.confidence, undefined, "Computed"),
    type: new FieldValue(stop.kind, stop.confidence, head, head ? "Document" : "Computed"),
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
    new FieldValue(value, confidence * entity.score, { segment, start: entity.start, end: entity.end }, "Registry");
  return {
    ...(normalizedCity && { normalizedCity: found(normalizedCity) }),
    ...(coordinates && {
      coordinates: { latitude: found(coordinates.latitude), longitude: found(coordinates.longitude) },
    }),
  };
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
      location.containerNumber = new FieldValue(number.entity.value.replace(/[^\p{L}\p{N}]/gu, ""), 0.7, {
        segment: number.segment,
        start: number.entity.start,
        end: number.entity.end,
      });
    if (match && (index === 0 || location.type?.value === "Loading"))
      location.containerType = new FieldValue(match[0].replace(/[\s'’′]/gu, ""), 0.6, {
        segment: type,
        start: match.index,
        end: match.index + match[0].length,
      });
    const slot = codesFor(around, ["terminalSlot"], (segment, at) => route.owner(segment, at) === stop)[0];
    if (slot && slot.score >= 0.3) location.tarCode = new FieldValue(slot.piece.text, slot.score, slot.piece);
  }
}
