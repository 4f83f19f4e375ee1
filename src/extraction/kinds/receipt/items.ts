import type { ConceptId } from "../../lexicon/concepts.ts";
import { foldText } from "../../lexicon/fold.ts";
import pumps from "../../lexicon/pump-words.json" with { type: "json" };
import bought from "../../lexicon/receipt-words.json" with { type: "json" };
import type { DocumentLocale } from "../../entities/entity.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { listedLines } from "../invoice/lines.ts";
import { sums } from "../invoice/lines-without-table.ts";
import type { Totals } from "../invoice/totals.ts";
import {
  endsWithProduct,
  isSumOf,
  lineOf,
  isCloseTo,
  figureValue,
  timesAbove,
  timesIn,
  firstSegmentOf,
  type Line,
  type Times,
} from "./printed-line.ts";
import { scores } from "./scores.ts";
import type { ReceiptItem } from "./view.ts";

type ItemDraft = NonNullable<FieldValues<ReceiptItem>>;
type Words = Pick<Line, "segments" | "text">;

const endings: ReadonlySet<ConceptId> = new Set([...sums, "paymentMethod", "exchangeRate"]);
/** Text that may follow the sum: a currency, or the letter of the tax rate. */
const behindSum = /^(?:,-{1,2})?\s?(?:\p{Lu}{3}|€|zł|kč|ft|lei|£|kr\.?)?\s?[\p{Lu}*]?\s?$/iu;

/** Extracts the items: from a table with headings, otherwise line by line down to the total. */
export function itemsIn(document: DocumentContext, context: DocumentLocale, totals: Totals): ItemDraft[] {
  const listed = listedLines(document, context, totals).flatMap(
    ({ description, quantity, unitPrice, grossAmount, netAmount }) => {
      const paid = grossAmount ?? netAmount;
      if (!paid) return [];
      return [
        {
          ...(description && { description }),
          ...(quantity && { quantity }),
          ...(unitPrice && { unitPrice }),
          grossAmount: paid,
        },
      ];
    },
  );
  return listed.length > 0 ? listed : linewise(document, context, totals);
}

function linewise(document: DocumentContext, context: DocumentLocale, totals: Totals): ItemDraft[] {
  const lines = document.annotations.layout.pages.flatMap(({ rows }) => rows.map((row) => lineOf(row, context)));
  const from = Math.max(
    0,
    lines.findIndex((line, at) => isItem(document, line) || (lines[at + 1] && timesAbove(line, lines[at + 1]!))),
  );
  const end = lines.findIndex((line, at) => at >= from && isSum(document, line));
  const items: ItemDraft[] = [];
  let words: Words | undefined;
  let times: Times | undefined;
  for (const line of lines.slice(from > 0 ? from - 1 : 0, end < 0 ? lines.length : end)) {
    const next = lines[lines.indexOf(line) + 1];
    const counted = timesIn(line) ?? (next && timesAbove(line, next));
    const last = items.at(-1);
    const plain = !counted && !line.numbers.some(({ cents }) => cents);
    const pending =
      counted && counted.sum === undefined && next && !isSum(document, next) && endsWithProduct(next, counted);
    if (plain) words = /\p{L}{2}/u.test(line.text) && !isField(document, line) ? withoutCodes(line) : words;
    else if (pending) [times, words] = [counted, ownWords(line, counted) ?? words];
    else if (counted && counted.sum === undefined && last && !last.quantity && fits(last, counted))
      Object.assign(last, counted.draft);
    else if (isItem(document, line) || (times && isSumOf(line, times))) {
      items.push(itemOf(line, words, counted, times));
      [words, times] = [undefined, undefined];
    } else if (counted && !counted.sum) [times, words] = [counted, ownWords(line, counted) ?? words];
  }
  if (makeTotal(items, totals)) return items;
  const filled = fieldwise(lines, totals);
  const whole = items.find((item) => makeTotal([item], totals) && item.description);
  if (whole && !filled && items.length <= mostBeside) return [whole];
  return filled ? [filled] : items.filter(({ grossAmount }) => grossAmount?.value !== totals.grossAmount?.value);
}

/** A line with the whole amount is the only item if at most one other line looks like an item. */
const mostBeside = 2;

const pumpOrRate = /^(?:\p{L}{0,10}\.?\s?\d{1,3}|\p{L}\d{1,3}|\p{Lu}|\d{1,3})$/u;

