import { refuse, type Decision, type CommandContext, type Refusal } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewLease } from "../../platform/lease.ts";
import { applyCorrections, type Correctable, type Correction } from "./corrections.ts";
import {
  isPresent,
  statusOf,
  type Envelope,
  type FieldChange,
  type FileArea,
  type Intake,
  type ReceivedFile,
} from "./model.ts";

/** A file fails after this many extractions whose worker died, because the file is then probably the cause. */
export const maxAttempts = 3;
/**
 * A file fails after this many extractions that an internal fault interrupted, such as an unreachable bucket. They take
 * about two minutes.
 */
export const maxFaults = 12;
/**
 * Maximum number of times that a file that failed by an internal fault is extracted again because it was sent again.
 */
export const maxRetries = 5;
const maxCorrections = 500;

export type RecordId<Name extends string> = { [Key in Name]: string };
/** A decision of the commands below, which several areas use with their own events. */
export type IntakeDecision<State, Event, Reply> = Omit<Decision<State, unknown, Reply>, "events"> & {
  events?: Event[];
};
type WithPrevious<Event, State extends Intake> = Event & { previousStatus: State["status"] };

/**
 * Creates the commands of a record that is extracted from a file.
 * @param processed creates the event that is sent when the extraction ends, successfully or not; without it, none is
 *   sent
 */
export function extractionCommands<State extends Intake, Name extends string, Event>(
  { idName, jobs: { extract } }: FileArea<Name>,
  processed?: (state: State, context: CommandContext) => Event,
) {
  type Item = State["envelopes"][number];
  const idOf = (id: string) => ({ [idName]: id }) as RecordId<Name>;

  function finished(before: State, envelopes: Item[], context: CommandContext, evidence?: string) {
    const { lease: _, evidence: __, ...rest } = before;
    const result = { status: statusOf(envelopes), envelopes, ...(evidence && { evidence }) };
    const state = { ...rest, ...result, updatedAt: context.at } as unknown as State;
    const events: WithPrevious<Event, State>[] = processed
      ? [{ ...processed(state, context), previousStatus: before.status }]
      : [];
    return { state, events, completedJobs: [extract] };
  }

  return {
    /**
     * Receives a file. If the record already exists, it has the same bytes: `duplicateOf` names it, and the file is
     * extracted again if it failed by an internal fault.
     */
    receive: (
      state: State | undefined,
      input: ReceivedFile & Omit<State, keyof Intake>,
      { at, id }: CommandContext,
    ): IntakeDecision<State, never, RecordId<Name> & { duplicateOf?: string }> => {
      const begun = { status: "Processing" as const, attempts: 0, envelopes: [], updatedAt: at };
      if (!state) {
        const created = { ...input, ...begun, createdAt: at } as unknown as State;
        return { state: created, jobs: [extract], reply: idOf(id) };
      }
      const reply = { ...idOf(id), duplicateOf: id };
      const { retries = 0 } = state;
      if (!failedInternally(state) || retries >= maxRetries) return { reply };
      return { state: { ...state, ...begun, faults: 0, retries: retries + 1 }, jobs: [extract], reply };
    },

    /** Takes the lease. `Done`: the extraction has already ended. `Busy`: another worker holds the lease. */
    begin: (
      state: State | undefined,
      { token }: { token: string },
      context: CommandContext,
    ): IntakeDecision<State, WithPrevious<Event, State>, { go: "Done" | "Busy" } | { go: "Read"; record: State }> => {
      if (!state || state.status !== "Processing") return { completedJobs: [extract], reply: { go: "Done" } };
      if (isHeld(state.lease, context.at)) return { reply: { go: "Busy" } };
      const begun = {
        ...state,
        attempts: attemptsAfter(state.lease, state.attempts),
        lease: leaseFor(token, context.at),
      };
      const failed = giveUp(begun);
      if (failed) return { ...finished(begun, [failed], context), reply: { go: "Done" } };
      return { state: begun, reply: { go: "Read", record: state } };
    },

    renew: renewLease<State>,

    /**
     * Records the result of an extraction, successful or not. `counts`: whether it was recorded, which makes the
     * evidence that the caller stored the valid one.
     */
    finish: (
      state: State | undefined,
      { token, envelopes, evidence }: { token: string; envelopes: Item[]; evidence?: string },
      context: CommandContext,
    ): IntakeDecision<State, WithPrevious<Event, State>, { counts?: boolean }> => {
      if (state?.status !== "Processing")
        return { completedJobs: [extract], reply: { counts: evidence !== undefined && state?.evidence === evidence } };
      if (!isHolder(state.lease, token)) return { reply: { counts: false } };
      return { ...finished(state, envelopes, context, evidence), reply: { counts: true } };
    },

    /** For internal use: returns the whole state. */
    look: (state: State | undefined): IntakeDecision<State, never, State> | Refusal =>
      isPresent(state) ? { reply: state } : refuse("not_found"),

    /**
     * Releases the lease after an internal fault. The run does not count as an attempt, because its worker did not die.
     * If the extraction could not begin because memory was short, it does not count as a fault either.
     */
    release: (
      state: State | undefined,
      { token, isOverloaded }: { token: string; isOverloaded?: boolean },
    ): IntakeDecision<State, never, object> => {
      if (state?.status !== "Processing" || !isHolder(state.lease, token)) return { reply: {} };
      const { lease: _, faults = 0, ...rest } = state;
      return { state: { ...rest, faults: isOverloaded ? faults : faults + 1 } as unknown as State, reply: {} };
    },
  };
}

