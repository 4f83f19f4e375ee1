import { countryOf, countryOfCode } from "../lexicon/countries.ts";
import { currencyOf } from "../entities/amounts.ts";
import { findLabels } from "../lexicon/lexicon.ts";
import type { Layout, Row } from "./layout.ts";
import {
  atTime,
  barePlate,
  dayIn,
  figureIn,
  looksLikePlate,
  timeIn,
  type Figure,
  type ParsedMoment,
} from "./values.ts";
import { isLitre, isSum, kindOfProduct, kinds, typeIn, types, type Field, type Kind, type Type } from "./words.ts";

const maxMoney = 1_000_000_000;

/** Smallest and largest value of each number. Amounts are in the currency of the transaction. */
export const bounds = {
  quantity: [-1_000_000, 1_000_000],
  unitPrice: [0, maxMoney],
  netAmount: [-maxMoney, maxMoney],
  vatAmount: [-maxMoney, maxMoney],
  grossAmount: [-maxMoney, maxMoney],
  odometer: [0, 10_000_000],
  latitude: [-90, 90],
  longitude: [-180, 180],
} as const satisfies Record<string, readonly [least: number, most: number]>;

const isWithin = (field: keyof typeof bounds, value: number): boolean =>
  value >= bounds[field][0] && value <= bounds[field][1];

/** A transaction of a statement. Fields that the statement lacks are undefined. */
export interface StatementLine {
  externalId?: string;
  invoiceNumber?: string;
  kind: Kind;
  type: Type;
  /**
   * Local time at the station: `2026-10-17T05:42:00`, with an offset if one is printed; only a date if no time is
   * printed.
   */
  occurredAt: string;
  cardNumber?: string;
  licensePlate?: string;
  vin?: string;
  driver?: string;
  station?: string;
  city?: string;
  postalCode?: string;
  countryCode?: string;
  latitude?: number;
  longitude?: number;
  productName?: string;
  quantity?: number;
  unit?: string;
  unitPrice?: number;
  netAmount?: number;
  vatAmount?: number;
  grossAmount?: number;
  currency?: string;
  odometer?: number;
}

/** Why a row is rejected. */
export interface RowProblem {
  field: string;
  code: string;
  message: string;
}

/** Values that apply to all rows below: card or vehicle of a group of rows, and the currency of the statement. */
export interface Carried {
  cardNumber?: string;
  licensePlate?: string;
  currency?: string;
}

export type ParsedRow = { line: StatementLine } | { problems: RowProblem[] } | undefined;

const maxLengths: Partial<Record<Field, number>> = {
  externalId: 100,
  invoiceNumber: 100,
  station: 200,
  productName: 200,
  driver: 200,
  city: 100,
};

/** Parses a row; undefined if it is not a transaction (an empty row, a heading, a total or a group header). */
export function parseRow(row: Row, layout: Layout, carried: Carried): ParsedRow {
  const cell = (field: Field): string => (row[layout.columns[field] ?? -1] ?? "").trim();
  const moment = momentOf(cell, layout);
  if (!moment) return withoutDay(row, layout, cell);
  const figures = figuresOf(cell, layout);
  if ("problems" in figures) return row.some(isSum) ? undefined : figures;
  if (cell("productName") === "" && row.some(isSumCell)) return undefined;
  const { quantity, unitPrice, netAmount, vatAmount, grossAmount, odometer } = figures;
  const text = (field: Field) => textOf(cell(field), maxLengths[field] ?? 100);
  const productName = text("productName");
  const currency =
    currencyIn(cell("currency")) ??
    [grossAmount, netAmount, unitPrice].find((one) => one?.currency)?.currency ??
    layout.currency ??
    carried.currency;
  const type = typeOf(cell("type"), productName, [grossAmount, netAmount, quantity]);
  const unit = text("unit") ?? quantity?.unit;
  const country = cell("countryCode");
  const line: StatementLine = {
    externalId: text("externalId"),
    invoiceNumber: text("invoiceNumber"),
    kind: kindOf(cell("kind"), productName, unit),
    type,
    occurredAt: `${moment.day}${moment.time ? `T${moment.time}` : ""}${moment.time && moment.offset ? moment.offset : ""}`,
    cardNumber: cardIn(cell("cardNumber")) ?? carried.cardNumber,
    licensePlate: plateIn(cell("licensePlate")) ?? carried.licensePlate,
    vin: text("vin"),
    driver: text("driver"),
    station: text("station"),
    city: text("city"),
    postalCode: text("postalCode"),
    countryCode: country ? (countryOfCode(country) ?? countryOf(country)) : undefined,
    latitude: degreesIn("latitude", cell, layout),
    longitude: degreesIn("longitude", cell, layout),
    productName,
    quantity: quantity?.value,
    unit,
    unitPrice: unitPrice?.value,
    netAmount: netAmount?.value,
    vatAmount: vatAmount?.value,
    grossAmount: grossAmount?.value,
    currency,
    odometer: odometer?.value || undefined,
  };
  return { line };
}

