import type { ConceptId } from "../../lexicon/concepts.ts";
import type { EntityOf } from "../../entities/entity.ts";
import { currencyOf as currencyWord } from "../../entities/amounts.ts";
import { lineBelow } from "../../layout/page-index.ts";
import type { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type FieldCandidate, type DocumentContext } from "../../fields/labels/values.ts";
import { clauseAt, mentions, type Clause } from "./words.ts";
import { entityValue } from "../field-values.ts";
import { scores } from "./scores.ts";

const meanings = {
  discounted: ["discountedFine", "discountUntil"],
  increased: ["increasedFine"],
  costs: ["fineCosts", "extraCharges"],
  total: ["fineTotal", "totalPrice", "amountDue", "grossAmount"],
  fine: ["fineAmount", "price"],
} as const satisfies Record<string, readonly ConceptId[]>;
type Meaning = keyof typeof meanings;

/** In sentences, the words for these meanings also refer to other sums. They are accepted only from labels. */
const cautious: ReadonlySet<Meaning> = new Set<Meaning>(["total", "costs"]);
const opening: ReadonlySet<string> = new Set(["Head", "Lead"]);

/** A sum with the clause that contains it. */
export interface Sum extends LocatedEntity<"Amount"> {
  clause: Clause;
  meaning?: Meaning;
  /** Usually 0..1. */
  score: number;
  /** Whether the label of the sum stands at the start of its line and has a high score. */
  labelled: boolean;
}

export interface Sums {
  amount?: Sum;
  discounted?: Sum;
  currency?: FieldValue<string>;
}

/**
 * Finds the ordinary amount, and the reduced amount for early payment. Ranges ("2 000 to 5 000"), sums that are only
 * threatened, and addends are neither.
 */
export function sumsIn(document: DocumentContext): Sums {
  const sums = allSums(document);
  const bestSum = (meaning: Meaning) => best(sums.filter((sum) => sum.meaning === meaning));
  const early = bestSum("discounted");
  const top = best(sums.filter(({ meaning }) => meaning === "fine" || meaning === "total"));
  const said = early && top && valueOf(top) === valueOf(early) ? undefined : early;
  const more = (sum: Sum) => !said || sum.labelled || valueOf(sum) > valueOf(said);
  const plain = sums.filter((sum) => sum !== said && more(sum));
  const sumsOf = (meaning: Meaning | undefined) => plain.filter((sum) => sum.meaning === meaning);
  const amount =
    ordinary(best(sumsOf("fine")), best(sumsOf("total"))) ??
    best(sumsOf(undefined)) ??
    lowestSum(sumsOf("increased")) ??
    (sums.length === 1 && !said ? sums[0] : undefined);
  const currency = amount && currencyOf(document, amount);
  const discounted = said ?? (amount && sums.find((sum) => isDiscountOf(sum, amount)));
  return { ...(amount && { amount }), ...(discounted && amount && { discounted }), ...(currency && { currency }) };
}

/** A dash before a sum is not a minus sign. */
const valueOf = ({ entity }: LocatedEntity<"Amount">): number => Math.abs(entity.value.amount);

export const amountValue = (sum: Sum): FieldValue<number> => rankedValue(valueOf(sum), sum);

/**
 * A lower sum without another meaning, with a deadline in its clause, as in "in case of payment within 7 days it is 1200".
 */
function isDiscountOf({ meaning, labelled, clause, entity }: Sum, amount: Sum): boolean {
  const [least, most] = scores.amount.discountShare;
  const share = Math.abs(entity.value.amount) / valueOf(amount);
  if (labelled || (meaning && meaning !== "fine") || !entity.value.currency || share < least || share > most)
    return false;
  const excluded = (["appeal", "increased", "driver"] as const).some((cue) => mentions(cue, clause.text));
  return withinDays.test(clause.text) && !excluded && !mentions("void", clause.segment.text);
}

const withinDays =
  /(?<!\d)\d{1,2}[ -]?(?:dn[iíeůů]|dní|days?|tage|jours|gg\b|giorni|d[ií]as|dagen|nap|zile|dien|päev|päiv|dag|dan|дн|ден|ημερ|gün)/iu;

/**
 * A total that is higher than the fine includes costs, which must be paid too; one that is a little lower is what
 * remains of it.
 */
