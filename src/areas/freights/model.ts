import type { CommandContext } from "../../platform/decision.ts";
import { eventExample } from "./examples.ts";
import { offerEvents } from "./offers/model.ts";
import { type Offer, summaryOf, viewOfOffer } from "./offers/offer.ts";
import { amountOf, countSteps, priceAt, priceOf, stepAt, stepBegins, type Clock } from "./price.ts";
import { viewOfPublication, type Publication } from "./publications/model.ts";
import { paymentOf, type FreightDetails } from "./details.ts";
import type { ArchiveReason, FreightStatus } from "./input.ts";
import type { Share } from "./shares/model.ts";
import { loadingEnd, viewOfStop } from "./stops.ts";
import { FreightView, type ArchivedFreight, type PublicFreight, type ShareView } from "./views.ts";

const eventSchema = (id: string, description: string) =>
  FreightView.meta({ id, description, examples: [eventExample] });

const freightEvents = {
  FreightPublished: eventSchema("FreightPublished", "A freight was published."),
  FreightUpdated: eventSchema("FreightUpdated", "A freight was changed."),
  FreightPriceChanged: eventSchema("FreightPriceChanged", "The price of a freight grew."),
  FreightShared: eventSchema("FreightShared", "Links to a freight were sent to carriers."),
  FreightBooked: eventSchema("FreightBooked", "An offer was accepted: the freight is booked and archived."),
  FreightExpired: eventSchema("FreightExpired", "A freight has expired and is archived."),
  FreightSuspended: eventSchema(
    "FreightSuspended",
    "The account that owns a freight was blocked: the freight is hidden, and its price does not grow.",
  ),
  FreightWithdrawn: eventSchema("FreightWithdrawn", "A freight was withdrawn and is archived."),
};

/** Events of a freight and its offers. */
export const events = { ...freightEvents, ...offerEvents };
export type Events = typeof events;
export type FreightEvent = keyof typeof freightEvents;

/** A freight. Money is in integer cents; times are ISO 8601 in UTC. */
export interface Freight {
  status: FreightStatus;
  said: FreightDetails;
  createdAt: string;
  updatedAt: string;
  publishedAt?: string;
  /** When the freight was hidden because its owner was blocked or its company was suspended. */
  suspendedAt?: string;
  /** Sequence number of the last block or unblock of the owner. */
  ownerTurn?: number;
  /** `isHeld`: whether the company is suspended. `turn`: sequence number of its last suspension or resumption. */
  hold?: { turn: number; isHeld: boolean };
  archivedAt?: string;
  archiveReason?: ArchiveReason;
  /** Absent if the price does not grow. */
  clock?: Clock;
  /** Oldest first. */
  prices: { at: string; price: number }[];
  /** Index of the last published price step. Existing records store it under this name. */
  told?: number;
  offers: Offer[];
  shares: Share[];
  publications: Publication[];
  booking?: { offerId: string; price: number; currency: string; carrierOrderId?: string };
  metadata?: Record<string, string>;
}

/** A draft expires this long after the end of its first loading. */
const draftMilliseconds = 7 * 24 * 60 * 60 * 1000;

export const isArchived = ({ archivedAt }: Pick<Freight, "archivedAt">): boolean => archivedAt !== undefined;

/** Returns when the freight expires, in milliseconds since 1970. */
export function endOf({ status, said }: Freight): number {
  const { locations, payment } = said;
  const loaded = loadingEnd(locations);
  if (status === "Draft") return loaded + draftMilliseconds;
  return payment.untilAt ? Math.min(loaded, Date.parse(payment.untilAt)) : loaded;
}

/** Whether a live freight has expired, even if its expiry is not committed yet. */
export const isOver = (state: Freight, at: string): boolean => !isArchived(state) && endOf(state) <= Date.parse(at);

/**
 * Returns the price in cents at the time `at`, or when the freight was suspended or archived. Undefined if carriers
 * name the price.
 */
export function priceNow({ clock, said, suspendedAt, archivedAt }: Freight, at: string): number | undefined {
  return clock ? priceAt(clock, Date.parse(suspendedAt ?? archivedAt ?? at)) : said.payment.from;
}

