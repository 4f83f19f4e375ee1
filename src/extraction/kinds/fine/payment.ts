import type { ConceptId } from "../../lexicon/concepts.ts";
import type { EntityOf, DocumentLocale } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type LocatedEntity } from "../../fields/labels/annotations.ts";
import { findCandidates, type FieldCandidate, type DocumentContext } from "../../fields/labels/values.ts";
import { clauseAt, mentions, type Clause } from "./words.ts";
import { completed } from "../../fields/route/windows.ts";

/** What an amount of a fine can be. */
const meanings = {
  discounted: ["discountedFine", "discountUntil"],
  increased: ["increasedFine"],
  costs: ["fineCosts", "extraCharges"],
  total: ["fineTotal", "totalPrice", "amountDue", "grossAmount"],
  fine: ["fineAmount", "price"],
} as const satisfies Record<string, readonly ConceptId[]>;
type Meaning = keyof typeof meanings;

/** Words that sentences use for other sums too: only as labels. */
const cautious: ReadonlySet<Meaning> = new Set<Meaning>(["total", "costs"]);
const opening: ReadonlySet<string> = new Set(["Head", "Lead"]);
const minScore = 0.1;

/** A sum where it is printed, with what is said around it. */
interface Sum extends LocatedEntity<"Amount"> {
  clause: Clause;
  meaning?: Meaning;
  /** 0..1 */
  score: number;
  /** A label says surely what it is. */
  labelled: boolean;
}

/** What is to be paid, and less by whom. */
interface Sums {
  amount?: Sum;
  discounted?: Sum;
  currency?: FieldValue<string>;
}

/** The ordinary amount and the one for those who pay early; a range, a threat and the parts of a sum are neither. */
export function sumsIn(document: DocumentContext): Sums {
  const sums = allSums(document);
  const bestSum = (meaning: Meaning) => best(sums.filter((sum) => sum.meaning === meaning));
  const early = bestSum("discounted");
  const discounted = early && sums.some((sum) => sum !== early && valueOf(sum) === valueOf(early)) ? undefined : early;
  const more = (sum: Sum) => !discounted || sum.labelled || valueOf(sum) > valueOf(discounted);
  const plain = sums.filter((sum) => sum !== discounted && more(sum));
  const of = (meaning: Meaning | undefined) => plain.filter((sum) => sum.meaning === meaning);
  const amount =
    ordinary(best(of("fine")), best(of("total"))) ??
    best(of(undefined)) ??
    lowestSum(of("increased")) ??
    (sums.length === 1 && !discounted ? sums[0] : undefined);
  const currency = amount && currencyOf(document, amount);
  return { ...(amount && { amount }), ...(discounted && amount && { discounted }), ...(currency && { currency }) };
}

/** A dash before a sum is none of its own. */
const valueOf = ({ entity }: LocatedEntity<"Amount">): number => Math.abs(entity.value.amount);

export const amountValue = (sum: Sum): FieldValue<number> => valueFromSum(valueOf(sum), sum);

/** With costs upon it the sum to be paid is told, else the fine. */
function ordinary(fine: Sum | undefined, total: Sum | undefined): Sum | undefined {
  if (!fine || !total) return fine ?? total;
  return valueOf(total) > valueOf(fine) ? total : fine;
}

const best = (sums: readonly Sum[]): Sum | undefined =>
  sums.reduce<Sum | undefined>((one, other) => (!one || other.score > one.score ? other : one), undefined);

const lowestSum = (sums: readonly Sum[]): Sum | undefined =>
  sums.reduce<Sum | undefined>((one, other) => (!one || valueOf(other) < valueOf(one) ? other : one), undefined);

