import type { ConceptId } from "../../lexicon/concepts.ts";
import type { SeeingContext } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { sightings, type Sighting } from "../../fields/labels/annotations.ts";
import { lineBelow } from "../../fields/labels/neighbours.ts";
import { indexAt } from "../../layout/page-index.ts";
import { candidates, type DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";

const besideClock = /^[\s,;.·/|–—-]*(?:\p{L}{1,8}[.:]?\s){0,3}[\s(,:]*$/u;
const otherDays: ReadonlySet<ConceptId> = new Set<ConceptId>([
  "orderDate",
  "dueDate",
  "discountUntil",
  "discountedFine",
  "fineAmount",
  "birthDate",
  "invoiceDate",
  "paymentTerm",
]);
const least = 0.3;

/** Day and hour of the offence: under its label, else the day that has a clock time beside it. */
export function offenceAtIn(around: DocumentContext, seeing: SeeingContext): FieldValue<string> | undefined {
  const dates = sightings(around.marks, "Date").filter(
    ({ entity }) => entity.score >= 0.5 && entity.value.year !== undefined,
  );
  const best = (concepts: readonly ConceptId[]) => {
    const scores = new Map<unknown, number>();
    for (const { entity, score } of candidates(around, { concepts, types: ["Date"] }))
      scores.set(entity, Math.max(score, scores.get(entity) ?? 0));
    return ({ entity }: Sighting) => scores.get(entity) ?? 0;
  };
  const ownOf = best(["offenceDate"]);
  const generalOf = best(["date", "time", "timeWindow", "offenceKind"]);
  const otherOf = best([...otherDays]);
  const weighed = dates.map((date) => {
    const time = timeBeside(around, date);
    const points =
      Math.max(ownOf(date), 0.3 * generalOf(date)) + (time ? 0.45 : 0) - (ownOf(date) > 0.3 ? 0 : 0.7 * otherOf(date));
    return { date, time, points, day: completed(date.entity.value, seeing) };
  });
  const [first] = weighed.sort((a, b) => b.points - a.points || (a.day < b.day ? -1 : 1));
  if (!first || first.points < least) return undefined;
  const time = first.time ?? candidates(around, { concepts: ["offenceTime", "time"], types: ["Time"] })[0];
  const minutes = time?.entity.value.from ?? time?.entity.value.to;
  const clock = minutes === undefined ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const { segment, entity } = first.date;
  const piece = { segment, start: entity.start, end: entity.end };
  return new FieldValue(first.day + clock, Math.min(0.97, 0.45 + 0.45 * first.points), piece);
}

const two = (value: number): string => String(value).padStart(2, "0");

/**
 * The clock time right behind the day, or before it, with only small words between; a gap or the end of a line may part
 * them.
 */
function timeBeside({ marks }: DocumentContext, { segment, entity }: Sighting<"Date">): Sighting<"Time"> | undefined {
  const times = sightings(marks, "Time", [segment]);
  const behind = times.find(
    (time) => time.entity.start >= entity.end && besideClock.test(segment.text.slice(entity.end, time.entity.start)),
  );
  const ahead = times.find(
    (time) => time.entity.end <= entity.start && besideClock.test(segment.text.slice(time.entity.end, entity.start)),
  );
  if (behind ?? ahead) return behind ?? ahead;
  const next =
    indexAt(marks.layout, segment)
      .rowOf(segment)
      .find(({ box }) => box.x0 >= segment.box.x1) ?? lineBelow(marks, segment);
  if (!next || !besideClock.test(segment.text.slice(entity.end))) return undefined;
  return sightings(marks, "Time", [next]).find((time) => besideClock.test(next.text.slice(0, time.entity.start)));
}
