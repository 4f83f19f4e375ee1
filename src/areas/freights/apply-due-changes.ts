import { refuse, type Decide, type DecisionOrRefusal, type CommandContext } from "../../platform/decision.ts";
import type { Events, Freight } from "./model.ts";
import { applyDueChanges, nextDue, type Transition } from "./lifecycle.ts";

/** The freight with everything applied that is due but may not be committed yet. */
export const upToDate = (state: Freight, context: CommandContext): Transition =>
  (nextDue(state) ?? Infinity) <= Date.parse(context.at)
    ? applyDueChanges(state, context)
    : { state, events: [], jobs: [] };

/** A decision about an existing freight that is up to date. A query does not commit what was due. */
export const ofFreight =
  <A, Reply>(
    decide: (turn: Transition, ask: A, context: CommandContext) => DecisionOrRefusal<Freight, Events, Reply>,
  ): Decide<Freight, Events, A, Reply> =>
  (state, ask, context) =>
    state ? decide(upToDate(state, context), ask, context) : refuse("not_found");
