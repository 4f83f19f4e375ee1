import type { ConceptId } from "../../know/concepts.ts";
import { foldText } from "../../know/fold.ts";
import bought from "../../know/receipt-words.json" with { type: "json" };
import type { SeeingContext } from "../../see/entity.ts";
import { NUMBER, readNumber } from "../../see/numbers.ts";
import { Found, type Draft } from "../../understand/confidence/found.ts";
import type { Segment } from "../../understand/layout/layout.ts";
import type { Surroundings } from "../../understand/labels/values.ts";
import type { ReceiptItem } from "../../views/receipt.ts";
import { listedLines } from "../invoices/lines.ts";
import { sums } from "../invoices/loose-lines.ts";
import type { Totals } from "../invoices/totals.ts";

type ItemDraft = NonNullable<Draft<ReceiptItem>>;

/** A printed line: its segments as one text, with what its figures may be. */
interface Line {
  segments: readonly Segment[];
  text: string;
  numbers: { values: readonly number[]; start: number; end: number; cents: boolean }[];
}

const endings: ReadonlySet<ConceptId> = new Set([...sums, "paymentMethod", "exchangeRate"]);
const number = new RegExp(`(?:(?<![\\p{L}\\d.,:/])|(?<=[\\s\\d][xX×*@]))-?${NUMBER}(?![\\d:/%]|[.,]\\d| ?%)`, "gu");
/** Behind the sum: a currency, the letter of the tax rate. */
const behindSum = /^\s*(?:[A-Z]{3}|€|zł|kč|ft|lei|£|kr\.?)?\s*[A-Z*]?\s*$/iu;
/** Between a quantity and a price: "x", "@", "á", "à". */
const timesSign = /[x×*@]|(?<!\p{L})[áà](?!\p{L})|\/\s?(?:l|szt|stk|st|ks)(?!\p{L})/iu;
/** Words of what was bought stand between no quantity and its price. */
const longWords = /\p{L}{3,}[\s\p{P}]+\p{L}{4,}|\p{L}{9,}/u;

