import * as z from "zod";
import { Country, AddressInput, AddressView } from "../../domain/addresses.ts";
import { CardNumber, type StoredCard, LastFour } from "../../domain/payment-cards.ts";
import { capabilityCodes, trailerTypes, vehicleTypes } from "../../domain/mappings.ts";
import {
  Plate,
  LineText,
  Metadata,
  MomentText,
  SourceNumber,
  Text,
  choice,
  entryOf,
  optional,
} from "../../domain/shapes.ts";
import { fuels } from "../../extraction/statements/words.ts";
import { instantOf, zoneOf } from "../../domain/places/zones.ts";
import { endOfDay, isStorableInstant, spanOf } from "../../domain/periods.ts";

const Amount = (most: number) => z.number().min(0).max(most);

const codes = Object.values(capabilityCodes) as [string, ...string[]];
const codeByName = new Map([
  ...codes.map((code) => [code.toLowerCase(), code] as const),
  ...Object.entries(capabilityCodes).map(([id, code]) => [id, code] as const),
]);
/** The code of a capability. The number that freights use for the capability is accepted too. */
const Capability = z.preprocess(
  (given) =>
    typeof given === "string" || typeof given === "number"
      ? (codeByName.get(`${given}`.toLowerCase()) ?? given)
      : given,
  z.enum(codes),
) as unknown as z.ZodType<string, string | number>;

const Requirements = z
  .object({
    vehicleType: optional(entryOf(vehicleTypes)).describe("A number of the table `vehicleTypes`."),
    trailerType: optional(entryOf(trailerTypes)).describe("A number of the table `trailerTypes`."),
    capacity: optional(Amount(10_000)).describe("Tonnes."),
    ldm: optional(Amount(1000)).describe("Loading metres."),
    pallets: optional(Amount(10_000)),
    interestedInLtl: optional(z.boolean()).describe("Whether part loads are welcome."),
    capabilities: optional(z.array(Capability).max(50))
      .transform((some) => some && [...new Set(some)])
      .describe(`Any of ${codes.join(", ")}.`),
  })
  .meta({ id: "VehicleRequirements" });

const notKeepable = "The year (in UTC) must be between 0000 and 9999";

/** The parsed value also has the times in UTC (`from` and `to`). */
const Loading = z
  .object({
    address: AddressInput,
    period: optional(
      z.object({
        startDate: MomentText.describe("ISO 8601. Without an offset: local time at the place."),
        endDate: optional(MomentText).describe(
          "A date without time means the end of that day. Default: 24 hours after the start.",
        ),
      }),
    ),
  })
  .transform(({ address, period }, context) => {
    if (!period) return { address };
    const { from, to } = spanOf(period, { ...address, ...address.coordinates });
    const issue = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: ["period", name], message });
    if (!isStorableInstant(from)) issue("startDate", notKeepable);
    else if (!isStorableInstant(to)) issue("endDate", notKeepable);
    else if (to < from) issue("endDate", "It must not be before startDate");
    return { address, period, from, to };
  });

/** A single address may be sent without a list. */
const Addresses = z.preprocess(
  (given) => (typeof given === "object" && given !== null && !Array.isArray(given) ? [given] : given),
  z.array(AddressInput).max(50),
) as unknown as z.ZodType<z.output<typeof AddressInput>[], z.input<typeof AddressInput>[]>;

const CardInput = z
  .object({
    provider: LineText(60).trim().min(1, "It must not be empty"),
    number: optional(CardNumber).describe("Never returned; only its last four characters are."),
    last4: optional(LastFour).describe("Instead of `number`, for a card that the vehicle already has."),
  })
  .refine(({ number, last4 }) => number ?? last4, {
    message: "number is required",
    path: ["number"],
    params: { code: "required" },
  });
export type CardInput = z.output<typeof CardInput>;

const Driver = z.object({
  name: LineText(200).trim().min(1, "It must not be empty"),
  phone: optional(LineText(50)),
  email: optional(z.email("Not an e-mail address").max(254)),
});

const AssignmentInput = z.object({
  driver: Driver,
  from: MomentText.describe("Without an offset: local time in the country of the vehicle."),
  to: optional(MomentText).describe("A date without time means the end of that day. Default: open end."),
});

const Vin = LineText(40)
  .transform((vin) => vin.toUpperCase().replace(/[\s\-.]/g, ""))
  .pipe(
    z
      .string()
      .regex(
        /^[A-HJ-NPR-Z0-9]{17}$/,
        "Not a vehicle identification number of 17 letters and digits without I, O and Q",
      ),
  );

