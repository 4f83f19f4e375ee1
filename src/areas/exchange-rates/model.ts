import * as z from "zod";
import { Currency } from "../../domain/shapes.ts";
import { leastRate, mostRate } from "./rates.ts";

export const Day = z.iso.date("Not a date such as 2026-11-24");
/** Returns the last day for which rates can be loaded: tomorrow in UTC, which has already begun in some time zones. */
export const lastDay = (): string => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

export const Source = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,29}$/, "Not a name of 1 to 30 letters, digits, dots, underscores and dashes")
  .meta({ examples: ["ECB"] });

const rateSelection = {
  date: Day.optional().describe("Default: today. The newest rates of that day or of the 31 days before are used."),
  source: Source.optional().describe("Publisher of the rates, such as `ECB`. Default: the newest of any."),
};

export const RatesQuery = z.object({
  ...rateSelection,
  base: Currency.default("EUR").describe("Default: `EUR`."),
  currencies: z
    .string()
    .max(400)
    .transform((text) => text.split(",").filter((one) => one.trim() !== ""))
    .pipe(z.array(Currency).max(100))
    .optional()
    .describe("Separated by commas. Default: all."),
});

export const ConversionQuery = z.object({
  ...rateSelection,
  amount: z
    .string()
    .regex(/^-?\d{1,12}(\.\d{1,2})?$/, "Not an amount with at most two decimals")
    .transform(Number),
  from: Currency,
  to: Currency,
});

const published = {
  date: z.string().describe("The day of the rates: the last day with rates on or before the requested day."),
  source: z.string().describe("Publisher of the rates."),
};

const ExchangeRate = z
  .object({
    currency: z.string(),
    rate: z.number().describe("Value of one unit of `base` in this currency; ten significant digits."),
  })
  .meta({ id: "ExchangeRate" });

export const RatesView = z
  .object({ base: z.string(), ...published, rates: z.array(ExchangeRate) })
  .meta({ id: "ExchangeRates" });

export const ConversionView = z
  .object({
    amount: z.number(),
    from: z.string(),
    to: z.string(),
    convertedAmount: z.number().describe("Rounded half away from zero to the decimals of the currency, two at most."),
    rate: z.number(),
    ...published,
  })
  .meta({ id: "ExchangeRateConversion" });

const RateInput = z
  .object({
    date: Day.refine((day) => day <= lastDay(), "It must not be later than tomorrow").describe(
      "Tomorrow at the latest.",
    ),
    base: Currency,
    currency: Currency.describe("Must differ from `base`."),
    rate: z.number().min(leastRate).max(mostRate).describe("Value of one unit of `base` in `currency`."),
  })
  .refine(({ base, currency }) => base !== currency, { message: "It must differ from base", path: ["currency"] });

export const RatesInput = z
  .object({
    rates: z.array(RateInput).min(1).max(10_000).optional(),
    document: z
      .string()
      .max(1_000_000)
      .optional()
      .describe(
        "A file of the European Central Bank as text: XML (a day, 90 days, all) or the CSV of all days, with no day later than tomorrow, in parts of at most 1 MB that each begin with its heading: the whole body may have 1 MiB.",
      ),
  })
  .refine(({ rates, document }) => rates === undefined || document === undefined, {
    message: "It cannot be sent together with rates. Send either rates or document",
    path: ["document"],
  })
  .meta({ id: "ExchangeRatesInput" });
export type RatesInput = z.output<typeof RatesInput>;

export const LoadedRates = z
  .object({
    source: z.string(),
    days: z.number().int(),
    rates: z.number().int(),
    from: z.string().describe("The first day."),
    to: z.string().describe("The last day."),
  })
  .meta({ id: "ExchangeRatesLoaded" });
