import type { ConceptId } from "../../know/concepts.ts";
import { sightings } from "../labels/marks.ts";
import type { Stop } from "./stops.ts";
import { titled } from "../labels/titles.ts";
import type { Surroundings } from "../labels/values.ts";

const otherTitles: readonly ConceptId[] = [
  "titleInvoice",
  "titleCreditNote",
  "titleFine",
  "titleInsurance",
  "titleReceipt",
  "titleFuelStatement",
];
const enough = 5;

/** Whether the document orders a carriage: somewhere goods are fetched, somewhere they are brought, and freight words stand around. */
export function isFreight(around: Surroundings, stops: readonly Stop[]): boolean {
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
    (says(around, ["price", "basePrice"]) ? 1 : 0) -
    (titled(around, otherTitles) && !titled(around, ["titleTransportOrder"]) ? 3 : 0);
  const somewhere = placed("Loading") || placed("Unloading") || stops.length >= 2;
  return somewhere && points >= enough;
}

function says(around: Surroundings, concepts: readonly ConceptId[]): boolean {
  return around.marks.labels.some(
    (label) =>
      label.standing !== "Loose" &&
      label.meanings.some((each) => concepts.includes(each.concept) && each.weight >= 0.5),
  );
}

function weighs(around: Surroundings): boolean {
  return sightings(around.marks, "Quantity").some(({ entity }) =>
    ["kg", "t", "lb", "ldm", "pallets"].includes(entity.value.unit),
  );
}
