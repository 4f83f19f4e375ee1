import { refuse, type Decision, type CommandContext, type Refusal } from "../../platform/decision.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewStep } from "../../platform/lease.ts";
import { statusOf, type Envelope, type Intake, type Received } from "./intake.ts";

/** A file whose reading was begun this often without coming to an end kills its reader. */
export const mostAttempts = 3;
/** Readings that broke off by a fault of ours, a storage that did not answer: with the waits between them some two minutes. */
export const mostFaults = 12;
/** How often a file that failed by our fault is read once more when it comes again. */
export const mostRetries = 5;

/** What an area says of the life of its files. */
interface Life<State extends Intake, Name extends string, Event> {
  /** The work that reads: `orders.read`. */
  work: string;
  /** As its id is called in answers: `orderId`. */
  idName: Name;
  /** What is told when the reading has come to its end, good or bad; nothing where nobody waits to hear. */
  ended?: (state: State, previousStatus: State["status"], context: CommandContext) => Event;
}

type Id<Name extends string> = { [Key in Name]: string };
type Step<State, Event, Reply> = Omit<Decision<State, unknown, Reply>, "events"> & { events?: Event[] };

/**
 * The life of a file that is read, as commands of its aggregate: it comes in, someone begins to read it, and either comes to an
 * end or lets go of it.
 */
export function lifeOf<State extends Intake, Name extends string, Event>({
  work,
  idName,
  ended,
}: Life<State, Name, Event>) {
  type Found = State["envelopes"][number];
  const named = (id: string) => ({ [idName]: id }) as Id<Name>;

  function settled(now: State, envelopes: Found[], context: CommandContext, evidence?: string) {
    const { lease: _, evidence: __, ...rest } = now;
    const found = { status: statusOf(envelopes), envelopes, ...(evidence && { evidence }) };
    const state = { ...rest, ...found, updatedAt: context.at } as unknown as State;
    return { state, events: ended ? [ended(state, now.status, context)] : [], completedJobs: [work] };
  }

  return {
    /** A file has come. The same file again is the same thing; if it was our fault that it failed, it is read once more. */
    receive: (
      now: State | undefined,
      ask: Received & Omit<State, keyof Intake>,
      { at, id }: CommandContext,
    ): Step<State, Event, Id<Name> & { duplicateOf?: string }> => {
      const anew = { status: "Processing" as const, attempts: 0, envelopes: [], updatedAt: at };
      if (!now) {
        const state = { ...ask, ...anew, createdAt: at } as unknown as State;
        return { state, jobs: [work], reply: named(id) };
      }
      const reply = { ...named(id), duplicateOf: id };
      const { retries = 0 } = now;
      if (!failedByUs(now) || retries >= mostRetries) return { reply };
      return { state: { ...now, ...anew, faults: 0, retries: retries + 1 }, jobs: [work], reply };
    },

    /** Someone sets about reading. A no is normal: it is read already, or someone is at it. */
    begin: (
      state: State | undefined,
      { token }: { token: string },
      context: CommandContext,
    ): Step<State, Event, { go: "Done" | "Busy" } | { go: "Read"; record: State }> => {
      if (!state || state.status !== "Processing") return { completedJobs: [work], reply: { go: "Done" } };
      if (isHeld(state.lease, context.at)) return { reply: { go: "Busy" } };
      const begun = {
        ...state,
        attempts: attemptsAfter(state.lease, state.attempts),
        lease: leaseFor(token, context.at),
      };
      const failed = givenUp(begun);
      if (failed) return { ...settled(begun, [failed], context), reply: { go: "Done" } };
      return { state: begun, reply: { go: "Read", record: state } };
    },

    renew: renewStep<State>,

    /** The reading has come to an end, good or bad. That of the lease's holder counts, with the evidence that was kept of it. */
    finish: (
      state: State | undefined,
      { token, envelopes, evidence }: { token: string; envelopes: Found[]; evidence?: string },
      context: CommandContext,
    ): Step<State, Event, { counts?: boolean }> => {
      if (state?.status !== "Processing")
        return { completedJobs: [work], reply: { counts: evidence !== undefined && state?.evidence === evidence } };
      if (!isHolder(state.lease, token)) return { reply: { counts: false } };
      return { ...settled(state, envelopes, context, evidence), reply: { counts: true } };
    },

    /** What is known of it now, for the service itself. */
    look: (now: State | undefined): Step<State, Event, State> | Refusal => (now ? { reply: now } : refuse("not_found")),

    /**
     * The reading broke off by a fault of ours and may be tried again: the file has not killed its reader. One that never got
     * the memory to begin is no fault.
     */
    release: (
      now: State | undefined,
      { token, isOverloaded }: { token: string; isOverloaded?: boolean },
    ): Step<State, Event, object> => {
      if (now?.status !== "Processing" || !isHolder(now.lease, token)) return { reply: {} };
      const { lease: _, faults = 0, ...rest } = now;
      return { state: { ...rest, faults: isOverloaded ? faults : faults + 1 } as unknown as State, reply: {} };
    },
  };
}

/** The end of a file that nobody reads once more. */
function givenUp({ attempts, faults = 0 }: Intake): Envelope | undefined {
  const failed = (errorCode: string, message: string): Envelope => ({
    sequenceId: 0,
    status: "Failed",
    errorCode,
    message,
  });
  if (attempts >= mostAttempts) return failed("engine_timeout", `Reading was begun ${attempts} times and never ended.`);
  if (faults >= mostFaults)
    return failed("engine_unavailable", `Reading broke off ${faults} times by a fault of ours.`);
  return undefined;
}

const failedByUs = ({ status, envelopes }: Intake) =>
  status === "Failed" && envelopes.some(({ errorCode }) => errorCode?.startsWith("engine_"));