type Cell = (field: Field) => string;

function momentOf(cell: Cell, { dayOrder }: Layout): ParsedMoment | undefined {
  const moment = dayIn(cell("dateTime") || cell("date"), dayOrder);
  if (!moment || moment.time) return moment;
  const time = timeIn(cell("time"));
  return time ? { ...moment, ...atTime(moment.day, time) } : moment;
}

/** Minimum share of filled fields of a transaction without a date. */
const filledFields = 0.7;

/**
 * Rows without a date are totals or headers, unless most of their fields are filled: such a transaction is reported.
 */
function withoutDay(row: Row, { columns }: Layout, cell: Cell): ParsedRow {
  if (row.some(isSumCell)) return undefined;
  const fields = (Object.keys(columns) as Field[]).filter(
    (field) => field !== "date" && field !== "dateTime" && field !== "time",
  );
  const filled = fields.filter((field) => cell(field) !== "").length;
  const isOne =
    filled >= 3 &&
    filled >= filledFields * fields.length &&
    cell("cardNumber") + cell("licensePlate") + cell("externalId") !== "" &&
    /\d/.test(cell("grossAmount") + cell("netAmount") + cell("quantity"));
  if (!isOne) return undefined;
  const shown = cell("dateTime") || cell("date");
  const problem =
    shown === ""
      ? { code: "required", message: "occurredAt is required." }
      : { code: "invalid", message: `"${shown.slice(0, 40)}" is not a date.` };
  return { problems: [{ field: "occurredAt", ...problem }] };
}

const isSumCell = (text: string) => text.length <= 60 && /\p{L}/u.test(text) && isSum(text);

function degreesIn(field: "latitude" | "longitude", cell: Cell, { decimal }: Layout): number | undefined {
  const value = figureIn(cell(field), decimal)?.value;
  return value !== undefined && isWithin(field, value) ? value : undefined;
}

const figureFields = ["quantity", "unitPrice", "netAmount", "vatAmount", "grossAmount", "odometer"] as const;
/** Some statements print a negative unit price for a refund. */
const shownAs: Partial<Record<(typeof figureFields)[number], (value: number) => number>> = {
  unitPrice: Math.abs,
  odometer: Math.round,
};

function problemOf(field: (typeof figureFields)[number], text: string, value: number | undefined) {
  const shown = `"${text.slice(0, 40)}"`;
  if (value === undefined) return { code: "invalid", message: `${shown} is not a number.` };
  const [least, most] = bounds[field];
  return value > most
    ? { code: "too_big", message: `${shown} is more than ${most}.` }
    : { code: "too_small", message: `${shown} is less than ${least}.` };
}

type Figures = Partial<Record<(typeof figureFields)[number], Figure>>;

