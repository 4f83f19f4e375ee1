import type { MailHead } from "../document/document.ts";
import type { ExtractionContext } from "../document/extraction-result.ts";
import type { DocumentLocale } from "../entities/entity.ts";
import { addressesOf, uncertainAddresses, type Address } from "../fields/addresses/address.ts";
import type { FieldValues } from "../fields/confidence/field-value.ts";
import type { Segment } from "../layout/layout.ts";
import { partiesIn, type Parties } from "../fields/parties/parties.ts";
import { sectionsOf, type Manner, type Sections } from "../fields/sections/roles.ts";
import { windowAt } from "../fields/route/stop-details.ts";
import { relabelStops } from "../fields/route/relabel-stops.ts";
import type { StopItemContext } from "../fields/route/stop-items.ts";
import { routeOf, type Route, type Stop } from "../fields/route/stops.ts";
import type { DocumentContext } from "../fields/labels/values.ts";
import type { OrderView } from "./order/view.ts";

/** The field values of an order before they are checked. */
export type OrderDraft = NonNullable<FieldValues<OrderView>>;

/** The sections, route and parties of a document. */
export interface TransportAnalysis {
  document: DocumentContext;
  locale: DocumentLocale;
  sections: Sections;
  route: Route;
  parties: Parties;
  addresses: readonly Address[];
}

/**
 * Determines the sections, parties and stops of a document. If the headings give no complete route, or a sentence
 * mentions another stop, looser interpretations are tried and the most likely one is kept.
 */
export function analyseTransport(
  document: DocumentContext,
  locale: DocumentLocale,
  context: ExtractionContext,
  mail: MailHead | undefined,
): TransportAnalysis {
  const addresses = addressesOf(document.annotations, document.countries);
  const analyse = (view: DocumentContext, manner: Manner): TransportAnalysis => {
    const sections = sectionsOf(view, manner);
    const parties = partiesIn(view, sections, addresses, context.company, mail);
    const route = routeOf(view, sections, addresses, parties.addresses);
    return { document: view, locale, sections, parties, addresses, route };
  };
  const letter = isLetter(document) ? { ...document, prose: conditionsIn(document) } : document;
  const strict = analyse(isNote(document) ? letter : document, "Strict");
  const isComplete =
    countHeaded(strict.route) >= 2 && countHeaded(strict.route) === strict.route.stops.length && bothEnds(strict.route);
  if (isComplete && !addresses.some((address) => isMentionedStop(strict, address))) return strict;
  const looser = [
    analyse(letter, "Loose"),
    analyse(letter, "Strict"),
    ...(isComplete ? [] : [analyse(letter, "Paired")]),
  ];
  const analyses = isComplete ? [strict, ...looser] : [...looser, strict];
  return analyses.reduce((best, other) => (likelihood(other) > likelihood(best) ? other : best));
}

/** Returns the analysis with a route that is inferred from the sequence of all addresses and other places. */
export function routedBySequence(analysis: TransportAnalysis): TransportAnalysis {
  return { ...analysis, route: relabelStops(stopContextOf(analysis)) };
}

/** Collects the input from which stops are inferred: the addresses, and places that may be one. */
export function stopContextOf(analysis: TransportAnalysis): StopItemContext {
  const { document, addresses } = analysis;
  const uncertain = uncertainAddresses(document.annotations, document.countries, addresses);
  return {
    ...analysis,
    addresses: [...addresses, ...uncertain],
    uncertain: new Set(uncertain),
    parties: analysis.parties.addresses,
  };
}

/** Whether an address is in a sentence about loading or unloading, and belongs to no stop and no party. */
function isMentionedStop({ document, route, parties }: TransportAnalysis, address: Address): boolean {
  const owned = parties.addresses.has(address) || route.stops.some((stop) => stop.address === address);
  const { segment } = address.place;
  return (
    !owned &&
    (document.annotations.labelsIn[segment.index] ?? []).some(
      ({ standing, meanings }) =>
        standing === "Loose" && meanings.some(({ concept }) => concept === "loading" || concept === "unloading"),
    )
  );
}

function likelihood({ document, route, locale }: TransportAnalysis): number {
  const day = (stop: Stop) => windowAt(document, route, stop, locale).start?.value;
  const days = (kind: Stop["kind"]) =>
    route.stops.filter((stop) => stop.kind === kind).flatMap((stop) => day(stop) ?? []);
  const [loadings, unloadings] = [days("Loading"), days("Unloading")];
  const isReversed = loadings.some((loading) =>
    unloadings.some((unloading) => unloading.slice(0, 10) < loading.slice(0, 10)),
  );
  return countHeaded(route) + (bothEnds(route) ? 2 : 0) - (isReversed ? 4 : 0);
}

function isLetter({ annotations, prose }: DocumentContext): boolean {
  const first = annotations.layout.segments.filter((segment) => segment.page === 1);
  const letters = (segments: readonly Segment[]) => segments.reduce((sum, segment) => sum + segment.text.length, 0);
  return letters(first.filter((segment) => prose.has(segment))) > letters(first) / 2;
}

/** Whether a document is too short to contain conditions. Its sentences are then part of the order. */
const isNote = ({ annotations: { layout } }: DocumentContext): boolean =>
  layout.segments.reduce((sum, segment) => sum + segment.text.length, 0) < maxNoteLength;

const maxNoteLength = 2400;

function countHeaded({ stops }: Route): number {
  return stops.filter((stop) => stop.address && stop.heads.length > 0).length;
}

/** Finds the sentences about conditions and penalties. In a letter, all other sentences are part of the order. */
export function conditionsIn({ annotations, prose }: DocumentContext): Set<Segment> {
  const isCondition = (segment: Segment) =>
    (annotations.labelsIn[segment.index] ?? []).some((label) =>
      label.meanings.some((each) => each.concept === "terms" || each.concept === "penalties"),
    );
  return new Set([...prose].filter(isCondition));
}

function bothEnds({ stops }: Route): boolean {
  return (
    stops.some((stop) => stop.kind === "Loading" && stop.address) &&
    stops.some((stop) => stop.kind === "Unloading" && stop.address)
  );
}
