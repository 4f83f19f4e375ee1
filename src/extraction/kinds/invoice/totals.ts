import type { ConceptId } from "../../lexicon/concepts.ts";
import { currencyOf } from "../../entities/amounts.ts";
import type { DocumentLocale } from "../../entities/entity.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { segmentsInGrids } from "../../fields/grid/grid.ts";
import type { Segment } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type DocumentContext } from "../../fields/labels/values.ts";

/** The sums of an invoice. */
export interface Totals {
  netAmount?: FieldValue<number>;
  vatAmount?: FieldValue<number>;
  grossAmount?: FieldValue<number>;
  currency?: FieldValue<string>;
}

type Part = "net" | "vat" | "gross";

/** What an amount may be, by the labels that point at it. */
interface Sum {
  /** In cents. */
  value: number;
  sighting: LocatedEntity<"Amount">;
  score: Record<Part, number>;
}

/** Labels of a part of the whole sum and how far they can be believed. */
export type SumLabel = readonly [Part, readonly ConceptId[], number];

const labels: readonly SumLabel[] = [
  ["net", ["netAmount"], 1],
  ["net", ["totalPrice", "lineAmount"], 0.5],
  ["vat", ["vatAmount"], 1],
  ["vat", ["vatRate"], 0.6],
  ["gross", ["grossAmount"], 1],
  ["gross", ["amountDue"], 0.95],
  ["gross", ["totalPrice"], 0.8],
];
const unlabelled = 0.04;
const maxSums = 220;
const maxRate = 0.28;
/** What a cash payment and its change make with the total is no tax: that has a label, or a printed rate. */
const minTaxScore = 0.12;
const [leastLabelled, leastWithRate] = [0.5, 0.25];
const adding = 1;
const size = 0.5;
const knownRate = 0.4;

/** Net, tax and gross: of the amounts with fitting labels those that add up, the larger ones first. */
export function totalsIn(
  document: DocumentContext,
  context: DocumentLocale,
  exchangeRate: number | undefined,
  more: readonly SumLabel[] = [],
): Totals {
  const sums = sumsIn(document, segmentsInGrids(document, context), [...labels, ...more]);
  const best = inOwnCurrency(triplesOf(document, sums), exchangeRate);
  const chosen: Partial<Record<Part, Sum>> = best?.parts ?? alone(document, sums);
  const currency = currencyIn(document, chosen.gross ?? chosen.net);
  const say = (part: Part): FieldValue<number> | undefined => {
    const sum = chosen[part];
    if (!sum) return undefined;
    const confidence = best ? 0.62 + 0.3 * Math.min(1, sum.score[part]) : 0.75 * sum.score[part];
    return new FieldValue(sum.value / 100, confidence, pieceOf(sum.sighting));
  };
  const [netAmount, vatAmount, grossAmount] = [say("net"), say("vat"), say("gross")];
  return {
    ...(netAmount && { netAmount }),
    ...(vatAmount && { vatAmount }),
    ...(grossAmount && { grossAmount }),
    ...(currency && { currency }),
  };
}

const pieceOf = ({ segment, entity }: LocatedEntity<"Amount">) => ({ segment, start: entity.start, end: entity.end });
const centsOf = (amount: number) => Math.round(amount * 100);

