import * as z from "zod";
import { LineText, optional } from "../../domain/shapes.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { type Lease } from "../../platform/lease.ts";
import type { Person } from "../../domain/person.ts";
import { type Position } from "./data-map.ts";

export const PersonInput = z
  .strictObject({
    email: optional(z.email("Not an e-mail address").max(254)),
    name: optional(
      LineText(200).regex(
        /\p{L}[\s,]+\p{L}/u,
        "At least two words are required, and abbreviations such as J. do not count, because a single word would match too many texts",
      ),
    ).describe("At least two words. Their order and diacritics are ignored."),
    phone: optional(LineText(50).regex(/(?:\D*\d){7}/, "Not a phone number with at least seven digits")).describe(
      "Compared by the last nine digits; a shorter number by all digits, with and without country code. Texts that look like a date do not match.",
    ),
  })
  .refine(({ email, name, phone }) => email !== undefined || name !== undefined || phone !== undefined, {
    message: "email, name or phone is required",
    path: ["email"],
    params: { code: "required" },
  })
  .meta({ id: "PersonInput", description: "A person, identified by any of these values." });
export type PersonInput = z.output<typeof PersonInput>;

export const PrivacyRequestView = z
  .object({
    privacyRequestId: z.string(),
    kind: z.enum(["Export", "Erase"]),
    status: z.enum(["Running", "Done"]),
    records: z.number().int().describe("Number of records that named the person."),
    files: z.number().int().describe("Number of files that named the person or were the source of such a record."),
    events: z.number().int().describe("Number of events that named the person, delivered or not."),
    expiresAt: z.string().optional().describe("The export can be fetched until then."),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "PrivacyRequest" });
export type PrivacyRequestView = z.output<typeof PrivacyRequestView>;

export const PrivacyExport = z
  .object({
    person: z.object({ email: z.string().optional(), name: z.string().optional(), phone: z.string().optional() }),
    createdAt: z.string(),
    records: z.array(
      z.object({
        type: z.string(),
        id: z.string(),
        url: z.string(),
        mentions: z
          .array(z.object({ pointer: z.string(), value: z.string() }))
          .describe(
            "Each with its JSON pointer in the response of `url`; data that is stored but not returned there, with its pointer in the record.",
          ),
      }),
    ),
    files: z
      .array(z.string())
      .describe(
        "Paths from which the files can be fetched; a file that no operation returns is identified by its storage key.",
      ),
    events: z.array(z.unknown()),
  })
  .meta({ id: "PrivacyExport" });
export type PrivacyExport = z.output<typeof PrivacyExport>;

export const events = {};

/** A request to export or erase a person's data. */
export interface PrivacyRequest {
  kind: PrivacyRequestView["kind"];
  status: PrivacyRequestView["status"];
  /** Removed when the request is complete. */
  person?: Person;
  records: number;
  files: number;
  events: number;
  /**
   * Number of completed rounds. `place` and `inRound`: position, and number of mentions found, in the current round.
   */
  rounds: number;
  place: Position;
  inRound: number;
  /** Number of runs from this position without progress. */
  tries: number;
  lease?: Lease;
  parts: string[];
  resumesAt?: string;
  /** When the current round started. Absent in the first round, which starts with the request. */
  roundAt?: string;
  expiresAt?: string;
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

export type Counts = Pick<PrivacyRequest, "records" | "files" | "events">;

/** Progress of a run. Without `to`, the round is complete. */
export interface Progress {
  to?: Position;
  found: Counts;
  /** Whether data was skipped or is not in the archive yet, so that another round is needed. */
  isLeft?: boolean;
  part?: string;
  /** Minimum time between the request and the start of its last round, in milliseconds. */
  settles?: number;
}

/** The jobs that process all data and delete an expired export. */
export const runJob = "privacy.run";
export const expireJob = "privacy.expire";

/** How long an export can be fetched. */
export const exportMilliseconds = 7 * 24 * 60 * 60 * 1000;
/** Pause between rounds, after which pending changes have usually reached the archive. */
export const restMilliseconds = 5_000;
/** Number of rounds after which the pauses become longer. */
export const quickRounds = 10;
export const longRestMilliseconds = 300_000;

export const exportFolder = (company: string, id: string) => `${company}/privacy/${id}/`;

export function viewOf(state: PrivacyRequest, privacyRequestId: string): PrivacyRequestView {
  const { kind, status, records, files, events: eventCount, expiresAt, createdAt, updatedAt } = state;
  return {
    privacyRequestId,
    kind,
    status,
    records,
    files,
    events: eventCount,
    ...omitUndefined({ expiresAt }),
    createdAt,
    updatedAt,
  };
}

/** Returns when a round begins or an export expires, in milliseconds since 1970. */
export function nextDue({ resumesAt, expiresAt }: PrivacyRequest): number | undefined {
  const due = resumesAt ?? expiresAt;
  return due === undefined ? undefined : Date.parse(due);
}
