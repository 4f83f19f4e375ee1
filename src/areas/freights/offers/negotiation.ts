import { type Refusal, refuse } from "../../../platform/decision.ts";
import { wrongField } from "../../../platform/problem.ts";
import { haveSameVatCode } from "../../../extraction/lexicon/vat-codes.ts";
import type { Side } from "./model.ts";
import {
  maxRounds,
  maxUpdates,
  turnOf,
  isOpen,
  allowedTo,
  isUsedUp,
  type Round,
  type Offer,
  type MovedOffer,
  type OffersAfter,
  type Answer,
} from "./offer.ts";

// Changes of a freight's offers. Pure functions; prices are in integer cents.

/** `version`: the new version of the freight. */
interface OfferContext {
  at: string;
  version: number;
}

/** A carrier's input for a new offer. */
export type NewOffer = Pick<Offer, "offerId" | "price" | "currency" | "carrier" | "source"> &
  Partial<Pick<Offer, "vehicle" | "comments" | "validUntil" | "shareId" | "language">>;

const [maxOfOne, maxOffers] = [20, 1000];

/** Adds an offer. Refused if the same carrier has an open offer. */
export function submitOffer(offers: readonly Offer[], input: NewOffer, when: OfferContext): OffersAfter | Refusal {
  const own = offers.filter((offer) => isOfSame(offer, input));
  const open = own.find(isOpen);
  if (open)
    return refuse("duplicate_offer", "The carrier already has an open offer for the freight.", {
      extra: { offerId: open.offerId },
    });
  if (offers.length >= maxOffers || own.length >= maxOfOne)
    return refuse(
      "invalid_state",
      `A freight can have at most ${maxOffers} offers, ${maxOfOne} of them by one carrier.`,
      stuck("Published"),
    );
  const wrong = wrongTime(input.validUntil, when);
  if (wrong) return wrong;
  const { price } = input;
  const offer: Offer = {
    ...input,
    status: "Submitted",
    rounds: [{ by: "Carrier", price, at: when.at }],
    createdAt: when.at,
    updatedAt: when.at,
    version: when.version,
  };
  return { offers: [...offers, offer], moved: [{ offer }] };
}

/**
 * Whether two offers are by the same carrier: the same mail address or, if the company entered both, the same VAT code.
 * A VAT code from a guest does not count, because it may be that of another carrier, whose offer must be neither
 * revealed nor blocked.
 */
const isOfSame = (one: Pick<Offer, "carrier" | "source">, other: Pick<Offer, "carrier" | "source">) =>
  one.carrier.email.toLowerCase() === other.carrier.email.toLowerCase() ||
  ([one, other].every(({ source }) => source === "Api") && haveSameVatCode(one.carrier.vatCode, other.carrier.vatCode));

/** Applies an answer to an offer. Accepting an offer declines all other open offers. */
export function answerOffer(
  offers: readonly Offer[],
  offerId: string,
  answer: Answer,
  when: OfferContext,
): OffersAfter | Refusal {
  const offer = offers.find((one) => one.offerId === offerId);
  if (!offer) return refuse("not_found", "The freight has no offer with this id.");
  const by = sideOf(offer, answer);
  if (!by) return refusedMove(offer, answer);
  if (isSamePrice(offer, answer)) return { offers: [...offers], moved: [] };
  const next = { ...changes[answer.action](offer, answer, by, when), updatedAt: when.at, version: when.version };
  const wrong = wrongPrice(offer, answer, next) ?? (isOpen(next) ? wrongTime(next.validUntil, when) : undefined);
  if (wrong) return wrong;
  const after = replaced(offers, offer, next);
  return answer.action === "Accept" ? withOthersDeclined(after, when) : after;
}

const isSamePrice = (offer: Offer, { action, price = offer.price, comment, validUntil = offer.validUntil }: Answer) =>
  action === "Update" &&
  price === offer.price &&
  validUntil === offer.validUntil &&
  (comment ?? offer.rounds.at(-1)!.comment) === offer.rounds.at(-1)!.comment;

/** Undefined if the action is not allowed. Without `by`, either side may take it. */
function sideOf(offer: Offer, { action, by }: Answer): Side | undefined {
  const turn = turnOf(offer) ?? "Owner";
  const sides: Side[] = by ? [by] : [turn, otherSide(turn)];
  return sides.find((side) => allowedTo(offer, side).includes(action));
}

const otherSide = (side: Side): Side => (side === "Owner" ? "Carrier" : "Owner");

function refusedMove(offer: Offer, { action, by }: Answer): Refusal {
  const allowed = by ? allowedTo(offer, by) : [...allowedTo(offer, "Owner"), ...allowedTo(offer, "Carrier")];
  const detail = isUsedUp(offer, action)
    ? action === "Counter"
      ? `The offer already has ${maxRounds} prices, which is the maximum. Accept or decline it.`
      : `The offer was already updated ${maxUpdates} times, which is the maximum.`
    : `${action} is not possible: the offer is ${offer.status}${isOpen(offer) ? `, and it is the turn of the ${turnOf(offer)}` : ""}.`;
  return refuse("invalid_state", detail, { extra: { currentStatus: offer.status, allowed: [...new Set(allowed)] } });
}

const stuck = (currentStatus: string) => ({ extra: { currentStatus, allowed: [] } });

type Move = (offer: Offer, answer: Answer, by: Side, when: OfferContext) => Offer;

const close =
  (status: "Accepted" | "Declined" | "Withdrawn"): Move =>
  (offer, { reason, comment }, by) => ({
    ...offer,
    status,
    ...((reason ?? comment) && { reason: reason ?? comment }),
    ...(status === "Declined" && { declinedBy: by }),
  });

