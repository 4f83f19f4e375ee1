import * as z from "zod";
import { AddressInput, ignoreEmpty } from "../../domain/addresses.ts";
import { capabilities, loadingSides, regimes, trailerTypes, vehicleTypes } from "../../domain/mappings.ts";
import {
  choice,
  Currency,
  entryOf,
  LineText,
  Metadata,
  MomentText,
  Price,
  optional,
  SourceNumber,
  Text,
} from "../../domain/shapes.ts";

export const freightStatuses = ["Draft", "Published", "Suspended", "Booked", "Expired", "Withdrawn"] as const;
export const FreightStatus = z.enum(freightStatuses).meta({ id: "FreightStatus" });
export type FreightStatus = z.output<typeof FreightStatus>;

/** Statuses of freights that are no longer live. */
export const archiveReasons = ["Booked", "Expired", "Withdrawn"] as const;
export type ArchiveReason = (typeof archiveReasons)[number];

export const stopTypes = ["Loading", "Unloading", "Customs", "Stop"] as const;

const Degrees = (most: number) => z.number().min(-most).max(most);

/** Reads a field that has two names. Different values under the two names are an error. */
function oneOf<Value>(
  context: z.core.$RefinementCtx,
  [name, value]: [string, Value | undefined],
  [other, otherValue]: [string, Value | undefined],
): Value | undefined {
  if (value !== undefined && otherValue !== undefined && value !== otherValue)
    context.addIssue({
      code: "custom",
      path: [name],
      message: `${name} and ${other} are two names of one field and must not differ`,
      params: { code: "contradicts" },
    });
  return value ?? otherValue;
}

const PlaceInput = AddressInput.refine(({ postalCode, city, coordinates }) => postalCode ?? city ?? coordinates, {
  message: "postalCode, city or coordinates is required",
  path: ["postalCode"],
  params: { code: "required" },
});

const StopInput = z
  .object({
    sequence: optional(z.number().int().min(0).max(10_000)).describe(
      "Position in the route. Default: the position in this list.",
    ),
    type: choice(stopTypes),
    address: PlaceInput,
    period: optional(
      z.object({
        startDate: optional(MomentText).describe("ISO 8601. Without an offset: local time at the stop."),
        endDate: optional(MomentText).describe("A date without time means the end of that day."),
      }),
    ),
  })
  .meta({ id: "FreightStopInput" });
export type StopInput = z.output<typeof StopInput>;

const Amount = (most: number) => z.number().min(0).max(most);

const Regime = z.preprocess(
  (value) => (typeof value === "string" && /^continous$/i.test(value.trim()) ? "Continuous" : value),
  choice(regimes),
) as unknown as z.ZodType<(typeof regimes)[number], string>;

const RequirementsInput = z
  .object({
    trailerTypes: optional(z.array(entryOf(trailerTypes)).max(50)).describe("Any of these numbers of the table."),
    vehicleTypes: optional(z.array(entryOf(vehicleTypes)).max(50)).describe("Any of these numbers of the table."),
    loadingSide: optional(choice(loadingSides)),
    capacity: optional(Amount(10_000)).describe("Tonnes."),
    pallets: optional(Amount(10_000)),
    palletsExchange: optional(z.boolean()),
    ldm: optional(Amount(1000)).describe("Loading metres."),
    ftl: optional(z.boolean()),
    temperature: ignoreEmpty(
      z
        .object({ min: optional(Degrees(200)), max: optional(Degrees(200)), regime: optional(Regime) })
        .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
          message: "max must not be below min",
          path: ["max"],
        }),
    ).describe("Degrees Celsius."),
    capabilities: optional(z.array(entryOf(capabilities)).max(50)).describe("All of these numbers of the table."),
  })
  .meta({ id: "FreightRequirementsInput" });

/** A duration `hh:mm:ss`, optionally with days before a point: `1.00:00:00`. */
const Span = z
  .string()
  .regex(/^(?:\d{1,2}\.)?\d{1,3}:[0-5]\d:[0-5]\d$/, "Not a time span in the format hh:mm:ss, such as 01:00:00")
  .meta({ examples: ["01:00:00"] });

const PaymentInput = z
  .object({
    from: optional(Price).describe(
      "The price, or the initial price if it grows. Without it carriers name their prices.",
    ),
    growTo: optional(Price).describe("The price it grows to."),
    currency: optional(Currency).describe("Default: EUR."),
    term: optional(z.number().int().min(0).max(365)).describe("Days until payment."),
    dueDate: optional(z.iso.date("Not a date such as 2026-11-24")),
    until: optional(MomentText).describe("When it expires. Without an offset: local time at the first loading."),
    updateRate: optional(Span).describe("Interval between steps of the price, `hh:mm:ss`: one minute to seven days."),
    updateRangeInHours: optional(Span).describe("Former name of `updateRate`."),
  })
  .transform(({ updateRate, updateRangeInHours, ...payment }, context) => ({
    ...payment,
    updateRate: oneOf(context, ["updateRate", updateRate], ["updateRangeInHours", updateRangeInHours]),
  }))
  .meta({ id: "FreightPaymentInput" });
export type PaymentInput = z.output<typeof PaymentInput>;

const Kilometres = Amount(100_000);

export const FreightInput = z
  .object({
    externalNumber: optional(LineText(100).trim().min(1)).describe("Your own number; unique among live freights."),
    owner: optional(z.email("Not an e-mail address").max(254)).describe("E-mail address of the person responsible."),
    sources: optional(z.array(SourceNumber).max(50)).describe(
      "The sources where it is published; 1 is the built-in board. Without sources it is a draft.",
    ),
    useAlternativeLocations: optional(z.boolean()),
    alternativeLocationsRange: ignoreEmpty(
      z
        .object({ fromKm: Kilometres, toKm: Kilometres })
        .refine(({ fromKm, toKm }) => fromKm <= toKm, { message: "toKm must not be below fromKm", path: ["toKm"] }),
    ).describe("Required with `useAlternativeLocations`."),
    locations: z.array(StopInput).min(2).max(50).describe("The first is a loading, the last an unloading."),
    requirements: optional(RequirementsInput),
    payment: optional(PaymentInput),
    totalDistance: optional(Kilometres).describe("Kilometres."),
    comments: optional(Text(10_000)).describe("Shown to everyone who sees the freight."),
    internalComments: optional(Text(10_000)).describe("Shown only within your company."),
    metadata: optional(Metadata),
  })
  .refine(
    ({ useAlternativeLocations, alternativeLocationsRange }) => !useAlternativeLocations || alternativeLocationsRange,
    {
      message: "It is required if useAlternativeLocations is true",
      path: ["alternativeLocationsRange"],
      params: { code: "required" },
    },
  )
  .meta({ id: "FreightInput" });
export type FreightInput = z.output<typeof FreightInput>;
