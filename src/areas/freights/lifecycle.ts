import {
  refuse,
  type CommandContext,
  type Decide,
  type Decision,
  type DecisionOrRefusal,
  type DomainEvent,
} from "../../platform/decision.ts";
import { endOf, isArchived, isOver, ownerView, type Events, type Freight, type FreightEvent } from "./model.ts";
import { toOfferEvents } from "./offers/model.ts";
import { closeOffers, expireOffers, nextOfferExpiry, outdateOffers, type Closing } from "./offers/negotiation.ts";
import { isOpen, type MovedOffer } from "./offers/offer.ts";
import { priceOf, startClock, stepAt, stepBegins } from "./price.ts";
import { publishAt, removeEverywhere, publicationJobs } from "./publications/model.ts";
import { changesOffers, changesPrice, priceTerms, inRouteOrder, type FreightDetails } from "./details.ts";
import { mailJob, nextShareDue, revokeShares, sendShares, sharesToMail } from "./shares/model.ts";
import type { ArchiveReason } from "./input.ts";
import { notificationJob, requestNotifications, offersToNotify } from "./guests/offer-notifications.ts";

// State transitions of a freight. Pure functions.

/** The new state, and the events and jobs of the change. */
export type Transition = Required<Pick<Decision<Freight, Events, unknown>, "events" | "jobs">> & { state: Freight };

/** Creates a freight: published if it has sources, otherwise a draft. */
export function created(details: FreightDetails, metadata: Freight["metadata"], context: CommandContext): Transition {
  const { at } = context;
  const draft: Freight = {
    status: "Draft",
    said: inRouteOrder(details),
    createdAt: at,
    updatedAt: at,
    prices: [],
    offers: [],
    shares: [],
    publications: [],
    ...(metadata && { metadata }),
  };
  return details.sources.length > 0 ? published(draft, undefined, context) : { state: draft, events: [], jobs: [] };
}

function published(draft: Freight, before: "Draft" | undefined, context: CommandContext): Transition {
  const { at } = context;
  const state = repriced(
    {
      ...draft,
      status: "Published",
      updatedAt: at,
      publishedAt: at,
      publications: publishAt(draft.publications, draft.said.sources, context),
    },
    at,
  );
  return {
    state,
    events: [freightEvent("FreightPublished", state, context, before)],
    jobs: publicationJobs(state.publications),
  };
}

function repriced(state: Freight, at: string): Freight {
  const { clock: _, told: __, ...now } = state;
  const clock = startClock(priceTerms(now.said.payment), at);
  const price = clock ? clock.from : now.said.payment.from;
  return {
    ...now,
    ...(clock && { clock, told: 0 }),
    prices: price === undefined ? now.prices : [...now.prices, { at, price }],
  };
}

/**
 * Replaces the details of the freight. A draft that gets sources and a suspended freight are published. Offers become
 * outdated if stops, times or requirements change.
 */
export function changed(
  before: Freight,
  details: FreightDetails,
  metadata: Freight["metadata"],
  context: CommandContext,
): Transition {
  const { at, version } = context;
  const { metadata: _, ownerTurn, ...rest } = before;
  // Each account numbers its blocks separately, so the number is kept only if the owner stays the same.
  const turnOfOwner =
    before.said.owner?.toLowerCase() === details.owner?.toLowerCase() && ownerTurn !== undefined ? { ownerTurn } : {};
  const kept: Freight = {
    ...rest,
    ...turnOfOwner,
    said: inRouteOrder(details),
    updatedAt: at,
    ...(metadata && { metadata }),
  };
  if (before.status === "Draft")
    return details.sources.length > 0
      ? published(kept, "Draft", context)
      : { state: kept, events: [updated(kept, context)], jobs: [] };
  const { offers, moved } = changesOffers(before.said, kept.said)
    ? outdateOffers(kept.offers, context)
    : { offers: updateAboveBudget(before.said, kept, version), moved: [] };
  const next = { ...republished(kept, context), offers };
  const state = changesPrice(before.said, details) ? repriced(next, at) : next;
  const again = state.status === before.status ? [] : [freightEvent("FreightPublished", state, context, before.status)];
  return {
    state,
    events: [updated(state, context), ...offerEventsFor(moved, state, context), ...again],
    jobs: publicationJobs(state.publications),
  };
}

function republished(state: Freight, context: CommandContext): Freight {
  const { suspendedAt: _, ...now } = state;
  return { ...now, status: "Published", publications: publishAt(now.publications, now.said.sources, context) };
}

/** Hides the freight and stops the growth of its price while its owner is blocked or its company is suspended. */
export function suspended(state: Freight, context: CommandContext): Transition {
  const { at, version } = context;
  const publications = removeEverywhere(state.publications, version);
  const next: Freight = { ...state, status: "Suspended", suspendedAt: at, updatedAt: at, publications };
  const events = [freightEvent("FreightSuspended", next, context, state.status)];
  return { state: next, events, jobs: publicationJobs(publications) };
}

/** Publishes a suspended freight again. Its price is as high as if it had grown during the suspension. */
export function resumed(state: Freight, context: CommandContext): Transition {
  const next: Freight = { ...republished(state, context), updatedAt: context.at };
  const mails = sharesToMail(next.shares).length > 0 ? [mailJob] : [];
  const notifications = offersToNotify(next.offers, context.at).length > 0 ? [notificationJob] : [];
  return {
    state: next,
    events: [freightEvent("FreightPublished", next, context, state.status)],
    jobs: [...publicationJobs(next.publications), ...mails, ...notifications],
  };
}

