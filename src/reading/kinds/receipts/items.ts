import type { ConceptId } from "../../know/concepts.ts";
import type { SeeingContext } from "../../see/entity.ts";
import { NUMBER, readNumber } from "../../see/numbers.ts";
import { Found, type Draft } from "../../understand/found.ts";
import type { Segment } from "../../understand/layout.ts";
import type { Surroundings } from "../../understand/values.ts";
import type { ReceiptItem } from "../../views/receipt.ts";
import { listedLines } from "../invoices/lines.ts";
import type { Totals } from "../invoices/totals.ts";

type ItemDraft = NonNullable<Draft<ReceiptItem>>;

/** A printed line: its segments as one text, with what its figures may be. */
interface Line {
  segments: readonly Segment[];
  text: string;
  numbers: { values: readonly number[]; start: number; end: number; cents: boolean }[];
}

const sums: ReadonlySet<ConceptId> = new Set([
  "totalPrice",
  "netAmount",
  "grossAmount",
  "vatAmount",
  "vatRate",
  "amountDue",
  "prepaidAmount",
  "paymentMethod",
  "exchangeRate",
]);
const number = new RegExp(`(?<![\\p{L}\\d.,:/])-?${NUMBER}(?![\\d:/%]|[.,]\\d| ?%)`, "gu");
/** Behind the sum: a currency, the letter of the tax rate. */
const behindSum = /^\s*(?:[A-Z]{3}|€|zł|kč|ft|lei|£|kr\.?)?\s*[A-Z*]?\s*$/iu;
const unitAround = /(?:[x×*@]|\b(?:l|lt|ltr|szt|stk|st|ks|vnt|pcs|db|buc|gab|tk|шт|h|kg)\b|\/\s?(?:l|szt|stk|ks)\b)/iu;

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
    if (plain) words = /\p{L}{2}/u.test(line.text) && !isField(around, line) ? line : words;
    else if (counted && counted.sum === undefined && last && !last.quantity && fits(last, counted))
      Object.assign(last, counted.draft);
    else if (isItem(around, line)) {
      items.push(itemOf(line, words, counted));
      words = undefined;
    } else if (counted && !counted.sum) words = joined(words, line);
  }
  return belongsTo(items, totals)
    ? items
    : items.filter(({ grossAmount }) => grossAmount?.value !== totals.grossAmount?.value);
}

function lineOf(segments: readonly Segment[], context: SeeingContext): Line {
  const text = segments.map((segment) => segment.text).join("  ");
  const numbers = [...text.matchAll(number)].map((match) => {
    const { likely, other } = readNumber(match[0].replace("-", ""), context.decimal);
    const sign = match[0].startsWith("-") ? -1 : 1;
    return {
      values: [likely, ...(other === undefined ? [] : [other])].map((value) => value * sign),
      start: match.index,
      end: match.index + match[0].length,
      cents: /[.,]\d{2}$/.test(match[0]),
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
const isSum = (around: Surroundings, line: Line): boolean => opensWith(around, line, sums);

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
        if (sum === undefined && (third || !unitAround.test(between))) continue;
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

function fits({ grossAmount }: ItemDraft, { product }: Times): boolean {
  return grossAmount !== undefined && near(product, grossAmount.value);
}

function itemOf(line: Line, words: Line | undefined, counted: Times | undefined): ItemDraft {
  const last = line.numbers.at(-1);
  const own = line.text
    .slice(0, counted?.start ?? last?.start)
    .replace(/^\W*(?:\d{1,3}[.)\s]\s*)?/u, "")
    .replace(/[\s:*x×.-]+$/u, "");
  const named = /\p{L}{2}/u.test(own) ? line : words;
  const before = words && timesIn(words);
  const text = named === line ? own : (words?.text.slice(0, before?.start).replace(/[\s:]+$/u, "") ?? "");
  const sum = counted?.sum ?? last?.values[0];
  const times = counted ?? (before && sum !== undefined && near(before.product, sum) ? before : undefined);
  return {
    ...(named && text && { description: new Found(text.replace(/\s+/gu, " "), 0.8, wholeOf(named)) }),
    ...times?.draft,
    ...(last && sum !== undefined && { grossAmount: say(line, last, sum) }),
  };
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
