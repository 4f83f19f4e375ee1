import type { ConceptId } from "../../lexicon/concepts.ts";
import type { EntityType } from "../../entities/entity.ts";
import type { Address } from "../addresses/address.ts";
import { distance, type Head } from "../sections/sections.ts";
import type { Segment } from "../../layout/layout.ts";
import { stopRoles, type Role, type Sections } from "../sections/roles.ts";
import { entitiesOfType } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";
import { namesAnyParty } from "../parties/party.ts";

/** Type of a stop. */
export type StopKind = "Loading" | "Unloading" | "Customs" | "Stop";

/** A stop of the route, with the headings of its part of the document. */
export interface Stop {
  kind: StopKind;
  number?: number;
  address?: Address;
  heads: Head<Role>[];
  /** Confidence that this is a stop of this type, 0..1. */
  confidence: number;
}

/** The stops, and the stop to which a position in the document belongs. */
export interface Route {
  stops: Stop[];
  owner: (segment: Segment, at: number) => Stop | undefined;
}

/** Maximum distance of an address from its heading, in letter heights. */
const reach = 34;
/** Maximum number of stops of a lorry. A longer list is something else. */
const mostStops = 50;

/** Finds the stops: every address under a heading of a stop, and also headings without an address. */
export function routeOf(
  document: DocumentContext,
  sections: Sections,
  addresses: readonly Address[],
  parties: ReadonlySet<Address>,
): Route {
  const stops: Stop[] = [];
  const free = addresses.filter((address) => !parties.has(address));
  for (const address of free) {
    document.budget.check();
    const head = rulerOf(sections, address);
    if (head && stopRoles.has(head.role) && stops.length < mostStops && !isPassedBy(head, address, free))
      join(stops, {
        kind: head.role as StopKind,
        number: head.label.number,
        address,
        heads: [head],
        confidence: 0.6 + 0.35 * head.weight,
      });
  }
  if (!stops.some((stop) => stop.kind === "Loading") || !stops.some((stop) => stop.kind !== "Loading"))
    chain(stops, namesAnyParty(document) ? free : free.map((address) => placeOf(document, address)), sections);
  const withContent = headsWithContent(document, sections);
  for (const head of sections.heads) if (stopRoles.has(head.role)) adopt(stops, head, withContent);
  settleKinds(stops);
  return routeAlong(stops, document, sections);
}

/**
 * Creates a route: the stops in order, and `owner`, which finds the stop that a position in the text belongs to,
 * usually by the heading above it.
 */
export function routeAlong(stops: Stop[], document: DocumentContext, sections: Sections): Route {
  const route = inOrder(stops, document);
  return { stops: route, owner: ownerAmong(route, sections) };
}

/** Returns the heading of an address, unless it is too far away. */
export function rulerOf(sections: Sections, address: Address): Head<Role> | undefined {
  const { segment, entity } = address.place;
  const own = sections.ruling(segment, entity.start);
  const head = own?.label.segment === segment ? own : sections.ruling(address.first.segment, address.first.start);
  if (!head) return undefined;
  const samePage = head.label.segment.page === segment.page && head.label.segment !== segment;
  return samePage && distance(head.label.segment, address.first.segment) > reach ? undefined : head;
}

const listed = /^\W*(?:\d{1,2}|[a-z])[.)]/iu;

/**
 * Whether the heading has another address on its own line. If so, an address below at the same left edge does not
 * belong to the heading.
 */
function isPassedBy({ label }: Head<Role>, { place, first }: Address, all: readonly Address[]): boolean {
  const { segment } = label;
  if (place.segment === segment || first.segment === segment || segment.cell) return false;
  const own = all.some((other) => other.first.segment === segment && other.first.start >= label.end);
  const indented = first.segment.box.x0 - segment.box.x0 > segment.size;
  return own && !indented && !listed.test(first.segment.text);
}

/** Adds a stop, or merges it with a stop of the same type at the same place. */
function join(stops: Stop[], stop: Stop): void {
  const twin = stops.find(
    (other) =>
      other.kind === stop.kind &&
      samePlace(other.address, stop.address) &&
      (other.number ?? stop.number) === (stop.number ?? other.number),
  );
  if (!twin) {
    stops.push(stop);
    return;
  }
  twin.heads.push(...stop.heads.filter((head) => !twin.heads.includes(head)));
  if (richness(stop.address) > richness(twin.address)) twin.address = stop.address;
}

