import { refuse, type Decision as Changed, type CommandContext, type Refusal } from "../../platform/decision.ts";
import { applied, type Correctable, type Correction } from "./correcting.ts";
import { statusOf, type Change, type Intake } from "./intake.ts";

/** A thing is put right so often at most. */
const mostCorrections = 500;

type Step<State, Event, Reply> = Omit<Changed<State, unknown, Reply>, "events"> & { events?: Event[] };

/** What somebody put right, and in which thing of the file. */
export interface Correcting {
  feedbackId: string;
  sequenceId: number;
  corrections: Correction[];
}

/** How values that were read are put right, as a step of their owner. @param told what is told then */
export const correctionOf = <State extends Intake, Event>(
  desk: Correctable<State>,
  told: (state: State, previousStatus: State["status"], context: CommandContext) => Event,
) => ({
  /** All of them or none. The same feedback again changes nothing. */
  correct(
    now: State | undefined,
    { feedbackId, sequenceId, corrections }: Correcting,
    context: CommandContext,
  ): Step<State, Event, { changes: Change[] }> | Refusal {
    if (!now?.envelopes || now.removed) return refuse("not_found");
    if (now.status === "Processing") return refuse("invalid_state", ...stillRead);
    const { corrected = [] } = now;
    const known = corrected.find((each) => each.feedbackId === feedbackId);
    if (known) return { reply: { changes: known.changes } };
    if (corrected.length >= mostCorrections)
      return refuse("invalid_state", `It was put right ${mostCorrections} times.`);
    const outcome = applied(desk, now, sequenceId, corrections, context.at.slice(0, 10));
    if ("errors" in outcome) return refuse("validation_failed", undefined, { errors: outcome.errors });
    const { envelope, changes, checks } = outcome;
    const envelopes = now.envelopes.map((each) => (each.sequenceId === sequenceId ? envelope : each));
    const state: State = {
      ...now,
      envelopes,
      status: statusOf(envelopes),
      corrected: [...corrected, { feedbackId, sequenceId, changes, checks }],
      updatedAt: context.at,
    };
    return { state, events: [told(state, now.status, context)], reply: { changes } };
  },
});

/** Why what is still read is not put right, and when it may be. */
export const stillRead: [string, { extra: Record<string, unknown> }] = [
  "It is still being read.",
  { extra: { currentStatus: "Processing", allowed: ["Succeeded", "Partial", "Failed"] } },
];
