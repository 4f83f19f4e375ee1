import type { ConceptId } from "../../lexicon/concepts.ts";
import { foldText } from "../../lexicon/fold.ts";
import untaxedWords from "../../lexicon/untaxed-words.json" with { type: "json" };
import { currencyOf } from "../../entities/amounts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { valueOf } from "../../fields/grid/figures.ts";
import { gridsIn, isOfServices, type Grid } from "../../fields/grid/grid.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";
import { isWithin } from "../checks.ts";
import { entityValue } from "../field-values.ts";
import { rounding, scores } from "./scores.ts";

export interface Totals {
  netAmount?: FieldValue<number>;
  vatAmount?: FieldValue<number>;
  grossAmount?: FieldValue<number>;
  currency?: FieldValue<string>;
}

type Part = "net" | "vat" | "gross";

interface Sum {
  /** In cents. */
  value: number;
  printed: LocatedEntity<"Amount">;
  score: Record<Part, number>;
}

/** The total that labels name ("net", "vat" or "gross"), the concepts of these labels, and their reliability, 0..1. */
export type SumLabel = readonly [Part, readonly ConceptId[], number];

const { label, unlabelled, relativeSize } = scores.totals;
const labels: readonly SumLabel[] = [
  ["net", ["netAmount"], label.own],
  ["net", ["totalPrice", "lineAmount"], label.priceAsNet],
  ["vat", ["vatAmount"], label.own],
  ["vat", ["vatRate"], label.vatRate],
  ["gross", ["grossAmount"], label.own],
  ["gross", ["amountDue"], label.amountDue],
  ["gross", ["totalPrice"], label.totalPrice],
];
const maxSums = 220;

/**
 * Finds net amount, VAT and gross amount: labelled amounts that add up, otherwise each amount by its own label.
 * @param exchangeRate units of the national currency for one unit of the invoice's currency
 * @param more labels in addition to those of invoices
 */
export function totalsIn(
  document: DocumentContext,
  context: DocumentLocale,
  exchangeRate: number | undefined,
  more: readonly SumLabel[] = [],
): Totals {
  const grids = gridsIn(document, context);
  const ofLines = grids.filter(isOfServices).flatMap(({ rows }) => rows.flatMap(({ segments }) => segments));
  const sums = sumsIn(document, new Set(ofLines), [...labels, ...more]);
  const columns = columnSums(grids);
  const best = inOwnCurrency(triplesOf(document, sums, columns), exchangeRate);
  const chosen: Partial<Record<Part, Sum>> = best?.parts ?? totalsApart(document, sums, columns);
  const currency = currencyIn(document, chosen.gross ?? chosen.net);
  const { addedUp, apart } = scores.totals.confidence;
  const toField = (part: Part): FieldValue<number> | undefined => {
    const sum = chosen[part];
    if (!sum) return undefined;
    const confidence = best ? addedUp.base + addedUp.perLabel * Math.min(1, sum.score[part]) : apart * sum.score[part];
    return entityValue(sum.value / 100, sum.printed, confidence);
  };
  const [netAmount, vatAmount, grossAmount] = [toField("net"), toField("vat"), toField("gross")];
  return {
    ...(netAmount && { netAmount }),
    ...(vatAmount && { vatAmount }),
    ...(grossAmount && { grossAmount }),
    ...(currency && { currency }),
  };
}

/** The sums of the columns of tables, in cents: the net or gross total is one of them. */
function columnSums(grids: readonly Grid[]): ReadonlySet<number> {
  const sums = new Set<number>();
  for (const { columns, rows } of grids)
    for (const at of columns.keys())
      for (const some of [rows, rows.filter(({ isBare }) => !isBare)]) {
        const figures = some.flatMap((row) => row.figures.filter(({ column }) => column === at));
        sums.add(centsOf(figures.reduce((sum, { figure }) => sum + (figure.percent ? 0 : valueOf(figure)), 0)));
      }
  sums.delete(0);
  return sums;
}

const centsOf = (amount: number) => Math.round(amount * 100);

/**
 * A repeated amount is collected once, at the occurrence with the best label. Headings of columns do not count as
 * labels of the rows below.
 */