/** A vehicle in a request: its availability, and its data for the fleet. */
export const VehicleInput = z
  .object({
    owner: optional(z.email("Not an e-mail address").max(254)).describe("E-mail address of the person responsible."),
    sources: optional(z.array(SourceNumber).max(50)).describe("Stored and returned as sent."),
    requirements: optional(Requirements),
    loading: optional(Loading).describe(
      "Where and when the vehicle is available. Without it the vehicle is only part of the fleet.",
    ),
    unloading: optional(z.object({ address: Addresses })).describe("Preferred destinations, any of them."),
    range: optional(Amount(1000)).describe("Kilometres that it drives empty to a loading. Default: 100."),
    comments: optional(Text(10_000)),
    licensePlate: optional(Plate),
    countryCode: optional(Country).describe("Country of registration."),
    vin: optional(Vin),
    fuelType: optional(choice(fuels)).describe("The fuel it uses; purchases of another fuel are flagged."),
    tankCapacity: optional(Amount(10_000)).describe("Litres."),
    cards: optional(z.array(CardInput).max(20)).describe("Fuel and toll cards."),
    assignments: optional(z.array(AssignmentInput).max(200)).describe(
      "Drivers with the period in which each drives the vehicle.",
    ),
    metadata: optional(Metadata),
  })
  .refine(({ loading, licensePlate }) => loading ?? licensePlate, {
    message: "loading or licensePlate is required",
    path: ["loading"],
    params: { code: "required" },
  })
  .transform(({ assignments, ...vehicle }, context) => {
    const zone = zoneOf({ countryCode: vehicle.countryCode ?? vehicle.loading?.address.countryCode }) ?? "UTC";
    return {
      ...vehicle,
      assignments: assignments?.map(({ driver, from, to }, index) => {
        const issue = (name: string, message: string) =>
          context.addIssue({ code: "custom", path: ["assignments", index, name], message });
        const begins = instantOf(from, zone);
        const ends = to && instantOf(endOfDay(to), zone);
        if (!isStorableInstant(begins)) issue("from", notKeepable);
        else if (ends && !isStorableInstant(ends)) issue("to", notKeepable);
        else if (ends && ends < begins) issue("to", "It must not be before from");
        return { driver, from: begins, ...(ends && { to: ends }) };
      }),
    };
  })
  .meta({ id: "VehicleInput" });
export type VehicleInput = z.output<typeof VehicleInput>;

/** The part of a vehicle's data that is shown to those who search for a vehicle. */
export const VehicleOffered = z.object({
  vehicleId: z.string(),
  owner: z.string().optional(),
  sources: z.array(z.number().int()).optional(),
  requirements: z
    .object({
      vehicleType: z.number().int().optional(),
      trailerType: z.number().int().optional(),
      capacity: z.number().optional().describe("Tonnes."),
      ldm: z.number().optional().describe("Loading metres."),
      pallets: z.number().optional(),
      interestedInLtl: z.boolean().optional(),
      capabilities: z.array(z.string()).optional(),
    })
    .optional(),
  loading: z
    .object({
      address: AddressView,
      period: z
        .object({ startDate: z.string(), endDate: z.string().optional() })
        .optional()
        .describe("As it was sent."),
    })
    .optional(),
  unloading: z.object({ address: z.array(AddressView) }).optional(),
  range: z.number().optional().describe("Kilometres."),
  comments: z.string().optional(),
  licensePlate: z.string().optional(),
  countryCode: z.string().optional(),
});

export const VehicleView = VehicleOffered.extend({
  vin: z.string().optional(),
  fuelType: z.enum(fuels).optional(),
  tankCapacity: z.number().optional().describe("Litres."),
  cards: z.array(z.object({ provider: z.string(), last4: z.string() })).optional(),
  assignments: z
    .array(
      z.object({
        driver: z.object({ name: z.string(), phone: z.string().optional(), email: z.string().optional() }),
        from: z.string(),
        to: z.string().optional(),
      }),
    )
    .optional(),
  metadata: Metadata.optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
}).meta({ id: "Vehicle" });
export type VehicleView = z.output<typeof VehicleView>;

export const NewVehicle = VehicleView.extend({
  id: z.string().describe("The same as `vehicleId`."),
}).meta({ id: "NewVehicle" });

export const events = {};

export interface Card extends StoredCard {
  provider: string;
}

/** The details of a vehicle that the company sends. */
export type VehicleDetails = Omit<VehicleInput, "metadata" | "cards"> & { cards?: Card[] };

/** A vehicle of the company's fleet. */
export interface Vehicle {
  /** Absent if the vehicle was removed. */
  given?: VehicleDetails;
  metadata?: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export type PresentVehicle = Vehicle & { given: VehicleDetails };

export const isPresent = (vehicle: Vehicle | undefined): vehicle is PresentVehicle => vehicle?.given !== undefined;

export const viewOf = (vehicle: PresentVehicle, vehicleId: string): VehicleView => {
  const { loading, cards, ...given } = vehicle.given;
  return {
    vehicleId,
    ...given,
    ...(loading && { loading: { address: loading.address, ...(loading.period && { period: loading.period }) } }),
    ...(cards && { cards: cards.map(({ provider, last4 }) => ({ provider, last4 })) }),
    ...(vehicle.metadata && { metadata: vehicle.metadata }),
    createdAt: vehicle.createdAt,
    updatedAt: vehicle.updatedAt,
  };
};
