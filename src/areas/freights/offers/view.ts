import { amountOf } from "../price.ts";
import type { OfferView } from "./shapes.ts";
import { turnOf, type Offer } from "./offers.ts";

/** An offer as the owner of its freight sees it. @param growTo of the freight, in cents */
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