/** Returns the time and price of the next price step; undefined if the price does not grow any further. */
export function nextPrice(
  { clock, suspendedAt, archivedAt }: Freight,
  at: string,
): { at: number; price: number } | undefined {
  if (!clock || suspendedAt || archivedAt) return undefined;
  const step = stepAt(clock, Date.parse(at)) + 1;
  const begins = stepBegins(clock, step);
  return begins === undefined ? undefined : { at: begins, price: priceOf(clock, step) };
}

/** Id and version of the freight, and the time for which it is shown. */
export type Shown = Pick<CommandContext, "at" | "id" | "version">;

/** Returns the view for the company that owns the freight. */
export function ownerView(state: Freight, { at, id, version }: Shown): FreightView {
  const { said, offers } = state;
  const next = nextPrice(state, at);
  const { open, best } = summaryOf(offers);
  return {
    freightId: id,
    status: state.status,
    version,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    publishedAt: state.publishedAt,
    suspendedAt: state.suspendedAt,
    expiresAt: isArchived(state) ? undefined : new Date(endOf(state)).toISOString(),
    archivedAt: state.archivedAt,
    archiveReason: state.archiveReason,
    currentPrice: inAmount(priceNow(state, at)),
    nextPrice: inAmount(next?.price),
    nextPriceAt: next && new Date(next.at).toISOString(),
    warnings: warningsOf(state),
    externalNumber: said.externalNumber,
    owner: said.owner,
    sources: said.sources,
    useAlternativeLocations: said.useAlternativeLocations,
    alternativeLocationsRange: said.alternativeLocationsRange,
    locations: said.locations.map(viewOfStop),
    requirements: said.requirements,
    payment: paymentOf(said),
    totalDistance: said.totalDistance,
    comments: said.comments,
    internalComments: said.internalComments,
    publications: state.publications.map(viewOfPublication),
    shares: state.shares.map(viewOfShare),
    offers: { open, best: inAmount(best) },
    booking: state.booking && { ...state.booking, price: amountOf(state.booking.price) },
    metadata: state.metadata,
  };
}

/** Returns the view of an archived freight, with all offers, all published prices and the winner. */
export function archivedView(state: Freight, shown: Shown): ArchivedFreight {
  const view = ownerView(state, shown);
  const winner = state.offers.find(({ offerId }) => offerId === state.booking?.offerId);
  return {
    ...view,
    offers: state.offers.map((offer) => viewOfOffer(offer, shown.id, state.said.payment.growTo)),
    priceHistory: state.prices.map(({ at, price }) => ({ at, price: amountOf(price) })),
    winner: winner && view.booking && { ...view.booking, carrier: winner.carrier },
  };
}

/** Returns the public view: with the current price, but without its growth, the owner and offers. */
export function publicView(state: Freight, { at, id }: Pick<Shown, "at" | "id">): PublicFreight {
  const { currency, term, dueDate } = state.said.payment;
  return {
    freightId: id,
    status: state.status,
    publishedAt: state.publishedAt,
    currentPrice: inAmount(priceNow(state, at)),
    locations: state.said.locations.map(viewOfStop),
    requirements: state.said.requirements,
    payment: { currency, term, dueDate },
    totalDistance: state.said.totalDistance,
    comments: state.said.comments,
  };
}

const inAmount = (cents: number | undefined) => (cents === undefined ? undefined : amountOf(cents));

/** Warns about input that is valid but probably a mistake. */
function warningsOf({ clock }: Freight): FreightView["warnings"] {
  if (!clock || countSteps(clock) > 1) return undefined;
  const message =
    "updateRate: The price never grows, because the freight expires before the first interval ends. Choose a shorter interval.";
  return [{ code: "price_never_grows", field: "payment.updateRate", message }];
}

/** Returns the view of a share, without its secret and without fields that only its mail needs. */
export function viewOfShare(kept: Share): ShareView {
  const { secretDigest: _, address: __, isSettled: ___, byBoard: ____, ...share } = kept;
  return share;
}
