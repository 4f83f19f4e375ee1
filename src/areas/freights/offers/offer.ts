import type { OfferAction, OfferStatus, OfferView, Side, Vehicle } from "./model.ts";
import { amountOf } from "../price.ts";

// The state of a carrier's offer, and the actions that each side may take. Prices are in integer cents.

/** A price that one side named. */
export interface Round {
  by: Side;
  price: number;
  at: string;
  comment?: string;
}

/** A carrier's offer to carry a freight at a price. */
export interface Offer {
  offerId: string;
  status: OfferStatus;
  /** The price of the last round; for an outdated offer, the price of the carrier's last round. */
  price: number;
  currency: string;
  carrier: { name: string; email: string; vatCode?: string };
  vehicle?: Vehicle;
  comments?: string;
  /** ISO 8601, UTC. */
  validUntil?: string;
  /** Oldest first; the first is by the carrier. */
  rounds: Round[];
  /** The reason that a side sent when it closed the offer, or a code if the service closed it. */
  reason?: string;
  declinedBy?: Side;
  shareId?: string;
  /** ISO 639-1: the language of the page on which the offer was made. */
  language?: string;
  /** The carrier must still be told the company's answer by mail. Existing records store it under this name. */
  isUntold?: true;
  source: "Api" | "Guest";
  createdAt: string;
  updatedAt: string;
  updates?: number;
  /** The version of the freight in which the offer last changed. */
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

export interface Answer {
  action: OfferAction | "Withdraw";
  /**
   * The acting side. Absent if the caller acts for both sides; the service then chooses a side that may take the
   * action.
   */
  by?: Side;
  price?: number;
  reason?: string;
  comment?: string;
  validUntil?: string;
}

/** Maximum number of rounds of one offer. */
export const maxRounds = 20;
/** Maximum number of `Update` actions on one offer. */
export const maxUpdates = 100;

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

/** Returns the side that must answer; undefined once the offer is closed. */
export const turnOf = ({ status }: Pick<Offer, "status">): Side | undefined => turns[status];

export const isOpen = (offer: Pick<Offer, "status">): boolean => turnOf(offer) !== undefined;

export const openOffers = (offers: readonly Offer[]): Offer[] => offers.filter(isOpen);

/** Returns the actions that a side may take on an offer. */
export const allowedTo = (offer: Offer, by: Side): Answer["action"][] =>
  moves[offer.status][by].filter((action) => !isUsedUp(offer, action));

export const isUsedUp = ({ rounds, updates = 0 }: Offer, action: Answer["action"]) =>
  (action === "Counter" && rounds.length >= maxRounds) || (action === "Update" && updates >= maxUpdates);

/** Returns the number of open offers and their lowest price in cents. */
export function summaryOf(offers: readonly Offer[]): { open: number; best?: number } {
  const prices = openOffers(offers).map(({ price }) => price);
  return { open: prices.length, ...(prices.length > 0 && { best: Math.min(...prices) }) };
}

/**
 * Returns the owner's view of an offer.
 * @param growTo maximum price of the freight, in cents
 */
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
