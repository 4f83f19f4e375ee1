import * as z from "zod";
import { Country } from "../../domain/addresses.ts";
import { choice, LineText, Metadata, optional } from "../../domain/shapes.ts";
import { DriverDocumentView as Facts, driverDocumentTypes } from "../../extraction/kinds/driver-document/view.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { foldText } from "../../extraction/lexicon/fold.ts";
import { evidenceShape } from "../intake/evidence.ts";
import { receivedShape, type Envelope, type FileArea, type Intake } from "../intake/model.ts";
import { expiredExample, expiringExample, viewExample } from "./examples.ts";
import { daysLeft, nextReminder, validityStatus } from "./expiry.ts";

export const driverDocumentStatuses = ["Processing", "Valid", "ExpiringSoon", "Expired", "Failed", "Replaced"] as const;
export const DriverDocumentStatus = z.enum(driverDocumentStatuses).meta({ id: "DriverDocumentStatus" });
export type DriverDocumentStatus = z.output<typeof DriverDocumentStatus>;

const DriverInput = z
  .object({
    name: optional(LineText(200).trim().min(1)),
    phone: optional(LineText(50)),
    email: optional(z.email("Not an e-mail address").max(254)),
  })
  .refine(({ name, phone, email }) => name ?? phone ?? email, {
    message: "A name, phone or email of the driver is required",
  });

/** The driver, as a name or as an object. A form sends the object as JSON. */
const Driver = z.preprocess(
  (given) => (typeof given === "string" && given !== "" ? parseDriver(given) : given),
  optional(DriverInput),
) as unknown as z.ZodType<
  z.output<typeof DriverInput> | undefined,
  string | z.input<typeof DriverInput> | null | undefined
>;

function parseDriver(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" ? parsed : { name: text };
  } catch {
    return { name: text };
  }
}

const Type = optional(choice(driverDocumentTypes));

export const DriverDocumentFields = z
  .object({
    driver: Driver.describe("The driver: a name, or `{ name, phone, email }`. The extracted holder if omitted."),
    type: Type.describe("Type of the document. Detected if omitted."),
    metadata: optional(Metadata),
  })
  .meta({ id: "DriverDocumentFields" });

const Day = z.iso.date("Not a date such as 2026-11-24");

/** Data that the caller sets. It takes precedence over the extracted data. */
export const DriverDocumentInput = z
  .object({
    driver: Driver.describe("The driver: a name, or `{ name, phone, email }`."),
    type: Type,
    number: optional(LineText(100).trim().min(1)),
    issuingCountry: optional(Country),
    issuedAt: optional(Day),
    expiresAt: optional(Day),
    categories: optional(z.array(LineText(20).trim().min(1)).max(50)),
    metadata: optional(Metadata),
  })
  .refine(({ issuedAt, expiresAt }) => !issuedAt || !expiresAt || issuedAt <= expiresAt, {
    message: "It must not be before issuedAt",
    path: ["expiresAt"],
  })
  .meta({ id: "DriverDocumentInput" });
export type DriverDocumentInput = z.output<typeof DriverDocumentInput>;

export const DriverDocumentView = z
  .object({
    documentId: z.string(),
    status: DriverDocumentStatus.describe(
      "`ExpiringSoon` from 60 days before it expires. It is valid on the day it expires.",
    ),
    message: z.string().optional(),
    errorCode: z.string().optional(),
    driver: z
      .object({ name: z.string().optional(), phone: z.string().optional(), email: z.string().optional() })
      .optional(),
    ...Facts.shape,
    daysLeft: z
      .number()
      .int()
      .optional()
      .describe("Days until it expires, by the local date in the issuing country; negative after that."),
    replacedBy: z.string().optional().describe("A document of the same driver and type with a later expiry date."),
    fileName: z.string(),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "DriverDocument" });
export type DriverDocumentView = z.output<typeof DriverDocumentView>;

export const ReceivedDriverDocument = receivedShape(
  "documentId",
  "ReceivedDriverDocument",
  { document: DriverDocumentView.optional().describe("With `Prefer: wait=N`, if the extraction has ended.") },
  { status: DriverDocumentStatus },
);

export const DriverDocumentExtraction = evidenceShape("documentId", "DriverDocumentExtraction");
export type DriverDocumentExtraction = z.output<typeof DriverDocumentExtraction>;

