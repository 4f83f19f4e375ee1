import * as z from "zod";
import { Country } from "../../domain/addresses.ts";
import { Plate, choice, Currency, Id, LineText, Metadata, MomentText, optional } from "../../domain/shapes.ts";
import { isStorableInstant } from "../../domain/periods.ts";
import { automationStatuses } from "../../domain/mappings.ts";
import { deadlineKinds } from "./deadlines.ts";

// What it is

/** Fines that one automation enters. */
export const mostFines = 1000;

/** Fines that are decided in one request, and told in the answer to one. */
export const mostDecided = 250;

const mostMoney = 1_000_000_000;
/** Numbers in a text are taken as well, with a point; kept to the cent. */
const Money = z
  .preprocess(
    (sent) => (typeof sent === "string" && /^\s*\d+(\.\d+)?\s*$/.test(sent) ? Number(sent) : sent),
    z.number().min(0).max(mostMoney),
  )
  .transform((amount) => Math.round(amount * 100) / 100) as unknown as z.ZodType<number, number | string>;

const name = (most: number) => optional(LineText(most).trim());
const Day = optional(z.iso.date("Not a date (2026-11-24)"));
const Degrees = (most: number) => z.number().min(-most).max(most);

/** A fine as it is sent. */
export const FineInput = z
  .object({
    reference: name(100).describe("The authority's case number."),
    authority: name(200),
    offenceAt: optional(MomentText).describe(
      "Without an offset: local time at the place. A date without time means any time of that day.",
    ),
    place: name(300),
    countryCode: optional(Country).describe(
      "Country of the offence. Default: derived from IBAN or currency; otherwise the country of a large town in `place`, or of the company, is assumed.",
    ),
    position: optional(z.object({ latitude: Degrees(90), longitude: Degrees(180) })),
    offenceType: name(100),
    licensePlate: optional(Plate).describe("Case, blanks and dashes are ignored."),
    plateCountry: optional(Country),
    amount: optional(Money),
    currency: optional(Currency),
    discountedAmount: optional(Money),
    discountUntil: Day,
    dueDate: Day,
    appealUntil: Day,
    driverStatementUntil: Day.describe("Deadline for naming the driver to the authority."),
    iban: name(50),
    paymentReference: name(100),
  })
  .refine(({ licensePlate, reference }) => licensePlate ?? reference, {
    message: "licensePlate or reference is required",
    path: ["licensePlate"],
    params: { code: "required" },
  })
  .refine(({ offenceAt }) => !offenceAt || isStorableInstant(offenceAt), {
    message: "The year must be between 0000 and 9999",
    path: ["offenceAt"],
  })
  .meta({ id: "FineInput" });
export type FineInput = z.output<typeof FineInput>;

export const FinesInput = z
  .object({
    documentIds: optional(z.array(Id).max(mostFines)).describe("Documents that were sent to `POST /api/v1/documents`."),
    fines: optional(z.array(FineInput).max(mostFines)).describe("Fines as data."),
    metadata: optional(Metadata),
  })
  .refine(({ documentIds = [], fines = [] }) => documentIds.length + fines.length > 0, {
    message: "documentIds or fines is required",
    path: ["fines"],
    params: { code: "required" },
  })
  .refine(({ documentIds = [], fines = [] }) => documentIds.length + fines.length <= mostFines, {
    message: `At most ${mostFines} at once`,
    path: ["fines"],
  })
  .meta({ id: "FinesInput" });
export type FinesInput = z.output<typeof FinesInput>;

/** Fields beside a file. */
export const FinesFields = z.object({ metadata: optional(Metadata) });

export const matchStatuses = ["Matched", "Ambiguous", "VehicleUnknown", "DriverUnknown", "Duplicate"] as const;
export type MatchStatus = (typeof matchStatuses)[number];

const Driver = z.object({ name: z.string(), phone: z.string().optional(), email: z.string().optional() });

export const stepNames = [
  "Document",
  "Plate",
  "Time",
  "Driver",
  "Order",
  "Transactions",
  "Duplicate",
  "Deadline",
] as const;

const EvidenceStep = z
  .object({
    step: z.enum(stepNames),
    message: z.string().describe("Explanation in one sentence."),
    confidence: z.number().min(0).max(1).nullable(),
    subject: z
      .object({ type: z.enum(["Document", "Vehicle", "Order", "Transaction", "Automation"]), id: z.string() })
      .nullable()
      .describe("The record that the step is about."),
  })
  .meta({ id: "FineEvidence" });
export type EvidenceStep = z.output<typeof EvidenceStep>;

const Candidate = z
  .object({
    vehicleId: z.string().nullable(),
    licensePlate: z.string().nullable(),
    driver: Driver.nullable(),
    confidence: z.number().min(0).max(1),
  })
  .meta({ id: "FineCandidate" });
export type Candidate = z.output<typeof Candidate>;

export const resolutions = ["Enter", "Dismiss"] as const;

