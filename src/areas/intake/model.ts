import * as z from "zod";
import type { AggregateBinding } from "../../platform/registered.ts";
import type { StoredFile } from "../../platform/files.ts";
import type { Lease } from "../../platform/lease.ts";
import { Metadata, ProcessingStatus, Text, choice } from "../../domain/shapes.ts";
import type { Check } from "../../extraction/document/extraction-result.ts";

/** How an area stores and processes its files. Its commands, jobs and operations are derived from this. */
export interface FileArea<IdName extends string = string> {
  binding: AggregateBinding;
  /** R2 folder of originals and evidence, such as `orders`. Also the prefix of the claims that find duplicates. */
  folder: string;
  /** Name of the record's id in responses, such as `orderId`. */
  idName: IdName;
  jobs: {
    /** Job that extracts the fields of a file, such as `orders.read`. */
    extract: string;
    /** Job that deletes the files of a deleted record, such as `orders.remove`. */
    remove: string;
  };
}

/** The result of one item of a file. */
export interface Envelope {
  /** Number of the item in its file, from 0. */
  sequenceId: number;
  status: ProcessingStatus;
  message?: string;
  errorCode?: string;
  data?: unknown;
}

export const fileFields = {
  type: choice(["Pdf", "Image"]).optional().describe("May be omitted: the format is detected from the bytes."),
  additionalInfo: Text(100_000)
    .optional()
    .describe("Text that belongs to the file, such as the body of the mail it was attached to."),
  metadata: Metadata.optional(),
};

/**
 * Returns the schema of the response to an upload.
 * @param result the fields that are added once the file is processed
 * @param options.status schema of the record's status, if the area has its own statuses
 * @param options.sameFile describes when two uploads are duplicates
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

/** A stored file, and the fields that the caller sent with it. */
export interface ReceivedFile {
  file: StoredFile;
  /** Text that belongs to the file, such as the body of the mail it was attached to. */
  additionalInfo?: string;
  metadata?: Record<string, string>;
  /** ISO date of the mail that contained the file. Completes dates without a year if the file itself has no date. */
  sentOn?: string;
  /**
   * Path below the company's folder where the recognised pages of the collection are stored, if the file belongs to
   * one.
   */
  seenIn?: string;
}

/** A field that feedback changed. */
export interface FieldChange {
  pointer: string;
  /** Absent if there was no value. */
  before?: unknown;
  value: unknown;
}

/** The corrections of one feedback, stored so that they can be applied to the evidence. */
export interface AppliedCorrection {
  feedbackId: string;
  sequenceId: number;
  changes: FieldChange[];
  checks: Check[];
}

/** The state that all records extracted from a file have in common: progress and result of the extraction. */
export interface Intake<Item extends Envelope = Envelope> extends ReceivedFile {
  status: ProcessingStatus;
  /** Number of extractions whose worker died. */
  attempts: number;
  /** Number of extractions that an internal fault interrupted. They do not count as attempts. */
  faults?: number;
  /** Number of times that the file was extracted again after a failure by internal faults. */
  retries?: number;
  lease?: Lease;
  envelopes: Item[];
  /** Name of the current extraction, under which its evidence is stored. */
  evidence?: string;
  /** By feedback, oldest first. */
  corrected?: AppliedCorrection[];
  removed?: true;
  /** ISO 8601. Until then, an extraction that the deletion of the record interrupted may still write. */
  writtenUntil?: string;
  createdAt: string;
  updatedAt: string;
}

/** Whether the record exists and is not a tombstone. */
export const isPresent = <State extends object>(state: State | undefined): state is State =>
  state !== undefined && !(state as { removed?: true }).removed;

/** Returns the envelopes as the API shows them, each with the caller's metadata. */
export const envelopesOf = <Item extends Envelope>({ envelopes, metadata }: Intake<Item>): Item[] =>
  metadata ? envelopes.map((envelope) => ({ ...envelope, metadata })) : envelopes;

/** `Succeeded` if all envelopes succeeded, `Failed` if all failed, otherwise `Partial`. */
export function statusOf(envelopes: readonly Envelope[]): ProcessingStatus {
  if (envelopes.every(({ status }) => status === "Succeeded")) return "Succeeded";
  return envelopes.some(({ status }) => status !== "Failed") ? "Partial" : "Failed";
}

/** Checks whose failure only lowers the confidence: no list of plate formats covers all real plates. */
const minorChecks: readonly string[] = ["PlateShape"];

/** Determines the status of an extracted document: `Partial`, with a message that names them, if checks failed. */
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
 * Returns the name of the claim by which duplicates are found. The first record with these bytes holds it.
 * @param variant further condition for a duplicate, such as the document type
 */
export const fileClaim = (folder: string, sha256: string, variant = ""): string =>
  `${folder}/file/${variant && `${variant}/`}${sha256}`;

/**
 * Returns the key of the evidence in R2.
 * @param name name of the extraction that wrote the evidence. Earlier releases stored evidence without a name
 */
export const evidenceKey = (company: string, folder: string, id: string, name?: string) =>
  `${company}/${folder}/${id}/${name ? `extraction-${name}` : "extraction"}.json`;
