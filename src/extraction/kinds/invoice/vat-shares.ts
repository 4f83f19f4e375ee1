import { fold } from "../../lexicon/fold.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { NUMBER, readNumber } from "../../entities/numbers.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { dividedText } from "../../fields/grid/gaps.ts";
import { segmentsInGrids } from "../../fields/grid/grid.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { cent, isWithin } from "../checks.ts";
import { maxVatRate, rounding, scores } from "./scores.ts";
import type { Totals } from "./totals.ts";
import type { VatShare } from "./view.ts";

export interface RowFigure {
  segment: Segment;
  start: number;
  end: number;
  /** The possible values, the likeliest first. */
  values: readonly number[];
  percent: boolean;
  /** Whether the number is printed with two decimals, like a sum of money. */
  cents: boolean;
}

const figure = new RegExp(
  `(?<![\\p{L}\\d.,:/-])([-–−] ?)?(${NUMBER})(?![\\d:/]|[.,]\\d|-\\d|\\p{L}{0,2}\\d)(?:,-{1,2})?( ?%)?`,
  "gu",
);

/** Finds the numbers of a row from left to right, without dates, times and codes. */
export function figuresOfRow(row: readonly Segment[], context: DocumentLocale): RowFigure[] {
  return row.flatMap((segment) => {
    const line = fold(dividedText(segment));
    return [...line.text.matchAll(figure)].map((match): RowFigure => {
      const printed = match[2] ?? "";
      const { likely, other } = readNumber(printed, context.decimal);
      const sign = match[1] ? -1 : 1;
      return {
        segment,
        start: line.at(match.index),
        end: line.at(match.index + match[0].trimEnd().length),
        values: [likely, ...(other === undefined ? [] : [other])].map((value) => value * sign),
        percent: match[3] !== undefined,
        cents: /[.,]\d{2}$/.test(printed),
      };
    });
  });
}

export const figureValue = (
  { segment, start, end }: RowFigure,
  value: number,
  confidence: number,
): FieldValue<number> => new FieldValue(value, confidence, { segment, start, end });

/** Whether two amounts are equal within the rounding error of a product. */
export const isProduct = (a: number, b: number): boolean => isWithin(a, b, rounding.product);

/** The amounts of one VAT rate. */
export type ShareDraft = NonNullable<FieldValues<VatShare>>;

/**
 * Finds the amounts by VAT rate in printed rows, as in "VAT 21% of 288.00: 60.48" or "23  1276,00  293,48  1569,48".
 * Their sums must be the totals of the invoice.
 */
export function sharesInRows(document: DocumentContext, context: DocumentLocale, totals: Totals): ShareDraft[] {
  const services = segmentsInGrids(document, context);
  const byRate = new Map<number, ShareDraft>();
  for (const row of document.annotations.layout.pages.flatMap(({ rows }) => rows)) {
    const inTable = row.some((segment) => services.has(segment));
    for (const share of sharesIn(figuresOfRow(row, context))) {
      const rate = share.vatRate?.value;
      if (rate === undefined || byRate.has(rate)) continue;
      if (!inTable || makesTotals([share], totals)) byRate.set(rate, share);
    }
  }
  const shares = [...byRate.values()];
  const whole = shares.find((share) => makesTotals([share], totals));
  if (whole) return [whole];
  const taxed = shares.filter(({ vatAmount }) => vatAmount?.value);
  const some = [shares, taxed].find((each) => makesTotals(each, totals));
  return some ?? (makesVat(taxed, totals) ? taxed : []);
}

/** Finds the shares in a row: each a rate, and two sums of which one is the tax on the other. */
function sharesIn(figures: readonly RowFigure[]): ShareDraft[] {
  const sums = figures.filter(({ cents, percent }) => cents && !percent);
  const percents = figures.filter(({ percent }) => percent);
  const rates = percents.length > 0 ? percents : figures.filter(({ values: [value = -1] }) => Number.isInteger(value));
  return rates.flatMap((rate, at) => {
    const [from, to] = [figures.indexOf(rate), figures.indexOf(rates[at + 1]!)];
    const behind = figures.slice(from, to < 0 ? undefined : to);
    return (
      shareOf(
        rate,
        sums.filter((sum) => behind.includes(sum)),
      ) ??
      shareOf(rate, sums) ??
      []
    );
  });
}

function shareOf(rate: RowFigure, sums: readonly RowFigure[]): ShareDraft | undefined {
  const [percent = -1] = rate.values;
  if (percent < 0 || percent > maxVatRate || (percent === 0 && !rate.percent)) return undefined;
  for (const net of sums)
    for (const vat of sums) {
      const [base = 0, tax = 0] = [net.values[0], vat.values[0]];
      if (net === rate || vat === rate || vat === net || base === 0 || (tax === 0) !== (percent === 0)) continue;
      if (Math.abs((base * percent) / 100 - tax) > 2 * cent) continue;
      return {
        vatRate: figureValue(rate, percent, scores.vatShare),
        netAmount: figureValue(net, base, scores.vatShare),
        vatAmount: figureValue(vat, tax, scores.vatShare),
      };
    }
  return undefined;
}

/** Whether the tax of the shares is the VAT of the invoice; a part without a rate may be exempt. */
function makesVat(shares: readonly ShareDraft[], { vatAmount }: Totals): boolean {
  const sum = shares.reduce((total, share) => total + (share.vatAmount?.value ?? 0), 0);
  return shares.length > 0 && vatAmount !== undefined && Math.abs(vatAmount.value - sum) <= cent * (shares.length + 1);
}

function makesTotals(shares: readonly ShareDraft[], { netAmount, vatAmount, grossAmount }: Totals): boolean {
  if (shares.length === 0) return false;
  const sum = (name: "netAmount" | "vatAmount") =>
    shares.reduce((total, share) => total + (share[name]?.value ?? 0), 0);
  const [net, vat] = [sum("netAmount"), sum("vatAmount")];
  const tolerance = cent * (shares.length + 1);
  const fits = (whole: number | undefined, made: number) => whole === undefined || Math.abs(whole - made) <= tolerance;
  if (!netAmount && !grossAmount) return false;
  return (
    fits(vatAmount?.value, vat) &&
    (fits(netAmount?.value, net) || vatAmount !== undefined) &&
    fits(grossAmount && grossAmount.value, grossAmount?.value === netAmount?.value ? net : net + vat)
  );
}
