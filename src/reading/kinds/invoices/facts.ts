import type { ConceptId } from "../../know/concepts.ts";
import { fold } from "../../know/fold.ts";
import { findLabels } from "../../know/lexicon.ts";
import { isIban, readIban } from "../../see/codes.ts";
import type { SeeingContext } from "../../see/entity.ts";
import { seePlates } from "../../see/plates.ts";
import { says } from "../../understand/answers.ts";
import { codesFor } from "../../understand/codes.ts";
import { areasOf } from "../../understand/areas.ts";
import { Found } from "../../understand/found.ts";
import { segmentsInGrids } from "../../understand/grid/grid.ts";
import { labelOf } from "../../understand/line-label.ts";
import { sightings, type Label, type Sighting } from "../../understand/marks.ts";
import { lineBelow } from "../../understand/neighbours.ts";
import { candidates, type Surroundings } from "../../understand/values.ts";
import { vehiclesIn } from "../../understand/vehicles.ts";
import { completed } from "../../understand/windows.ts";

const numberConcepts: readonly ConceptId[] = [
  "invoiceNumber",
  "titleInvoice",
  "titleCreditNote",
  "titleProforma",
  "receiptNumber",
  "orderNumber",
];
const ownNumber: ReadonlySet<ConceptId> = new Set([
  "invoiceNumber",
  "titleInvoice",
  "titleCreditNote",
  "titleProforma",
]);

/** The invoice's own number: behind its label, in the title, else the first "No." of the page. */
export function invoiceNumberIn(around: Surroundings, seeing: SeeingContext): Found<string> | undefined {
  const aside = behindBrackets(around);
  if (aside) return aside;
  const inTable = segmentsInGrids(around, seeing);
  const codes = codesFor(around, numberConcepts)
    .filter(
      ({ label, piece }) =>
        !inTable.has(piece.segment) && (label.standing !== "Loose" || !around.prose.has(piece.segment)),
    )
    .map((code) => {
      const top = Math.min(0.25, (code.piece.segment.row + 60 * (code.piece.segment.page - 1)) / 240);
      const own = code.label.meanings.some(({ concept }) => ownNumber.has(concept)) ? 1 : 0.55;
      const bare = code.label.standing === "Head" && own < 1 && isBareNumber(code.label) && top < 0.08;
      return { ...code, score: bare ? Math.max(0.4, code.score) : code.score * (1 - top) * own };
    })
    .sort((a, b) => b.score - a.score);
  const best = codes.find(({ score }) => score >= 0.22);
  return best && new Found(grown(best.piece), Math.min(0.97, best.score + 0.1), best.piece);
}

/** "No.:" alone, the number of what the page is about. */
function isBareNumber({ meanings }: Label): boolean {
  return meanings.every(({ weight }) => weight < 0.5);
}

