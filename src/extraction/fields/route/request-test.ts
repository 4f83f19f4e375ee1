import type { ConceptId } from "../../lexicon/concepts.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import { findTrailers } from "../../lexicon/trailers.ts";
import { entitiesOfType } from "../labels/annotations.ts";
import { titled, titlesOfBills } from "../labels/titles.ts";
import type { DocumentContext } from "../labels/values.ts";

const loadUnits: ReadonlySet<string> = new Set(["kg", "t", "lb", "ldm", "pallets", "m3"]);
const enough = 4;

/**
 * Whether the document requests a quote for a transport. It gets points for an origin, a destination and freight words.
 */
export function isRequest(
  document: DocumentContext,
  stops: readonly { kind: string; place?: unknown }[],
  subject = "",
): boolean {
  const placed = (kind: string) => stops.some((stop) => stop.kind === kind && stop.place !== undefined);
  const { layout, labels } = document.annotations;
  const asks =
    findLabels(subject).some(({ concept, weight }) => concept === "titleQuoteRequest" && weight >= 0.5) ||
    labels.some(({ meanings }) => meanings.some(({ concept }) => concept === "titleQuoteRequest"));
  const points =
    (asks ? 2 : 0) +
    (placed("Loading") ? 1 : 0) +
    (placed("Unloading") ? 2 : 0) +
    (entitiesOfType(document.annotations, "Date").some(({ entity }) => entity.score >= 0.4) ? 1 : 0) +
    (entitiesOfType(document.annotations, "Quantity").some(({ entity }) => loadUnits.has(entity.value.unit)) ? 1 : 0) +
    (layout.segments.some(({ text }) => findTrailers(text).length > 0) ? 1 : 0) +
    (says(document, ["loading", "loadingPlace", "unloading", "unloadingPlace", "goods", "vehicle"]) ? 1 : 0) -
    (titled(document, titlesOfBills) && !asks ? 4 : 0);
  return (placed("Loading") || placed("Unloading")) && points >= enough;
}

function says({ annotations }: DocumentContext, concepts: readonly ConceptId[]): boolean {
  return annotations.labels.some(({ meanings }) =>
    meanings.some(({ concept, weight }) => concepts.includes(concept) && weight >= 0.5),
  );
}