/** Every amount once, with the best place it is printed at. The heading of a column says nothing of its single rows. */
function sumsIn(document: DocumentContext, inTable: ReadonlySet<Segment>, labels: readonly SumLabel[]): Sum[] {
  const scores = new Map<LocatedEntity<"Amount">["entity"], Record<Part, number>>();
  for (const [part, concepts, belief] of labels) {
    for (const { entity, score, label, way, segment } of findCandidates(document, { concepts, types: ["Amount"] })) {
      if (way === "Below" && inTable.has(segment)) continue;
      const own = scores.get(entity) ?? { net: unlabelled, vat: unlabelled, gross: unlabelled };
      const loose = label.standing === "Loose" ? 0.6 : 1;
      own[part] = Math.max(own[part], score * belief * loose);
      scores.set(entity, own);
    }
  }
  const byValue = new Map<number, Sum>();
  for (const sighting of entitiesOfType(document.annotations, "Amount")) {
    const { segment, entity } = sighting;
    const labelled = scores.get(entity);
    if ((entity.score < 0.4 && !labelled) || (document.prose.has(segment) && !labelled)) continue;
    const value = centsOf(entity.value.amount);
    const score = labelled ?? { net: unlabelled, vat: unlabelled, gross: unlabelled };
    const earlier = byValue.get(value);
    if (!earlier) byValue.set(value, { value, sighting, score: { ...score } });
    else {
      if (bestScoreOf(score) >= bestScoreOf(earlier.score)) earlier.sighting = sighting;
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

/** Net and tax that make the gross, and sums without tax where net and gross are one; best first. */
function triplesOf(document: DocumentContext, sums: readonly Sum[]): Triple[] {
  const byValue = new Map(sums.map((sum) => [sum.value, sum]));
  const rates = new Set(
    entitiesOfType(document.annotations, "Percent").map(({ entity }) => Math.round(entity.value * 10)),
  );
  const largest = Math.max(1, ...sums.filter(({ score }) => score.gross > 0.2).map(({ value }) => Math.abs(value)));
  const together = rowsOfThree(document);
  const triples: Triple[] = [];
  for (const gross of sums) {
    document.budget.check();
    for (const net of sums) {
      if (Math.abs(net.value) >= Math.abs(gross.value) || Math.sign(net.value) !== Math.sign(gross.value)) continue;
      const tax = gross.value - net.value;
      const vat = byValue.get(tax) ?? byValue.get(tax + 1) ?? byValue.get(tax - 1) ?? rounded(sums, net, gross, rates);
      const rate = (vat?.value ?? 0) / net.value;
      if (!vat || vat === net || rate > maxRate || rate < 0.01) continue;
      const inRow = together.has(keyOf(net.value, vat.value, gross.value)) ? 1 : 0;
      const printed = rates.has(Math.round(rate * 1000)) || inRow ? knownRate : 0;
      if (printed === 0 && vat.score.vat < minTaxScore) continue;
      const labelled = net.score.net + vat.score.vat + gross.score.gross;
      if (labelled < (printed > 0 ? leastWithRate : leastLabelled)) continue;
      const score = labelled + adding + printed + size * Math.min(1, Math.abs(gross.value) / largest);
      triples.push({ parts: { net, vat, gross }, score });
    }
    const untaxed = untaxedBy(document, byValue, rates, gross);
    if (untaxed)
      triples.push({ ...untaxed, score: untaxed.score + size * Math.min(1, Math.abs(gross.value) / largest) });
  }
  return triples.sort((a, b) => b.score - a.score);
}

const keyOf = (net: number, vat: number, gross: number) => `${net}/${vat}/${gross}`;

/** Net, tax and gross side by side: "Total 1356,00 299,88 1655,88". */
function rowsOfThree({ annotations: marks }: DocumentContext): Set<string> {
  const keys = new Set<string>();
  for (const row of marks.layout.pages.flatMap(({ rows }) => rows)) {
    const values = entitiesOfType(marks, "Amount", row).map(({ entity }) => centsOf(entity.value.amount));
    for (const [at, gross] of values.entries()) {
      const [net, vat] = [values[at - 2], values[at - 1]];
      if (net && vat && Math.abs(net + vat - gross) <= 1) keys.add(keyOf(net, vat, gross));
    }
  }
  return keys;
}

const wholeUnit = 100;

/** What is paid is rounded to whole crowns: the tax is the printed rate's part of the net sum to the cent all the same. */
function rounded(sums: readonly Sum[], net: Sum, gross: Sum, rates: ReadonlySet<number>): Sum | undefined {
  if (gross.value % wholeUnit !== 0) return undefined;
  return sums.find(
    (vat) =>
      Math.abs(net.value + vat.value - gross.value) < wholeUnit &&
      [...rates].some((rate) => rate > 0 && Math.abs((net.value * rate) / 1000 - vat.value) <= 1),
  );
}

/** A sum that is net and gross at once: no tax is charged, and the document says so. */
function untaxedBy(
  document: DocumentContext,
  byValue: ReadonlyMap<number, Sum>,
  rates: ReadonlySet<number>,
  sum: Sum,
): Triple | undefined {
  const zero = byValue.get(0);
  const isUntaxed = rates.has(0) || (zero?.score.vat ?? 0) > 0.3 || saysUntaxed(document);
  if (!isUntaxed || sum.value === 0 || Math.max(sum.score.gross, sum.score.net) < 0.3) return undefined;
  const vat = zero && zero.score.vat > 0.3 ? zero : undefined;
  return {
    parts: { net: sum, gross: sum, ...(vat && { vat }) },
    score: sum.score.gross + sum.score.net + (vat?.score.vat ?? 0) + 0.8 * adding,
  };
}

const noTax =
  /reverse.?charge|steuerschuldnerschaft|odwrotne obciążenie|autoliquidation|inversion del sujeto|inversione contabile|atvirkštin|přenesen|taxare inversă|fordított adózás|btw verlegd|not subject to vat|vat exempt|\bnp\b|steuerfrei|exon[eé]r|zwolnion|zero.?rated|neplátce|autoliquida/iu;

function saysUntaxed(document: DocumentContext): boolean {
  return document.annotations.layout.segments.some(({ text }) => noTax.test(text));
}

/** The tax of a foreign invoice is often repeated in the money of the country: those sums are not the invoice's. */
function inOwnCurrency(triples: readonly Triple[], exchangeRate: number | undefined): Triple | undefined {
  const [best] = triples;
  const gross = best?.parts.gross?.value;
  if (!best || gross === undefined || exchangeRate === undefined) return best;
  return (
    triples.find(({ parts }) => {
      const value = parts.gross?.value ?? 0;
      return parts.gross !== best.parts.gross && Math.abs(value * exchangeRate - gross) <= Math.abs(gross) * 0.002;
    }) ?? best
  );
}

/** Sums that do not add up, each by its label alone; a tax may also be known by a printed rate of the gross. */
function alone(document: DocumentContext, sums: readonly Sum[]): Partial<Record<Part, Sum>> {
  const best = (part: Part, least: number) =>
    sums.filter((sum) => sum.score[part] >= least && sum.value !== 0).sort((a, b) => b.score[part] - a.score[part])[0];
  const gross = best("gross", 0.35);
  const net = best("net", 0.55);
  const vat = (gross && taxWithin(document, sums, gross)) ?? best("vat", 0.6);
  return {
    ...(gross && { gross }),
    ...(net && net !== gross && { net }),
    ...(vat && vat !== gross && vat !== net && { vat }),
  };
}

/** The amount that is a printed rate's part of the gross: 6.92 of 41.50 at 20 %. */
function taxWithin(document: DocumentContext, sums: readonly Sum[], gross: Sum): Sum | undefined {
  const rates = entitiesOfType(document.annotations, "Percent");
  return sums.find(({ value, score, sighting: { segment } }) =>
    rates.some(
      ({ entity: { value: rate }, segment: { page, row } }) =>
        rate > 0 &&
        (score.vat >= minTaxScore || (page === segment.page && row === segment.row)) &&
        Math.abs((gross.value * rate) / (100 + rate) - value) <= 1,
    ),
  );
}

/** Printed with the total, else named in a field, else that of most amounts, else a code that stands alone. */
function currencyIn(document: DocumentContext, total: Sum | undefined): FieldValue<string> | undefined {
  const own = total?.sighting;
  if (own?.entity.value.currency) return new FieldValue(own.entity.value.currency, 0.92, pieceOf(own));
  const same = entitiesOfType(document.annotations, "Amount").filter(({ entity }) => entity.value.currency);
  const equal = same.find(({ entity }) => centsOf(entity.value.amount) === total?.value);
  if (equal?.entity.value.currency) return new FieldValue(equal.entity.value.currency, 0.9, pieceOf(equal));
  return named(document) ?? commonest(document);
}

function named(document: DocumentContext): FieldValue<string> | undefined {
  for (const label of document.annotations.labels) {
    if (!label.meanings.some(({ concept }) => concept === "currency")) continue;
    for (const { segment, start, end } of valueAreasOf(document.annotations, label).slice(0, 2)) {
      const word = /^[^\p{L}\p{Sc}]*(\p{L}{2,5}|\p{Sc})/u.exec(segment.text.slice(start, end));
      const code = word?.[1] && currencyOf(word[1], document.languages);
      if (code) return new FieldValue(code, 0.85, { segment, start, end: start + word[0].length });
    }
  }
  return undefined;
}

const code = /(?<![\p{L}\d])(?:[A-Z]{3}(?![\p{L}\d])|€|£|zł|Kč|Ft(?!\p{L}))/gu;

/** The currency whose code or sign is printed most often. */
function commonest(document: DocumentContext): FieldValue<string> | undefined {
  const seen = new Map<string, { count: number; first: FieldValue<string> }>();
  for (const segment of document.annotations.layout.segments) {
    if (document.prose.has(segment)) continue;
    for (const match of segment.text.matchAll(code)) {
      const currency = currencyOf(match[0], document.languages);
      if (!currency) continue;
      const piece = { segment, start: match.index, end: match.index + match[0].length };
      const before = seen.get(currency);
      seen.set(currency, {
        count: (before?.count ?? 0) + 1,
        first: before?.first ?? new FieldValue(currency, 0.65, piece),
      });
    }
  }
  return [...seen.values()].sort((a, b) => b.count - a.count)[0]?.first;
}