/** Pump number and tax letter are not part of the item's name: "Diesel   Pump 07", "Diesel   C00". */
function withoutCodes({ segments, text }: Line): Words {
  const [first, ...others] = segments;
  const coded = others.length > 0 && others.every((other) => pumpOrRate.test(other.text));
  return first && coded ? { segments: [first], text: first.text } : { segments, text };
}

/** Finds "Coffee" in "3 x 2,50 Coffee". */
function ownWords({ segments, text }: Line, { start, end }: Times): Words | undefined {
  const ahead = text
    .slice(0, start)
    .replace(leadingCount, "")
    .replace(/[\s:]+$/u, "");
  const own = /\p{L}{2}/u.test(ahead) ? ahead : text.slice(end).replace(unitOfPrice, "").trim();
  return /\p{L}{3}/u.test(own) ? { segments, text: own } : undefined;
}

/** Currency and unit after a price: " EUR/l" in "1,642 EUR/l". */
const unitOfPrice = /^\s*(?:[A-Z]{3}(?!\p{L})|€|zł|kč|ft|lei|£|kr\.?)?(?:\s?\/\s?\p{L}+)?(?:\s+[A-Z])?(?!\p{L})/iu;

/** An item ends with an amount and has words, or it has quantity and price. */
function isItem(document: DocumentContext, line: Line): boolean {
  const last = line.numbers.at(-1);
  if (!last || isSum(document, line) || isField(document, line) || !behindSum.test(line.text.slice(last.end)))
    return false;
  const dated = line.segments.some(({ index }) =>
    (document.annotations.entitiesIn[index] ?? []).some(
      ({ type, score }) =>
        (type === "Date" || type === "Phone" || type === "Iban" || type === "Vat" || type === "Place") &&
        score >= scores.otherEntity,
    ),
  );
  const wordy = /\p{L}{3}/u.test(line.text.slice(0, last.start));
  return !dated && (last.cents || timesIn(line)?.sum !== undefined) && (wordy || timesIn(line) !== undefined);
}

const fields: ReadonlySet<ConceptId> = new Set([
  "receiptNumber",
  "plates",
  "truckPlate",
  "cardNumber",
  "odometer",
  "vatNumber",
]);

/** A field such as "Receipt no. 605.557" is not an item. */
const isField = (document: DocumentContext, line: Line): boolean => opensWith(document, line, fields);
const isSum = (document: DocumentContext, line: Line): boolean => opensWith(document, line, endings);

function opensWith(document: DocumentContext, { segments }: Line, concepts: ReadonlySet<ConceptId>): boolean {
  return segments.some(({ index }) =>
    (document.annotations.labelsIn[index] ?? []).some(
      ({ standing, start, meanings }) =>
        (standing === "Head" || standing === "Lead") &&
        start <= 2 &&
        meanings.some(({ concept, weight }) => concepts.has(concept) && weight >= scores.label),
    ),
  );
}

const litres = /^\s?(?:l|lt|ltr|litr[aeiy]?|liter|litre?s|л)\.?(?!\p{L})/iu;

/**
 * A single refuelling may be printed in fields below the name of the fuel: "Volume 355,40 L", "Price/l 1,642", "Amount
 * 583,57".
 */
function fieldwise(lines: readonly Line[], { grossAmount }: Totals): ItemDraft | undefined {
  const single = lines.flatMap((line, at) =>
    line.numbers.length === 1 ? [{ line, at, number: line.numbers[0]! }] : [],
  );
  for (const { line, at, number: volume } of single) {
    if (!grossAmount || !litres.test(line.text.slice(volume.end))) continue;
    const price = single.find(
      (other) =>
        other.at > at &&
        other.at <= at + 2 &&
        other.number.values.some((each) => volume.values.some((count) => isCloseTo(each * count, grossAmount.value))),
    );
    const above = lines.slice(Math.max(0, at - 2), at).findLast(({ text }) => isFuel(text));
    if (!price) continue;
    return {
      ...(above && {
        description: new FieldValue(
          above.text.replace(/\s+/gu, " "),
          scores.description.fuelAbove,
          firstSegmentOf(above),
        ),
      }),
      quantity: figureValue(line, volume, volume.values[0] ?? 0),
      unitPrice: figureValue(price.line, price.number, price.number.values[0] ?? 0),
      grossAmount,
    };
  }
  return undefined;
}

