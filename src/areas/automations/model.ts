import type { StoredFile } from "../../platform/files.ts";
import type { Lease } from "../../platform/lease.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { automationStatuses } from "../../domain/mappings.ts";
import { daysLeft, nextReminders, type DeadlineKind, type Reminder, type SentReminders } from "./deadlines.ts";
import type { Driver } from "./drivers.ts";
import type { FinePosition } from "./duplicates.ts";
import { deadlineExample, viewExample } from "./examples.ts";
import type { Fine } from "./match-context.ts";
import {
  AutomationView,
  DeadlineView,
  type Candidate,
  type Counts,
  type EvidenceStep,
  type FineItem,
  type MatchStatus,
  type resolutions,
} from "./views.ts";
import { mostDecided } from "./input.ts";

// Events

export const events = {
  AutomationCompleted: AutomationView.meta({
    id: "AutomationCompleted",
    description: "An automation has ended or was cancelled, its review is complete, or a decision was corrected.",
    examples: [viewExample],
  }),
  FineDeadline: DeadlineView.meta({
    id: "FineDeadline",
    description:
      "A deadline of a fine is in 7, 3 or 1 days. If a fine arrives later than that, the event is sent immediately.",
    examples: [deadlineExample],
  }),
};

// State

/** Statuses of an automation, as the API numbers them. */
export const [queued, running, succeeded, failed, needsReview, cancelled] = [0, 1, 2, 3, 4, 5] as const;
export type Status = 0 | 1 | 2 | 3 | 4 | 5;

/** The result of a fine. It comes from the matching or from the decision of a reviewer. */
export interface Outcome {
  matchStatus: MatchStatus | null;
  vehicleId?: string;
  driver?: Driver;
  orderId?: string;
  countryCode?: string;
  confidence: number;
  evidence: EvidenceStep[];
  candidates: Candidate[];
  duplicateOf?: FinePosition;
  /** Set if it is uncertain whether the fine repeats the earlier one, so that it needs review. */
  isContested?: boolean;
  /** Deadlines of a repeated fine that differ from those of the earlier fine. */
  anew?: DeadlineKind[];
  entered: boolean;
  errorCode?: string;
  message?: string;
  /** The duplicate keys of the fine. */
  names?: string[];
}

export interface Resolution {
  action: (typeof resolutions)[number];
  comment?: string;
  at: string;
}

/** A fine of an automation. */
export interface Item {
  /** The document that contains the fine, if the fine was not sent as data. */
  documentId?: string;
  fine: Fine;
  /** Present once the fine was matched or given up. */
  outcome?: Outcome;
  resolution?: Resolution;
  /** Number of runs that were interrupted because their worker died. */
  attempts?: number;
  /** Number of runs in which the document was still being processed. */
  waits?: number;
  told?: SentReminders;
}

