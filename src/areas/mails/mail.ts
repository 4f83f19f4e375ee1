import type { ArchiveRow } from "../../platform/archive/archive.ts";
import type { StoredFile } from "../../platform/files.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import type { Lease } from "../../platform/lease.ts";
import type { MailLabel } from "../../extraction/mail/labels.ts";
import type { MailKind, MailView } from "./shapes.ts";

// Events: none; what is made of it tells of itself

export const events = {};

// What is remembered

/** A mail that came in. Its bytes lie in R2. */
export interface Mail {
  status: MailView["status"];
  ignoredBecause?: MailView["ignoredBecause"];
  file: StoredFile;
  /** Who is answered: whom its envelope names. Nobody, of a bounce. */
  from?: string;
  subject?: string;
  messageId?: string;
  /** A program sent it, or we did: it is not answered. */
  isAutomatic: boolean;
  label?: MailLabel;
  kind?: MailKind;
  routed: MailView["routed"];
  notRouted?: MailView["notRouted"];
  /** How often routing it ended without news: it may be what ends its worker. */
  attempts?: number;
  /** How often routing it broke off with an error. */
  faults?: number;
  /** Held by whoever is routing it. */
  lease?: Lease;
  answer?: { status: NonNullable<MailView["answer"]>["status"] | "Sending"; at: string };
  createdAt: string;
  updatedAt: string;
  metadata?: undefined;
}

/** The work that sees what a mail is, and posts it. */
export const routing = "mails.route";
/** A mail whose routing ended so often without news is given up. From the one before on, what fails is left out. */
export const mostAttempts = 8;
/** So many errors are no outage any more: routing is repeated every five minutes at least. */
export const mostFaults = 200;
/** Where mails lie in R2. */
export const folder = "mails";

export function viewOf(state: Mail, mailId: string): MailView {
  const { file, answer, isAutomatic: _, attempts: __, faults: ___, metadata: ____, lease: _____, ...rest } = state;
  const sent = answer && { status: answer.status === "Sending" ? ("NotSent" as const) : answer.status, at: answer.at };
  return { mailId, ...rest, ...omitUndefined({ answer: sent }), sizeBytes: file.sizeBytes };
}

/** The archive's row: how it is listed and what it is found by. */
export function mailRow(state: Mail, company: string, id: string): ArchiveRow {
  const { status, label, kind, from, subject, createdAt, updatedAt } = state;
  const named: [string, string | undefined][] = [
    ["status", status],
    ["label", label],
    ["kind", kind],
    ["from", from?.toLowerCase()],
  ];
  return {
    table: "mails",
    id,
    company,
    createdAt,
    updatedAt,
    terms: named.flatMap(([name, value]) => (value ? [`${name}:${value}`] : [])),
    text: subject ?? "",
    columns: {},
    view: viewOf(state, id),
  };
}
