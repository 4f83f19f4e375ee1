import { refuse, type DecisionOrRefusal, type CommandContext, type Refusal } from "../../../platform/decision.ts";
import { commandsOn } from "../../../platform/command.ts";
import { lastSecondOf } from "../../../domain/periods.ts";
import { wrongField } from "../../../platform/problem.ts";
import { instantOf } from "../../../domain/places/zones.ts";
import { ofFreight, freightEvent, leaveLiveList, type Transition } from "../lifecycle.ts";
import type { Events, Freight } from "../model.ts";
import { guestOffer, guestView, offerOfGuest } from "../guests/view.ts";
import { centsOf } from "../price.ts";
import { shareOf, type Share } from "../shares/model.ts";
import { zoneOfStop } from "../stops.ts";
import { requestNotifications } from "../guests/offer-notifications.ts";
import {
  type GuestAnswer,
  type GuestOfferInput,
  type OfferAnswer,
  type OfferInput,
  type OfferView,
  toOfferEvents,
} from "./model.ts";
import { type NewOffer, answerOffer, submitOffer } from "./negotiation.ts";
import { type Answer, type Offer, type OffersAfter, isOpen, viewOfOffer } from "./offer.ts";

const bookJob = "freights.book";

/** `carrierOrderId`: the id that the carrier order gets if this answer books the freight. */
interface Booking {
  carrierOrderId: string;
}

/** An offer on the page of a share. `language`: the language of the page, ISO 639-1. */
interface GuestOffering {
  digest: string;
  offerId: string;
  said: GuestOfferInput;
  language: string;
}

export const offerCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "offers",
)({
  submit: ofFreight((turn, { offerId, said }: { offerId: string; said: OfferInput }, context) => {
    const { carrier, currency } = said;
    const made = submitted(turn, { ...termsOf(said, turn.state), offerId, carrier, source: "Api" }, currency, context);
    return "refused" in made ? made : { ...made, reply: viewIn(made.state, offerId, context), status: 201 };
  }),

  submitAsGuest: ofFreight((turn, ask: GuestOffering, context) => {
    const { offerId, said, language } = ask;
    const share = sharedBy(turn.state, ask);
    if (!share) return refuse("not_found");
    const { name, vatCode } = said;
    const carrier = { name, email: share.email, ...(vatCode && { vatCode }) };
    const by = { carrier, shareId: share.shareId, source: "Guest" as const, language };
    const offer = { ...termsOf(said, turn.state), offerId, ...by };
    const made = submitted(turn, offer, undefined, context);
    return "refused" in made ? made : { ...made, reply: guestOffer(offerIn(made.state, offerId)!, context.id) };
  }),

  /** Applies an answer by the company. If the company entered the offer, it acts for both sides. */
  answer: ofFreight((turn, ask: { offerId: string; answer: OfferAnswer } & Booking, context) => {
    const offer = offerIn(turn.state, ask.offerId);
    if (!offer) return refuse("not_found", "The freight has no offer with this id.");
    const by = offer.source === "Guest" ? ("Owner" as const) : undefined;
    const done = answered(turn, offer, { ...answerIn(ask.answer, turn.state), ...(by && { by }) }, ask, context);
    if ("refused" in done) return done;
    return { ...written(done, turn), reply: viewIn(done.state, ask.offerId, context) };
  }),

  answerAsGuest: ofFreight((turn, ask: { digest: string; answer: GuestAnswer } & Booking, context) => {
    const share = sharedBy(turn.state, ask);
    const offer = share && offerOfGuest(turn.state, share);
    if (!offer) return refuse("not_found");
    if (ask.answer.seen !== undefined && ask.answer.seen !== offer.updatedAt) return changedSince(offer);
    const done = answered(turn, offer, { ...answerIn(ask.answer, turn.state), by: "Carrier" }, ask, context);
    if ("refused" in done) return done;
    return { ...written(done, turn), reply: guestOffer(offerIn(done.state, offer.offerId)!, context.id) };
  }),

  /** Idempotent. */
  withdraw: ofFreight(
    (turn, { offerId }: { offerId: string }, context): DecisionOrRefusal<Freight, Events, Record<string, never>> => {
      const offer = offerIn(turn.state, offerId);
      if (!offer) return refuse("not_found", "The freight has no offer with this id.");
      if (offer.status === "Withdrawn") return { reply: {} };
      const by = offer.source === "Guest" ? ("Owner" as const) : undefined;
      const after = answerOffer(turn.state.offers, offerId, { action: "Withdraw", ...(by && { by }) }, context);
      return "refused" in after ? after : { ...changed(turn, after, context), reply: {} };
    },
  ),

  offer: ofFreight(({ state }, { offerId }: { offerId: string }, context) =>
    offerIn(state, offerId)
      ? { reply: viewIn(state, offerId, context) }
      : refuse("not_found", "The freight has no offer with this id."),
  ),

  /** Newest first. */
  offers: ofFreight(({ state }, _ask: object, context) => ({
    reply: state.offers.map(({ offerId }) => viewIn(state, offerId, context)).toReversed(),
  })),

  shared: ofFreight(({ state }, ask: { digest: string }, context) => {
    const share = sharedBy(state, ask);
    return share ? { reply: guestView(state, share, context) } : refuse("not_found");
  }),

  /** Empty if the freight is not booked. */
  booked: ofFreight(({ state }, _ask: object) => {
    const offer = state.booking && offerIn(state, state.booking.offerId);
    return { reply: offer ? { freight: state, offer } : {} };
  }),

  ordered: (state: Freight | undefined, _ask: object) =>
    state ? { completedJobs: [bookJob], reply: {} } : refuse("not_found"),
});

