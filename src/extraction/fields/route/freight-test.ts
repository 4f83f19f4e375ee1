import type { ConceptId } from "../../lexicon/concepts.ts";
import { findTrailers } from "../../lexicon/trailers.ts";
import { entitiesOfType, type LocatedEntity } from "../labels/annotations.ts";
import type { Stop } from "./stops.ts";
import { titled, titlesOfBills } from "../labels/titles.ts";
import type { DocumentContext } from "../labels/values.ts";

const enough = 5;

/** Whether the document orders a transport. It gets points for loadings, unloadings and freight words. */
export function isFreight(document: DocumentContext, stops: readonly Stop[]): boolean {
  const placed = (kind: Stop["kind"]) => stops.some((stop) => stop.kind === kind && stop.address);
  const points =
    (titled(document, ["titleTransportOrder"]) ? 2 : 0) +
    (placed("Loading") ? 2 : 0) +
    (placed("Unloading") ? 2 : 0) +
    (says(document, ["carrier", "driver", "truckPlate", "plates", "trailerType", "vehicle"]) ? 1 : 0) +
    (says(document, ["loading", "loadingPlace", "loadingDate", "shipper"]) &&
    says(document, ["unloading", "unloadingPlace", "unloadingDate", "consignee"])
      ? 1
      : 0) +
    (weighs(document) ? 1 : 0) +
    (drives(document) ? 1 : 0) +
    (says(document, ["price", "basePrice"]) ? 1 : 0) -
    (titled(document, titlesOfBills) && !titled(document, ["titleTransportOrder"]) ? 3 : 0);
  const somewhere = placed("Loading") || placed("Unloading") || stops.length >= 2;
  return somewhere && points >= enough;
}

function says(document: DocumentContext, concepts: readonly ConceptId[]): boolean {
  return document.annotations.labels.some(
    (label) =>
      label.standing !== "Loose" &&
      label.meanings.some((each) => concepts.includes(each.concept) && each.weight >= 0.5),
  );
}

/** Minimum plausible distance of an ordered transport, in kilometres or miles. */
const leastWay = 20;

const paidByTheWay = /\d ?\/ ?(?:km|mi)(?!\p{L})/u;

/**
 * Whether the document contains a rate per distance, or a distance and also a price or vehicle type. Apart from the
 * places, load boards print no more than that.
 */
function drives({ annotations }: DocumentContext): boolean {
  const isWay = ({ entity: { value } }: LocatedEntity<"Quantity">) =>
    (value.unit === "km" || value.unit === "mi") && value.amount >= leastWay;
  if (annotations.layout.segments.some(({ text }) => paidByTheWay.test(text))) return true;
  if (!entitiesOfType(annotations, "Quantity").some(isWay)) return false;
  const isPaid = entitiesOfType(annotations, "Amount").some(({ entity }) => entity.value.currency !== undefined);
  return isPaid || annotations.layout.segments.some(({ text }) => findTrailers(text).length > 0);
}

function weighs(document: DocumentContext): boolean {
  return entitiesOfType(document.annotations, "Quantity").some(({ entity }) =>
    ["kg", "t", "lb", "ldm", "pallets"].includes(entity.value.unit),
  );
}