/** An automation that assigns fines to drivers. */
export interface Automation {
  status: Status;
  /** The uploaded list of fines. As long as there are no items, the list must still be read. */
  file?: StoredFile;
  items: Item[];
  /** Number of attempts to read the file that were interrupted because their worker died. */
  attempts: number;
  /** Number of runs that internal errors have interrupted since the last successful run. */
  faults: number;
  retries: number;
  /** The lease of the current run. `indexes`: the items that the run processes. */
  lease?: Lease & { indexes: number[] };
  errorCode?: string;
  message?: string;
  metadata?: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

/** The job that matches fines, and the job that releases duplicate keys of unassigned fines. */
export const [matching, releasing] = ["automations.run", "automations.release"] as const;
/** R2 folder of uploaded lists. */
export const folder = "automations";

export const isOpen = ({ status }: Pick<Automation, "status">): boolean => status === queued || status === running;

/** Whether the fine certainly repeats an earlier one. */
const isRepeated = ({ matchStatus, isContested }: Outcome) => matchStatus === "Duplicate" && !isContested;

/**
 * Whether the fine needs review: it was processed, but neither assigned automatically nor decided by a reviewer, and it
 * does not certainly repeat an earlier fine.
 */
export const isUndecided = ({ outcome, resolution }: Item): boolean =>
  outcome !== undefined && !resolution && !outcome.entered && !isRepeated(outcome);

export const isPending = ({ outcome }: Item): boolean => outcome === undefined;

export function countsOf(items: readonly Item[]): Counts {
  const count = (is: (item: Item) => boolean) => items.filter(is).length;
  const as = (status: MatchStatus) => count(({ outcome }) => outcome?.matchStatus === status);
  return {
    total: items.length,
    pending: count(isPending),
    matched: as("Matched"),
    ambiguous: as("Ambiguous"),
    vehicleUnknown: as("VehicleUnknown"),
    driverUnknown: as("DriverUnknown"),
    duplicate: as("Duplicate"),
    unreadable: count(({ outcome }) => outcome?.matchStatus === null),
    entered: count(({ outcome }) => outcome?.entered === true),
    needsReview: count(isUndecided),
  };
}

export function itemView({ documentId, fine, outcome, resolution }: Item, index: number): FineItem {
  const { position: _, ...said } = fine;
  return {
    index,
    documentId: documentId ?? null,
    reference: said.reference ?? null,
    authority: said.authority ?? null,
    licensePlate: said.licensePlate ?? null,
    plateCountry: said.plateCountry ?? null,
    offenceAt: said.offenceAt ?? null,
    place: said.place ?? null,
    countryCode: said.countryCode ?? outcome?.countryCode ?? null,
    offenceType: said.offenceType ?? null,
    amount: said.amount ?? null,
    currency: said.currency ?? null,
    discountedAmount: said.discountedAmount ?? null,
    discountUntil: said.discountUntil ?? null,
    dueDate: said.dueDate ?? null,
    appealUntil: said.appealUntil ?? null,
    driverStatementUntil: said.driverStatementUntil ?? null,
    iban: said.iban ?? null,
    paymentReference: said.paymentReference ?? null,
    vehicleId: outcome?.vehicleId ?? null,
    driver: outcome?.driver ?? null,
    orderId: outcome?.orderId ?? null,
    confidence: outcome?.confidence ?? 0,
    evidence: outcome?.evidence ?? [],
    candidates: outcome?.candidates ?? [],
    matchStatus: outcome?.matchStatus ?? null,
    duplicateOf: outcome?.duplicateOf ?? null,
    entered: outcome?.entered ?? false,
    needsReview: isUndecided({ fine, ...omitUndefined({ outcome, resolution }) }),
    resolution: resolution
      ? { action: resolution.action, comment: resolution.comment ?? null, resolvedAt: resolution.at }
      : null,
    errorCode: outcome?.errorCode ?? null,
    message: outcome?.message ?? null,
  };
}

/** Returns the metadata as sent; `internalId` defaults to the id of the automation. */
export const metadataOf = ({ metadata }: Automation, automationId: string) => ({
  internalId: automationId,
  ...metadata,
});

/**
 * Returns the view of an automation. Missing values are null; `data` is null until fines are known and matching has
 * begun.
 */
export function viewOf(state: Automation, automationId: string): AutomationView {
  const { status, items } = state;
  const isKnown = status !== queued && items.length > 0;
  return {
    status,
    errorCode: state.errorCode ?? null,
    Message: messageOf(state),
    data: isKnown ? { items: items.map(itemView), counts: countsOf(items) } : null,
    metadata: metadataOf(state, automationId),
  };
}

/**
 * Returns the view in the response to a change. For a large automation it contains only the changed fines, because the
 * response is stored in case the request is repeated.
 */
export function changedView(state: Automation, automationId: string, indexes: readonly number[] = []): AutomationView {
  const view = viewOf(state, automationId);
  if (!view.data || state.items.length <= mostDecided) return view;
  const about = new Set(indexes);
  return { ...view, data: { ...view.data, items: view.data.items.filter(({ index }) => about.has(index)) } };
}

export function messageOf({ status, message, items }: Automation): string | null {
  if (message) return message;
  if (status !== needsReview) return null;
  const { needsReview: left, total } = countsOf(items);
  return `${left} of ${total} ${total === 1 ? "fine" : "fines"} must be looked at by a person.`;
}

/** Returns the name of the status in events. */
export const nameOf = (status: Status): string => automationStatuses[status]!;

/** A reminder of the fine at `index`. */
export interface Due extends Reminder {
  index: number;
}

/** Lists the next reminder of each deadline, for all fines. @param at ISO 8601, UTC */
export function remindersOf({ status, items }: Automation, at: string): Due[] {
  if (status !== succeeded && status !== needsReview) return [];
  return items.flatMap((item, index) => {
    const watched = watchedIn(item);
    return watched ? nextReminders(watched, item.told ?? {}, at).map((one) => ({ ...one, index })) : [];
  });
}

/**
 * Selects the deadlines for which reminders are sent. For a repeated fine, these are only the deadlines that differ
 * from those of the earlier fine.
 */
function watchedIn({ fine, outcome, resolution }: Item) {
  if (!outcome || resolution?.action === "Dismiss") return undefined;
  const countryCode = fine.countryCode ?? outcome.countryCode;
  if (!isRepeated(outcome)) return { ...fine, countryCode };
  const anew = (outcome.anew ?? []).map((kind) => [kind, fine[kind]] as const);
  return { ...Object.fromEntries(anew), countryCode };
}

export const deadlineView = (state: Automation, automationId: string, due: Due, at: string) => {
  const item = state.items[due.index]!;
  const countryCode = item.fine.countryCode ?? item.outcome?.countryCode;
  return {
    automationId,
    deadline: due.deadline,
    date: due.date,
    daysLeft: daysLeft(due.date, { countryCode }, at),
    item: itemView(item, due.index),
  };
};

/** When the next reminder is due, in milliseconds since 1970. */
export function nextDue(state: Automation): number | undefined {
  const dues = remindersOf(state, new Date().toISOString()).map(({ due }) => due);
  return dues.length > 0 ? dues.reduce((first, due) => Math.min(first, due)) : undefined;
}
