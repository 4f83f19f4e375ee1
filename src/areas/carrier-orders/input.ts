import * as z from "zod";
import { normalizeNumber } from "../../platform/archive/archive.ts";
import { omitUndefined } from "../../platform/omit-undefined.ts";
import { lastSecondOf } from "../../domain/periods.ts";
import { Country } from "../../domain/addresses.ts";
import { Plate, choice, LineText, Metadata, MomentText, optional, Text } from "../../domain/shapes.ts";
import { instantOf, zoneOf } from "../../domain/places/zones.ts";
import { documentTypes, DocumentTypeChoice } from "./documents.ts";

// Shapes of requests that create or replace carrier orders.

/**
 * An array of types, or a string with types separated by commas. The result has each type once, in the order of
 * `documentTypes`.
 */
const RequiredDocumentTypes = z
  .preprocess(
    (types) => (typeof types === "string" ? types.split(",").filter((type) => type.trim() !== "") : types),
    z.array(DocumentTypeChoice).max(50),
  )
  .transform((types) => documentTypes.filter((type) => types.includes(type)))
  .meta({
    type: ["string", "array"],
    description: `One or several of ${documentTypes.join(", ")}, separated by commas. \`cmr\` by default; "" if no document is required.`,
    examples: ["cmr,invoice"],
  });

const VatCode = LineText(30)
  .transform((code) => code.toUpperCase().replace(/[\s.\-/]/g, ""))
  .pipe(z.string().regex(/^(?:[A-Z0-9+*]{2,20})?$/, "Not a VAT code such as CZ12345679"));

const CarrierInput = z
  .object({
    name: optional(LineText(200)),
    email: optional(z.email("Not an e-mail address").max(254)),
    vatCode: optional(VatCode).describe("With country prefix. A company with another VAT code is another carrier."),
  })
  // A name or VAT code of only whitespace and punctuation does not identify a company, so it is omitted.
  .transform(({ name, vatCode, ...rest }) =>
    omitUndefined({ ...rest, name: name?.trim() || undefined, vatCode: vatCode || undefined }),
  )
  .refine(({ name, vatCode }) => name !== undefined || vatCode !== undefined, {
    message: "name or vatCode is required",
    path: ["name"],
  });

const Degrees = (max: number) => z.number().min(-max).max(max);

/** The local times of a stop are parsed to instants. */
const StopInput = z
  .object({
    sequence: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .optional()
      .describe("Position in the route; by default the position in the list."),
    type: choice(["Loading", "Unloading", "Customs", "Stop"]),
    startDate: optional(MomentText).describe("ISO 8601. Without an offset it is local time at the stop."),
    endDate: optional(MomentText).describe("A date without a time means the end of that day, if startDate has a time."),
    name: optional(LineText(200)),
    countryCode: optional(Country),
    postalCode: optional(LineText(20)),
    city: optional(LineText(200)),
    street: optional(LineText(300)),
    position: optional(z.object({ latitude: Degrees(90), longitude: Degrees(180) })),
  })
  .transform((stop, context) => {
    const zone = zoneOfStop(stop) ?? "UTC";
    const [startDate, endDate] = [stop.startDate, endOf(stop)].map((text) => text && instantOf(text, zone));
    for (const [name, instant] of Object.entries({ startDate, endDate }))
      if (instant && !/^\d{4}-/.test(instant))
        context.addIssue({ code: "custom", path: [name], message: "The year (in UTC) must be between 0000 and 9999" });
    if (startDate && endDate && endDate < startDate)
      context.addIssue({ code: "custom", path: ["endDate"], message: "It must not be before startDate" });
    return { ...stop, startDate, endDate };
  })
  .meta({ id: "CarrierOrderStopInput" });
export type Stop = z.output<typeof StopInput>;

interface Located {
  countryCode?: string;
  postalCode?: string;
  position?: { latitude: number; longitude: number };
}

const isDay = (moment: string) => moment.length === 10;

/** A date without a time means the end of that day if `startDate` has a time. */
const endOf = ({ startDate, endDate }: { startDate?: string; endDate?: string }): string | undefined =>
  startDate && endDate && !isDay(startDate) ? lastSecondOf(endDate) : endDate;

/** Returns the time zone of a stop; undefined if neither its country nor its position is known. */
export const zoneOfStop = ({ countryCode, postalCode, position }: Located) =>
  zoneOf({ countryCode, postalCode, ...position });

/** The stops are sorted by `sequence` and renumbered from 1. */
const Stops = z
  .array(StopInput)
  .max(100)
  .transform((stops, context) => {
    const numbers = stops.map(({ sequence }, index) => sequence ?? index + 1);
    for (const [index, number] of numbers.entries())
      if (numbers.indexOf(number) < index)
        context.addIssue({
          code: "custom",
          path: [index, "sequence"],
          message: `Another stop has the sequence ${number}. Sequences must be unique`,
        });
    return stops
      .map((stop, index) => ({ stop, number: numbers[index]! }))
      .sort((a, b) => a.number - b.number)
      .map(({ stop }, index) => ({ ...stop, sequence: index + 1 }));
  });

export const CarrierOrderInput = z
  .object({
    orderNumber: LineText(100)
      .trim()
      .min(1, { message: "It must not be empty", abort: true })
      .refine((number) => normalizeNumber(number) !== "", "It must contain a letter or a digit"),
    carrier: CarrierInput,
    internalComments: optional(Text(10_000)).describe("Internal; never shown to the carrier."),
    requiredDocumentTypes: z.preprocess((types) => types ?? undefined, RequiredDocumentTypes.default(["cmr"])),
    details: optional(
      z.object({
        weight: optional(z.number().min(0).max(10_000_000)).describe("Kilograms."),
        licensePlates: optional(z.array(Plate).max(20)),
      }),
    ),
    locations: optional(Stops),
    metadata: optional(Metadata),
  })
  .meta({ id: "CarrierOrderInput" });
export type CarrierOrderInput = z.output<typeof CarrierOrderInput>;

export const UpsertMany = z
  .object({
    items: z.array(CarrierOrderInput).min(1).max(100),
    orderNumber: z.never("It cannot be sent together with items. Send either items or one order").optional(),
  })
  .meta({ id: "CarrierOrdersUpsert" });
