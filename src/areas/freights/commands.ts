import { isDeepStrictEqual } from "node:util";
import { refuse, type DecisionOrRefusal, type CommandContext, type Refusal } from "../../platform/decision.ts";
import { numberKey } from "../../platform/unique-numbers.ts";
import { commandsOn } from "../../platform/command.ts";
import { invalid, wrongField } from "../../platform/problem.ts";
import {
  ofFreight,
  applyDueChanges,
  archived,
  changed,
  created,
  releaseJob,
  resumed,
  suspended,
  type Transition,
} from "./lifecycle.ts";
import { archivedView, isArchived, isOver, ownerView, type Events, type Freight, type Shown } from "./model.ts";
import { openOffers } from "./offers/offer.ts";
import { errorsInDetails, isUnchanged, inRouteOrder, type FreightDetails } from "./details.ts";
import { markLookedUp } from "./stops.ts";
import type { ArchivedFreight, FreightView } from "./views.ts";

/** A new or changed freight. Without `metadata`, the stored metadata is kept. */
export interface FreightUpdate {
  said: FreightDetails;
  metadata?: Record<string, string>;
}

/**
 * Whether the company is suspended (`isHeld`).
 * `turn`: sequence number of the suspension or resumption.
 * `blocked`: mail addresses of the blocked accounts, in lower case.
 */
export interface Hold {
  turn: number;
  isHeld: boolean;
  blocked: string[];
}

const after = (first: Transition, second: Transition): Transition => ({
  state: second.state,
  events: [...first.events, ...second.events],
  jobs: [...first.jobs, ...second.jobs],
});

/** The view after a command that changes nothing shows the current version, but `context.version` is the next one. */
const unchanged = ({ at, id, version }: CommandContext): Shown => ({ at, id, version: version - 1 });

