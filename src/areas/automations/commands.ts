import { refuse, type Decision, type DomainEvent, type CommandContext, type Refusal } from "../../platform/decision.ts";
import type { StoredFile } from "../../platform/files.ts";
import { attemptsAfter, isHeld, isHolder, leaseFor, renewLease } from "../../platform/lease.ts";
import { commandsOn } from "../../platform/command.ts";
import {
  cancelled,
  changedView,
  countsOf,
  deadlineView,
  failed,
  isOpen,
  isPending,
  isUndecided,
  matching,
  nameOf,
  needsReview,
  queued,
  releasing,
  remindersOf,
  running,
  succeeded,
  viewOf,
  type Automation,
  type events,
  type Item,
  type Outcome,
  type Status,
} from "./model.ts";
import type { Fine } from "./match-context.ts";
import { isCorrection, wrongIn, resolved, type Resolved } from "./review.ts";

/**
 * Maximum number of attempts that were interrupted because their worker died. After that, the file or fine is given up,
 * because it may be the cause.
 */
export const mostAttempts = 3;
/**
 * Maximum number of consecutive runs that internal errors interrupt. After that, the automation fails. With the pauses
 * between them, these runs take about ten minutes.
 */
export const mostFaults = 12;
/** Maximum number of retries of a failed automation. */
export const mostRetries = 5;
/** Maximum number of checks whether the document of a fine is processed. After that the fine is given up. */
export const mostWaits = 60;
/**
 * Maximum number of fines that are processed at once: `finesAtOnce` if they were sent as data, `documentsAtOnce` if
 * they are in documents.
 */
const [finesAtOnce, documentsAtOnce] = [50, 4];

/** The next step of the job. `Done`: the job is complete. `Busy`: another run holds the lease. */
export type NextStep =
  | { go: "Done" }
  | { go: "Busy" }
  | { go: "Read"; file: StoredFile }
  | { go: "Match"; createdAt: string; items: { index: number; item: Item }[] };

/** The result of a fine. `waits`: its document is still being processed. */
export type Result = { index: number } & ({ outcome: Outcome; fine: Fine } | { waits: true });

type Step<Reply> = Decision<Automation, typeof events, Reply>;

