import * as z from "zod";

const text = z.string();
const day = z.string().describe("A date, ISO 8601.");

export const FineView = z
  .object({
    reference: text.optional().describe("Case number of the authority."),
    authority: text.optional(),
    offenceAt: text.optional().describe("Local time at the place, without offset; only a date if no time is printed."),
    place: text.optional(),
    offenceType: text
      .optional()
      .describe(
        "Speeding, Parking, RestrictedZone, Toll, RedLight, Overtaking, Weight, DrivingTime, Other; the list is open.",
      ),
    measuredSpeed: z.number().optional().describe("Kilometres per hour (in Great Britain miles per hour), as printed."),
    speedLimit: z.number().optional().describe("In the unit of `measuredSpeed`."),
    licensePlate: text.optional().describe("Upper case, without spaces."),
    plateCountry: text.optional().describe("ISO 3166-1 alpha-2."),
    amount: z.number().optional().describe("Full amount of the fine."),
    currency: text.optional().describe("ISO 4217."),
    discountedAmount: z.number().optional().describe("Reduced amount that is payable until `discountUntil`."),
    discountUntil: day.optional(),
    dueDate: day.optional(),
    driverStatementUntil: day.optional().describe("Deadline for naming the driver to the authority."),
    iban: text.optional(),
    paymentReference: text.optional().describe("Reference that the payment must quote."),
  })
  .meta({ id: "FineView" });

export type FineView = z.output<typeof FineView>;
