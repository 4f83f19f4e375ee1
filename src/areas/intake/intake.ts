import type { StoredFile } from "../../platform/files.ts";
import type { Lease } from "../../platform/lease.ts";
import type { ProcessingStatus } from "../../domain/shapes.ts";
import type { Check } from "../../extraction/document/reading.ts";

/** What became of one thing found in a file: the envelope it is answered in. */
export interface Envelope {
  /** Numbers the things found in one file, from 0. */
  sequenceId: number;
  status: ProcessingStatus;
  message?: string;
  errorCode?: string;
  data?: unknown;
}

/** What is known of a file when it has come in. */
export interface Received {
  file: StoredFile;
  /** Text that goes with the file, such as the body of the mail it came in. */
  additionalInfo?: string;
  metadata?: Record<string, string>;
  /** ISO date of the mail that brought it: days without a year are told from it, where the file has no date of its own. */
  sentOn?: string;
  /** Below its company, where more is kept of what was seen of its pages: with the pile it came in. */
  seenIn?: string;
}

/** A value that was put right. */
export interface Change {
  pointer: string;
  /** What was read; absent where nothing was. */
  before?: unknown;
  value: unknown;
}

/** What a record remembers of corrections, for its evidence. */
export interface Corrected {
  feedbackId: string;
  sequenceId: number;
  changes: Change[];
  /** How the values agree with each other since. */
  checks: Check[];
}

/** A file that is read: how far that is, and what was found. Whatever is read from files remembers this. */
export interface Intake<Found extends Envelope = Envelope> extends Received {
  status: ProcessingStatus;
  /** Readings that ended without news. */
  attempts: number;
  /** Readings that broke off by a fault of ours; they are no attempts. */
  faults?: number;
  /** How often the file was read once more after it had failed by our fault. */
  retries?: number;
  /** Held by whoever is reading now. */
  lease?: Lease;
  envelopes: Found[];
  /** Under which name the evidence lies of the reading that counts. */
  evidence?: string;
  /** What people put right, in its order. */
  corrected?: Corrected[];
  /** It was deleted; only this is known of it. */
  removed?: true;
  /** Of one that was deleted while it was read: until when something of that reading may still be written. ISO 8601. */
  writtenUntil?: string;
  createdAt: string;
  updatedAt: string;
}

/** The envelopes as they are answered: what the caller said of the file comes back on each of them. */
export const told = <Found extends Envelope>({ envelopes, metadata }: Intake<Found>): Found[] =>
  metadata ? envelopes.map((envelope) => ({ ...envelope, metadata })) : envelopes;

/** Of several things in one file the best one that is not whole speaks for all. */
export function statusOf(envelopes: readonly Envelope[]): ProcessingStatus {
  if (envelopes.every(({ status }) => status === "Succeeded")) return "Succeeded";
  return envelopes.some(({ status }) => status !== "Failed") ? "Partial" : "Failed";
}

/**
 * Where evidence lies in R2.
 * @param name of the reading it is of; none where there is but one
 */
export const extractionKey = (company: string, folder: string, id: string, name?: string) =>
  `${company}/${folder}/${id}/${name ? `extraction-${name}` : "extraction"}.json`;
