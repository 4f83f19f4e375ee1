import * as z from "zod";
import { isStorableInstant } from "../../domain/periods.ts";
import { Country } from "../../domain/addresses.ts";
import { Plate, choice, Currency, Id, LineText, Metadata, MomentText, optional } from "../../domain/shapes.ts";
import { resolutions } from "./views.ts";

/** Maximum number of fines in one automation. */
export const mostFines = 1000;

/** Maximum number of fines that one request may decide, and that the response to a change may contain. */
export const mostDecided = 250;

const mostMoney = 1_000_000_000;
/** An amount, rounded to the cent. A numeric string with a decimal point is accepted too. */
const Money = z
  .preprocess(
    (sent) => (typeof sent === "string" && /^\s*\d+(\.\d+)?\s*$/.test(sent) ? Number(sent) : sent),
    z.number().min(0).max(mostMoney),
  )
  .transform((amount) => Math.round(amount * 100) / 100) as unknown as z.ZodType<number, number | string>;

const name = (most: number) => optional(LineText(most).trim());
const Day = optional(z.iso.date("Not a date such as 2026-11-24"));
const Degrees = (most: number) => z.number().min(-most).max(most);

/** A fine that is sent as data. */
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
    message: "The year (in UTC) must be between 0000 and 9999",
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
    message: `documentIds and fines together can have at most ${mostFines} items`,
    path: ["fines"],
  })
  .meta({ id: "FinesInput" });
export type FinesInput = z.output<typeof FinesInput>;

/** Fields that may be sent with a file. */
export const FinesFields = z.object({ metadata: optional(Metadata) });

const DriverInput = z.object({
  name: LineText(200).trim().min(1, "It must not be empty"),
  phone: optional(LineText(50)),
  email: optional(z.email("Not an e-mail address").max(254)),
});

/** Decisions of a reviewer about fines. */
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
    message: "Two items have the same index. Send one decision per fine",
    path: ["items"],
  })
  .meta({ id: "ResolveFinesInput" });
export type ResolveInput = z.output<typeof ResolveInput>;