function allSums(document: DocumentContext): Sum[] {
  const labels = labelledSums(document);
  return entitiesOfType(document.annotations, "Amount")
    .filter(({ entity }) => entity.value.amount !== 0 && isMoney(entity))
    .flatMap((money): Sum[] => {
      const clause = clauseAt(document, money.segment, money.entity.start);
      const label = labels.get(money.entity);
      if (isPart(money) || isRange(money) || mentions("threat", clause.text)) return [];
      const labelled = label !== undefined && label.opens && label.score >= sure;
      const meaning = labelled ? label.meaning : (cueOf(money, clause, document) ?? label?.meaning);
      if (meaning === "costs") return [];
      const score = Math.max(label?.score ?? 0, meaning ? 0.4 : 0.3) + (money.entity.value.currency ? 0.1 : 0);
      return [{ ...money, clause, ...(meaning && { meaning }), score, labelled }];
    });
}

/** A label says more than the words around from here on. */
const sure = 0.5;
const near = 24;

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
  if (mentions("costs", /\P{N}*$/u.exec(ahead.slice(-near))?.[0] ?? "")) return "costs";
  const words = from === undefined && to === undefined ? clause.text : `${ahead} ${behind}`;
  if (mentions("discounted", words)) return "discounted";
  return mentions("increased", words) ? "increased" : undefined;
}

interface LabelledSum {
  meaning: Meaning;
  score: number;
  /** The label opens its line. */
  opens: boolean;
}

