import type { OfferAction, OfferStatus, OfferView, Side, Vehicle } from "./model.ts";
import { amountOf } from "../price.ts";

// An offer of a carrier: its state, and what either side may do with it. Prices in integer cents.

/** A price that one side named. */
export interface Round {
  by: Side;
  price: number;
  at: string;
  comment?: string;
}

/** What a carrier offers to drive a freight for. */
export interface Offer {
  offerId: string;
  status: OfferStatus;
  /** The current price: the last one; for an outdated offer the last one of its carrier. */
  price: number;
  currency: string;
  carrier: { name: string; email: string; vatCode?: string };
  vehicle?: Vehicle;
  comments?: string;
  /** ISO 8601, UTC. */
  validUntil?: string;
  /** All prices, the first by the carrier. */
  rounds: Round[];
  /** The reason sent when it was closed, or why the service closed it. */
  reason?: string;
  declinedBy?: Side;
  /** The share through which it was made. */
  shareId?: string;
  /** ISO 639-1: the language of the page on which it was made. */
  language?: string;
  /** The carrier has not been notified by mail of the company's answer. Stored under this name. */
  isUntold?: true;
  source: "Api" | "Guest";
  createdAt: string;
  updatedAt: string;
  /** Number of prices that were updated before they were answered. */
  updates?: number;
  /** The version of the freight with which it last changed. */
  version: number;
}

/** A changed offer and its previous status. */
export interface MovedOffer {
  offer: Offer;
  before?: OfferStatus;
}

export interface OffersAfter {
  offers: Offer[];
  moved: MovedOffer[];
}

/** An action on an offer. */
export interface Answer {
  action: OfferAction | "Withdraw";
  /** The acting side. Absent if the caller acts for both: then the side that is allowed to, first the one whose turn it is. */
  by?: Side;
  price?: number;
  reason?: string;
  comment?: string;
  validUntil?: string;
}

/** Maximum number of prices of one offer. */
export const maxRounds = 20;
/** Maximum number of updates of a price in one offer. */
export const maxUpdates = 100;

/** Actions of each side by status; none on a closed offer. */
const moves: Record<OfferStatus, Record<Side, Answer["action"][]>> = {
  Submitted: { Owner: ["Accept", "Decline", "Counter"], Carrier: ["Update", "Withdraw"] },
  Countered: { Owner: ["Update", "Decline"], Carrier: ["Accept", "Decline", "Counter", "Withdraw"] },
  Outdated: { Owner: ["Decline"], Carrier: ["Confirm", "Withdraw"] },
  Accepted: { Owner: [], Carrier: [] },
  Declined: { Owner: [], Carrier: [] },
  Withdrawn: { Owner: [], Carrier: [] },
  Expired: { Owner: [], Carrier: [] },
};

const turns: Partial<Record<OfferStatus, Side>> = { Submitted: "Owner", Countered: "Carrier", Outdated: "Carrier" };

/** The side that must answer; undefined once the offer is closed. */
export const turnOf = ({ status }: Pick<Offer, "status">): Side | undefined => turns[status];

export const isOpen = (offer: Pick<Offer, "status">): boolean => turnOf(offer) !== undefined;

export const openOffers = (offers: readonly Offer[]): Offer[] => offers.filter(isOpen);

/** Actions that a side may take on an offer. */
export const allowedTo = (offer: Offer, by: Side): Answer["action"][] =>
  moves[offer.status][by].filter((action) => !isUsedUp(offer, action));

export const isUsedUp = ({ rounds, updates = 0 }: Offer, action: Answer["action"]) =>
  (action === "Counter" && rounds.length >= maxRounds) || (action === "Update" && updates >= maxUpdates);

/** Number of open offers and their lowest price in cents. */
export function summaryOf(offers: readonly Offer[]): { open: number; best?: number } {
  const prices = openOffers(offers).map(({ price }) => price);
  return { open: prices.length, ...(prices.length > 0 && { best: Math.min(...prices) }) };
}

/** The owner's view of an offer. @param growTo of the freight, in cents */
export function viewOfOffer(kept: Offer, freightId: string, growTo: number | undefined): OfferView {
  const { version: _, updates: __, language: ___, isUntold: ____, rounds, price, ...offer } = kept;
  return {
    ...offer,
    freightId,
    turn: turnOf(kept),
    price: amountOf(price),
    rounds: rounds.map((round) => ({ ...round, price: amountOf(round.price) })),
    aboveBudget: growTo !== undefined && price > growTo ? true : undefined,
  };
}