const bracketed =
  /^\s*\([^)]{1,20}\)\s*(?:\p{L}{1,8}\.?\s?[°º]?|№|#)\s*:?\s*(?=[\p{L}\d/-]*\d)([\p{L}\d][\p{L}\d/._-]{2,30})/u;

/** "Invoice (copy) No. 4711": what stands in brackets behind the title is no number. */
function behindBrackets({ marks }: Surroundings): Found<string> | undefined {
  for (const { segment, end, meanings } of marks.labels) {
    if (!meanings.some(({ concept }) => ownNumber.has(concept))) continue;
    const match = bracketed.exec(segment.text.slice(end));
    const start = match?.[1] ? end + match[0].length - match[1].length : 0;
    if (match?.[1]) return new Found(match[1], 0.9, { segment, start, end: start + match[1].length });
  }
  return undefined;
}

const goesOn = /^ ?\/ ?[\p{L}\d][\p{L}\d/.-]*/u;

/** "118 / 2026": a number that goes on behind a stroke. */
function grown(piece: { segment: { text: string }; end: number; text: string }): string {
  const more = goesOn.exec(piece.segment.text.slice(piece.end))?.[0];
  return more ? (piece.text + more).replace(/ /gu, "") : piece.text;
}

type Day = Sighting<"Date"> & { score: number };

/** The days of issue, of sale and the last day to pay. */
export function daysIn(
  around: Surroundings,
  seeing: SeeingContext,
): { issueDate?: Found<string>; saleDate?: Found<string>; dueDate?: Found<string> } {
  const taken = new Set<unknown>();
  const best = (concepts: readonly ConceptId[], least: number): Day | undefined => {
    const found = candidates(around, { concepts, types: ["Date"] }).find(
      ({ score, entity, segment }) => score >= least && !taken.has(entity) && !around.prose.has(segment),
    );
    if (found) taken.add(found.entity);
    return found;
  };
  const due = best(["dueDate"], 0.35) ?? best(["paymentTerm"], 0.45);
  const sale = best(["saleDate"], 0.35);
  const issue = best(["invoiceDate", "orderDate"], 0.35) ?? best(["date"], 0.4) ?? first(around, taken);
  const say = (day: Day | undefined) =>
    day &&
    new Found(completed(day.entity.value, seeing), day.score, {
      segment: day.segment,
      start: day.entity.start,
      end: day.entity.end,
    });
  const [issueDate, saleDate, dueDate] = [say(issue), say(sale), say(due)];
  return { ...(issueDate && { issueDate }), ...(saleDate && { saleDate }), ...(dueDate && { dueDate }) };
}

const longestTerm = 120;

const payment: ReadonlySet<ConceptId> = new Set(["paymentTerm", "paymentMethod", "dueDate", "amountDue"]);

/** Days of a row that speaks of payment, outside the table and the small print; days with a discount are not. */
export function daysToPay(around: Surroundings, seeing: SeeingContext): Found<number> | undefined {
  const inTable = segmentsInGrids(around, seeing);
  const paying = around.marks.labels
    .filter(({ meanings }) => meanings.some(({ concept }) => payment.has(concept)))
    .map(({ segment }) => segment);
  const days = sightings(around.marks, "Quantity").find(
    ({ segment, entity }) =>
      entity.value.unit === "days" &&
      entity.value.amount > 0 &&
      entity.value.amount <= longestTerm &&
      !inTable.has(segment) &&
      !around.prose.has(segment) &&
      !says("discount", segment.text) &&
      paying.some((label) => label.page === segment.page && label.row === segment.row),
  );
  return (
    days &&
    new Found(Math.round(days.entity.value.amount), 0.6, {
      segment: days.segment,
      start: days.entity.start,
      end: days.entity.end,
    })
  );
}

const headRows = 22;
const general: ReadonlySet<ConceptId> = new Set([
  "date",
  "place",
  "titleInvoice",
  "invoiceNumber",
  "invoiceDate",
  "orderDate",
]);

/** The first full date of the first page that no other label has. */
function first(around: Surroundings, taken: ReadonlySet<unknown>): Day | undefined {
  const day = sightings(around.marks, "Date").find(({ segment, entity }) => {
    if (segment.page !== 1 || segment.row > headRows || entity.value.year === undefined || entity.score < 0.4)
      return false;
    const label = labelOf(around.marks, segment, entity.start);
    return !taken.has(entity) && (!label || label.meanings.some(({ concept }) => general.has(concept)));
  });
  return day && { ...day, score: 0.55 };
}

/** The account to pay to: with right check digits, that of the invoice's currency before others; else one as printed. */
export function ibanIn(around: Surroundings, currency: string | undefined): Found<string> | undefined {
  const ibans = sightings(around.marks, "Iban").filter(
    ({ segment }) => around.marks.layout.parts[segment.part]?.quoted !== true,
  );
  const fits = ({ segment, entity }: Sighting<"Iban">) => {
    const above = segment.text.slice(0, entity.start);
    return currency !== undefined && above.includes(currency) ? 0 : 1;
  };
  const [best] = [...ibans].sort((a, b) => fits(a) - fits(b));
  if (best) {
    const { segment, entity } = best;
    return new Found(entity.value, ibans.length > 1 ? 0.8 : 0.95, { segment, start: entity.start, end: entity.end });
  }
  return printedAccount(around);
}

const accountStart = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,}/gu;

/** An account broken over two lines, else one whose check digits are wrong, behind its label. */
function printedAccount(around: Surroundings): Found<string> | undefined {
  let wrong: Found<string> | undefined;
  for (const segment of around.marks.layout.segments) {
    for (const { index } of segment.text.matchAll(accountStart)) {
      const rest = segment.text.slice(index);
      const below = lineBelow(around.marks, segment) ?? around.marks.layout.segments[segment.index + 1];
      const both = readIban(`${rest} ${below?.text ?? ""}`);
      const alone = readIban(rest);
      const match = both && isIban(both.bare) ? both : alone;
      if (!match) continue;
      const piece = { segment, start: index, end: Math.min(segment.text.length, index + match.end) };
      if (isIban(match.bare)) return new Found(match.bare, 0.85, piece);
      const labelled = labelOf(around.marks, segment, index)?.meanings.some(({ concept }) => concept === "bankAccount");
      if (labelled) wrong ??= new Found(match.bare, 0.4, piece);
    }
  }
  return wrong;
}

const orderConcepts: readonly ConceptId[] = [
  "orderNumber",
  "titleTransportOrder",
  "customerReference",
  "reference",
  "loadingReference",
];
const noOrder: ReadonlySet<ConceptId> = new Set(["invoiceNumber", "titleInvoice", "titleCreditNote", "receiptNumber"]);

/** The orders that are invoiced, wherever they are named, the invoice's own number left out. */
export function orderNumbersIn(
  around: Surroundings,
  own: string | undefined,
  descriptions: readonly Found<string>[],
): Found<string>[] {
  const found = new Map<string, Found<string>>();
  for (const description of descriptions)
    for (const number of numbersNamed(description.value, around.languages))
      if (number !== own && !found.has(number)) found.set(number, new Found(number, 0.8, description.piece));
  const codes = codesFor(around, orderConcepts).filter(({ label, concept, score, piece }) => {
    const weight = label.meanings.find((each) => each.concept === concept)?.weight ?? 0;
    const bare = weight < 0.5 || piece.text === own || own?.includes(piece.text);
    const apart = label.standing !== "Head" && piece.segment !== label.segment;
    return (
      !bare &&
      !apart &&
      score >= 0.42 &&
      !label.meanings.some((each) => noOrder.has(each.concept) && each.weight >= weight)
    );
  });
  for (const { piece, score } of codes.sort(
    (a, b) => a.piece.segment.index - b.piece.segment.index || a.piece.start - b.piece.start,
  ))
    if (!found.has(piece.text)) found.set(piece.text, new Found(piece.text, score, piece));
  return [...found.values()];
}

