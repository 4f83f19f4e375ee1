import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { cargoLinesByStop } from "./cargo-lines.ts";
import { scores } from "./scores.ts";
import type { CargoDraft } from "../../fields/goods/cargo.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { addressOf } from "../../fields/parties/party.ts";
import { fixedAt, nameAt, windowAt } from "../../fields/route/stop-details.ts";
import { numbersAt } from "../../fields/route/stop-numbers.ts";
import type { Stop } from "../../fields/route/stops.ts";
import type { OrderDraft, TransportAnalysis } from "../transport.ts";

type LocationDraft = NonNullable<OrderDraft["locations"]>[number];

/** Extracts the stops of the route in order, with their fields. */
export function locationsOf(analysis: TransportAnalysis, orderNumber: string | undefined): LocationDraft[] {
  const { route } = analysis;
  const cargo = cargoLinesByStop(analysis);
  const orderNumbers = new Set(orderNumber ? [orderNumber] : []);
  const locations = route.stops.map((stop, index) =>
    locationOf(analysis, stop, index + 1, orderNumbers, cargo.get(stop)),
  );
  setContainers(analysis, locations);
  return locations;
}

function locationOf(
  analysis: TransportAnalysis,
  stop: Stop,
  sequence: number,
  orderNumbers: ReadonlySet<string>,
  cargo: readonly CargoDraft[] = [],
): LocationDraft {
  const { document, route, locale } = analysis;
  const { start, end } = windowAt(document, route, stop, locale);
  const fixTime = fixedAt(document, route, stop, end ? scores.fixedTime.window : scores.fixedTime.single);
  const numbers = numbersAt(document, route, stop, orderNumbers);
  const name = nameAt(document, route, stop);
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
    ...(cargo.length > 0 && { cargo: [...cargo] }),
  };
}

function fromGazetteer({ address, confidence }: Stop): Pick<LocationDraft, "normalizedCity" | "coordinates"> {
  if (!address) return {};
  const { score, value } = address.place.entity;
  const { normalizedCity, coordinates } = value;
  const registryValue = <T>(of: T) => entityValue(of, address.place, confidence * score, "Registry");
  return {
    ...(normalizedCity && { normalizedCity: registryValue(normalizedCity) }),
    ...(coordinates && {
      coordinates: { latitude: registryValue(coordinates.latitude), longitude: registryValue(coordinates.longitude) },
    }),
  };
}

const containerSize = /\b(?:20|22|40|45)\s?['’′]?\s?(?:ft)?\s?(?:DV|DC|GP|ST|HC|HQ|RF|RE|OT|FR|TK|PW|BOX)\b/u;

/** The container travels the whole route, so every stop gets its number. */
function setContainers({ document, route }: TransportAnalysis, locations: LocationDraft[]): void {
  const number = entitiesOfType(document.annotations, "Container").find(
    ({ entity }) => entity.score >= thresholds.entity,
  );
  const type = document.annotations.layout.segments.find(
    (segment) => !document.prose.has(segment) && containerSize.test(segment.text),
  );
  const match = type && containerSize.exec(type.text);
  for (const [index, location] of locations.entries()) {
    const stop = route.stops[index];
    if (number)
      location.containerNumber = entityValue(
        number.entity.value.replace(/[^\p{L}\p{N}]/gu, ""),
        number,
        scores.container.number,
      );
    if (match && (index === 0 || location.type?.value === "Loading"))
      location.containerType = new FieldValue(match[0].replace(/[\s'’′]/gu, ""), scores.container.type, {
        segment: type,
        start: match.index,
        end: match.index + match[0].length,
      });
    const slot = findCodes(document, ["terminalSlot"], (segment, at) => route.owner(segment, at) === stop)[0];
    if (slot && slot.score >= scores.container.minSlot)
      location.tarCode = new FieldValue(slot.span.text, slot.score, slot.span);
  }
}
