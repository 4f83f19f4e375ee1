import type { StoredFile } from "../../platform/files.ts";
import type { Lease } from "../../platform/lease.ts";
import { given } from "../../platform/omit-undefined.ts";
import { automationStatuses } from "../../domain/mappings.ts";
import { daysLeft, nextReminders, type DeadlineKind, type Reminder, type SentReminders } from "./deadlines.ts";
import type { Driver } from "./drivers.ts";
import type { FinePosition } from "./duplicates.ts";
import { deadlineExample, viewExample } from "./examples.ts";
import type { Fine } from "./match-context.ts";
import {
  AutomationView,
  DeadlineView,
  mostDecided,
  type Candidate,
  type Counts,
  type EvidenceStep,
  type FineItem,
  type MatchStatus,
  type resolutions,
} from "./shapes.ts";

// What happens to it

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

// What is remembered

/** The states of an automation, by the numbers they are told as. */
export const [queued, running, succeeded, failed, needsReview, cancelled] = [0, 1, 2, 3, 4, 5] as const;
export type Status = 0 | 1 | 2 | 3 | 4 | 5;

/** What was found out of a fine, or decided. */
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
  /** It may be another fine than the one before it: a person must look. */
  isContested?: boolean;
  /** Deadlines of a reminder that the fine before it did not have. */
  anew?: DeadlineKind[];
  entered: boolean;
  errorCode?: string;
  message?: string;
  /** What it is known again by. */
  names?: string[];
}

export interface Resolution {
  action: (typeof resolutions)[number];
  comment?: string;
  at: string;
}

/** A fine on its way to its driver. */
export interface Item {
  /** Where it is read from, when it was not told. */
  documentId?: string;
  fine: Fine;
  /** Once it was looked at. */
  outcome?: Outcome;
  resolution?: Resolution;
  /** Turns with it that ended without news. */
  attempts?: number;
  /** How often its document was still being read. */
  waits?: number;
  told?: SentReminders;
}

/** Fines that are put down to their drivers. */
export interface Automation {
  status: Status;
  /** A list whose rows are not known yet, while there are no items. */
  file?: StoredFile;
  items: Item[];
  /** Readings of the file that ended without news. */
  attempts: number;
  /** Turns that broke off by a fault of ours since the last good one. */
  faults: number;
  retries: number;
  /** Held by whoever is at it, with these items. */
  lease?: Lease & { indexes: number[] };
  errorCode?: string;
  message?: string;
  metadata?: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

/** The works: to match its fines, and to let go of what was not entered. */
export const [matching, releasing] = ["automations.run", "automations.release"] as const;
/** Where its file lies in R2. */
export const folder = "automations";

export const isOpen = ({ status }: Pick<Automation, "status">): boolean => status === queued || status === running;

/** Whether it is surely the same fine as one before it. */
const isRepeated = ({ matchStatus, isContested }: Outcome) => matchStatus === "Duplicate" && !isContested;

/** Whether somebody must look: it was matched, and not surely enough; or it could not be. */
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
    needsReview: isUndecided({ fine, ...given({ outcome, resolution }) }),
    resolution: resolution
      ? { action: resolution.action, comment: resolution.comment ?? null, resolvedAt: resolution.at }
      : null,
    errorCode: outcome?.errorCode ?? null,
    message: outcome?.message ?? null,
  };
}

/** What its sender said, and the id it is known by to him. */
export const metadataOf = ({ metadata }: Automation, automationId: string) => ({
  internalId: automationId,
  ...metadata,
});

/** As it is answered: what is not there is null, and so are the data while nothing of them is known. */
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
 * As a change is answered. Such an answer is kept for whoever repeats the request, so that of an automation with many fines
 * only those are told that the change was about.
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

/** As events tell of it. */
export const nameOf = (status: Status): string => automationStatuses[status]!;

/** A reminder of one of its fines. */
export interface Due extends Reminder {
  index: number;
}

/** What time does next to each of its fines, as far as it does anything. @param at ISO 8601, UTC */
export function remindersOf({ status, items }: Automation, at: string): Due[] {
  if (status !== succeeded && status !== needsReview) return [];
  return items.flatMap((item, index) => {
    const watched = watchedIn(item);
    return watched ? nextReminders(watched, item.told ?? {}, at).map((one) => ({ ...one, index })) : [];
  });
}

/** Days of a fine that somebody waits for; of a reminder those that are new. */
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

/** When time does something to it next, in milliseconds since 1970. */
export function nextDue(state: Automation): number | undefined {
  const dues = remindersOf(state, new Date().toISOString()).map(({ due }) => due);
  return dues.length > 0 ? dues.reduce((first, due) => Math.min(first, due)) : undefined;
}