const behindLabel =
  /^[\s:.#№,]*(?:\p{L}{1,3}[.°º]+\s*)?(?=[\p{L}\d/._-]*\d{2})([\p{L}\d][\p{L}\d/_-]*(?:[._][\p{L}\d/_-]+)*)/u;

/** "… Lyon, order ZT/2026/117": numbers behind the words for an order, wherever the lines are broken. */
function numbersNamed(text: string, languages: readonly string[]): string[] {
  const hits = findLabels(text).filter((hit) => hit.languages.some((language) => languages.includes(language)));
  const named = hits.flatMap((hit) => {
    const match =
      orderConcepts.includes(hit.concept) && hit.weight >= 0.5 ? behindLabel.exec(text.slice(hit.end)) : null;
    return match?.[1] && match[1].length >= 4 ? [match[1]] : [];
  });
  const last = named.length === 0 ? lastWord.exec(text) : null;
  const other = hits.some(({ concept, start }) => last && start >= last.index && otherNumbers.has(concept));
  return last?.[1] && !other && seePlates(fold(last[1])).length === 0 ? [last[1]] : named;
}

/** A description that ends with a word and a number of its own: ", Auftr. T26-26944". */
const lastWord =
  /[,;(–-]\s+(?:\p{L}{1,12}[.:'°º/]{0,2}\s){1,3}(?:№\s?)?((?=(?:\D*\d){4})[\p{L}\d][\p{L}\d/-]*(?:\.[\p{L}\d/-]+)*)\)?$/u;
const otherNumbers: ReadonlySet<ConceptId> = new Set([
  "deliveryNoteNumber",
  "containerNumber",
  "plates",
  "truckPlate",
  "trailerPlate",
  "titleCmr",
  "invoiceNumber",
  "date",
  "weight",
  "seal",
]);

/** Plates with a label, and pairs of plates as they stand in the words of a line. */
export function platesIn(around: Surroundings, descriptions: readonly Found<string>[]): Found<string>[] {
  const { vehicles, trailers } = vehiclesIn(around);
  const labelled = [...vehicles, ...trailers];
  const known = new Set(labelled.map(({ value }) => value));
  const inWords = descriptions.flatMap((description) =>
    pairedPlates(description.value).flatMap((plate) => {
      if (known.has(plate)) return [];
      known.add(plate);
      return [new Found(plate, 0.6, description.piece)];
    }),
  );
  return [...labelled, ...inWords];
}

const between = /^\s*[/+|,]\s*$/u;

/** "PPL 40812 / PPL 12AK": two plates with a stroke between. */
function pairedPlates(text: string): string[] {
  const plates = seePlates(fold(text)).filter(({ score }) => score >= 0.28);
  return plates.flatMap((plate, at) => {
    const [before, after] = [plates[at - 1], plates[at + 1]];
    const paired =
      (before && between.test(text.slice(before.end, plate.start))) ||
      (after && between.test(text.slice(plate.end, after.start)));
    return paired ? [plate.value.plate.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase()] : [];
  });
}

const ratio = /(?<![\d.,])(\d{1,4}[.,]\d{2,6})(?![\d.,]*\d)/u;
const equation = /(?<![\d.,])1(?:[.,]0+)?\s?(?:[A-Z]{3}|€)\s?=\s?(\d{1,4}[.,]\d{2,6})(?!\d)/u;

/** What one unit of the invoice's currency costs at home: "1 EUR = 4.2418 PLN", "rate 4,2418". */
export function exchangeRateIn(around: Surroundings): Found<number> | undefined {
  for (const segment of around.marks.layout.segments) {
    const match = equation.exec(segment.text);
    if (match?.[1]) return rate(segment, match.index + match[0].length - match[1].length, match[1], 0.9);
  }
  for (const label of around.marks.labels) {
    if (!label.meanings.some(({ concept, weight }) => concept === "exchangeRate" && weight >= 0.5)) continue;
    for (const { segment, start, end, order } of areasOf(around.marks, label)) {
      const match = order === 0 ? ratio.exec(segment.text.slice(start, end)) : null;
      if (match?.[1] && match.index < 40 && /[.,]\d{3,6}$/.test(match[1]))
        return rate(segment, start + match.index, match[1], 0.85);
    }
  }
  return undefined;
}

function rate(segment: Sighting["segment"], start: number, printed: string, confidence: number): Found<number> {
  return new Found(Number(printed.replace(",", ".")), confidence, { segment, start, end: start + printed.length });
}
