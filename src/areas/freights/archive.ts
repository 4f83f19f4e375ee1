import { tight, type ArchiveRow } from "../../kit/archive.ts";
import { cells } from "../../kit/places.ts";
import { shownAt } from "../../kit/zones.ts";
import { isArchived, ownerView, priceNow, type Freight } from "./freight.ts";
import { openOffers } from "./offers.ts";
import { zoneOfStop, type Stop } from "./stops.ts";
import type { FreightView } from "./views.ts";

/** Letters of a postal code that it may be looked for by. */
const longestBeginning = 10;
/** Letters of the comments that are found by their words. */
const longestText = 2_000;

/** The archive's row of a freight: how it is listed, live or not, and what it is found by. */
export function freightRow(now: Freight, company: string, id: string, version: number): ArchiveRow {
  const { said } = now;
  const [loading, unloading] = [said.locations[0]!, said.locations.at(-1)!];
  const { shares: _, ...view }: FreightView = ownerView(now, { at: now.updatedAt, id, version });
  return {
    table: "freights",
    id,
    company,
    createdAt: now.createdAt,
    updatedAt: now.updatedAt,
    terms: termsOf(now),
    text: [
      said.externalNumber,
      said.owner,
      ...said.locations.flatMap(({ address }) => [address.city, address.postalCode]),
      said.comments?.slice(0, longestText),
    ]
      .filter(Boolean)
      .join(" "),
    columns: {
      externalNumber: said.externalNumber ?? null,
      numberKey: tight(said.externalNumber ?? ""),
      loadingDate: clockAt(loading),
      unloadingDate: clockAt(unloading),
      price: priceKey(priceNow(now, now.updatedAt)),
      archivedAt: now.archivedAt ?? null,
      ...pointOf("loading", loading),
      ...pointOf("unloading", unloading),
    },
    view,
  };
}

function termsOf(now: Freight): string[] {
  const { said, metadata, offers } = now;
  const { trailerTypes = [] } = said.requirements;
  const internalId = metadata?.["internalId"];
  const hasOffers = isArchived(now) ? offers.length > 0 : openOffers(offers).length > 0;
  return [
    isArchived(now) ? "place:Archive" : "place:Live",
    `status:${now.status}`,
    `hasOffers:${hasOffers}`,
    ...(said.owner ? [`owner:${said.owner.toLowerCase()}`] : []),
    ...(said.externalNumber ? [`externalNumber:${tight(said.externalNumber)}`] : []),
    ...(internalId ? [`internalId:${internalId}`] : []),
    ...said.sources.map((source) => `source:${source}`),
    ...trailerTypes.map((type) => `trailerType:${type}`),
    ...placeTerms("loading", said.locations[0]!),
    ...placeTerms("unloading", said.locations.at(-1)!),
  ];
}

type End = "loading" | "unloading";

function placeTerms(end: End, { address: { countryCode, postalCode, coordinates } }: Stop): string[] {
  const code = [...tight(postalCode ?? "")].slice(0, longestBeginning);
  return [
    `${end}Country:${countryCode}`,
    ...code.map((_, last) => `${end}PostalCode:${code.slice(0, last + 1).join("")}`),
    ...(coordinates ? cells(coordinates).map((cell) => `${end}Cell:${cell}`) : []),
  ];
}

function pointOf(end: End, { address: { coordinates } }: Stop): Record<string, string | null> {
  return {
    [`${end}Latitude`]: coordinates ? `${coordinates.latitude}` : null,
    [`${end}Longitude`]: coordinates ? `${coordinates.longitude}` : null,
  };
}

/** When a stop begins by the clock that hangs there. */
const clockAt = (stop: Stop): string | null => (stop.startsAt ? shownAt(stop.startsAt, zoneOfStop(stop)) : null);

/** Cents, so wide that texts of them stand in the order of the prices. */
export const priceKey = (cents: number | undefined): string | null =>
  cents === undefined ? null : `${Math.round(cents)}`.padStart(12, "0");