export const commands = commandsOn<Automation, typeof events>(
  "AUTOMATIONS",
  "automations",
)({
  create: (
    state: Automation | undefined,
    said: Pick<Automation, "items" | "file" | "metadata">,
    { at, id },
  ): Step<{ automationId: string }> => {
    const reply = { automationId: id };
    if (state) return { reply };
    const made = { attempts: 0, faults: 0, retries: 0, createdAt: at, updatedAt: at };
    return { state: { status: queued, ...said, ...made }, jobs: [matching], reply };
  },

  look: (state: Automation | undefined) => (state ? { reply: state } : refuse("not_found")),

  /** Takes the lease for a run and returns its next step. */
  begin: (state: Automation | undefined, { token }: { token: string }, context): Step<NextStep> => {
    if (!state || !isOpen(state)) return { completedJobs: [matching], reply: { go: "Done" } };
    if (isHeld(state.lease, context.at)) return { reply: { go: "Busy" } };
    const now = afterExpiredLease(state);
    if (now.faults >= mostFaults) {
      const message = `Matching was interrupted ${now.faults} times by an internal error.`;
      return { ...ended(now, context, { errorCode: "engine_unavailable", message }), reply: { go: "Done" } };
    }
    const { file, items, attempts } = now;
    if (!file || items.length > 0) return nextItems(now, token, context);
    if (attempts < mostAttempts) return { state: leased(now, token, context, []), reply: { go: "Read", file } };
    const message = `The extraction was abandoned after ${attempts} attempts. Send a smaller or simpler file.`;
    return { ...ended(now, context, { errorCode: "engine_timeout", message }), reply: { go: "Done" } };
  },

  renew: (state: Automation | undefined, ask: { token: string }, context) => renewLease(state, ask, context),

  rows: (state: Automation | undefined, { token, fines }: { token: string; fines: Fine[] }, { at }): Step<object> => {
    if (!state || !isOpen(state) || !isHolder(state.lease, token)) return { reply: {} };
    const { lease: _, ...rest } = state;
    return { state: { ...rest, faults: 0, items: fines.map((fine) => ({ fine })), updatedAt: at }, reply: {} };
  },

  /** Ends the automation as failed, because its file cannot be read. */
  fail: (
    state: Automation | undefined,
    { token, ...fault }: { token: string; errorCode: string; message: string },
    context,
  ): Step<object> => {
    if (!state || !isOpen(state)) return { completedJobs: [matching], reply: {} };
    return isHolder(state.lease, token) ? { ...ended(state, context, fault), reply: {} } : { reply: {} };
  },

  /**
   * Records the results of a run. Existing results are kept. The last result ends the automation. If all fines of the
   * run wait for documents, the job is not requested at once but repeated at its usual interval.
   */
  took: (
    state: Automation | undefined,
    { token, results, goesOn }: { token: string; results: Result[]; goesOn: boolean },
    context,
  ): Step<{ isMore: boolean }> => {
    if (!state || !isOpen(state)) return { completedJobs: [matching], reply: { isMore: false } };
    if (!isHolder(state.lease, token)) return { reply: { isMore: false } };
    const { lease: _, ...rest } = state;
    const byIndex = new Map(results.map((result) => [result.index, result]));
    const items = state.items.map((item, index) => withResult(item, byIndex.get(index)));
    const next: Automation = { ...rest, faults: 0, items, updatedAt: context.at };
    if (!items.some(isPending)) return { ...ended(next, context), reply: { isMore: false } };
    const isStuck = results.every((result) => "waits" in result);
    if (isStuck || goesOn) return { state: next, reply: { isMore: !isStuck } };
    return { state: next, jobs: [matching], reply: { isMore: true } };
  },

  /**
   * Releases the lease of a run that an internal error interrupted. The run does not count as an attempt to match its
   * fines.
   */
  release: (state: Automation | undefined, { token }: { token: string }): Step<object> => {
    if (!state || !isOpen(state) || !isHolder(state.lease, token)) return { reply: {} };
    const { lease: _, ...rest } = state;
    return { state: { ...rest, faults: state.faults + 1 }, reply: {} };
  },

  released: (state: Automation | undefined): Step<object> | Refusal =>
    state ? { completedJobs: [releasing], reply: {} } : refuse("not_found"),

  resolve: (state: Automation | undefined, { items }: { items: Resolved[] }, context) => {
    if (!state) return refuse("not_found");
    const corrects = items.some((one) => isCorrection(state.items[one.index], one));
    if (state.status !== needsReview && !(state.status === succeeded && corrects)) return notAllowed(state);
    const wrong = items.flatMap((one, at) => wrongIn(state, one, at));
    if (wrong.length > 0) return refuse("validation_failed", undefined, { errors: wrong });
    const byIndex = new Map(items.map((one) => [one.index, one]));
    const decided = state.items.map((item, index) => {
      const one = byIndex.get(index);
      return one ? resolved(item, one, context.at) : item;
    });
    const next: Automation = { ...state, items: decided, updatedAt: context.at };
    const isLeft = decided.some(isUndecided);
    const end = isLeft && !corrects ? { state: next } : withStatus(next, isLeft ? needsReview : succeeded, context);
    return { ...end, reply: changedView(end.state, context.id, [...byIndex.keys()]) };
  },

  /** Sends due reminders; called by the alarm of the aggregate. */
  tick: (state: Automation | undefined, _: object, context) => {
    const due = state ? remindersOf(state, context.at).filter((one) => one.due <= Date.parse(context.at)) : [];
    if (!state || due.length === 0) return { reply: {} };
    const items = state.items.map((item, index) => {
      const told = due.filter((one) => one.index === index).map(({ deadline, days }) => [deadline, days] as const);
      return told.length > 0 ? { ...item, told: { ...item.told, ...Object.fromEntries(told) } } : item;
    });
    const next = { ...state, items, updatedAt: context.at };
    const events = due.map((one) => {
      const data = deadlineView(next, context.id, one, context.at);
      const { deadline, date, daysLeft } = data;
      const told = { index: one.index, deadline, date, daysLeft };
      return { type: "FineDeadline" as const, status: nameOf(state.status), due: told, data };
    });
    return { state: next, events, reply: {} };
  },
});

/** Status changes that a caller may request, by current status. */
const allowedFrom: Record<Status, Status[]> = {
  [queued]: [cancelled],
  [running]: [],
  [succeeded]: [],
  [failed]: [queued],
  [needsReview]: [succeeded, cancelled],
  [cancelled]: [],
};

const notAllowed = ({ status }: Automation, detail?: string, allowed = allowedFrom[status]): Refusal =>
  refuse(
    "invalid_state",
    detail ?? `The automation is ${nameOf(status)}, and this status does not allow the request.`,
    {
      extra: { currentStatus: status, allowed },
    },
  );

