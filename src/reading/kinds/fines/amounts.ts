import type { ConceptId } from "../../know/concepts.ts";
import type { EntityOf, SeeingContext } from "../../see/entity.ts";
import type { Draft } from "../../understand/found.ts";
import { Found } from "../../understand/found.ts";
import { sightings, type Sighting } from "../../understand/marks.ts";
import { candidates, type Candidate, type Surroundings } from "../../understand/values.ts";
import { completed } from "../../understand/windows.ts";
import type { FineView } from "../../views/fine.ts";

type FineDraft = NonNullable<Draft<FineView>>;

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
const least = 0.1;
const leastDate = 0.2;

/** The ordinary amount, the one for those who pay early, and until when each is to be paid. */
export function amountsIn(around: Surroundings, seeing: SeeingContext): FineDraft {
  const amounts = assignedAmounts(around);
  const [fine, total, discounted] = [amounts.get("fine"), amounts.get("total"), amounts.get("discounted")];
  const amount = ordinary(fine, total, discounted) ?? onlyAmount(around);
  const currency = amount && currencyOf(around, amount);
  const [until, due] = days(around, seeing);
  return {
    ...(amount && { amount: said(amount.entity.value.amount, amount) }),
    ...(currency && { currency }),
    ...(discounted && discounted !== amount && { discountedAmount: said(discounted.entity.value.amount, discounted) }),
    ...(until && { discountUntil: until }),
    ...(due && { dueDate: due }),
  };
}

type Sum = Sighting<"Amount"> & { score: number };

/** With costs upon it the sum to be paid is told, else the fine; never what only early payers pay. */
function ordinary(fine: Sum | undefined, total: Sum | undefined, discounted: Sum | undefined): Sum | undefined {
  const value = (sum: Sum | undefined) => sum?.entity.value.amount ?? 0;
  if (!fine || !total) return fine ?? (total && value(total) !== value(discounted) ? total : undefined);
  return value(total) > value(fine) ? total : fine;
}

function assignedAmounts(around: Surroundings): Map<Meaning, Sum> {
  const choices = (Object.keys(meanings) as Meaning[]).flatMap((meaning) =>
    candidates(around, { concepts: meanings[meaning], types: ["Amount"] })
      .filter(({ entity }) => entity.value.amount > 0 && isMoney(entity))
      .filter(({ label, way }) => !cautious.has(meaning) || (opening.has(label.standing) && way !== "Before"))
      .map((candidate) => ({ meaning, candidate })),
  );
  const chosen = new Map<Meaning, Sum>();
  const taken = new Set<Candidate["entity"]>();
  for (const { meaning, candidate } of choices.sort((a, b) => b.candidate.score - a.candidate.score)) {
    if (candidate.score < least || chosen.has(meaning) || taken.has(candidate.entity)) continue;
    chosen.set(meaning, candidate);
    taken.add(candidate.entity);
  }
  return chosen;
}

/** With its currency, or with cents. */
function isMoney({ value, score }: EntityOf<"Amount">): boolean {
  return value.currency !== undefined || score >= 0.4;
}

/** A notice that speaks of one sum only. */
function onlyAmount(around: Surroundings): Sum | undefined {
  const all = sightings(around.marks, "Amount").filter(({ entity }) => entity.value.currency !== undefined);
  const values = new Set(all.map(({ entity }) => entity.value.amount));
  return values.size === 1 && all[0] ? { ...all[0], score: 0.4 } : undefined;
}

function currencyOf(around: Surroundings, amount: Sum): Found<string> | undefined {
  const { currency } = amount.entity.value;
  if (currency) return said(currency, amount);
  const other = sightings(around.marks, "Amount").find(({ entity }) => entity.value.currency !== undefined);
  return other && new Found(other.entity.value.currency ?? "", 0.6, { ...other.entity, segment: other.segment });
}

function said<T>(value: T, { segment, entity, score }: Sum): Found<T> {
  return new Found(value, 0.4 + 0.6 * score, { segment, start: entity.start, end: entity.end });
}

/** Until when early payers and all others pay. A day in the box of an amount belongs to it. */
function days(around: Surroundings, seeing: SeeingContext): [Found<string> | undefined, Found<string> | undefined] {
  const dated = (concepts: readonly ConceptId[]) =>
    candidates(around, { concepts, types: ["Date"] }).filter(({ score }) => score >= leastDate);
  const early = [...dated(["discountUntil"]), ...dated(["discountedFine"])];
  const late = [...dated(["dueDate", "paymentTerm"]), ...dated(["fineAmount", "fineTotal", "amountDue"])];
  const until = early[0];
  const due = late.find(
    ({ entity, score }) =>
      entity !== until?.entity && !early.some((other) => other.entity === entity && other.score > score),
  );
  const day = (candidate: Candidate<"Date"> | undefined) =>
    candidate && said(completed(candidate.entity.value, seeing), candidate as unknown as Sum);
  return [day(until), day(due)];
}