/** Adds a round with a new price (`Next`), or replaces the last round (`InPlace`). */
const setPrice =
  (place: "Next" | "InPlace"): Move =>
  (offer, { price = offer.price, comment, validUntil = offer.validUntil }, by, { at }) => {
    const last = offer.rounds.at(-1)!;
    const kept = comment ?? (place === "InPlace" ? last.comment : undefined);
    const round: Round = { by, price, at, ...(kept !== undefined && { comment: kept }) };
    const rounds = [...(place === "InPlace" ? offer.rounds.slice(0, -1) : offer.rounds), round];
    const status = by === "Carrier" ? "Submitted" : "Countered";
    return { ...offer, status, price, rounds, ...(validUntil && { validUntil }) };
  };

const update: Move = (offer, ...how) => ({ ...setPrice("InPlace")(offer, ...how), updates: (offer.updates ?? 0) + 1 });

/**
 * Replaces the last round if it is the carrier's own, otherwise adds one. At the limit of rounds, the carrier's
 * previous round is removed first.
 */
const confirm: Move = (offer, answer, by, when) => {
  const { rounds } = offer;
  const own = rounds.findLastIndex((round) => round.by === by);
  if (own === rounds.length - 1) return setPrice("InPlace")(offer, answer, by, when);
  const kept = rounds.length < maxRounds ? rounds : rounds.toSpliced(own, 1);
  return setPrice("Next")({ ...offer, rounds: kept }, answer, by, when);
};

const changes: Record<Answer["action"], Move> = {
  Accept: close("Accepted"),
  Decline: close("Declined"),
  Withdraw: close("Withdrawn"),
  Counter: setPrice("Next"),
  Update: update,
  Confirm: confirm,
};

function wrongPrice(before: Offer, { action, price }: Answer, next: Offer): Refusal | undefined {
  if (action === "Accept" && price !== undefined && price !== before.price) return otherPrice(before);
  if (action !== "Counter") return undefined;
  if (price === undefined) return wrong("price", "required", "price is required.");
  if (next.price === before.price)
    return wrong(
      "price",
      "same_price",
      "price: It is already the current price. To accept it, send the action Accept.",
    );
  return undefined;
}

const otherPrice = ({ status }: Offer): Refusal =>
  refuse("invalid_state", "The price of the offer has changed. Read the offer again.", {
    extra: { currentStatus: status, allowed: [] },
  });

const wrongTime = (validUntil: string | undefined, { at }: OfferContext): Refusal | undefined =>
  validUntil !== undefined && validUntil <= at
    ? wrong("validUntil", "in_the_past", "validUntil must be in the future.")
    : undefined;

const wrong = (field: string, code: string, message: string): Refusal =>
  refuse("validation_failed", "1 field is wrong.", { errors: [wrongField([field], code, message)] });

function replaced(offers: readonly Offer[], before: Offer, offer: Offer): OffersAfter {
  return {
    offers: offers.map((one) => (one === before ? offer : one)),
    moved: [{ offer, before: before.status }],
  };
}

function withOthersDeclined({ offers, moved }: OffersAfter, when: OfferContext): OffersAfter {
  const closed = closeOffers(offers, "OtherOfferAccepted", when);
  return { offers: closed.offers, moved: [...moved, ...closed.moved] };
}

/** Reasons for which the service closes offers. */
export type Closing = "OtherOfferAccepted" | "FreightExpired" | "FreightWithdrawn";

/** Closes all open offers. They are declined, but when the freight expires, offers that are not outdated expire. */
export const closeOffers = (offers: readonly Offer[], reason: Closing, when: OfferContext): OffersAfter =>
  moveOffers(offers, isOpen, when, (offer) => {
    if (reason === "FreightExpired" && offer.status !== "Outdated") return { ...offer, status: "Expired", reason };
    return { ...offer, status: "Declined", reason, declinedBy: "Owner" };
  });

/**
 * Marks open offers as outdated, because the freight has changed. Each carrier must then confirm its own last price.
 */
export const outdateOffers = (offers: readonly Offer[], when: OfferContext): OffersAfter =>
  moveOffers(offers, mayLapse, when, (offer) => ({
    ...offer,
    status: "Outdated",
    price: offer.rounds.findLast(({ by }) => by === "Carrier")!.price,
  }));

/** Expires offers whose `validUntil` has passed. */
export const expireOffers = (offers: readonly Offer[], when: OfferContext): OffersAfter =>
  moveOffers(
    offers,
    (offer) => mayLapse(offer) && offer.validUntil !== undefined && offer.validUntil <= when.at,
    when,
    (offer) => ({ ...offer, status: "Expired", reason: "ValidUntilReached" }),
  );

/** Returns when the next offer expires, in milliseconds since 1970. */
export function nextOfferExpiry(offers: readonly Offer[]): number | undefined {
  const times = offers.flatMap((offer) => (mayLapse(offer) && offer.validUntil ? [Date.parse(offer.validUntil)] : []));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Whether `validUntil` applies to the offer. Outdated offers do not expire. */
const mayLapse = ({ status }: Offer) => status === "Submitted" || status === "Countered";

function moveOffers(
  offers: readonly Offer[],
  isMeant: (offer: Offer) => boolean,
  { at, version }: OfferContext,
  move: (offer: Offer) => Offer,
): OffersAfter {
  const moved: MovedOffer[] = [];
  const after = offers.map((before) => {
    if (!isMeant(before)) return before;
    const offer = { ...move(before), updatedAt: at, version };
    moved.push({ offer, before: before.status });
    return offer;
  });
  return { offers: after, moved };
}