/** Whether two addresses name the same place. A missing street or postal code is no difference. */
export function samePlace(a: Address | undefined, b: Address | undefined): boolean {
  const [one, other] = [a?.place.entity.value, b?.place.entity.value];
  if (!one || !other || a === b) return a === b;
  if ((one.postalCode ?? other.postalCode) !== (other.postalCode ?? one.postalCode)) return false;
  if (!one.postalCode && !other.postalCode && one.city !== other.city) return false;
  return !a?.street || !b?.street || fold(a.street.text) === fold(b.street.text);
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function richness(address: Address | undefined): number {
  if (!address) return 0;
  const { value } = address.place.entity;
  return (value.postalCode ? 3 : 0) + (value.city ? 2 : 0) + (address.name ? 1 : 0) + (address.street ? 2 : 0);
}

/**
 * Returns the address without its name, for a document that names no company, such as a load board. The street is kept
 * only if it was also recognised as a street by itself, because the text beside a town is often a code there.
 */
function placeOf({ annotations }: DocumentContext, address: Address): Address {
  const { segments, street } = address;
  const isStreet = entitiesOfType(annotations, "Street", segments).some(
    ({ segment, entity }) => segment === street?.segment && entity.start < street.end && entity.end > street.start,
  );
  return { ...address, name: undefined, street: isStreet ? street : undefined };
}

/**
 * Adds the loading or the unloadings if no heading names them. A missing loading is at the first unassigned place.
 * Missing unloadings are at the other places.
 */
function chain(stops: Stop[], free: readonly Address[], sections: Sections): void {
  const placed = new Set(stops.map((stop) => stop.address?.place));
  const left = free.filter(
    (address) => !placed.has(address.place) && address.place.entity.score >= 0.5 && !ruledByOthers(sections, address),
  );
  const loadings = stops.some((stop) => stop.kind === "Loading");
  const unloadings = stops.some((stop) => stop.kind !== "Loading");
  if (left.length + stops.length < 2 || left.length === 0) return;
  for (const [index, address] of left.entries()) {
    const kind: StopKind = !loadings && index === 0 ? "Loading" : "Unloading";
    if (kind === "Unloading" && unloadings) break;
    join(stops, { kind, address, heads: [], confidence: 0.5 });
  }
}

function ruledByOthers(sections: Sections, address: Address): boolean {
  const head = rulerOf(sections, address);
  return head !== undefined && !stopRoles.has(head.role);
}

/**
 * Assigns a heading without an address to a stop of its type. If there is none, but the heading has content, adds a
 * stop without a place.
 */
function adopt(stops: Stop[], head: Head<Role>, withContent: ReadonlySet<Head<Role>>): void {
  if (stops.some((stop) => stop.heads.includes(head))) return;
  const kin = stops.filter((stop) => stop.kind === head.role || (head.role === "Stop" && stop.heads.length === 0));
  const numbered = kin.find((stop) => head.label.number !== undefined && stop.number === head.label.number);
  const near = numbered ?? nearest(kin, head.label.segment);
  if (near) {
    near.heads.push(head);
    return;
  }
  if (head.role === "Stop" || head.weight < 0.6 || !withContent.has(head) || stops.length >= mostStops) return;
  stops.push({ kind: head.role as StopKind, number: head.label.number, heads: [head], confidence: 0.4 * head.weight });
}

function nearest(stops: readonly Stop[], segment: Segment): Stop | undefined {
  const away = (stop: Stop) => (stop.address ? between(stop.address.first.segment, segment) : Number.MAX_VALUE);
  return stops.reduce<Stop | undefined>((best, stop) => (!best || away(stop) < away(best) ? stop : best), undefined);
}

function between(a: Segment, b: Segment): number {
  if (a === b) return 0;
  const way = Math.min(distance(a, b), distance(b, a));
  return Number.isFinite(way) ? way + 50 * Math.abs(a.page - b.page) : 500 + Math.abs(a.index - b.index);
}

function headsWithContent({ annotations }: DocumentContext, sections: Sections): ReadonlySet<Head<Role>> {
  const heads = new Set<Head<Role>>();
  for (const segment of annotations.layout.segments)
    for (const { type, score, start } of annotations.entitiesIn[segment.index] ?? []) {
      const head = contents.has(type) && score >= 0.4 ? sections.ruling(segment, start) : undefined;
      if (head) heads.add(head);
    }
  return heads;
}

const contents: ReadonlySet<EntityType> = new Set(["Date", "Place", "Company"]);

const loadingWords: ReadonlySet<ConceptId> = new Set([
  "loading",
  "loadingPlace",
  "shipper",
  "loadingDate",
  "loadingReference",
]);

/**
 * Determines the type of stops with the label "stop" only. A word for loading at the heading names the type. Otherwise,
 * if all other stops are loadings, these are unloadings, and the reverse. If there are no other stops, the first is the
 * loading and the rest are unloadings.
 */
function settleKinds(stops: Stop[]): void {
  const open = stops.filter((stop) => stop.kind === "Stop");
  const known = stops.length > open.length;
  const missing = (["Unloading", "Loading"] as const).find((kind) => stops.every((stop) => stop.kind !== kind));
  for (const [index, stop] of open.entries()) {
    const says = stop.heads.some((head) => head.label.meanings.some((each) => loadingWords.has(each.concept)));
    if (says || (!known && index === 0)) stop.kind = "Loading";
    else if (!known) stop.kind = "Unloading";
    else if (missing) stop.kind = missing;
  }
}

/** Sorts the stops in reading order. If loadings and unloadings are in separate columns, all loadings come first. */
function inOrder(stops: Stop[], document: DocumentContext): Stop[] {
  const place = (stop: Stop) => (stop.address?.first.segment ?? stop.heads[0]?.label.segment) as Segment;
  const at = (stop: Stop) => stop.address?.first.start ?? stop.heads[0]?.label.start ?? 0;
  const sorted = [...stops].sort((a, b) => place(a).index - place(b).index || at(a) - at(b));
  const [loadings, others] = [
    sorted.filter((stop) => stop.kind === "Loading"),
    sorted.filter((stop) => stop.kind !== "Loading"),
  ];
  const width = document.annotations.layout.pages[0]?.width ?? 600;
  const apart = loadings.every((stop) =>
    others.every(
      (other) =>
        place(stop).page === place(other).page && Math.abs(place(stop).box.x0 - place(other).box.x0) > width / 5,
    ),
  );
  return apart ? [...loadings, ...others] : sorted;
}

/**
 * Returns a function that maps a position to the stop whose heading applies to it. If the heading has several
 * addresses, it is the stop of the preceding or nearest one.
 */
function ownerAmong(stops: readonly Stop[], sections: Sections): Route["owner"] {
  const known = new Map<Segment, Map<number, Stop | undefined>>();
  return (segment, at) => {
    const within = known.get(segment) ?? new Map<number, Stop | undefined>();
    known.set(segment, within);
    if (!within.has(at)) within.set(at, found(segment, at));
    return within.get(at);
  };

  function found(segment: Segment, at: number): Stop | undefined {
    const holder = stops.filter((stop) => stop.address && stop.address.segments.includes(segment));
    if (holder.length === 1 && holder[0]?.heads.length === 0) return holder[0];
    const head = sections.ruling(segment, at);
    if (!head) return before(stops, segment, at);
    if (!stopRoles.has(head.role)) return undefined;
    const ruled = stops.filter((stop) => stop.heads.includes(head));
    return ruled.length > 1 ? (before(ruled, segment, at) ?? nearest(ruled, segment)) : ruled[0];
  }
}

/** Returns the last stop that begins before this position in the same column or line. */
function before(stops: readonly Stop[], segment: Segment, at: number): Stop | undefined {
  const same = stops.filter(
    (stop) => stop.address?.place.segment === segment || stop.address?.first.segment === segment,
  );
  if (same.length > 0)
    return (
      same.findLast((stop) =>
        stop.address?.first.segment !== segment ? true : (stop.address?.first.start ?? 0) <= at,
      ) ?? same[0]
    );
  const above = stops.filter(
    (stop) =>
      stop.address &&
      stop.address.first.segment.index <= segment.index &&
      distance(stop.address.first.segment, segment) < reach,
  );
  return above.reduce<Stop | undefined>((best, stop) => {
    const away = (each: Stop) => distance((each.address as Address).first.segment, segment);
    return !best || away(stop) <= away(best) ? stop : best;
  }, undefined);
}