function ordinary(fine: Sum | undefined, total: Sum | undefined): Sum | undefined {
  if (!fine || !total) return fine ?? total;
  const remains = total.labelled && total.score > fine.score && valueOf(total) > scores.amount.minRest * valueOf(fine);
  return valueOf(total) > valueOf(fine) || remains ? total : fine;
}

/** A sum that is printed again with the same meaning is more likely. */
function best(sums: readonly Sum[]): Sum | undefined {
  const rated = sums.map((sum) => {
    const again = sums.filter((other) => other !== sum && valueOf(other) === valueOf(sum)).length;
    return { sum, score: sum.score + scores.amount.again * again };
  });
  return rated.sort((one, other) => other.score - one.score)[0]?.sum;
}

const lowestSum = (sums: readonly Sum[]): Sum | undefined =>
  sums.reduce<Sum | undefined>((one, other) => (!one || valueOf(other) < valueOf(one) ? other : one), undefined);

function allSums(document: DocumentContext): Sum[] {
  const labels = labelledSums(document);
  return entitiesOfType(document.annotations, "Amount")
    .filter(({ entity }) => entity.value.amount !== 0)
    .flatMap((money): Sum[] => {
      const clause = clauseAt(document, money.segment, money.entity.start);
      const label = labels.get(money.entity);
      const labelled = label !== undefined && label.opens && label.score >= scores.amount.minSureLabel;
      const currencyBelow = currencyInNextLine(document, money);
      if (!isMoney(money.entity) && !currencyBelow && !(labelled && label.meaning === "fine")) return [];
      if (
        isPart(money) ||
        isAddend(document, money) ||
        isRange(money) ||
        mentions("threat", clause.text) ||
        mentions("void", clause.text)
      )
        return [];
      const cue = cueOf(money, clause, document);
      const meaning =
        labelled && !(label.meaning === "total" && cue === "discounted") ? label.meaning : (cue ?? label?.meaning);
      if (meaning === "costs") return [];
      const { withMeaning, withoutMeaning, currency } = scores.amount;
      const score =
        Math.max(label?.score ?? 0, meaning ? withMeaning : withoutMeaning) +
        (money.entity.value.currency ? currency : 0);
      return [{ ...money, clause, ...(meaning && { meaning }), score, labelled }];
    });
}

/** The currency at the start of the next line if the line ends with the sum. */
function currencyInNextLine({ annotations }: DocumentContext, { segment, entity }: LocatedEntity<"Amount">) {
  if (entity.value.currency || entity.end < segment.text.length) return undefined;
  return currencyWord(/^\p{L}{2,4}(?!\p{L})|^[€$£]/u.exec(lineBelow(annotations, segment)?.text ?? "")?.[0] ?? "");
}

const maxCaptionLength = 24;