/** Retries a failed automation. Existing results of fines are kept. */
export function retried(state: Automation | undefined, context: CommandContext) {
  if (!state) return refuse("not_found");
  if (state.status !== failed) return notAllowed(state);
  if (state.retries >= mostRetries)
    return notAllowed(state, `The automation was already retried ${mostRetries} times, which is the maximum.`, []);
  const { errorCode: _, message: __, ...rest } = state;
  const items = state.items.map((item) => (isPending(item) ? { ...item, attempts: 0, waits: 0 } : item));
  const anew = { status: queued, items, attempts: 0, faults: 0, retries: state.retries + 1, updatedAt: context.at };
  const next: Automation = { ...rest, ...anew };
  return { state: next, jobs: [matching], reply: changedView(next, context.id) };
}

/** Cancels the automation. Fines that were not assigned can be sent again. */
export function cancelledBy(state: Automation | undefined, context: CommandContext) {
  if (!state) return refuse("not_found");
  if (!allowedFrom[state.status].includes(cancelled)) return notAllowed(state);
  const end = withStatus(state, cancelled, context);
  return { ...end, jobs: [releasing], completedJobs: [matching], reply: changedView(end.state, context.id) };
}

/** Selects the next batch: fines without interrupted attempts first. A fine with such attempts is processed alone. */
function nextItems(state: Automation, token: string, context: CommandContext): Step<NextStep> {
  const items = state.items.map((item) =>
    isPending(item) && isGivenUp(item) ? { ...item, outcome: givenUp(item) } : item,
  );
  const pending = items.flatMap((item, index) => (isPending(item) ? [{ index, item }] : []));
  const next = { ...state, items };
  if (pending.length === 0) return { ...ended(next, context), reply: { go: "Done" } };
  const fresh = pending.filter(({ item }) => !item.attempts);
  const [told, unread] = [
    fresh.filter(({ item }) => item.documentId === undefined),
    fresh.filter(({ item }) => item.documentId !== undefined),
  ];
  const inTurn = unread.sort((a, b) => (a.item.waits ?? 0) - (b.item.waits ?? 0));
  const chosen = [told.slice(0, finesAtOnce), inTurn.slice(0, documentsAtOnce), pending.slice(0, 1)].find(
    (some) => some.length > 0,
  )!;
  const indexes = chosen.map(({ index }) => index);
  return {
    state: leased(next, token, context, indexes),
    reply: { go: "Match", createdAt: state.createdAt, items: chosen },
  };
}

const leased = (state: Automation, token: string, { at }: CommandContext, indexes: number[]): Automation => ({
  ...state,
  status: running,
  lease: { ...leaseFor(token, at), indexes },
});

/**
 * If the last lease has expired, counts an interrupted attempt for each item of its run, or for the file if the run had
 * no items.
 */
function afterExpiredLease({ lease, ...now }: Automation): Automation {
  if (!lease) return now;
  if (lease.indexes.length === 0) return { ...now, attempts: attemptsAfter(lease, now.attempts) };
  const inHand = new Set(lease.indexes);
  const items = now.items.map((item, index) =>
    inHand.has(index) && isPending(item) ? { ...item, attempts: attemptsAfter(lease, item.attempts ?? 0) } : item,
  );
  return { ...now, items };
}

const isGivenUp = ({ attempts = 0, waits = 0 }: Item) => attempts >= mostAttempts || waits >= mostWaits;

const givenUp = ({ attempts = 0 }: Item): Outcome =>
  unreadable(
    attempts >= mostAttempts ? "processing_failed" : "engine_timeout",
    attempts >= mostAttempts
      ? `Matching was started ${attempts} times and never completed.`
      : "The document of the fine was not processed in time.",
  );

/** Creates the result of a fine that could not be read or matched. */
export const unreadable = (errorCode: string, message: string): Outcome => ({
  matchStatus: null,
  confidence: 0,
  evidence: [],
  candidates: [],
  entered: false,
  errorCode,
  message,
});

function withResult(item: Item, result: Result | undefined): Item {
  if (!result || !isPending(item)) return item;
  if ("waits" in result) return { ...item, attempts: 0, waits: (item.waits ?? 0) + 1 };
  const { attempts: _, waits: __, ...rest } = item;
  return { ...rest, fine: result.fine, outcome: result.outcome };
}

function ended(state: Automation, context: CommandContext, fault?: { errorCode: string; message: string }) {
  const { lease: _, ...rest } = state;
  const isLeft = countsOf(state.items).needsReview > 0;
  const status = fault ? failed : isLeft ? needsReview : succeeded;
  return { ...withStatus({ ...rest, ...fault }, status, context), completedJobs: [matching] };
}

function withStatus(state: Automation, status: Status, { at, id }: CommandContext) {
  const next: Automation = { ...state, status, updatedAt: at };
  const happened: DomainEvent<typeof events> = {
    type: "AutomationCompleted",
    status: nameOf(status),
    previousStatus: nameOf(state.status),
    data: viewOf(next, id),
  };
  return { state: next, events: [happened] };
}