/** What was bought: from a table with headings, else line by line down to the total. */
export function itemsIn(around: Surroundings, context: SeeingContext, totals: Totals): ItemDraft[] {
  const listed = listedLines(around, context, totals).flatMap(
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
  return listed.length > 0 ? listed : linewise(around, context, totals);
}

function linewise(around: Surroundings, context: SeeingContext, totals: Totals): ItemDraft[] {
  const lines = around.marks.layout.pages.flatMap(({ rows }) => rows.map((row) => lineOf(row, context)));
  const from = Math.max(
    0,
    lines.findIndex((line) => isItem(around, line)),
  );
  const end = lines.findIndex((line, at) => at >= from && isSum(around, line));
  const items: ItemDraft[] = [];
  let words: Line | undefined;
  for (const line of lines.slice(from > 0 ? from - 1 : 0, end < 0 ? lines.length : end)) {
    const counted = timesIn(line);
    const last = items.at(-1);
    const plain = !counted && !line.numbers.some(({ cents }) => cents);
    const next = lines[lines.indexOf(line) + 1];
    const pending = counted && counted.sum === undefined && next && isSumOf(next, counted);
    const told = words && timesIn(words);
    if (plain) words = /\p{L}{2}/u.test(line.text) && !isField(around, line) ? withoutCodes(line) : words;
    else if (pending) words = joined(words, line);
    else if (counted && counted.sum === undefined && last && !last.quantity && fits(last, counted))
      Object.assign(last, counted.draft);
    else if (isItem(around, line) || (told && told.sum === undefined && isSumOf(line, told))) {
      items.push(itemOf(line, words, counted));
      words = undefined;
    } else if (counted && !counted.sum) words = joined(words, line);
  }
  if (belongsTo(items, totals)) return items;
  const filled = fieldwise(lines, totals);
  return filled ? [filled] : items.filter(({ grossAmount }) => grossAmount?.value !== totals.grossAmount?.value);
}

const pumpOrRate = /^(?:\p{L}{0,10}\.?\s?\d{1,3}|\p{L}\d{1,3}|\p{Lu}|\d{1,3})$/u;

/** "Diesel   Pump 07", "Diesel   C00": the pump and the letter of the tax rate are no words of what was bought. */
function withoutCodes(line: Line): Line {
  const [first, ...others] = line.segments;
  const coded = others.length > 0 && others.every(({ text }) => pumpOrRate.test(text));
  return first && coded ? { segments: [first], text: first.text, numbers: [] } : line;
}

/** Sums of money that has no cents: "129 046 Ft". */
const wholeSum = /^\s?(?:ft|huf|kč|czk|isk|rsd|din)(?!\p{L})|^,-/iu;

function lineOf(segments: readonly Segment[], context: SeeingContext): Line {
  const text = segments.map((segment) => segment.text).join("  ");
  const numbers = [...text.matchAll(number)].map((match) => {
    const { likely, other } = readNumber(match[0].replace("-", ""), context.decimal);
    const sign = match[0].startsWith("-") ? -1 : 1;
    return {
      values: [likely, ...(other === undefined ? [] : [other])].map((value) => value * sign),
      start: match.index,
      end: match.index + match[0].length,
      cents: /[.,]\d{2}$/.test(match[0]) || wholeSum.test(text.slice(match.index + match[0].length)),
    };
  });
  return { segments, text, numbers };
}

/** Ends with a sum and has words, or a quantity and a price; a date or a number of something is none. */
function isItem(around: Surroundings, line: Line): boolean {
  const last = line.numbers.at(-1);
  if (!last || isSum(around, line) || isField(around, line) || !behindSum.test(line.text.slice(last.end))) return false;
  const dated = line.segments.some(({ index }) =>
    (around.marks.entitiesIn[index] ?? []).some(
      ({ type, score }) =>
        (type === "Date" || type === "Phone" || type === "Iban" || type === "Vat" || type === "Place") && score >= 0.5,
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

/** "Receipt no. 605.557": a number of something, no price. */
const isField = (around: Surroundings, line: Line): boolean => opensWith(around, line, fields);
const isSum = (around: Surroundings, line: Line): boolean => opensWith(around, line, endings);

function opensWith(around: Surroundings, { segments }: Line, concepts: ReadonlySet<ConceptId>): boolean {
  return segments.some(({ index }) =>
    (around.marks.labelsIn[index] ?? []).some(
      ({ standing, start, meanings }) =>
        (standing === "Head" || standing === "Lead") &&
        start <= 2 &&
        meanings.some(({ concept, weight }) => concepts.has(concept) && weight >= 0.6),
    ),
  );
}

interface Times {
  draft: Pick<ItemDraft, "quantity" | "unitPrice">;
  product: number;
  sum?: number;
  start: number;
}

const near = (a: number, b: number) => Math.abs(a - b) <= Math.max(0.011, Math.abs(b) * 0.002);

/** "412,60 l x 1,589": a quantity and a price, with their product behind or on another line. */
function timesIn(line: Line): Times | undefined {
  const { numbers, text } = line;
  for (let at = 0; at + 1 < numbers.length; at++) {
    const [first, second, third] = numbers.slice(at, at + 3);
    if (!first || !second) continue;
    const between = text.slice(first.end, third ? third.start : second.end + 6);
    for (const a of first.values) {
      for (const b of second.values) {
        const sum = third?.values.find((value) => near(a * b, value));
        if (sum === undefined && (third || !timesSign.test(between))) continue;
        if (longWords.test(text.slice(first.end, second.start))) continue;
        const [quantity, price] = [say(line, first, a), say(line, second, b)];
        return {
          draft: { quantity, unitPrice: price },
          product: a * b,
          start: first.start,
          ...(sum !== undefined && { sum }),
        };
      }
    }
  }
  return undefined;
}

const litres = /^\s?(?:l|lt|ltr|litr[aeiy]?|liter|litre?s|л)\.?(?!\p{L})/iu;

/** "Volume 355,40 L", "Price/l 1,642", "Amount 583,57": one filling, told field by field under the name of the fuel. */
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
        other.number.values.some((each) => volume.values.some((count) => near(each * count, grossAmount.value))),
    );
    const above = lines.slice(Math.max(0, at - 2), at).findLast(({ text }) => isFuel(text));
    if (!price) continue;
    return {
      ...(above && { description: new Found(above.text.replace(/\s+/gu, " "), 0.6, wholeOf(above)) }),
      quantity: say(line, volume, volume.values[0] ?? 0),
      unitPrice: say(price.line, price.number, price.number.values[0] ?? 0),
      grossAmount,
    };
  }
  return undefined;
}

const fuels = bought.Fuel.map(foldText);
const isFuel = (text: string) => fuels.some((fuel) => foldText(text).includes(fuel));

/** The line holds nothing but the product of a quantity and a price told above. */
function isSumOf({ numbers, text }: Line, { product }: Times): boolean {
  const [only, ...others] = numbers;
  return (
    only !== undefined &&
    others.length === 0 &&
    !/\p{L}{4}/u.test(text) &&
    only.values.some((value) => near(product, value))
  );
}

function fits({ grossAmount }: ItemDraft, { product }: Times): boolean {
  return grossAmount !== undefined && near(product, grossAmount.value);
}

function itemOf(line: Line, words: Line | undefined, counted: Times | undefined): ItemDraft {
  const last = line.numbers.at(-1);
  const pieces = counted ? undefined : countIn(line);
  const own = line.text
    .slice(0, counted?.start ?? (pieces?.leading ? last?.start : (pieces?.start ?? last?.start)))
    .replace(leadingCount, "")
    .replace(/(?:\s\d{1,2}(?:[.,]\d)?\s?%)?[\s:*x×.-]+$/u, "");
  const named = /\p{L}{2}/u.test(own) ? line : words;
  const before = words && timesIn(words);
  const text = named === line ? own : (words?.text.slice(0, before?.start).replace(/[\s:]+$/u, "") ?? "");
  const sum = counted?.sum ?? last?.values[0];
  const times = counted ?? (before && sum !== undefined && near(before.product, sum) ? before : undefined);
  const count = times ? undefined : pieces && say(line, pieces, pieces.value);
  return {
    ...(named && text && { description: new Found(text.replace(/\s+/gu, " "), 0.8, wholeOf(named)) }),
    ...(count && { quantity: count }),
    ...times?.draft,
    ...(last && sum !== undefined && { grossAmount: say(line, last, sum) }),
  };
}

const leadingCount = /^[^\p{L}\p{N}]*(?:\d{1,3}(?:\s?[x×]\s|[.)\s]\s*))?/u;

