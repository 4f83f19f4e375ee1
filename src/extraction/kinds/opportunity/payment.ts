import { currencyOf } from "../../entities/amounts.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { foldText } from "../../lexicon/fold.ts";
import offerWords from "../../lexicon/offer-words.json" with { type: "json" };
import { findTrailers } from "../../lexicon/trailers.ts";
import { FieldValue, type FieldValues } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { paymentsIn } from "../../fields/money/payments.ts";
import type { Segment } from "../../layout/layout.ts";
import { entityValue } from "../field-values.ts";
import type { OpportunityView } from "./view.ts";
import { scores } from "./scores.ts";

type PaymentDraft = NonNullable<FieldValues<OpportunityView>["payment"]>;

const otherSums: ReadonlySet<ConceptId> = new Set([
  "cargoValue",
  "penalties",
  "pricePerKm",
  "unitPrice",
  "vatAmount",
  "waitingTime",
  "toll",
  "fuelSurcharge",
  "additionalStop",
  "extraCharges",
]);
const minPrice = 40;
const maxPrice = 30_000;

/**
 * Finds the price that is requested or offered (after its label, otherwise the only sum of money), and the payment term
 * in days.
 */
export function requestedPayment(document: DocumentContext): PaymentDraft {
  const { price, currency, paymentDays } = paymentsIn(document);
  const isPrice =
    price && price.value >= minPrice && !(price.span && toldOfOthers(price.span.segment, price.span.start));
  const named = isPrice ? price : undefined;
  const only = named ? undefined : onlySum(document);
  const own = only?.entity.value.currency;
  const printed = named ? currency : own && only && sumValue(own, only);
  const money = printed ?? currencyAlone(document);
  const term = paymentDays ?? onlyDays(document);
  return {
    ...(named && { from: named }),
    ...(only && { from: sumValue(only.entity.value.amount, only) }),
    ...(money && { currency: money }),
    ...(term && { term }),
  };
}

function sumValue<T>(value: T, sum: LocatedEntity<"Amount">): FieldValue<T> {
  return entityValue(value, sum, scores.price.base + scores.price.perScore * sum.entity.score);
}

function onlySum(document: DocumentContext): LocatedEntity<"Amount"> | undefined {
  const sums = entitiesOfType(document.annotations, "Amount").filter(({ segment, entity }) => {
    const label = labelOf(document.annotations, segment, entity.start);
    const near = (document.annotations.labelsIn[segment.index] ?? []).findLast(
      ({ end }) => end <= entity.start && entity.start - end < 20,
    );
    const other = [label, near].some((each) => each?.meanings.some(({ concept }) => otherSums.has(concept)));
    const { amount } = entity.value;
    if (toldOfOthers(segment, entity.start)) return false;
    if (!offered(segment, entity.start) && followsUnknownWord(document, segment, entity.start)) return false;
    return entity.score >= scores.price.min && amount >= minPrice && amount <= maxPrice && !other;
  });
  const amounts = new Set(sums.map(({ entity }) => entity.value.amount));
  return amounts.size === 1 ? sums[0] : undefined;
}

/** After an unknown word, a sum may be something other than the price, as in "goods worth 25 000 EUR". */
function followsUnknownWord({ annotations }: DocumentContext, { text, index }: Segment, at: number): boolean {
  const end = text.slice(0, at).trimEnd().length;
  if (!/\p{L}{3}$/u.test(text.slice(0, end))) return false;
  const entities = [
    ...(annotations.labelsIn[index] ?? []),
    ...(annotations.entitiesIn[index] ?? []),
    ...findTrailers(text),
  ];
  return !entities.some((each) => each.start < end && each.end >= end);
}

const wordsOf = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const keysOf = (phrases: readonly string[]) => new Set(phrases.map((phrase) => wordsOf(phrase).join(" ")));
const offers = keysOf(offerWords.offers);
const others = keysOf(offerWords.others);
const mostWords = 4;

function says(phrases: ReadonlySet<string>, text: string): boolean {
  const words = wordsOf(text);
  return words.some((_, at) =>
    Array.from({ length: mostWords }, (__, more) => words.slice(at, at + more + 1).join(" ")).some((each) =>
      phrases.has(each),
    ),
  );
}

/** Maximum number of characters between a word for an offer and its sum. */
const reach = 25;

/** Whether a word for an offer stands shortly before a sum: "we can pay 480 EUR". */
const offered = ({ text }: Segment, at: number): boolean => says(offers, clauseBefore(text, at).slice(-reach));

/** Whether the clause is about another sum or term: that of last year, of a penalty, of the goods or the validity. */
const toldOfOthers = ({ text }: Segment, at: number): boolean => says(others, clauseBefore(text, at));

function clauseBefore(text: string, at: number): string {
  return (
    text
      .slice(0, at)
      .split(/(?:[.!?;]\s|,\s(?!\d)|[()])/u)
      .at(-1) ?? ""
  );
}

const currencyWord =
  /(?<!\p{L})(?<!\d[.,]?\s?)(?:eur|usd|gbp|pln|czk|huf|ron|sek|nok|dkk|chf|uah|bgn|try|rsd|[€£]|(?:euro?|eura|evra|dol+ar|евро|євро|евра|ευρώ)\p{L}{0,3})(?![\p{L}\d-])(?!\s?\d)/giu;
const palletsBehind = /^[\s-]*(?:\p{L}*pal|plt|epal|raklap|bancal|pedan|lava|alus|пал)/iu;

/** Finds the one currency that the prices are to be quoted in, as in "quote in EUR, please". */
function currencyAlone({ annotations, languages }: DocumentContext): FieldValue<string> | undefined {
  const found = annotations.layout.segments.flatMap((segment) =>
    [...segment.text.matchAll(currencyWord)].flatMap(({ 0: word, index }) => {
      const end = index + word.length;
      const before = segment.text.slice(0, index);
      const currency = currencyOf(/^eur|^evr|^евр|^євр|^ευρ/iu.test(word) ? "EUR" : word, languages);
      const isOfPallets = palletsBehind.test(segment.text.slice(end)) || /\d\s?[x×]?\s?$/u.test(before);
      return currency && !isOfPallets
        ? [new FieldValue(currency, scores.price.currencyAlone, { segment, start: index, end })]
        : [];
    }),
  );
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;
}

const minTermLength = 14;
const maxTermLength = 120;

/** The only number of days that is higher than a transit time is the payment term. */
function onlyDays(document: DocumentContext): FieldValue<number> | undefined {
  const days = entitiesOfType(document.annotations, "Quantity").filter(({ segment, entity }) => {
    const label = labelOf(document.annotations, segment, entity.start);
    const { unit, amount } = entity.value;
    const transit = label?.meanings.some(({ concept }) => concept === "transitTime") ?? false;
    const isTerm = unit === "days" && amount >= minTermLength && amount <= maxTermLength && !transit;
    return isTerm && !toldOfOthers(segment, entity.start);
  });
  const [only] = days;
  return only && new Set(days.map(({ entity }) => entity.value.amount)).size === 1
    ? entityValue(Math.round(only.entity.value.amount), only, scores.paymentTerm)
    : undefined;
}