export const freightCommands = commandsOn<Freight, Events>(
  "FREIGHTS",
  "freights",
)({
  create: (
    state: Freight | undefined,
    { said, metadata }: FreightUpdate,
    context,
  ): DecisionOrRefusal<Freight, Events, FreightView> => {
    const faulty = refuseInvalid(said, context);
    if (faulty) return faulty;
    if (state)
      return refuse("duplicate_external_number", `Another live freight has the number ${said.externalNumber}.`);
    const turn = created(said, metadata, context);
    return { ...turn, reply: ownerView(turn.state, context) };
  },

  read: ofFreight(({ state }, _ask: object, context): DecisionOrRefusal<Freight, Events, FreightView> => {
    if (!isArchived(state)) return { reply: ownerView(state, unchanged(context)) };
    const link = `</api/v1/freights/archive/${context.id}>; rel="archives"`;
    return refuse("freight_archived", `The freight is ${state.status} and archived. Read it in the archive.`, {
      headers: { link },
    });
  }),

  /**
   * @returns "Renamed", without a change, if the external number changes and the caller has not claimed the new number
   *   (`isHeld`)
   */
  replace: ofFreight(
    (turn, asked: FreightUpdate & { isHeld?: boolean }, context): DecisionOrRefusal<Freight, Events, Replaced> => {
      const { state: now } = turn;
      const { metadata = now.metadata, isHeld } = asked;
      const said = { ...asked.said, locations: markLookedUp(asked.said.locations, now.said.locations) };
      const refused = refuseArchived(now) ?? refuseInvalid(said, context) ?? otherCurrency(now, said);
      if (refused) return refused;
      const before = now.said.externalNumber;
      if (!isHeld && !isSameNumber(before, said.externalNumber)) return { reply: "Renamed" };
      if (isUnchanged(now.said, inRouteOrder(said)) && isDeepStrictEqual(metadata, now.metadata))
        return { reply: { view: ownerView(now, unchanged(context)), before } };
      const next = after(turn, changed(now, said, metadata, context));
      return { ...next, reply: { view: ownerView(next.state, context), before } };
    },
  ),

  withdraw: ofFreight((turn, _ask: object, context) =>
    isArchived(turn.state) ? { reply: {} } : { ...after(turn, archived(turn.state, "Withdrawn", context)), reply: {} },
  ),

  /**
   * Suspends or resumes the freight after its owner's account was blocked or unblocked. Each block and unblock of the
   * account has a higher `turn` than the one before. The highest is stored even if the status stays, because a lower
   * one that arrives later must be ignored.
   */
  stand: ofFreight((turn, ask: { email: string; turn: number; isBlocked: boolean }, context) => {
    const { said, status, ownerTurn = 0 } = turn.state;
    if (isArchived(turn.state) || ask.turn < ownerTurn || said.owner?.toLowerCase() !== ask.email.toLowerCase())
      return { reply: {} };
    const isHeld = turn.state.hold?.isHeld === true;
    const moves = status === "Published" ? ask.isBlocked : status === "Suspended" && !ask.isBlocked && !isHeld;
    const state = { ...turn.state, ownerTurn: ask.turn };
    if (moves) return { ...after(turn, (ask.isBlocked ? suspended : resumed)(state, context)), reply: {} };
    return ask.turn > ownerTurn ? { ...turn, state, reply: {} } : { reply: {} };
  }),

  /**
   * Suspends or resumes the freight after its company was suspended or resumed. A freight of a blocked account stays
   * suspended.
   */
  hold: ofFreight((turn, { blocked, ...hold }: Hold, context) => {
    const { state: now } = turn;
    if (isArchived(now) || hold.turn < (now.hold?.turn ?? 0) || isDeepStrictEqual(now.hold, hold)) return { reply: {} };
    const state = { ...now, hold };
    const isOwnerBlocked = blocked.includes(now.said.owner?.toLowerCase() ?? "");
    if (hold.isHeld && now.status === "Published") return { ...after(turn, suspended(state, context)), reply: {} };
    if (!hold.isHeld && now.status === "Suspended" && !isOwnerBlocked)
      return { ...after(turn, resumed(state, context)), reply: {} };
    return { ...turn, state, reply: {} };
  }),

  /** Applies the due changes. Called by the alarm of the aggregate. */
  tick: (state: Freight | undefined, _ask: object, context) =>
    state ? { ...applyDueChanges(state, context), reply: {} } : refuse("not_found"),

  archived: ofFreight(({ state }, _ask: object, context): DecisionOrRefusal<Freight, Events, ArchivedFreight> =>
    isArchived(state) ? { reply: archivedView(state, unchanged(context)) } : refuse("not_found"),
  ),

  /**
   * For conflicts of external numbers: returns the number, and whether the freight is live. Empty if it does not exist
   * yet.
   */
  number: (state: Freight | undefined, _ask: object, { at }) => {
    if (!state) return { reply: {} };
    const { externalNumber } = state.said;
    const isLive = !isArchived(state) && !isOver(state, at);
    return { reply: { made: { ...(externalNumber && { externalNumber }), isLive } } };
  },

  released: (state: Freight | undefined) => (state ? { completedJobs: [releaseJob], reply: {} } : refuse("not_found")),
});

type Replaced = "Renamed" | { view: FreightView; before: string | undefined };

const refuseArchived = ({ status, archivedAt }: Freight): Refusal | undefined =>
  archivedAt === undefined
    ? undefined
    : refuse("invalid_state", `The freight is ${status} and cannot be changed.`, {
        extra: { currentStatus: status, allowed: [] },
      });

function refuseInvalid(details: FreightDetails, { at }: CommandContext): Refusal | undefined {
  const errors = errorsInDetails(details, at);
  return errors.length === 0 ? undefined : refuse("validation_failed", invalid(errors).message, { errors });
}

function otherCurrency({ said: before, offers }: Freight, { payment }: FreightDetails): Refusal | undefined {
  const { currency } = before.payment;
  if (payment.currency === currency || openOffers(offers).length === 0) return undefined;
  const message = `currency: The currency cannot change while there are open offers in ${currency}.`;
  const errors = [wrongField(["payment", "currency"], "currency_mismatch", message)];
  return refuse("validation_failed", invalid(errors).message, { errors });
}

const isSameNumber = (one: string | undefined, other: string | undefined): boolean =>
  numberKey(one ?? "") === numberKey(other ?? "");
