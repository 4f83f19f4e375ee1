import * as z from "zod";
import { choice, Country, LineText, Metadata, said } from "../../domain/shapes.ts";
import { DriverDocumentView as Facts, driverDocumentTypes } from "../../extraction/kinds/driver-document/view.ts";
import { extractionShape } from "../intake/index.ts";

// What it is

export const driverDocumentStatuses = ["Processing", "Valid", "ExpiringSoon", "Expired", "Failed", "Replaced"] as const;
export const DriverDocumentStatus = z.enum(driverDocumentStatuses).meta({ id: "DriverDocumentStatus" });
export type DriverDocumentStatus = z.output<typeof DriverDocumentStatus>;

const DriverInput = z
  .object({
    name: said(LineText(200).trim().min(1)),
    phone: said(LineText(50)),
    email: said(z.email("Not an e-mail address").max(254)),
  })
  .refine(({ name, phone, email }) => name ?? phone ?? email, { message: "Nothing is said of the driver" });

/** Whose it is: a name, or more; in a form the object is JSON. */
const Driver = z.preprocess(
  (given) => (typeof given === "string" && given !== "" ? spoken(given) : given),
  said(DriverInput),
) as unknown as z.ZodType<
  z.output<typeof DriverInput> | undefined,
  string | z.input<typeof DriverInput> | null | undefined
>;

/** What reads as an object is one, anything else a name. */
function spoken(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" ? parsed : { name: text };
  } catch {
    return { name: text };
  }
}

const Type = said(choice(driverDocumentTypes));

/** What comes with a file. */
export const DriverDocumentFields = z
  .object({
    driver: Driver.describe(
      "Whose it is: a name, or `{ name, phone, email }`. Left out, it is the holder that is read.",
    ),
    type: Type.describe("What it is. Left out, it is found out."),
    metadata: said(Metadata),
  })
  .meta({ id: "DriverDocumentFields" });

const Day = z.iso.date("Not a date (2026-11-24)");

/** What is known of a document, whatever was read. */
export const DriverDocumentInput = z
  .object({
    driver: Driver.describe("Whose it is: a name, or `{ name, phone, email }`."),
    type: Type,
    number: said(LineText(100).trim().min(1)),
    issuingCountry: said(Country),
    issuedAt: said(Day),
    expiresAt: said(Day),
    categories: said(z.array(LineText(20).trim().min(1)).max(50)),
    metadata: said(Metadata),
  })
  .refine(({ issuedAt, expiresAt }) => !issuedAt || !expiresAt || issuedAt <= expiresAt, {
    message: "expiresAt is before issuedAt",
    path: ["expiresAt"],
  })
  .meta({ id: "DriverDocumentInput" });
export type DriverDocumentInput = z.output<typeof DriverDocumentInput>;

export const DriverDocumentView = z
  .object({
    documentId: z.string(),
    status: DriverDocumentStatus.describe(
      "`ExpiringSoon` from 60 days before it expires; it is valid on its last day.",
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
      .describe("Until it expires, by the calendar where it was issued; below zero after that."),
    replacedBy: z.string().optional().describe("A document of the same driver and type that is valid for longer."),
    fileName: z.string(),
    metadata: Metadata.optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "DriverDocument" });
export type DriverDocumentView = z.output<typeof DriverDocumentView>;

export const ReceivedDriverDocument = z
  .object({
    documentId: z.string(),
    duplicateOf: z
      .string()
      .optional()
      .describe("The same bytes came before, within 180 days: this is the document they made."),
    status: DriverDocumentStatus.optional().describe("With `Prefer: wait=N`."),
    document: DriverDocumentView.optional().describe("With `Prefer: wait=N`, once the file is read."),
  })
  .meta({ id: "ReceivedDriverDocument" });

export const DriverDocumentExtraction = extractionShape("documentId", "DriverDocumentExtraction");
export type DriverDocumentExtraction = z.output<typeof DriverDocumentExtraction>;