function sumsIn(document: DocumentContext, inTable: ReadonlySet<Segment>, labels: readonly SumLabel[]): Sum[] {
  const byEntity = new Map<LocatedEntity<"Amount">["entity"], Record<Part, number>>();
  for (const [part, concepts, reliability] of labels) {
    for (const { entity, score, label, way, segment } of findCandidates(document, { concepts, types: ["Amount"] })) {
      if (way === "Below" && inTable.has(segment)) continue;
      const own = byEntity.get(entity) ?? { net: unlabelled, vat: unlabelled, gross: unlabelled };
      const loose = label.standing === "Loose" ? scores.totals.looseLabelFactor : 1;
      own[part] = Math.max(own[part], score * reliability * loose);
      byEntity.set(entity, own);
    }
  }
  const byValue = new Map<number, Sum>();
  for (const printed of entitiesOfType(document.annotations, "Amount")) {
    const { segment, entity } = printed;
    const labelled = byEntity.get(entity);
    if ((entity.score < scores.totals.amount && !labelled) || (document.prose.has(segment) && !labelled)) continue;
    const value = centsOf(entity.value.amount);
    const score = labelled ?? { net: unlabelled, vat: unlabelled, gross: unlabelled };
    const earlier = byValue.get(value);
    if (!earlier) byValue.set(value, { value, printed, score: { ...score } });
    else {
      if (bestScoreOf(score) >= bestScoreOf(earlier.score)) earlier.printed = printed;
      for (const part of ["net", "vat", "gross"] as const)
        earlier.score[part] = Math.max(earlier.score[part], score[part]);
    }
  }
  return [...byValue.values()].sort((a, b) => bestScoreOf(b.score) - bestScoreOf(a.score)).slice(0, maxSums);
}

const bestScoreOf = (score: Record<Part, number>) => Math.max(score.net, score.vat, score.gross);

interface Triple {
  parts: Partial<Record<Part, Sum>>;
  score: number;
}

function triplesOf(document: DocumentContext, sums: readonly Sum[], columns: ReadonlySet<number>): Triple[] {
  const byValue = new Map(sums.map((sum) => [sum.value, sum]));
  const rates = new Set(
    entitiesOfType(document.annotations, "Percent").map(({ entity }) => Math.round(entity.value * 10)),
  );
  const { rate: vatRates, labels: needed, addedUp, columnSum, printedRate, largestGross } = scores.totals;
  const largest = Math.max(
    1,
    ...sums.filter(({ score }) => score.gross > largestGross).map(({ value }) => Math.abs(value)),
  );
  const sizeOf = (sum: Sum) => relativeSize * Math.min(1, Math.abs(sum.value) / largest);
  const together = rowsOfThree(document);
  const triples: Triple[] = [];
  for (const gross of sums) {
    document.budget.check();
    for (const net of sums) {
      if (Math.abs(net.value) >= Math.abs(gross.value) || Math.sign(net.value) !== Math.sign(gross.value)) continue;
      const tax = gross.value - net.value;
      const vat =
        byValue.get(tax) ?? byValue.get(tax + 1) ?? byValue.get(tax - 1) ?? vatOfRoundedGross(sums, net, gross, rates);
      const rate = (vat?.value ?? 0) / net.value;
      if (!vat || vat === net || rate > vatRates.max || rate < vatRates.min) continue;
      const isPrinted = rates.has(Math.round(rate * 1000)) || together.has(keyOf(net.value, vat.value, gross.value));
      if (!isPrinted && vat.score.vat < needed.minOfVat) continue;
      const labelled = net.score.net + vat.score.vat + gross.score.gross;
      if (labelled < (isPrinted ? needed.minWithRate : needed.min)) continue;
      const listed = columns.has(net.value) || columns.has(gross.value) ? columnSum : 0;
      const score = labelled + addedUp + listed + (isPrinted ? printedRate : 0) + sizeOf(gross);
      triples.push({ parts: { net, vat, gross }, score });
    }
    const untaxed = untaxedBy(document, byValue, rates, gross);
    const listed = columns.has(gross.value) ? columnSum : 0;
    if (untaxed) triples.push({ ...untaxed, score: untaxed.score + listed + sizeOf(gross) });
  }
  return triples.sort((a, b) => b.score - a.score);
}

