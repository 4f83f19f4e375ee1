import { tight, type ArchiveRow } from "../../platform/archive/archive.ts";
import { boardRow } from "./board/board.ts";
import { clockAt, placeTerms, pointOf } from "./endpoint-index.ts";
import { isArchived, ownerView, priceNow, type Freight } from "./freight.ts";
import { nextDue } from "./lifecycle.ts";
import { openOffers } from "./offers/offers.ts";
import type { FreightView } from "./views.ts";

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
    beside: boardRow(now, id),
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
      dueAt: momentOf(nextDue(now)),
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

const momentOf = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();

/** Cents, so wide that texts of them stand in the order of the prices. */
export const priceKey = (cents: number | undefined): string | null =>
  cents === undefined ? null : `${Math.round(cents)}`.padStart(12, "0");
