import * as z from "zod";
import { tight, type ArchiveRow } from "../../platform/archive/archive.ts";
import { given } from "../../platform/omit-undefined.ts";
import { foldText } from "../../extraction/lexicon/fold.ts";
import type { DriverDocumentView as Facts } from "../../extraction/kinds/driver-document/view.ts";
import type { Envelope, Intake } from "../intake/index.ts";
import { expiredExample, expiringExample, viewExample } from "./examples.ts";
import { DriverDocumentView, type DriverDocumentInput } from "./shapes.ts";
import { daysLeft, nextReminder, standing } from "./validity.ts";

// What happens to it

export const events = {
  DriverDocumentProcessed: DriverDocumentView.meta({
    id: "DriverDocumentProcessed",
    description: "A document of a driver was read, or could not be.",
    examples: [viewExample],
  }),
  DriverDocumentExpiring: DriverDocumentView.meta({
    id: "DriverDocumentExpiring",
    description:
      "A document of a driver expires in 60, 30, 14, 7 days or tomorrow; told at once of one that comes later.",
    examples: [expiringExample],
  }),
  DriverDocumentExpired: DriverDocumentView.meta({
    id: "DriverDocumentExpired",
    description: "A document of a driver has expired.",
    examples: [expiredExample],
  }),
  DriverDocumentDeleted: z.object({ documentId: z.string() }).meta({
    id: "DriverDocumentDeleted",
    description: "A document of a driver was deleted.",
    examples: [{ documentId: viewExample.documentId }],
  }),
};

// What is remembered

/** What somebody said of it, whatever was read. */
export type SaidDocument = Omit<DriverDocumentInput, "metadata">;

export interface DriverDocumentEnvelope extends Envelope {
  data?: Facts;
}

/** A document that a driver carries. */
export interface DriverDocument extends Intake<DriverDocumentEnvelope> {
  said?: SaidDocument;
  /** The last reminder that was told, in days before it expires. */
  told?: number;
  replacedBy?: string;
  /** Documents that it replaced at some time: when it changes or goes, they may count again. */
  replaces?: string[];
  /** Of one that was removed: its place, until that is free. */
  leaves?: string;
  /** Nothing is known of it any more. */
  removed?: true;
}

/** The works: to read it, to see which of a driver's documents of a type counts, to take away what was kept of it. */
export const [reading, renewing, forgetting] = [
  "driversDocuments.read",
  "driversDocuments.renew",
  "driversDocuments.forget",
] as const;
/** Where its file and its evidence lie in R2. */
export const folder = "drivers-documents";

/** What is known: what was said goes before what was read. */
export function factsOf({ said, envelopes }: DriverDocument): Facts & Pick<DriverDocumentView, "driver"> {
  const read = envelopes[0]?.data ?? {};
  const { name } = read.holder ?? {};
  return { ...(name && { driver: { name } }), ...read, ...given(said ?? {}) };
}

const isUseless = (now: DriverDocument): boolean => now.status === "Failed" && factsOf(now).expiresAt === undefined;

/** @param at ISO 8601, UTC */
export function statusAt(now: DriverDocument, at: string): DriverDocumentView["status"] {
  if (now.status === "Processing") return "Processing";
  if (now.replacedBy) return "Replaced";
  return isUseless(now) ? "Failed" : standing(factsOf(now), at);
}

export function viewOf(now: DriverDocument, documentId: string, at: string): DriverDocumentView {
  const { envelopes, replacedBy, metadata, file, createdAt, updatedAt } = now;
  const { message, errorCode } = envelopes[0] ?? {};
  const facts = factsOf(now);
  return {
    documentId,
    status: statusAt(now, at),
    ...given({ message, errorCode: isUseless(now) ? errorCode : undefined }),
    ...facts,
    ...given({ daysLeft: daysLeft(facts, at), replacedBy }),
    fileName: file.name,
    ...(metadata && { metadata }),
    createdAt,
    updatedAt,
  };
}

/** What time does next, as far as it does anything. @param at ISO 8601, UTC */
export const reminderOf = (now: DriverDocument, at: string) =>
  now.removed || now.replacedBy || now.status === "Processing" ? undefined : nextReminder(factsOf(now), now.told, at);

/** When time does something to it next, in milliseconds since 1970. */
export const nextDue = (now: DriverDocument): number | undefined => reminderOf(now, new Date().toISOString())?.due;

export const placeClaim = (place: string): string => `${folder}/live/${place}`;

/**
 * Documents of one driver and one type, of which one counts; undefined where one of both is not known. Of drivers without an
 * address the day of birth tells those of one name apart.
 */
export function placeOf(now: DriverDocument): string | undefined {
  if (now.removed) return undefined;
  const { driver, holder, type } = factsOf(now);
  const who = driver?.email ?? driver?.name ?? holder?.name ?? driver?.phone;
  if (!who || !type || type === "Other") return undefined;
  const name = foldText(who)
    .replace(/[^\p{L}\p{N}@.]+/gu, " ")
    .trim();
  const born = driver?.email ? undefined : holder?.birthDate;
  return [type, name, ...(born ? [born] : [])].join("/");
}

/** Under this stands every document that is there. */
export const thereTerm = "there:yes";

/** The archive's row. One that was removed keeps its place there, and is found by nothing. */
export function driverDocumentRow(now: DriverDocument, company: string, id: string): ArchiveRow {
  const { createdAt, updatedAt } = now;
  const row = { table: "driversDocuments" as const, id, company, createdAt, updatedAt };
  if (now.removed) return { ...row, terms: [], text: "", columns: { expiresAt: null, dueAt: null }, view: {} };
  const view = viewOf(now, id, updatedAt);
  const { status, type, number, issuingCountry, driver, holder, expiresAt } = view;
  const due = now.status === "Processing" ? Date.parse(updatedAt) : nextDue(now);
  const named: [string, string | undefined][] = [
    ["status", status],
    ["type", type],
    ["number", number && tight(number)],
    ["issuingCountry", issuingCountry],
    ["driverEmail", driver?.email?.toLowerCase()],
    ["internalId", now.metadata?.["internalId"]],
  ];
  return {
    ...row,
    terms: [thereTerm, ...named.flatMap(([name, value]) => (value ? [`${name}:${value}`] : []))],
    text: [now.file.name, number, driver?.name, driver?.phone, holder?.name].filter(Boolean).join(" ").slice(0, 20_000),
    columns: {
      expiresAt: expiresAt ?? null,
      dueAt: due === undefined ? null : new Date(due).toISOString(),
    },
    view,
  };
}
