import * as z from "zod";
import { endOfDay } from "./periods.ts";
import { instantOf } from "./places/zones.ts";

/** An id. Accepted in upper and lower case, stored and returned in lower case. */
export const Id = z
  .guid("Not a UUID")
  .toLowerCase()
  .meta({ examples: ["0193a5f2-7c1e-7a44-9d2b-5f0c3e1a8b77"] });

const isWhole = (text: string) => text.isWellFormed();
const halfCharacter = "Unpaired surrogates are not allowed";

/** Declares the shape of free text without control characters, except line breaks, tabs and page breaks. */
export const Text = (max: number) =>
  z
    .string()
    .max(max)
    // oxlint-disable-next-line no-control-regex -- exactly these are refused
    .regex(/^[^\u0000-\u0008\u000b\u000e-\u001f\u007f]*$/, "Control characters are not allowed")
    .refine(isWhole, halfCharacter);

/** Declares the shape of one line of text that is safe in a header, a mail or a file name. */
export const LineText = (max: number) =>
  z
    .string()
    .max(max)
    // oxlint-disable-next-line no-control-regex -- exactly these are refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, "Control characters and line breaks are not allowed")
    .refine(isWhole, halfCharacter);

/** Maximum number of keys of {@link Metadata}. */
export const mostMetadata = 50;

/** The caller's own data for a record, returned with it and in every webhook. `internalId` is searchable. */
export const Metadata = z
  .record(LineText(64).min(1), LineText(512))
  .refine((map) => Object.keys(map).length <= mostMetadata, `At most ${mostMetadata} keys`)
  .meta({ id: "Metadata", examples: [{ internalId: "TMS-4711" }] });

/** Metadata key for the sender of the mail that contained the file. */
export const originalSender = "OriginalSender";

/** Declares the shape of an enumeration that ignores case. */
export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  const byName = new Map(values.map((value) => [value.toLowerCase(), value]));
  const shape = z.preprocess(
    (value) => (typeof value === "string" ? (byName.get(value.trim().toLowerCase()) ?? value) : value),
    z.enum(values),
  );
  return shape as unknown as z.ZodType<Values[number], Values[number]>;
}

/** Makes a shape optional. An empty text and null count as absent. */
export const optional = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (value === "" || value === null ? undefined : value), shape.optional());

/** Declares the shape of the number of an entry in a table. Digits as text are accepted. */
export function entryOf(table: Readonly<Record<number, string>>) {
  const numbers = Object.keys(table).map(Number);
  const entries = numbers.map((number) => `${number} (${table[number]})`).join(", ");
  const shape = z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value),
    z.literal(numbers, `Not one of ${entries}`),
  );
  return shape as unknown as z.ZodType<number, number | string>;
}

/** The number of a source. Digits as text are accepted. */
export const SourceNumber = z.preprocess(
  (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value),
  z.number().int().min(1).max(999_999_999),
) as unknown as z.ZodType<number, number | string>;

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** A currency of ISO 4217. Lower case is accepted. */
export const Currency = z.preprocess(
  (value) => (typeof value === "string" ? value.trim().toUpperCase() : value),
  z
    .string()
    .regex(/^[A-Z]{3}$/, { message: "Not a currency code such as EUR", abort: true })
    .refine((code) => currencies.has(code), "No currency has this code"),
) as unknown as z.ZodType<string, string>;

/**
 * Combines two shapes. A condition chooses one of them for each value, so that errors refer to the intended shape. Each
 * shape must accept its own output.
 */
export function either<First extends z.ZodType, Second extends z.ZodType>(
  isFirst: (value: Record<string, unknown>) => boolean,
  first: First,
  second: Second,
) {
  const shape = z.preprocess(
    (value, context) => {
      const isObject = typeof value === "object" && value !== null;
      const result = (isObject && isFirst(value as Record<string, unknown>) ? first : second).safeParse(value, {
        reportInput: true,
      });
      if (!result.success) context.issues.push(...(result.error.issues as never[]));
      return result.data;
    },
    z.union([first, second]),
  );
  return shape as unknown as z.ZodType<z.output<First> | z.output<Second>, z.input<First> | z.input<Second>>;
}

const hasCents = (amount: number) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

/** An amount in the API: at least 0.01, with at most two decimals. */
export const Price = z
  .number()
  .min(0.01)
  .max(10_000_000)
  .refine(hasCents, { message: "At most two decimals", params: { code: "too_many_decimals" } });

/** Declares the shape of a whole number in a query string. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, "Not a whole number")
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

const moment = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  "Not a date such as 2026-11-24, or a date and time with an offset, such as 2026-11-24T08:00:00Z",
);
/** Also accepts `z` and `+0100` as offsets. */
const Moment = z.preprocess(
  (value) => (typeof value === "string" ? value.replace(/z$/, "Z").replace(/(T.*[+-]\d\d)(\d\d)$/, "$1:$2") : value),
  moment,
) as unknown as z.ZodType<string, string>;

const toInstant = (text: string) => instantOf(text, "UTC");

/** A date, or a date and time. Converted to a UTC instant for comparison. */
export const QueryMoment = Moment.transform(toInstant);
/** The same as {@link QueryMoment} for the end of a range: a date without a time includes the whole day. */
export const QueryMomentEnd = Moment.transform((text) => toInstant(endOfDay(text)));

const day = z.iso.date();

/**
 * A date, or a date and time with or without an offset. Stored as sent. Without an offset it is local time at the stop;
 * `instantOf` in `places/zones.ts` returns the instant.
 */
export const MomentText = z
  .string()
  .regex(
    /^\d{4}-(0[1-9]|1[0-2])-\d{2}(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?$/,
    {
      message:
        "Not a date such as 2026-11-24, or a date and time such as 2026-11-24T08:00 (local time) or 2026-11-24T08:00Z",
      abort: true,
    },
  )
  .refine((text) => day.safeParse(text.slice(0, 10)).success, "This day does not exist in the calendar")
  .meta({ examples: ["2026-11-24T08:00:00"] });

const clockIn = (text: string) => text.replace(/(T.+?)(?:Z|[+-]\d\d:?\d\d)$/i, "$1").replace(/T\d\d:\d\d$/, "$&:00");

/** A date, or a date and time in the local time of a stop. */
export const QueryClock = MomentText.transform(clockIn);
/** The same as {@link QueryClock} for the end of a range: a date without a time includes the whole day. */
export const QueryClockEnd = MomentText.transform((text) => endOfDay(clockIn(text)));

export const processingStatuses = ["Processing", "Succeeded", "Partial", "Failed"] as const;
export const ProcessingStatus = z.enum(processingStatuses).meta({ id: "ProcessingStatus" });
export type ProcessingStatus = z.output<typeof ProcessingStatus>;

/** A licence plate, normalized for comparison: upper case, without whitespace and punctuation. */
export const Plate = LineText(30)
  .transform((plate) =>
    plate
      .normalize("NFKC")
      .toUpperCase()
      .replace(/[\s\p{P}]/gu, ""),
  )
  .pipe(z.string().min(2, "Fewer than 2 letters and digits").max(15, "More than 15 letters and digits"));
