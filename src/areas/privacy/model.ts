import * as z from "zod";
import { LineText, said } from "../../domain/shapes.ts";
import { given } from "../../platform/omit-undefined.ts";
import { type Lease } from "../../platform/lease.ts";
import type { Person } from "../../domain/person.ts";
import { type Position } from "./data-map.ts";

export const PersonInput = z
  .strictObject({
    email: said(z.email("Not an e-mail address").max(254)),
    name: said(LineText(200).regex(/\p{L}[\s,]+\p{L}/u, "Not two words: a single word would match too much")).describe(
      "At least two words. Their order and diacritics are ignored.",
    ),
    phone: said(LineText(50).regex(/(?:\D*\d){7}/, "Not a phone number")).describe(
      "Compared by the last nine digits; a shorter number by all digits, with and without country code. Texts that look like a date do not match.",
    ),
  })
  .refine(({ email, name, phone }) => email !== undefined || name !== undefined || phone !== undefined, {
    message: "email, name or phone must be given",
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

// What happens to it: nothing anybody is told of

export const events = {};

// What is remembered

/** A person's data asked for, or to be erased. */
export interface PrivacyRequest {
  kind: PrivacyRequestView["kind"];
  status: PrivacyRequestView["status"];
  /** Nobody any more, once it is done. */
  person?: Person;
  records: number;
  files: number;
  events: number;
  /** Rounds through everything that have come to their end, how far this one has come, and how much it has found. */
  rounds: number;
  place: Position;
  inRound: number;
  /** How often somebody set out from this place and did not come further. */
  tries: number;
  /** Held by whoever is on the way. */
  lease?: Lease;
  /** What is gathered, in its order. */
  parts: string[];
  /** When the next round begins. */
  resumesAt?: string;
  /** When this round began, or was to begin; the first one with the request. */
  roundAt?: string;
  expiresAt?: string;
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

/** What was found. */
export type Counts = Pick<PrivacyRequest, "records" | "files" | "events">;

/** How far somebody has come; behind the end of a round there is no place. */
export interface Progress {
  to?: Position;
  found: Counts;
  /** Something could not be looked at, or is not in the archive yet, so that this round is not the last. */
  isLeft?: boolean;
  part?: string;
  /** The last round begins this long after the request, in milliseconds. */
  settles?: number;
}

/** The works: to go through everything, and to take away what was exported. */
export const runJob = "privacy.run";
export const expireJob = "privacy.expire";

/** How long an export can be fetched. */
export const exportMilliseconds = 7 * 24 * 60 * 60 * 1000;
/** What was on its way when somebody asked has as a rule come to rest by then: the archive is told of a thing every three seconds. */
export const restMilliseconds = 5_000;
/** After so many rounds in which something was found there is more time between them. */
export const quickRounds = 10;
export const longRestMilliseconds = 300_000;

/** Where what is gathered lies. */
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
    ...given({ expiresAt }),
    createdAt,
    updatedAt,
  };
}

/** When a round begins, or an export is taken away, in milliseconds since 1970. */
export function nextDue({ resumesAt, expiresAt }: PrivacyRequest): number | undefined {
  const due = resumesAt ?? expiresAt;
  return due === undefined ? undefined : Date.parse(due);
}
