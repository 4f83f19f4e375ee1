import * as z from "zod";
import { countryOfCode } from "../extraction/lexicon/countries.ts";
import { LineText, optional } from "./shapes.ts";

/**
 * A country as ISO 3166-1 alpha-2. Also accepts lower case, three-letter codes and codes of number plates: `pl`, `POL`,
 * `D`.
 */
export const Country = z.preprocess(
  (value) => (typeof value === "string" ? (countryOfCode(value.trim()) ?? value) : value),
  z
    .string()
    .regex(/^[A-Z]{2}$/, { message: "Not a country code such as DE", abort: true })
    .refine((code) => countryOfCode(code) === code, "No country has this code"),
) as unknown as z.ZodType<string, string>;

/** Wraps a shape so that `{}` counts as absent, because some clients send it for unknown values. */
export const ignoreEmpty = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (isEmpty(value) ? undefined : value), optional(shape));

const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;

const Degrees = (max: number) => z.number().min(-max).max(max);

/** Coordinates in degrees. The latitude may have either spelling, or both with the same value. */
export const CoordinatesInput = z
  .object({
    latitude: optional(Degrees(90)),
    lattitude: optional(Degrees(90)).describe("The same as `latitude`. Both spellings are supported."),
    longitude: Degrees(180),
  })
  .transform(({ latitude, lattitude, longitude }, context) => {
    const issue = (code: string, message: string) =>
      context.addIssue({ code: "custom", path: ["latitude"], message, params: { code } });
    if (latitude !== undefined && lattitude !== undefined && latitude !== lattitude)
      issue("contradicts", "latitude and lattitude are two names of one field and must not differ");
    if (latitude === undefined && lattitude === undefined) issue("required", "It is required");
    return { latitude: latitude ?? lattitude ?? 0, longitude };
  });

/** The address of a stop: a country, and optional details. */
export const AddressInput = z
  .object({
    countryCode: Country,
    postalCode: optional(LineText(20)),
    city: optional(LineText(200)),
    coordinates: ignoreEmpty(CoordinatesInput).describe("By default looked up by postal code or town."),
  })
  .meta({ id: "AddressInput" });
export type Address = z.output<typeof AddressInput>;

export const AddressView = z
  .object({
    countryCode: z.string(),
    postalCode: z.string().optional(),
    city: z.string().optional(),
    coordinates: z
      .object({ latitude: z.number(), longitude: z.number() })
      .optional()
      .describe("As sent, or from the gazetteer."),
  })
  .meta({ id: "Address" });