/** Returns the envelope of a file that is given up; undefined if another attempt is allowed. */
function giveUp({ attempts, faults = 0 }: Intake): Envelope | undefined {
  const failed = (errorCode: string, message: string): Envelope => ({
    sequenceId: 0,
    status: "Failed",
    errorCode,
    message,
  });
  if (attempts >= maxAttempts)
    return failed(
      "engine_timeout",
      `The extraction was abandoned after ${attempts} attempts. Send a smaller or simpler file.`,
    );
  if (faults >= maxFaults)
    return failed("engine_unavailable", `The extraction was interrupted ${faults} times by an internal error.`);
  return undefined;
}

const failedInternally = ({ status, envelopes }: Intake) =>
  status === "Failed" && envelopes.some(({ errorCode }) => errorCode?.startsWith("engine_"));

/** The corrections that one feedback makes to one item of the file. */
export interface CorrectionInput {
  feedbackId: string;
  sequenceId: number;
  corrections: Correction[];
}

/**
 * Creates the command that corrects extracted values.
 * @param corrected creates the event about the correction
 */
export const correctionCommands = <State extends Intake, Event>(
  correctable: Correctable<State>,
  corrected: (state: State, context: CommandContext) => Event,
) => ({
  /** Applies all corrections or none. Idempotent for the same feedback. */
  correct(
    state: State | undefined,
    { feedbackId, sequenceId, corrections }: CorrectionInput,
    context: CommandContext,
  ): IntakeDecision<State, WithPrevious<Event, State>, { changes: FieldChange[] }> | Refusal {
    if (!state?.envelopes || state.removed) return refuse("not_found");
    if (state.status === "Processing") return refuse("invalid_state", ...stillProcessing);
    const { corrected: applied = [] } = state;
    const repeated = applied.find((each) => each.feedbackId === feedbackId);
    if (repeated) return { reply: { changes: repeated.changes } };
    if (applied.length >= maxCorrections)
      return refuse("invalid_state", `The record already has ${maxCorrections} corrections, which is the maximum.`);
    const outcome = applyCorrections(correctable, state, sequenceId, corrections, context.at.slice(0, 10));
    if ("errors" in outcome) return refuse("validation_failed", undefined, { errors: outcome.errors });
    const { envelope, changes, checks } = outcome;
    const envelopes = state.envelopes.map((each) => (each.sequenceId === sequenceId ? envelope : each));
    const next: State = {
      ...state,
      envelopes,
      status: statusOf(envelopes),
      corrected: [...applied, { feedbackId, sequenceId, changes, checks }],
      updatedAt: context.at,
    };
    const event = { ...corrected(next, context), previousStatus: state.status };
    return { state: next, events: [event], reply: { changes } };
  },
});

/** Arguments of `refuse` for a record whose extraction has not ended. */
export const stillProcessing: [string, { extra: Record<string, unknown> }] = [
  "The file is still being processed. Try again when it is done.",
  { extra: { currentStatus: "Processing", allowed: ["Succeeded", "Partial", "Failed"] } },
];
