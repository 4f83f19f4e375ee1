import type { Decision, DomainEvent, CommandContext } from "../../platform/decision.ts";
import { endOf, isArchived, isOver, ownerView, type Events, type Freight, type FreightEvent } from "./freight.ts";
import { offersHappened } from "./offers/events.ts";
import {
  closeOffers,
  expireOffers,
  isOpen,
  nextOfferExpiry,
  outdateOffers,
  type Closing,
  type MovedOffer,
} from "./offers/offers.ts";
import { priceOf, startClock, stepAt, stepBegins } from "./price.ts";
import { publishAt, removeEverywhere, telling } from "./publications/publications.ts";
import { isMaterial, isRepriced, priceTerms, routed, type SaidFreight } from "./said.ts";
import { mailing, nextShareDue, revokeShares, sendShares, unmailed } from "./shares/shares.ts";
import type { ArchiveReason } from "./shapes.ts";
import { answering, toBeTold, untold } from "./guests/tidings.ts";

// What becomes of a freight. Pure.

/** What is committed of it. */
export type Turn = Required<Pick<Decision<Freight, Events, unknown>, "events" | "work">> & { state: Freight };

/** A new freight: published where it has sources, else a draft. */
export function created(said: SaidFreight, metadata: Freight["metadata"], moment: CommandContext): Turn {
  const { at } = moment;
  const draft: Freight = {
    status: "Draft",
    said: routed(said),
    createdAt: at,
    updatedAt: at,
    prices: [],
    offers: [],
    shares: [],
    publications: [],
    ...(metadata && { metadata }),
  };
  return said.sources.length > 0 ? published(draft, undefined, moment) : { state: draft, events: [], work: [] };
}

/** It goes out: its price begins to run. @param before its status, if there was one */
function published(draft: Freight, before: "Draft" | undefined, moment: CommandContext): Turn {
  const { at } = moment;
  const state = repriced(
    {
      ...draft,
      status: "Published",
      updatedAt: at,
      publishedAt: at,
      publications: publishAt(draft.publications, draft.said.sources, moment),
    },
    at,
  );
  return {
    state,
    events: [freightHappened("FreightPublished", state, moment, before)],
    work: telling(state.publications),
  };
}

/** The price begins anew, and with it its clock. */
function repriced(before: Freight, at: string): Freight {
  const { clock: _, told: __, ...now } = before;
  const clock = startClock(priceTerms(now.said.payment), at);
  const price = clock ? clock.from : now.said.payment.from;
  return {
    ...now,
    ...(clock && { clock, told: 0 }),
    prices: price === undefined ? now.prices : [...now.prices, { at, price }],
  };
}

/** What is said of it is replaced. Whoever offered for another load, at another time or place is asked anew. */
export function changed(
  before: Freight,
  said: SaidFreight,
  metadata: Freight["metadata"],
  moment: CommandContext,
): Turn {
  const { at, version } = moment;
  const { metadata: _, ...rest } = before;
  const kept: Freight = { ...rest, said: routed(said), updatedAt: at, ...(metadata && { metadata }) };
  if (before.status === "Draft")
    return said.sources.length > 0
      ? published(kept, "Draft", moment)
      : { state: kept, events: [updated(kept, moment)], work: [] };
  const { offers, moved } = isMaterial(before.said, kept.said)
    ? outdateOffers(kept.offers, moment)
    : { offers: shownAnew(before.said, kept, version), moved: [] };
  const next = { ...seenAgain(kept, moment), offers };
  const state = isRepriced(before.said, said) ? repriced(next, at) : next;
  const again =
    state.status === before.status ? [] : [freightHappened("FreightPublished", state, moment, before.status)];
  return {
    state,
    events: [updated(state, moment), ...heardOf(moved, state, moment), ...again],
    work: telling(state.publications),
  };
}

/** It is to be seen where it says, and by whom it was shown to. */
function seenAgain(before: Freight, moment: CommandContext): Freight {
  const { suspendedAt: _, ...now } = before;
  return { ...now, status: "Published", publications: publishAt(now.publications, now.said.sources, moment) };
}

/** Its owner is blocked: nobody sees it, and its price stands still. */
export function suspended(before: Freight, moment: CommandContext): Turn {
  const { at, version } = moment;
  const publications = removeEverywhere(before.publications, version);
  const state: Freight = { ...before, status: "Suspended", suspendedAt: at, updatedAt: at, publications };
  const events = [freightHappened("FreightSuspended", state, moment, before.status)];
  return { state, events, work: telling(publications) };
}