export const events = {
  DriverDocumentProcessed: DriverDocumentView.meta({
    id: "DriverDocumentProcessed",
    description: "The data of a driver's document was extracted, or could not be extracted.",
    examples: [viewExample],
  }),
  DriverDocumentExpiring: DriverDocumentView.meta({
    id: "DriverDocumentExpiring",
    description:
      "A driver's document expires in 60, 30, 14, 7 days or 1 day. Sent at once for a document that is uploaded later than that.",
    examples: [expiringExample],
  }),
  DriverDocumentExpired: DriverDocumentView.meta({
    id: "DriverDocumentExpired",
    description: "A driver's document has expired.",
    examples: [expiredExample],
  }),
  DriverDocumentDeleted: z.object({ documentId: z.string() }).meta({
    id: "DriverDocumentDeleted",
    description: "A driver's document was deleted.",
    examples: [{ documentId: viewExample.documentId }],
  }),
};

export type StatedFacts = Omit<DriverDocumentInput, "metadata">;

export interface DriverDocumentEnvelope extends Envelope {
  data?: Facts;
}

export interface DriverDocument extends Intake<DriverDocumentEnvelope> {
  /** Data that the caller has set. It takes precedence over the extracted data. */
  said?: StatedFacts;
  /** `days` of the last reminder that was sent. */
  told?: number;
  replacedBy?: string;
  /** All documents that this one has ever replaced. They may become current again when it changes or is deleted. */
  replaces?: string[];
  /** The slot of a deleted document, until the claim on the slot is released. */
  leaves?: string;
  removed?: true;
}

export const files: FileArea<"documentId"> = {
  binding: "DRIVERS_DOCUMENTS",
  folder: "drivers-documents",
  idName: "documentId",
  jobs: { extract: "driversDocuments.read", remove: "driversDocuments.forget" },
};

/** Job that determines the current document of a driver and type. */
export const renewJob = "driversDocuments.renew";

/** Returns the data of a document. Values that the caller has set take precedence over extracted values. */
export function factsOf({ said, envelopes }: DriverDocument): Facts & Pick<DriverDocumentView, "driver"> {
  const extracted = envelopes[0]?.data ?? {};
  const { name } = extracted.holder ?? {};
  return { ...(name && { driver: { name } }), ...extracted, ...omitUndefined(said ?? {}) };
}

const isUseless = (state: DriverDocument): boolean =>
  state.status === "Failed" && factsOf(state).expiresAt === undefined;

/** @param at ISO 8601, UTC */
export function statusAt(state: DriverDocument, at: string): DriverDocumentView["status"] {
  if (state.status === "Processing") return "Processing";
  if (state.replacedBy) return "Replaced";
  return isUseless(state) ? "Failed" : validityStatus(factsOf(state), at);
}

export function viewOf(state: DriverDocument, documentId: string, at: string): DriverDocumentView {
  const { envelopes, replacedBy, metadata, file, createdAt, updatedAt } = state;
  const { message, errorCode } = envelopes[0] ?? {};
  const facts = factsOf(state);
  return {
    documentId,
    status: statusAt(state, at),
    ...omitUndefined({ message, errorCode: isUseless(state) ? errorCode : undefined }),
    ...facts,
    ...omitUndefined({ daysLeft: daysLeft(facts, at), replacedBy }),
    fileName: file.name,
    ...(metadata && { metadata }),
    createdAt,
    updatedAt,
  };
}

/**
 * Returns the next reminder; undefined if no further reminder is sent.
 * @param at ISO 8601, UTC
 */
export const reminderOf = (state: DriverDocument, at: string) =>
  state.removed || state.replacedBy || state.status === "Processing"
    ? undefined
    : nextReminder(factsOf(state), state.told, at);

/** Returns the time of the next reminder, in milliseconds since 1970. */
export const nextDue = (state: DriverDocument): number | undefined => reminderOf(state, new Date().toISOString())?.due;

/**
 * Returns the slot of a document: a key of its driver and type; undefined if one is unknown. One document of each slot
 * is current and replaces the others. Drivers of the same name without e-mail addresses are distinguished by their date
 * of birth.
 */
export function slotOf(state: DriverDocument): string | undefined {
  if (state.removed) return undefined;
  const { driver, holder, type } = factsOf(state);
  const who = driver?.email ?? driver?.name ?? holder?.name ?? driver?.phone;
  if (!who || !type || type === "Other") return undefined;
  const name = foldText(who)
    .replace(/[^\p{L}\p{N}@.]+/gu, " ")
    .trim();
  const born = driver?.email ? undefined : holder?.birthDate;
  return [type, name, ...(born ? [born] : [])].join("/");
}

/** Returns the name of the claim on a slot. The current document holds the claim. */
export const slotClaim = (slot: string): string => `${files.folder}/live/${slot}`;
