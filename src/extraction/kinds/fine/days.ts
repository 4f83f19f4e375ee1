import type { ConceptId } from "../../lexicon/concepts.ts";
import type { SeeingContext } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { sightings, type Sighting } from "../../fields/labels/annotations.ts";
import { candidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import type { Sum } from "./amounts.ts";
import { clauseAt, says } from "./clauses.ts";

const least = 0.2;

/** Until when early payers and all others pay, and who drove is to be named, which may be one day; none lies before the offence. */
export interface LastDays {
  discountUntil?: FieldValue<string>;
  dueDate?: FieldValue<string>;
  driverStatementUntil?: FieldValue<string>;
}

type Day = Sighting<"Date"> & { score: number };

export function lastDaysIn(
  around: DocumentContext,
  seeing: SeeingContext,
  discounted: Sum | undefined,
  offenceAt: string | undefined,
): LastDays {
  const days = sightings(around.marks, "Date").filter(
    ({ entity }) =>
      entity.score >= 0.5 &&
      entity.value.year !== undefined &&
      (!offenceAt || completed(entity.value, seeing) > offenceAt.slice(0, 10)),
  );
  const labelled = (concepts: readonly ConceptId[]) => {
    const scores = new Map<unknown, number>();
    for (const { entity, score } of candidates(around, { concepts, types: ["Date"] }))
      scores.set(entity, Math.max(scores.get(entity) ?? 0, score));
    return (day: Sighting<"Date">) => scores.get(day.entity) ?? 0;
  };
  const [early, late, plain] = [
    labelled(["discountUntil", "discountedFine"]),
    labelled(["dueDate", "paymentTerm", "fineAmount", "fineTotal", "amountDue"]),
    labelled(["orderDate", "invoiceDate", "date", "issuedOn"]),
  ];
  const untilOf = (day: Sighting<"Date">): number => {
    const beside =
      discounted && discounted.clause.segments.includes(day.segment) && sameClause(around, day, discounted);
    return Math.max(early(day), beside ? 0.6 : 0);
  };
  const dueOf = (day: Sighting<"Date">): number => {
    const { text } = clauseAt(around, day.segment, day.entity.start);
    if (says("appeal", text) || (asksWhoDrove(text) && !says("paying", text))) return 0;
    return Math.max(late(day), says("due", text) ? 0.5 : 0) - (plain(day) > late(day) && plain(day) >= sure ? 0.4 : 0);
  };
  const until = first(days, untilOf);
  const due = first(
    days.filter(({ entity }) => entity !== until?.entity),
    dueOf,
  );
  const statement = first(days, (day) =>
    day.entity !== until?.entity && asksWhoDrove(clauseAt(around, day.segment, day.entity.start).text)
      ? sureOfWords
      : 0,
  );
  return {
    ...(until && { discountUntil: told(until, seeing) }),
    ...(due && { dueDate: told(due, seeing) }),
    ...(statement && { driverStatementUntil: told(statement, seeing) }),
  };
}

const sure = 0.4;
const sureOfWords = 0.7;

const asksWhoDrove = (text: string): boolean =>
  says("driver", text) && says("naming", text) && !says("discounted", text);

/** A day in the words of the sum: in its own clause, or in the label to its left. */
function sameClause(around: DocumentContext, day: Sighting<"Date">, { clause }: Sum): boolean {
  if (day.segment !== clause.segment) return true;
  const own = clauseAt(around, day.segment, day.entity.start);
  return own.start === clause.start;
}

function first(days: readonly Sighting<"Date">[], pointsOf: (day: Sighting<"Date">) => number): Day | undefined {
  const [best] = days.map((day) => ({ ...day, score: pointsOf(day) })).sort((a, b) => b.score - a.score);
  return best && best.score >= least ? best : undefined;
}

function told({ segment, entity, score }: Day, seeing: SeeingContext): FieldValue<string> {
  const piece = { segment, start: entity.start, end: entity.end };
  return new FieldValue(completed(entity.value, seeing), 0.4 + 0.55 * Math.min(1, score), piece);
}