/** The link of a revoked share still shows why the freight is no longer available. */
function sharedBy({ shares }: Freight, { digest }: { digest: string }): Share | undefined {
  const share = shareOf(shares, digest);
  return share?.status === "Sent" || share?.status === "Revoked" ? share : undefined;
}

const offerIn = ({ offers }: Freight, offerId: string) => offers.find((offer) => offer.offerId === offerId);

const viewIn = (state: Freight, offerId: string, { id }: Pick<CommandContext, "id">): OfferView =>
  viewOfOffer(offerIn(state, offerId)!, id, state.said.payment.growTo);

function termsOf(
  { price, validUntil, vehicle, comments }: Omit<GuestOfferInput, "name" | "vatCode">,
  now: Freight,
): Pick<NewOffer, "price" | "currency" | "vehicle" | "comments" | "validUntil"> {
  return {
    price: centsOf(price),
    currency: now.said.payment.currency,
    ...(vehicle && { vehicle }),
    ...(comments && { comments }),
    ...(validUntil && { validUntil: instantIn(now, validUntil) }),
  };
}

const changedSince = ({ status }: Offer): Refusal =>
  refuse("invalid_state", "The offer has changed since it was read. Read it again.", {
    extra: { currentStatus: status, allowed: [] },
  });

const answerIn = ({ price, validUntil, ...answer }: GuestAnswer, now: Freight): Answer => ({
  ...(answer as Answer),
  ...(price !== undefined && { price: centsOf(price) }),
  ...(validUntil && { validUntil: instantIn(now, validUntil) }),
});

/**
 * Converts a time to UTC. A time without an offset is local time at the first loading. A date without time means the
 * end of that day.
 */
function instantIn({ said }: Freight, text: string): string {
  return instantOf(lastSecondOf(text), zoneOfStop(said.locations[0]!));
}

type Changed = Pick<Transition, "state" | "events" | "jobs">;

const written = (done: Changed, turn: Transition): Partial<Changed> => (done === turn ? {} : done);

function submitted(
  turn: Transition,
  offer: NewOffer,
  currency: string | undefined,
  context: CommandContext,
): Changed | Refusal {
  const refused = notPublished(turn.state) ?? wrongCurrency(offer.currency, currency);
  if (refused) return refused;
  const after = submitOffer(turn.state.offers, offer, context);
  return "refused" in after ? after : changed(turn, after, context);
}

function wrongCurrency(wanted: string, sent: string | undefined): Refusal | undefined {
  if (sent === undefined || sent === wanted) return undefined;
  const message = `currency: It must be ${wanted}, the currency of the freight.`;
  return refuse("validation_failed", "1 field is wrong.", {
    errors: [wrongField(["currency"], "currency_mismatch", message)],
  });
}

/** While the freight is not published, only declining and withdrawing are possible. */
function answered(
  turn: Transition,
  offer: Offer,
  answer: Answer,
  booking: Booking,
  context: CommandContext,
): Changed | Refusal {
  const isEnd = answer.action === "Decline" || answer.action === "Withdraw";
  const isLate = answer.action === "Accept" && turn.state.status === "Booked";
  const refused = isLate || (isOpen(offer) && !isEnd) ? notPublished(turn.state) : undefined;
  if (refused) return refused;
  const after = answerOffer(turn.state.offers, offer.offerId, answer, context);
  if ("refused" in after) return after;
  if (after.moved.length === 0) return turn;
  return answer.action === "Accept" ? booked(turn, after, booking, context) : changed(turn, after, context);
}

function notPublished({ status, booking }: Freight): Refusal | undefined {
  if (status === "Published") return undefined;
  if (status === "Booked") return refuse("freight_already_booked", undefined, { extra: { ...idsOf(booking) } });
  return refuse("invalid_state", `The freight is ${status}. Offers are possible only while it is published.`, {
    extra: { currentStatus: status, allowed: [] },
  });
}

const idsOf = (booking: Freight["booking"]) =>
  booking && { offerId: booking.offerId, carrierOrderId: booking.carrierOrderId };

function changed({ state, events, jobs }: Transition, after: OffersAfter, context: CommandContext): Changed {
  const { offers, jobs: more } = requestNotifications(after);
  return {
    state: { ...state, offers, updatedAt: context.at },
    events: [...events, ...toOfferEvents(after.moved, state.said.payment.growTo, context)],
    jobs: [...jobs, ...more],
  };
}

function booked(turn: Transition, after: OffersAfter, { carrierOrderId }: Booking, context: CommandContext): Changed {
  const { state: now, events, jobs } = changed(turn, after, context);
  const { offerId, price, currency } = after.moved[0]!.offer;
  const gone = leaveLiveList(
    { ...now, booking: { offerId, price, currency, carrierOrderId } },
    "Booked",
    "OtherOfferAccepted",
    context,
  );
  return {
    state: gone.state,
    events: [...events, freightEvent("FreightBooked", gone.state, context, now.status)],
    jobs: [...jobs, ...gone.jobs, bookJob],
  };
}
