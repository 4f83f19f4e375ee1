import type { ConceptId } from "../../lexicon/concepts.ts";
import { findTrailers } from "../../lexicon/trailers.ts";
import { sightings, type Sighting } from "../labels/annotations.ts";
import type { Stop } from "./stops.ts";
import { titled, titlesOfBills } from "../labels/titles.ts";
import type { DocumentContext } from "../labels/values.ts";

const enough = 5;

/** Whether the document orders a carriage: somewhere goods are fetched, somewhere they are brought, and freight words stand around. */
export function isFreight(around: DocumentContext, stops: readonly Stop[]): boolean {
  const placed = (kind: Stop["kind"]) => stops.some((stop) => stop.kind === kind && stop.address);
  const points =
    (titled(around, ["titleTransportOrder"]) ? 2 : 0) +
    (placed("Loading") ? 2 : 0) +
    (placed("Unloading") ? 2 : 0) +
    (says(around, ["carrier", "driver", "truckPlate", "plates", "trailerType", "vehicle"]) ? 1 : 0) +
    (says(around, ["loading", "loadingPlace", "loadingDate", "shipper"]) &&
    says(around, ["unloading", "unloadingPlace", "unloadingDate", "consignee"])
      ? 1
      : 0) +
    (weighs(around) ? 1 : 0) +
    (drives(around) ? 1 : 0) +
    (says(around, ["price", "basePrice"]) ? 1 : 0) -
    (titled(around, titlesOfBills) && !titled(around, ["titleTransportOrder"]) ? 3 : 0);
  const somewhere = placed("Loading") || placed("Unloading") || stops.length >= 2;
  return somewhere && points >= enough;
}

function says(around: DocumentContext, concepts: readonly ConceptId[]): boolean {
  return around.marks.labels.some(
    (label) =>
      label.standing !== "Loose" &&
      label.meanings.some((each) => concepts.includes(each.concept) && each.weight >= 0.5),
  );
}

/** Kilometres or miles; a lorry is not ordered for fewer. */
const leastWay = 20;

const paidByTheWay = /\d ?\/ ?(?:km|mi)(?!\p{L})/u;

/** A way, and what is paid for it or what it is driven with: all that a card of a load board says beside its places. */
function drives({ marks }: DocumentContext): boolean {
  const isWay = ({ entity: { value } }: Sighting<"Quantity">) =>
    (value.unit === "km" || value.unit === "mi") && value.amount >= leastWay;
  if (marks.layout.segments.some(({ text }) => paidByTheWay.test(text))) return true;
  if (!sightings(marks, "Quantity").some(isWay)) return false;
  const isPaid = sightings(marks, "Amount").some(({ entity }) => entity.value.currency !== undefined);
  return isPaid || marks.layout.segments.some(({ text }) => findTrailers(text).length > 0);
}

function weighs(around: DocumentContext): boolean {
  return sightings(around.marks, "Quantity").some(({ entity }) =>
    ["kg", "t", "lb", "ldm", "pallets"].includes(entity.value.unit),
  );
}