const keyOf = (net: number, vat: number, gross: number) => `${net}/${vat}/${gross}`;

/** Finds net, VAT and gross in rows such as "Total 1356,00 299,88 1655,88". */
function rowsOfThree({ annotations }: DocumentContext): Set<string> {
  const keys = new Set<string>();
  for (const row of annotations.layout.pages.flatMap(({ rows }) => rows)) {
    const values = entitiesOfType(annotations, "Amount", row).map(({ entity }) => centsOf(entity.value.amount));
    for (const [at, gross] of values.entries()) {
      const [net, vat] = [values[at - 2], values[at - 1]];
      if (net && vat && Math.abs(net + vat - gross) <= 1) keys.add(keyOf(net, vat, gross));
    }
  }
  return keys;
}

/** In cents. */
const wholeUnit = 100;

/**
 * Finds the VAT if the gross amount is rounded to whole units: the amount that equals, to the cent, a printed rate of
 * the net amount.
 */
function vatOfRoundedGross(sums: readonly Sum[], net: Sum, gross: Sum, rates: ReadonlySet<number>): Sum | undefined {
  if (gross.value % wholeUnit !== 0) return undefined;
  return sums.find(
    (vat) =>
      Math.abs(net.value + vat.value - gross.value) < wholeUnit &&
      [...rates].some((rate) => rate > 0 && Math.abs((net.value * rate) / 1000 - vat.value) <= 1),
  );
}

/** If no VAT is charged, an amount is both net and gross. */
function untaxedBy(
  document: DocumentContext,
  byValue: ReadonlyMap<number, Sum>,
  rates: ReadonlySet<number>,
  sum: Sum,
): Triple | undefined {
  const { untaxedLabel, untaxed } = scores.totals;
  const zero = byValue.get(0);
  const isUntaxed = rates.has(0) || (zero?.score.vat ?? 0) > untaxedLabel || saysUntaxed(document);
  if (!isUntaxed || sum.value === 0 || Math.max(sum.score.gross, sum.score.net) < untaxedLabel) return undefined;
  const vat = zero && zero.score.vat > untaxedLabel ? zero : undefined;
  return {
    parts: { net: sum, gross: sum, ...(vat && { vat }) },
    score: sum.score.gross + sum.score.net + (vat?.score.vat ?? 0) + untaxed,
  };
}

const untaxedPhrases = untaxedWords.map((phrase) => ` ${foldText(phrase)}`);

function saysUntaxed({ annotations }: DocumentContext): boolean {
  return annotations.layout.segments.some(({ text }) => {
    const words = ` ${foldText(text).replace(/[^\p{L}\p{N}']+/gu, " ")} `;
    return untaxedPhrases.some((phrase) => words.includes(phrase.length > 4 ? phrase : `${phrase} `));
  });
}

/** If the best candidate is in the national currency, chooses the same totals in the currency of the invoice. */
function inOwnCurrency(triples: readonly Triple[], exchangeRate: number | undefined): Triple | undefined {
  const [best] = triples;
  const gross = best?.parts.gross?.value;
  if (!best || gross === undefined || exchangeRate === undefined) return best;
  return (
    triples.find(({ parts }) => {
      const value = parts.gross?.value ?? 0;
      return parts.gross !== best.parts.gross && isWithin(value * exchangeRate, gross, rounding.exchanged);
    }) ?? best
  );
}

/** Used if no amounts add up. Each amount is found by its own label. */
function totalsApart(
  document: DocumentContext,
  sums: readonly Sum[],
  columns: ReadonlySet<number>,
): Partial<Record<Part, Sum>> {
  const scoreOf = (sum: Sum, part: Part) =>
    sum.score[part] + (part !== "vat" && columns.has(sum.value) ? scores.totals.columnSum / 2 : 0);
  const best = (part: Part) =>
    sums
      .filter((sum) => sum.score[part] >= scores.totals.apart[part].min && sum.value !== 0)
      .sort((a, b) => scoreOf(b, part) - scoreOf(a, part))[0];
  const gross = best("gross");
  const net = best("net");
  const vat = (gross && taxWithin(document, sums, gross)) ?? best("vat");
  return {
    ...(gross && { gross }),
    ...(net && net !== gross && { net }),
    ...(vat && vat !== gross && vat !== net && { vat }),
  };
}