function cueOf(
  { segment, entity }: LocatedEntity<"Amount">,
  clause: Clause,
  document: DocumentContext,
): Meaning | undefined {
  const beside = entitiesOfType(document.annotations, "Amount", [segment]).filter(
    (other) =>
      isMoney(other.entity) && !isPart(other) && other.entity.start >= clause.start && other.entity.end <= clause.end,
  );
  const from = beside.findLast((other) => other.entity.end <= entity.start)?.entity.end;
  const to = beside.find((other) => other.entity.start >= entity.end)?.entity.start;
  const ahead = segment.text.slice(from ?? clause.start, entity.start);
  const behind = segment.text.slice(entity.end, to ?? clause.end).split(to === undefined ? /$/u : /[,(;]/u)[0] ?? "";
  if (!/=[\s€$£]*$/u.test(ahead) && mentions("costs", /\P{N}*$/u.exec(ahead.slice(-maxCaptionLength))?.[0] ?? ""))
    return "costs";
  const words = from === undefined && to === undefined ? clause.text : `${ahead} ${behind}`;
  if (mentions("discounted", words)) return "discounted";
  return mentions("increased", words) ? "increased" : undefined;
}

interface LabelledSum {
  meaning: Meaning;
  score: number;
  opens: boolean;
}

/** Each label gives its meaning to only one sum. */
function labelledSums(document: DocumentContext): Map<EntityOf<"Amount">, LabelledSum> {
  const choices = (Object.keys(meanings) as Meaning[]).flatMap((meaning) =>
    findCandidates(document, { concepts: meanings[meaning], types: ["Amount"] })
      .filter(({ label, way, score }) => score >= scores.amount.minLabelled && isAllowed(meaning, label.standing, way))
      .map((candidate) => ({ meaning, candidate })),
  );
  const chosen = new Map<EntityOf<"Amount">, LabelledSum>();
  const used = new Set<FieldCandidate<"Amount">["label"]>();
  for (const { meaning, candidate } of choices.sort((a, b) => b.candidate.score - a.candidate.score)) {
    if (chosen.has(candidate.entity) || used.has(candidate.label)) continue;
    chosen.set(candidate.entity, { meaning, score: candidate.score, opens: opening.has(candidate.label.standing) });
    if (isMoney(candidate.entity)) used.add(candidate.label);
  }
  return chosen;
}

function isAllowed(meaning: Meaning, standing: string, way: FieldCandidate["way"]): boolean {
  return !cautious.has(meaning) || (opening.has(standing) && way !== "Before");
}

function isMoney({ value, score }: EntityOf<"Amount">): boolean {
  return value.currency !== undefined || score >= scores.amount.minWithoutCurrency;
}

/**
 * Whether an amount is an addend or factor, as in "173,00 + 12,00 = 185,00" or "3 x 90,00", or part of a code. They are
 * not paid separately.
 */
function isPart({ segment: { text }, entity }: LocatedEntity<"Amount">): boolean {
  const [ahead, behind] = [text.slice(0, entity.start), text.slice(entity.end)];
  return /^[^\d=]{0,12}[+=]|^-\p{L}/u.test(behind) || /\+[^\d=+]{0,16}$|\d[\s\p{L}-]{0,20}[x×]\s?[€$£]?$/u.test(ahead);
}

/**
 * Whether the next sums add up to a total with this one: fine, costs and total in a row or below each other. A half, the
 * whole and one and a half are a reduced, ordinary and increased fine.
 */
function isAddend(document: DocumentContext, { segment, entity }: LocatedEntity<"Amount">): boolean {
  const sums = entitiesOfType(document.annotations, "Amount").filter((each) => isMoney(each.entity));
  const at = sums.findIndex((each) => each.entity === entity && each.segment === segment);
  const value = (index: number) => (sums[index] ? valueOf(sums[index]) : Number.NaN);
  return [at, at - 1].some((first) => {
    const [one, other, total] = [value(first), value(first + 1), value(first + 2)];
    return other > 0 && other !== 2 * one && Math.abs(one + other - total) < cent;
  });
}

const cent = 0.005;

const upTo =
  /(?:\d[\d .,]*\s?\p{L}{0,4}\s?[-–—]\s?|\d[\d .,]*\s(?:\p{L}{1,4}\s)?(?:la|to|bis|a|à|do|tot|до)\s|(?<!\p{L})(?:bis|až|iki|do|jusqu'à|fino a|hasta|até|până la|līdz|kuni|asti|saakka|tot|upp till|op til|till|up to|до|m[aá]xim\p{L}*|massim\p{L}*|maks\p{L}*|höchst\p{L}*|legfeljebb|nejvýše|najviac|največ|najviše|максим\p{L}*)[\s:]+(?:zu\s)?[€$£]?\s?(?:\p{Lu}{3}\s)?)$/u;
const onTo =
  /^\s?(?:[-–—]|(?:bis|až|iki|do|à|to|până la|līdz|kuni|tot|till|til|до)(?!\p{L}))\s?[€$£]?\s?(?:\p{Lu}{3}\s)?\d/u;

/** Whether an amount is part of the legal range of the penalty, as in "2 000 to 5 000" or "up to EUR 2.180". */
function isRange({ segment: { text }, entity }: LocatedEntity<"Amount">): boolean {
  return upTo.test(text.slice(0, entity.start)) || onTo.test(text.slice(entity.end));
}

function currencyOf(document: DocumentContext, amount: Sum): FieldValue<string> | undefined {
  const { currency } = amount.entity.value;
  if (currency) return rankedValue(currency, amount);
  const other = entitiesOfType(document.annotations, "Amount").find(
    ({ entity }) => entity.value.currency !== undefined,
  );
  return other && entityValue(other.entity.value.currency ?? "", other, scores.amount.otherCurrency);
}

/** Makes a field value of an entity, with a confidence that depends on the points in `score`. */
export function rankedValue<T>(value: T, ranked: LocatedEntity & { score: number }): FieldValue<T> {
  const { base, perPoint } = scores.byPoints;
  return entityValue(value, ranked, base + perPoint * Math.min(1, ranked.score));
}