/** Its owner may act again. What time would have done meanwhile it does now: the price goes on by its schedule. */
export function resumed(before: Freight, moment: CommandContext): Turn {
  const state: Freight = { ...seenAgain(before, moment), updatedAt: moment.at };
  const mails = unmailed(state.shares).length > 0 ? [mailing] : [];
  const tidings = untold(state.offers, moment.at).length > 0 ? [answering] : [];
  return {
    state,
    events: [freightHappened("FreightPublished", state, moment, before.status)],
    work: [...telling(state.publications), ...mails, ...tidings],
  };
}

/** Which offers are above the budget changes with it. */
const shownAnew = (before: SaidFreight, { said, offers }: Freight, version: number) =>
  before.payment.growTo === said.payment.growTo
    ? offers
    : offers.map((offer) => (isOpen(offer) ? { ...offer, version } : offer));

const updated = (now: Freight, moment: CommandContext) => freightHappened("FreightUpdated", now, moment);

/** It leaves the live list in one step: offers are closed, links lead nowhere, sources drop it, its number is free. */
export function archived(now: Freight, reason: Exclude<ArchiveReason, "Booked">, moment: CommandContext): Turn {
  const { events, ...turn } = left(now, reason, closings[reason], moment);
  return { ...turn, events: [freightHappened(`Freight${reason}`, turn.state, moment, now.status), ...events] };
}

const closings = { Expired: "FreightExpired", Withdrawn: "FreightWithdrawn" } as const;

/** What every freight that leaves has in common. */
export function left(now: Freight, reason: ArchiveReason, closing: Closing, moment: CommandContext): Turn {
  const { at, version } = moment;
  const after = closeOffers(now.offers, closing, moment);
  const { offers, work: tidings } = toBeTold(after);
  const state: Freight = {
    ...now,
    status: reason,
    updatedAt: at,
    archivedAt: at,
    archiveReason: reason,
    offers,
    shares: revokeShares(now.shares),
    publications: removeEverywhere(now.publications, version),
  };
  const work = [...(now.said.externalNumber ? [releasing] : []), ...telling(state.publications), ...tidings];
  return { state, events: heardOf(after.moved, state, moment), work };
}

const heardOf = (moved: MovedOffer[], { said }: Freight, moment: CommandContext) =>
  offersHappened(moved, said.payment.growTo, moment);

/** The work that gives back the number of a freight that has left. */
export const releasing = "freights.release";

/** When time alone does something to it next, in milliseconds since 1970. */
export function nextDue(now: Freight): number | undefined {
  if (isArchived(now)) return undefined;
  const times = [
    endOf(now),
    nextOfferExpiry(now.offers),
    ...(now.status === "Published" ? [nextStep(now), nextShareDue(now.shares)] : []),
  ];
  return Math.min(...times.filter((time) => time !== undefined));
}

/** When the step of the price begins that was not told yet. */
const nextStep = ({ clock, told = 0 }: Freight) => clock && stepBegins(clock, told + 1);

/** What time has done to it, all of it at once: of several steps of the price that were missed only the last is told. */
export function aged(now: Freight, moment: CommandContext): Turn {
  const { at } = moment;
  if (isOver(now, at)) return archived(now, "Expired", moment);
  const { offers, moved } = expireOffers(now.offers, moment);
  const lapsed: Freight = { ...now, offers, updatedAt: at };
  const turn = now.status === "Published" ? grown(lapsed, moment) : { state: lapsed, events: [], work: [] };
  const after = now.status === "Published" ? tiered(turn, moment) : turn;
  return { ...after, events: [...heardOf(moved, after.state, moment), ...after.events] };
}

/** Tiers whose time has come hear of it. */
function tiered({ state: now, events, work }: Turn, moment: CommandContext): Turn {
  const { shares, sent } = sendShares(now.shares, moment.at);
  const state = { ...now, shares };
  if (sent.length === 0) return { state, events, work };
  return { state, events: [...events, freightHappened("FreightShared", state, moment)], work: [...work, mailing] };
}

function grown(now: Freight, moment: CommandContext): Turn {
  const { at } = moment;
  const { clock, told = 0, prices } = now;
  const step = clock ? stepAt(clock, Date.parse(at)) : 0;
  if (!clock || step <= told) return { state: now, events: [], work: [] };
  const state: Freight = {
    ...now,
    told: step,
    prices: [...prices, { at, price: priceOf(clock, step) }],
    publications: publishAt(now.publications, now.said.sources, moment),
  };
  return {
    state,
    events: [freightHappened("FreightPriceChanged", state, moment)],
    work: telling(state.publications),
  };
}

/** The owner of a freight hears all there is to know of it. */
export const freightHappened = (
  type: FreightEvent,
  now: Freight,
  moment: CommandContext,
  previousStatus?: string,
): DomainEvent<Events> => ({
  type,
  status: now.status,
  ...(previousStatus && { previousStatus }),
  data: ownerView(now, moment),
});
