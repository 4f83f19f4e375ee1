import * as z from "zod";
import { Country, LineText, said } from "./shapes.ts";

/** `{}` says nothing, as clients send what they do not know. */
export const ignoreEmpty = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((given) => (isEmpty(given) ? undefined : given), said(shape));

const isEmpty = (given: unknown) => typeof given === "object" && given !== null && Object.keys(given).length === 0;

const Degrees = (most: number) => z.number().min(-most).max(most);

/** Degrees. Clients spell the latitude either way; said twice and differently it is neither. */
export const CoordinatesInput = z
  .object({
    latitude: said(Degrees(90)),
    lattitude: said(Degrees(90)).describe("The same as `latitude`: clients spell it either way."),
    longitude: Degrees(180),
  })
  .transform(({ latitude, lattitude, longitude }, context) => {
    const issue = (code: string, message: string) =>
      context.addIssue({ code: "custom", path: ["latitude"], message, params: { code } });
    if (latitude !== undefined && lattitude !== undefined && latitude !== lattitude)
      issue("contradicts", "latitude and lattitude differ");
    if (latitude === undefined && lattitude === undefined) issue("required", "It is required");
    return { latitude: latitude ?? lattitude ?? 0, longitude };
  });

/** Where something is loaded or unloaded: a country, and what else is known of the place. */
export const AddressInput = z
  .object({
    countryCode: Country,
    postalCode: said(LineText(20)),
    city: said(LineText(200)),
    coordinates: ignoreEmpty(CoordinatesInput).describe("Looked up by postal code or town when not sent."),
  })
  .meta({ id: "AddressInput" });
export type Address = z.output<typeof AddressInput>;

/** An address as it is shown. */
export const AddressView = z
  .object({
    countryCode: z.string(),
    postalCode: z.string().optional(),
    city: z.string().optional(),
    coordinates: z
      .object({ latitude: z.number(), longitude: z.number() })
      .optional()
      .describe("As sent, or as the gazetteer has it."),
  })
  .meta({ id: "Address" });
