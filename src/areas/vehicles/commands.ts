import { isDeepStrictEqual } from "node:util";
import { refuse, type CommandContext } from "../../platform/decision.ts";
import type { StoredCard } from "../../domain/payment-cards.ts";
import { commandsOn } from "../../platform/command.ts";
import { invalid, wrongField } from "../../platform/problem.ts";
import {
  isPresent,
  viewOf,
  type Card,
  type events,
  type VehicleDetails,
  type PresentVehicle,
  type Vehicle,
} from "./model.ts";

const ledgerSyncJob = "vehicles.introduce";

/** A card in a request. Without `digest`, `last4` refers to a card that the vehicle already has. */
export interface CardUpdate extends Partial<StoredCard> {
  provider: string;
  last4: string;
}

/** A new or changed vehicle. Without `metadata`, the stored metadata is kept. */
export interface VehicleUpdate {
  given: Omit<VehicleDetails, "cards"> & { cards?: CardUpdate[] };
  metadata?: Record<string, string>;
}

export const commands = commandsOn<Vehicle, typeof events>(
  "VEHICLES",
  "vehicles",
)({
  create: (state: Vehicle | undefined, said: VehicleUpdate, context: CommandContext) => {
    if (state)
      return refuse("in_progress", "An earlier request with this Idempotency-Key has already created the vehicle.", {
        headers: { "retry-after": "1" },
      });
    const cards = cardsOf(said.given.cards, []);
    if ("refused" in cards) return cards;
    const made: PresentVehicle = { ...withCards(said, cards.cards), createdAt: context.at, updatedAt: context.at };
    return { state: made, jobs: [ledgerSyncJob], reply: viewOf(made, context.id) };
  },

  /** Identical values do not change the version. */
  replace: (state: Vehicle | undefined, said: VehicleUpdate, context: CommandContext) => {
    if (!isPresent(state)) return refuse("not_found");
    const cards = cardsOf(said.given.cards, state.given.cards ?? []);
    if ("refused" in cards) return cards;
    const { given, metadata = state.metadata } = withCards(said, cards.cards);
    if (isDeepStrictEqual([given, metadata], [state.given, state.metadata]))
      return { reply: viewOf(state, context.id) };
    const next: PresentVehicle = { ...state, given, ...(metadata && { metadata }), updatedAt: context.at };
    return { state: next, jobs: [ledgerSyncJob], reply: viewOf(next, context.id) };
  },

  remove: (state: Vehicle | undefined, _: object, context: CommandContext) => {
    if (!state) return refuse("not_found");
    if (!isPresent(state)) return { reply: {} };
    return { state: { createdAt: state.createdAt, updatedAt: context.at }, jobs: [ledgerSyncJob], reply: {} };
  },

  look: (state: Vehicle | undefined, _: object, context: CommandContext) =>
    isPresent(state) ? { reply: viewOf(state, context.id) } : refuse("not_found"),

  /** For internal use. The reply is empty if the vehicle was removed. */
  facts: (state: Vehicle | undefined) => (state ? { reply: { given: state.given } } : refuse("not_found")),

  introduced: (state: Vehicle | undefined, { version }: { version: number }, context: CommandContext) =>
    state && context.version - 1 === version ? { completedJobs: [ledgerSyncJob], reply: {} } : { reply: {} },
});

const withCards = ({ given, metadata }: VehicleUpdate, cards: Card[] | undefined) => {
  const { cards: _, ...others } = given;
  return { given: { ...others, ...(cards && { cards }) }, ...(metadata && { metadata }) };
};

/** A card that is sent with only its last four characters must be one that the vehicle already has (`known`). */
function cardsOf(said: CardUpdate[] | undefined, known: Card[]) {
  const cards = said?.map(({ provider, last4, digest }) =>
    digest === undefined
      ? known.find((card) => card.provider === provider && card.last4 === last4.toUpperCase())
      : { provider, last4, digest },
  );
  const unknown = cards?.flatMap((card, index) =>
    card
      ? []
      : [
          wrongField(
            ["cards", index, "number"],
            "required",
            "number is required for a card that the vehicle does not have yet.",
          ),
        ],
  );
  if (unknown?.length) return refuse("validation_failed", invalid(unknown).message, { errors: unknown });
  return { cards: cards?.filter((card) => card !== undefined) };
}
