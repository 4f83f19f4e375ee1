import { refuse, type Decide, type DecisionOrRefusal, type CommandContext } from "../../platform/decision.ts";
import type { Events, Freight } from "./model.ts";
import { applyDueChanges, nextDue, type Transition } from "./lifecycle.ts";

/** The freight as time has left it: what was due by now has happened, though nobody may have written it down yet. */
export const upToDate = (state: Freight, context: CommandContext): Transition =>
  (nextDue(state) ?? Infinity) <= Date.parse(context.at)
    ? applyDueChanges(state, context)
    : { state, events: [], jobs: [] };

/** A decision about a freight that is there, as time has left it. One that only reads writes nothing down. */
export const ofFreight =
  <A, Reply>(
    decide: (turn: Transition, ask: A, context: CommandContext) => DecisionOrRefusal<Freight, Events, Reply>,
  ): Decide<Freight, Events, A, Reply> =>
  (state, ask, context) =>
    state ? decide(upToDate(state, context), ask, context) : refuse("not_found");