/** Gives open offers the new version if `growTo` has changed: their archive rows must get the new `aboveBudget`. */
const updateAboveBudget = (before: FreightDetails, { said, offers }: Freight, version: number) =>
  before.payment.growTo === said.payment.growTo
    ? offers
    : offers.map((offer) => (isOpen(offer) ? { ...offer, version } : offer));

const updated = (state: Freight, context: CommandContext) => freightEvent("FreightUpdated", state, context);

/** Archives an expired or withdrawn freight. */
export function archived(
  state: Freight,
  reason: Exclude<ArchiveReason, "Booked">,
  context: CommandContext,
): Transition {
  const { events, ...turn } = leaveLiveList(state, reason, closings[reason], context);
  return { ...turn, events: [freightEvent(`Freight${reason}`, turn.state, context, state.status), ...events] };
}

const closings = { Expired: "FreightExpired", Withdrawn: "FreightWithdrawn" } as const;

/**
 * Archives a booked, expired or withdrawn freight: closes its offers, disables its links, removes it from its sources,
 * and releases its number.
 */
export function leaveLiveList(
  state: Freight,
  reason: ArchiveReason,
  closing: Closing,
  context: CommandContext,
): Transition {
  const { at, version } = context;
  const after = closeOffers(state.offers, closing, context);
  const { offers, jobs: notifications } = requestNotifications(after);
  const next: Freight = {
    ...state,
    status: reason,
    updatedAt: at,
    archivedAt: at,
    archiveReason: reason,
    offers,
    shares: revokeShares(state.shares),
    publications: removeEverywhere(state.publications, version),
  };
  const jobs = [
    ...(state.said.externalNumber ? [releaseJob] : []),
    ...publicationJobs(next.publications),
    ...notifications,
  ];
  return { state: next, events: offerEventsFor(after.moved, next, context), jobs };
}

const offerEventsFor = (moved: MovedOffer[], { said }: Freight, context: CommandContext) =>
  toOfferEvents(moved, said.payment.growTo, context);

/** Job that releases the number of an archived freight. */
export const releaseJob = "freights.release";

/** Returns when the next change is due, in milliseconds since 1970. */
export function nextDue(state: Freight): number | undefined {
  if (isArchived(state)) return undefined;
  const times = [
    endOf(state),
    nextOfferExpiry(state.offers),
    ...(state.status === "Published" ? [nextStep(state), nextShareDue(state.shares)] : []),
  ];
  return Math.min(...times.filter((time) => time !== undefined));
}

const nextStep = ({ clock, told = 0 }: Freight) => clock && stepBegins(clock, told + 1);

/** Applies all due changes. If several price steps were missed, only the last one is published. */
export function applyDueChanges(state: Freight, context: CommandContext): Transition {
  const { at } = context;
  if (isOver(state, at)) return archived(state, "Expired", context);
  const { offers, moved } = expireOffers(state.offers, context);
  const lapsed: Freight = { ...state, offers, updatedAt: at };
  const turn = state.status === "Published" ? growPrice(lapsed, context) : { state: lapsed, events: [], jobs: [] };
  const after = state.status === "Published" ? sendDueTiers(turn, context) : turn;
  return { ...after, events: [...offerEventsFor(moved, after.state, context), ...after.events] };
}

function sendDueTiers({ state, events, jobs }: Transition, context: CommandContext): Transition {
  const { shares, sent } = sendShares(state.shares, context.at);
  const next = { ...state, shares };
  if (sent.length === 0) return { state: next, events, jobs };
  return { state: next, events: [...events, freightEvent("FreightShared", next, context)], jobs: [...jobs, mailJob] };
}

function growPrice(state: Freight, context: CommandContext): Transition {
  const { at } = context;
  const { clock, told = 0, prices } = state;
  const step = clock ? stepAt(clock, Date.parse(at)) : 0;
  if (!clock || step <= told) return { state, events: [], jobs: [] };
  const next: Freight = {
    ...state,
    told: step,
    prices: [...prices, { at, price: priceOf(clock, step) }],
    publications: publishAt(state.publications, state.said.sources, context),
  };
  return {
    state: next,
    events: [freightEvent("FreightPriceChanged", next, context)],
    jobs: publicationJobs(next.publications),
  };
}

/** Builds an event with the owner's view of the freight. */
export const freightEvent = (
  type: FreightEvent,
  now: Freight,
  context: CommandContext,
  previousStatus?: string,
): DomainEvent<Events> => ({
  type,
  status: now.status,
  ...(previousStatus && { previousStatus }),
  data: ownerView(now, context),
});

/** Applies all due changes that are not committed yet. */
const upToDate = (state: Freight, context: CommandContext): Transition =>
  (nextDue(state) ?? Infinity) <= Date.parse(context.at)
    ? applyDueChanges(state, context)
    : { state, events: [], jobs: [] };

/**
 * Wraps a decision about an existing freight, so that due changes are applied first. A query does not commit these
 * changes.
 */
export const ofFreight =
  <Input, Reply>(
    decide: (turn: Transition, input: Input, context: CommandContext) => DecisionOrRefusal<Freight, Events, Reply>,
  ): Decide<Freight, Events, Input, Reply> =>
  (state, input, context) =>
    state ? decide(upToDate(state, context), input, context) : refuse("not_found");
