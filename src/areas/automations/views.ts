import * as z from "zod";
import { automationStatuses } from "../../domain/mappings.ts";
import { Metadata } from "../../domain/shapes.ts";
import { deadlineKinds } from "./deadlines.ts";

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

/** An automation as the API shows it. Missing values are null. */
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

export const DeadlineView = z.object({
  automationId: z.string(),
  deadline: z.enum(deadlineKinds),
  date: z.string(),
  daysLeft: z.number().int(),
  item: FineItem,
});