/** Finds the VAT included in the gross amount, such as 6.92 of 41.50 at 20 %. */
function taxWithin(document: DocumentContext, sums: readonly Sum[], gross: Sum): Sum | undefined {
  const rates = entitiesOfType(document.annotations, "Percent");
  return sums.find(({ value, score, printed: { segment } }) =>
    rates.some(
      ({ entity: { value: rate }, segment: { page, row } }) =>
        rate > 0 &&
        (score.vat >= scores.totals.labels.minOfVat || (page === segment.page && row === segment.row)) &&
        Math.abs((gross.value * rate) / (100 + rate) - value) <= 1,
    ),
  );
}

function currencyIn(document: DocumentContext, total: Sum | undefined): FieldValue<string> | undefined {
  const own = total?.printed;
  if (own?.entity.value.currency) return entityValue(own.entity.value.currency, own, scores.currency.onTotal);
  const inRow = own && currencyInRow(document, own.segment);
  if (inRow) return inRow;
  const same = entitiesOfType(document.annotations, "Amount").filter(({ entity }) => entity.value.currency);
  const equal = same.find(({ entity }) => centsOf(entity.value.amount) === total?.value);
  if (equal?.entity.value.currency)
    return entityValue(equal.entity.value.currency, equal, scores.currency.onEqualAmount);
  return labelledCurrency(document) ?? mostFrequentCurrency(document);
}

/** Finds the currency in the row of the total: "CELKEM KC   14787,14". */
function currencyInRow(document: DocumentContext, { page, row }: Segment): FieldValue<string> | undefined {
  const segments = document.annotations.layout.pages[page - 1]?.rows.find(([first]) => first?.row === row) ?? [];
  for (const segment of segments)
    for (const { 0: word, index } of segment.text.matchAll(currencyWord)) {
      const currency = currencyOf(word, document.languages);
      if (currency)
        return new FieldValue(currency, scores.currency.onTotal, { segment, start: index, end: index + word.length });
    }
  return undefined;
}

const currencyWord = /(?<![\p{L}\d])(?:\p{L}{2,5}(?![\p{L}\d])|\p{Sc})/gu;

function labelledCurrency(document: DocumentContext): FieldValue<string> | undefined {
  for (const label of document.annotations.labels) {
    if (!label.meanings.some(({ concept }) => concept === "currency")) continue;
    for (const { segment, start, end } of valueAreasOf(document.annotations, label).slice(0, 2)) {
      const word = /^[^\p{L}\p{Sc}]*(\p{L}{2,5}|\p{Sc})/u.exec(segment.text.slice(start, end));
      const code = word?.[1] && currencyOf(word[1], document.languages);
      if (code) return new FieldValue(code, scores.currency.label, { segment, start, end: start + word[0].length });
    }
  }
  return undefined;
}

const code = /(?<![\p{L}\d])(?:[A-Z]{3}(?![\p{L}\d])|€|£|zł|Kč|Ft(?!\p{L}))/gu;

function mostFrequentCurrency(document: DocumentContext): FieldValue<string> | undefined {
  const seen = new Map<string, { count: number; first: FieldValue<string> }>();
  for (const segment of document.annotations.layout.segments) {
    if (document.prose.has(segment)) continue;
    for (const match of segment.text.matchAll(code)) {
      const currency = currencyOf(match[0], document.languages);
      if (!currency) continue;
      const range = { segment, start: match.index, end: match.index + match[0].length };
      const before = seen.get(currency);
      seen.set(currency, {
        count: (before?.count ?? 0) + 1,
        first: before?.first ?? new FieldValue(currency, scores.currency.mostFrequent, range),
      });
    }
  }
  return [...seen.values()].sort((a, b) => b.count - a.count)[0]?.first;
}