/** Which label each sum stands behind, each label's meaning told once. */
function labelledSums(document: DocumentContext): Map<EntityOf<"Amount">, LabelledSum> {
  const choices = (Object.keys(meanings) as Meaning[]).flatMap((meaning) =>
    findCandidates(document, { concepts: meanings[meaning], types: ["Amount"] })
      .filter(({ label, way, score }) => score >= minScore && isAllowed(meaning, label.standing, way))
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

/** With its currency, or with cents. */
function isMoney({ value, score }: EntityOf<"Amount">): boolean {
  return value.currency !== undefined || score >= 0.4;
}

/** "173,00 + 12,00 = 185,00": only what comes out is paid. */
function isPart({ segment: { text }, entity }: LocatedEntity<"Amount">): boolean {
  return /^[^\d=]{0,12}[+=]/u.test(text.slice(entity.end)) || /\+[^\d=+]{0,16}$/u.test(text.slice(0, entity.start));
}

const upTo =
  /(?:\d[\d .,]*\s?\p{L}{0,4}\s?[-–—]\s?|(?<!\p{L})(?:bis|až|iki|do|jusqu'à|fino a|hasta|até|până la|līdz|kuni|asti|saakka|tot|upp till|op til|till|up to|до|m[aá]xim\p{L}*|massim\p{L}*|maks\p{L}*|höchst\p{L}*|legfeljebb|nejvýše|najviac|največ|najviše|максим\p{L}*)[\s:]+(?:zu\s)?[€$£]?\s?(?:\p{Lu}{3}\s)?)$/u;
const onTo =
  /^\s?(?:[-–—]|(?:bis|až|iki|do|à|to|până la|līdz|kuni|tot|till|til|до)(?!\p{L}))\s?[€$£]?\s?(?:\p{Lu}{3}\s)?\d/u;

/** "2 000 to 5 000", "up to EUR 2.180": what the law threatens. */
function isRange({ segment: { text }, entity }: LocatedEntity<"Amount">): boolean {
  return upTo.test(text.slice(0, entity.start)) || onTo.test(text.slice(entity.end));
}

function currencyOf(document: DocumentContext, amount: Sum): FieldValue<string> | undefined {
  const { currency } = amount.entity.value;
  if (currency) return valueFromSum(currency, amount);
  const other = entitiesOfType(document.annotations, "Amount").find(
    ({ entity }) => entity.value.currency !== undefined,
  );
  return other && new FieldValue(other.entity.value.currency ?? "", 0.6, { ...other.entity, segment: other.segment });
}

function valueFromSum<T>(value: T, { segment, entity, score }: Sum): FieldValue<T> {
  return new FieldValue(value, 0.4 + 0.55 * Math.min(1, score), { segment, start: entity.start, end: entity.end });
}

const minDayScore = 0.2;

/** Deadlines for the reduced amount, the full amount and naming the driver, which may coincide; none precedes the offence. */
interface Deadlines {
  discountUntil?: FieldValue<string>;
  dueDate?: FieldValue<string>;
  driverStatementUntil?: FieldValue<string>;
}

type Day = LocatedEntity<"Date"> & { score: number };

export function deadlinesIn(
  document: DocumentContext,
  locale: DocumentLocale,
  discounted: Sum | undefined,
  offenceAt: string | undefined,
): Deadlines {
  const days = entitiesOfType(document.annotations, "Date").filter(
    ({ entity }) =>
      entity.score >= 0.5 &&
      entity.value.year !== undefined &&
      (!offenceAt || completed(entity.value, locale) > offenceAt.slice(0, 10)),
  );
  const labelled = (concepts: readonly ConceptId[]) => {
    const scores = new Map<unknown, number>();
    for (const { entity, score } of findCandidates(document, { concepts, types: ["Date"] }))
      scores.set(entity, Math.max(scores.get(entity) ?? 0, score));
    return (day: LocatedEntity<"Date">) => scores.get(day.entity) ?? 0;
  };
  const [early, late, plain] = [
    labelled(["discountUntil", "discountedFine"]),
    labelled(["dueDate", "paymentTerm", "fineAmount", "fineTotal", "amountDue"]),
    labelled(["orderDate", "invoiceDate", "date", "issuedOn"]),
  ];
  const untilOf = (day: LocatedEntity<"Date">): number => {
    const beside =
      discounted && discounted.clause.segments.includes(day.segment) && sameClause(document, day, discounted);
    return Math.max(early(day), beside ? 0.6 : 0);
  };
  const dueOf = (day: LocatedEntity<"Date">): number => {
    const { text } = clauseAt(document, day.segment, day.entity.start);
    if (mentions("appeal", text) || (asksWhoDrove(text) && !mentions("paying", text))) return 0;
    return (
      Math.max(late(day), mentions("due", text) ? 0.5 : 0) -
      (plain(day) > late(day) && plain(day) >= certainOtherDay ? 0.4 : 0)
    );
  };
  const until = first(days, untilOf);
  const due = first(
    days.filter(({ entity }) => entity !== until?.entity),
    dueOf,
  );
  const statement = first(days, (day) =>
    day.entity !== until?.entity && asksWhoDrove(clauseAt(document, day.segment, day.entity.start).text)
      ? sureOfWords
      : 0,
  );
  return {
    ...(until && { discountUntil: dateValue(until, locale) }),
    ...(due && { dueDate: dateValue(due, locale) }),
    ...(statement && { driverStatementUntil: dateValue(statement, locale) }),
  };
}

const certainOtherDay = 0.4;
const sureOfWords = 0.7;

const asksWhoDrove = (text: string): boolean =>
  mentions("driver", text) && mentions("naming", text) && !mentions("discounted", text);

/** A date in the clause of the amount, or in the label to its left. */
function sameClause(document: DocumentContext, day: LocatedEntity<"Date">, { clause }: Sum): boolean {
  if (day.segment !== clause.segment) return true;
  const own = clauseAt(document, day.segment, day.entity.start);
  return own.start === clause.start;
}

function first(
  days: readonly LocatedEntity<"Date">[],
  pointsOf: (day: LocatedEntity<"Date">) => number,
): Day | undefined {
  const [best] = days.map((day) => ({ ...day, score: pointsOf(day) })).sort((a, b) => b.score - a.score);
  return best && best.score >= minDayScore ? best : undefined;
}

function dateValue({ segment, entity, score }: Day, locale: DocumentLocale): FieldValue<string> {
  const piece = { segment, start: entity.start, end: entity.end };
  return new FieldValue(completed(entity.value, locale), 0.4 + 0.55 * Math.min(1, score), piece);
}