const fuels = bought.Fuel.map(foldText);
const isFuel = (text: string) => fuels.some((fuel) => foldText(text).includes(fuel));

function fits({ grossAmount }: ItemDraft, times: Times): boolean {
  return grossAmount !== undefined && isCloseTo(times.product, grossAmount.value);
}

function itemOf(
  line: Line,
  words: Words | undefined,
  counted: Times | undefined,
  pending: Times | undefined,
): ItemDraft {
  const last = line.numbers.at(-1);
  const pieces = counted ? undefined : countIn(line);
  const own = (
    counted?.named
      ? line.text.slice(counted.named.start, counted.named.end)
      : line.text
          .slice(0, counted?.start ?? (pieces?.leading ? last?.start : (pieces?.start ?? last?.start)))
          .replace(leadingCount, "")
  ).replace(/(?:\s\d{1,2}(?:[.,]\d)?\s?%)?[\s:*x×.-]+$/u, "");
  const named = /\p{L}{2}/u.test(own) ? { ...line, text: own } : words;
  const sum = counted?.sum ?? last?.values[0];
  const times = counted ?? (pending && sum !== undefined && isCloseTo(pending.product, sum) ? pending : undefined);
  const count = times ? undefined : pieces && figureValue(line, pieces, pieces.value);
  const text = named?.text
    .replace(codeBefore, "")
    .replace(pumpBehind, "")
    .replace(rateBehind, "")
    .replace(/[\s:]+$/u, "")
    .replace(/\s+/gu, " ");
  return {
    ...(named && text && { description: new FieldValue(text, scores.description.onLine, firstSegmentOf(named)) }),
    ...(count && { quantity: count }),
    ...times?.draft,
    ...(last && sum !== undefined && { grossAmount: figureValue(line, last, sum) }),
  };
}

/** The pump number in "AdBlue pump 12". */
const pumpBehind = new RegExp(`(?<=\\p{L}.*)\\s(?:${pumps.join("|")})\\.?(?:\\s(?:nr|no|n°)\\.?)?\\s?\\d{1,2}$`, "iu");

/** A pump or article number before the name: "POMPA 7 GASOLIO", "C00 DIESEL", "*07 DIESEL", "1180 Strap". */
const codeBefore = new RegExp(
  `^\\*?(?:(?:${pumps.join("|")})\\.?\\s?\\d{1,2}|\\p{Lu}?\\d{2,5})\\s+(?=\\p{L}{3}|\\p{Lu}\\d?\\s)`,
  "iu",
);
const rateBehind = /\s+%\s?\d{1,2}$/u;

const leadingCount = /^[^\p{L}\p{N}]*(?:\d{1,3}(?:\s?[x×]\s|[.)\s]\s*))?/u;

const countFirst = /^\s*(\d{1,3})\s?[x×]\s(?=\p{L})/u;
const countedUnit =
  /^\s?(?:szt|stk|st|ks|vnt|pcs|pc|db|buc|gab|tk|kpl|kom|kos|uds?|pz|шт|бр|x|×)\.?(?![\p{L}])|^\s?(?:l|lt|ltr|liter|litr[aiy]?)\.?(?!\p{L})/iu;

interface Count {
  value: number;
  start: number;
  end: number;
  leading: boolean;
}

/** Finds the quantity in "2 x coffee   5,00" or "Coffee  2 pcs   5,00", where no unit price is printed. */
function countIn(line: Line): Count | undefined {
  const match = countFirst.exec(line.text);
  if (match?.[1]) {
    const start = match[0].indexOf(match[1]);
    return { value: Number(match[1]), start, end: start + match[1].length, leading: true };
  }
  const counted = line.numbers.slice(0, -1).find(({ end }) => countedUnit.test(line.text.slice(end)));
  return (
    counted && { value: counted.values[0] ?? 1, start: counted.start, end: counted.end, leading: counted.start < 2 }
  );
}

function makeTotal(items: readonly ItemDraft[], { grossAmount, netAmount }: Totals): boolean {
  const sum = items.reduce((total, item) => total + (item.grossAmount?.value ?? 0), 0);
  return [grossAmount, netAmount].some((whole) => whole && isCloseTo(sum, whole.value));
}