const countFirst = /^\s*(\d{1,3})\s?[x×]\s(?=\p{L})/u;
const piece =
  /^\s?(?:szt|stk|st|ks|vnt|pcs|pc|db|buc|gab|tk|kpl|kom|kos|uds?|pz|шт|бр|x|×)\.?(?![\p{L}])|^\s?(?:l|lt|ltr|liter|litr[aiy]?)\.?(?!\p{L})/iu;

interface Count {
  value: number;
  start: number;
  end: number;
  /** Before the words of what was bought. */
  leading: boolean;
}

/** "2 x coffee   5,00", "Coffee  2 pcs   5,00": how many, without a price for one. */
function countIn(line: Line): Count | undefined {
  const match = countFirst.exec(line.text);
  if (match?.[1]) {
    const start = match[0].indexOf(match[1]);
    return { value: Number(match[1]), start, end: start + match[1].length, leading: true };
  }
  const counted = line.numbers.slice(0, -1).find(({ end }) => piece.test(line.text.slice(end)));
  return (
    counted && { value: counted.values[0] ?? 1, start: counted.start, end: counted.end, leading: counted.start < 2 }
  );
}

function joined(words: Line | undefined, line: Line): Line {
  if (!words) return line;
  return {
    ...line,
    text: `${words.text} ${line.text}`,
    numbers: line.numbers.map((each) => ({
      ...each,
      start: each.start + words.text.length + 1,
      end: each.end + words.text.length + 1,
    })),
  };
}

function say(line: Line, { start, end }: { start: number; end: number }, value: number): Found<number> {
  let offset = 0;
  for (const segment of line.segments) {
    const [from, to] = [start - offset, end - offset];
    if (from >= 0 && to <= segment.text.length) return new Found(value, 0.8, { segment, start: from, end: to });
    offset += segment.text.length + 2;
  }
  return new Found(value, 0.6, wholeOf(line));
}

function wholeOf({ segments }: Line): Found<unknown>["piece"] {
  const [segment] = segments;
  return segment && { segment, start: 0, end: segment.text.length };
}

/** The items make the sum that was paid. */
function belongsTo(items: readonly ItemDraft[], { grossAmount, netAmount }: Totals): boolean {
  const sum = items.reduce((total, item) => total + (item.grossAmount?.value ?? 0), 0);
  return [grossAmount, netAmount].some((whole) => whole && near(sum, whole.value));
}
