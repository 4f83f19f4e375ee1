import * as z from "zod";
import type { AggregateBinding } from "../../platform/registered.ts";
import type { StoredFile } from "../../platform/files.ts";
import type { Lease } from "../../platform/lease.ts";
import { Metadata, ProcessingStatus, Text, choice } from "../../domain/shapes.ts";
import type { Check } from "../../extraction/document/extraction-result.ts";

/** How an area stores and processes its files. Commands, jobs and operations of the area are made from it. */
export interface FileArea<IdName extends string = string> {
  binding: AggregateBinding;
  /** Folder of originals and evidence in R2, and first part of the claims that find duplicates: `orders`. */
  folder: string;
  /** Name of the record's id in answers: `orderId`. */
  idName: IdName;
  jobs: {
    /** Extracts the fields of a file: `orders.read`. */
    extract: string;
    /** Deletes the files of a deleted record: `orders.remove`. */
    remove: string;
  };
}

/** The answer for one thing found in a file. */
export interface Envelope {
  /** Numbers the things found in one file, from 0. */
  sequenceId: number;
  status: ProcessingStatus;
  message?: string;
  errorCode?: string;
  data?: unknown;
}

/** Fields that may be sent with a file whose text may have an addition. */
export const fileFields = {
  type: choice(["Pdf", "Image"]).optional().describe("May be omitted: the format is detected from the bytes."),
  additionalInfo: Text(100_000)
    .optional()
    .describe("Text that belongs to the file, such as the body of the mail it was attached to."),
  metadata: Metadata.optional(),
};

/**
 * The answer to an upload.
 * @param result what it holds in addition once the file is processed
 * @param options.status status of the record, where it has statuses of its own
 * @param options.sameFile when two uploads are duplicates
 */
export const receivedShape = <
  const Name extends string,
  Result extends z.ZodRawShape,
  Status extends z.ZodType = typeof ProcessingStatus,
>(
  idName: Name,
  id: string,
  result: Result,
  options: { status?: Status; sameFile?: string } = {},
) => {
  const {
    status = ProcessingStatus as unknown as Status,
    sameFile = "The same bytes were sent within the last 180 days",
  } = options;
  return z
    .object({ [idName]: z.string() } as Record<Name, z.ZodString>)
    .extend({
      duplicateOf: z.string().optional().describe(`${sameFile}; this is the record created then.`),
      status: status.optional().describe("With `Prefer: wait=N`."),
    })
    .extend(result)
    .meta({ id });
};

/** A stored file and what the caller sent with it. */
export interface ReceivedFile {
  file: StoredFile;
  /** Text that belongs to the file, such as the body of the mail it was attached to. */
  additionalInfo?: string;
  metadata?: Record<string, string>;
  /** ISO date of the mail that brought the file. Dates without a year refer to it when the file has no date of its own. */
  sentOn?: string;
  /** Path below the company's folder where recognised pages of the collection that contains the file are stored. */
  seenIn?: string;
}

/** A field that feedback changed. */
export interface FieldChange {
  pointer: string;
  /** The extracted value; absent when nothing was extracted. */
  before?: unknown;
  value: unknown;
}

/** One correction by feedback, kept for the evidence. */
export interface AppliedCorrection {
  feedbackId: string;
  sequenceId: number;
  changes: FieldChange[];
  /** Results of the checks on the corrected values. */
  checks: Check[];
}

/** State that every record made from a file has: progress of the extraction and its result. */
export interface Intake<Item extends Envelope = Envelope> extends ReceivedFile {
  status: ProcessingStatus;
  /** Extractions that ended without a report, because the worker died. */
  attempts: number;
  /** Extractions that an internal fault interrupted. They do not count as attempts. */
  faults?: number;
  /** How often the file was extracted again after an internal failure. */
  retries?: number;
  /** Held by the worker that extracts now. */
  lease?: Lease;
  envelopes: Item[];
  /** Name of the current extraction, under which its evidence is stored. */
  evidence?: string;
  /** Corrections by feedback, oldest first. */
  corrected?: AppliedCorrection[];
  /** The record was deleted; this is its tombstone. */
  removed?: true;
  /** Of a record that was deleted during extraction: until when that extraction may still write. ISO 8601. */
  writtenUntil?: string;
  createdAt: string;
  updatedAt: string;
}

/** Whether the record exists and is no tombstone. */
export const isPresent = <State extends object>(state: State | undefined): state is State =>
  state !== undefined && !(state as { removed?: true }).removed;

/** The envelopes as answered: with the caller's metadata on each. */
export const envelopesOf = <Item extends Envelope>({ envelopes, metadata }: Intake<Item>): Item[] =>
  metadata ? envelopes.map((envelope) => ({ ...envelope, metadata })) : envelopes;

/** `Succeeded` when all envelopes are, `Failed` when all failed, otherwise `Partial`. */
export function statusOf(envelopes: readonly Envelope[]): ProcessingStatus {
  if (envelopes.every(({ status }) => status === "Succeeded")) return "Succeeded";
  return envelopes.some(({ status }) => status !== "Failed") ? "Partial" : "Failed";
}

/** Checks that lower the confidence only: no list of plate formats covers all real plates. */
const minorChecks: readonly string[] = ["PlateShape"];

/** Status of an extracted document: `Partial` when checks failed, which the message names. */
export function statusOfChecks(
  noun: string,
  checks: readonly Check[],
): { status: Exclude<ProcessingStatus, "Processing" | "Failed">; message?: string } {
  const failed = checks.filter(({ name, passed }) => !passed && !minorChecks.includes(name));
  if (failed.length === 0) return { status: "Succeeded" };
  const reasons = failed.map(({ name, detail }) => `${name} did not pass (${detail.replace(/\.$/, "")}).`);
  return { status: "Partial", message: `${noun} validation failed. Reason: ${reasons.join(" ")}` };
}

/**
 * The claim that finds duplicates: its holder is the first record with these bytes.
 * @param variant further condition for a duplicate, such as the document type
 */
export const fileClaim = (folder: string, sha256: string, variant = ""): string =>
  `${folder}/file/${variant && `${variant}/`}${sha256}`;

/**
 * Key of the evidence in R2.
 * @param name of the extraction that wrote it; earlier releases stored one without a name
 */
export const evidenceKey = (company: string, folder: string, id: string, name?: string) =>
  `${company}/${folder}/${id}/${name ? `extraction-${name}` : "extraction"}.json`;