const text = z.string().nullable();
const day = text.describe("A date.");

export const FineItem = z
  .object({
    index: z.number().int().describe("Position in the automation, from 0."),
    documentId: text,
    reference: text,
    authority: text,
    licensePlate: text.describe("As written on the fine."),
    plateCountry: text,
    offenceAt: text.describe("Local time at the place, as written on the fine."),
    place: text,
    countryCode: text.describe("Country of the offence."),
    offenceType: text,
    amount: z.number().nullable(),
    currency: text,
    discountedAmount: z.number().nullable(),
    discountUntil: day,
    dueDate: day,
    appealUntil: day,
    driverStatementUntil: day,
    iban: text,
    paymentReference: text,
    vehicleId: text,
    driver: Driver.nullable(),
    orderId: text.describe("The order that was on the road at that time, if there is exactly one."),
    confidence: z.number().min(0).max(1).describe("Confidence in vehicle and driver; 0 if none was found."),
    evidence: z.array(EvidenceStep).describe("The steps of the matching, in order."),
    candidates: z.array(Candidate).describe("Other possible vehicles and drivers."),
    matchStatus: z
      .enum(matchStatuses)
      .nullable()
      .describe("Null until the fine is matched, and for a document that is not a fine."),
    duplicateOf: z.object({ automationId: z.string(), index: z.number().int() }).nullable(),
    entered: z.boolean().describe("Whether the fine is assigned to the driver, automatically or by a person."),
    needsReview: z.boolean(),
    resolution: z
      .object({ action: z.enum(resolutions), comment: text, resolvedAt: z.string() })
      .nullable()
      .describe("The decision of a person."),
    errorCode: text,
    message: text,
  })
  .meta({ id: "FineItem" });
export type FineItem = z.output<typeof FineItem>;

export const Counts = z
  .object({
    total: z.number().int(),
    pending: z.number().int(),
    matched: z.number().int(),
    ambiguous: z.number().int(),
    vehicleUnknown: z.number().int(),
    driverUnknown: z.number().int(),
    duplicate: z.number().int(),
    unreadable: z.number().int(),
    entered: z.number().int(),
    needsReview: z.number().int(),
  })
  .meta({ id: "AutomationCounts" });
export type Counts = z.output<typeof Counts>;

export const AutomationStatus = z
  .union(Object.keys(automationStatuses).map((status) => z.literal(Number(status))) as [z.ZodLiteral<number>])
  .describe(
    `${Object.entries(automationStatuses)
      .map(([status, meaning]) => `${status} ${meaning}`)
      .join(", ")}.`,
  )
  .meta({ id: "ApiAutomationStatus" });

/** An automation as it is answered: what is not there is null. */
export const AutomationView = z
  .object({
    status: AutomationStatus,
    errorCode: text,
    Message: text,
    data: z.object({ items: z.array(FineItem), counts: Counts }).nullable(),
    metadata: Metadata.describe("`internalId` is the id of the automation if none was sent."),
  })
  .meta({ id: "Automation" });
export type AutomationView = z.output<typeof AutomationView>;

export const ReceivedAutomation = z
  .object({
    automationId: z.string(),
    status: AutomationStatus.optional().describe("With `Prefer: wait=N`."),
    automation: AutomationView.optional().describe("With `Prefer: wait=N`, if it has ended."),
  })
  .meta({ id: "ReceivedAutomation" });

export const AutomationRow = z
  .object({
    automationId: z.string(),
    kind: z.literal("Fines"),
    status: AutomationStatus,
    errorCode: text,
    Message: text,
    counts: Counts,
    metadata: Metadata,
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "AutomationRow" });
export type AutomationRow = z.output<typeof AutomationRow>;

const DriverInput = z.object({
  name: LineText(200).trim().min(1, "It is empty"),
  phone: optional(LineText(50)),
  email: optional(z.email("Not an e-mail address").max(254)),
});

/** What a person decides of fines that need review. */
export const ResolveInput = z
  .object({
    items: z
      .array(
        z.object({
          index: z.number().int().min(0),
          action: choice(resolutions).describe("`Enter` assigns it to the driver, `Dismiss` to no driver."),
          vehicleId: optional(Id).describe(
            "Default: the vehicle that was found. Its driver at that time is looked up.",
          ),
          driver: optional(DriverInput).describe("The driver; required if none was found."),
          orderId: optional(Id),
          comment: optional(LineText(1000)),
        }),
      )
      .min(1, "At least one item is required")
      .max(mostDecided),
  })
  .refine(({ items }) => new Set(items.map(({ index }) => index)).size === items.length, {
    message: "An item occurs twice",
    path: ["items"],
  })
  .meta({ id: "ResolveFinesInput" });
export type ResolveInput = z.output<typeof ResolveInput>;

export const DeadlineView = z.object({
  automationId: z.string(),
  deadline: z.enum(deadlineKinds),
  date: z.string(),
  daysLeft: z.number().int(),
  item: FineItem,
});