function figuresOf(cell: Cell, { decimal }: Layout): Figures | { problems: RowProblem[] } {
  const figures: Figures = {};
  const problems: RowProblem[] = [];
  for (const field of figureFields) {
    const text = cell(field);
    if (text === "" || /^[-–—./*]+$/.test(text)) continue;
    const parsed = figureIn(text, decimal);
    const figure = parsed && { ...parsed, value: shownAs[field]?.(parsed.value) ?? parsed.value };
    if (figure && isWithin(field, figure.value)) figures[field] = figure;
    else if (field !== "odometer") problems.push({ field, ...problemOf(field, text, figure?.value) });
  }
  if (problems.length > 0) return { problems };
  if (
    !figures.grossAmount &&
    !figures.netAmount &&
    !figures.quantity &&
    !/\S/.test(cell("productName") + cell("externalId"))
  )
    return {
      problems: [{ field: "grossAmount", code: "required", message: "An amount or a quantity is required." }],
    };
  return figures;
}

/**
 * The cell for the type, the name of the product and the sign of the amount are considered in this order. A "Purchase"
 * in the first two does not decide.
 */
function typeOf(cell: string, product: string | undefined, figures: (Figure | undefined)[]): Type {
  const named = types.find((type) => type.toLowerCase() === cell.toLowerCase()) ?? (cell ? typeIn(cell) : undefined);
  if (named && named !== "Purchase") return named;
  const inName = product ? typeIn(product) : undefined;
  if (inName && inName !== "Purchase") return inName;
  const amount = figures.find((one) => one && one.value !== 0);
  return amount && amount.value < 0 ? "Refund" : "Purchase";
}

function kindOf(cell: string, product: string | undefined, unit: string | undefined): Kind {
  const named = kinds.find((kind) => kind.toLowerCase() === cell.toLowerCase());
  const byName = product ? kindOfProduct(product) : undefined;
  if (named && named !== "Other") return named;
  if (byName && byName !== "Other") return byName;
  const byGroup = cell ? kindOfProduct(cell) : undefined;
  return byGroup ?? named ?? (unit && isLitre(unit) ? "Fuel" : "Other");
}

const textOf = (cell: string, most: number): string | undefined => {
  const text = cell
    // oxlint-disable-next-line no-control-regex -- control characters are removed
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .trim()
    .slice(0, most)
    .toWellFormed();
  return text === "" || /^[-–—/.]+$/.test(text) ? undefined : text;
};

/** Returns undefined for a number such as `7.08331E+15`, in which a spreadsheet has replaced digits by an exponent. */
function cardIn(cell: string): string | undefined {
  if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(cell)) return undefined;
  const bare = cell.toUpperCase().replace(/[^A-Z0-9*X]/g, "");
  return /\d{4}$/.test(bare) && bare.length <= 30 ? bare : undefined;
}

function plateIn(cell: string): string | undefined {
  const bare = barePlate(cell);
  return bare.length >= 2 && bare.length <= 15 && /\p{N}/u.test(bare) ? bare : undefined;
}

function currencyIn(cell: string): string | undefined {
  return cell === "" ? undefined : currencyOf(cell.trim());
}

/** Collects the values that apply to the rows below a row that is not a transaction. */
export function carriedOver(row: Row, before: Carried, layout: Pick<Layout, "columns"> | undefined): Carried {
  const text = row
    .filter((cell) => cell.trim() !== "")
    .join("  ")
    .slice(0, 300);
  if (text === "" || row.some(isSumCell)) return before;
  const labels = findLabels(text);
  const behind = (concept: string) =>
    labels
      .filter((hit) => hit.concept === concept)
      .map((hit) => text.slice(hit.end, hit.end + 40).replace(/^[\s:#.№-]+/u, ""));
  const card = behind("cardNumber")
    .map((rest) => cardIn(/^[\d*xX][\d*xX .-]{3,28}/.exec(rest)?.[0] ?? ""))
    .find(Boolean);
  const plate = [...behind("plates"), ...behind("truckPlate")]
    .map((rest) => rest.split(/[,;|]|\s{2,}/)[0]!.trim())
    .find(looksLikePlate);
  const currency = behind("currency")
    .map((rest) => currencyIn(/^\p{L}{3}|^[€£]/u.exec(rest)?.[0] ?? ""))
    .find(Boolean);
  return {
    ...before,
    ...(card && layout?.columns.cardNumber === undefined && { cardNumber: card }),
    ...(plate && layout?.columns.licensePlate === undefined && { licensePlate: barePlate(plate) }),
    ...(currency && { currency }),
  };
}
