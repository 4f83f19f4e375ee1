import type { ConceptId } from "../../lexicon/concepts.ts";
import type { SeeingContext } from "../../entities/entity.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import type { Segment } from "../../layout/layout.ts";
import { sightings, type Sighting } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";

const nearestRows = 3;
/** A time printed once on the whole slip is the time of its day, however far off. */
const farthestRows = 30;

/** The day with the clock time printed beside it or close to it. */
export function momentIn(around: DocumentContext, seeing: SeeingContext): FieldValue<string> | undefined {
  const days = sightings(around.marks, "Date").filter(({ entity }) => entity.score >= 0.4);
  const times = sightings(around.marks, "Time").filter(
    ({ entity, segment }) =>
      entity.value.from !== undefined &&
      entity.score >= 0.4 &&
      /\d[:.h]\s?\d\d/i.test(segment.text.slice(entity.start, entity.end)) &&
      !isUntil(around, segment, entity.start),
  );
  const away = (day: Sighting<"Date">, time: Sighting<"Time">) =>
    day.segment.page === time.segment.page ? Math.abs(day.segment.row - time.segment.row) : Number.POSITIVE_INFINITY;
  const full = days.filter(({ entity }) => entity.value.year !== undefined);
  const pairs = (full.length > 0 ? full : days).flatMap((day) =>
    times.map((time) => ({ day, time, rows: away(day, time) })),
  );
  const least = Math.min(...pairs.map(({ rows }) => rows));
  const closest =
    least > (times.length === 1 ? farthestRows : nearestRows)
      ? undefined
      : pairs.filter(({ rows }) => rows === least).reduce((a, b) => (isLater(b, a) ? b : a));
  const day = closest?.day ?? days.find(({ entity }) => entity.value.year !== undefined) ?? days[0];
  if (!day) return undefined;
  const minutes = closest?.time.entity.value.from;
  const date = completed(day.entity.value, seeing);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock =
    minutes === undefined || minutes >= 1440 ? "" : `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return new FieldValue(date + clock, closest ? 0.85 : 0.7, {
    segment: day.segment,
    start: day.entity.start,
    end: day.entity.end,
  });
}

type Moment = { day: Sighting<"Date">; time: Sighting<"Time"> };

/** Where one drives in and out again, one pays when driving out. */
function isLater(one: Moment, other: Moment): boolean {
  const [a, b] = [one, other].map(({ day: { entity }, time }) => {
    const { year = 0, month, day } = entity.value;
    return ((year * 12 + month) * 31 + day) * 1440 + (time.entity.value.from ?? 0);
  });
  return (a ?? 0) > (b ?? 0);
}

const until: ReadonlySet<ConceptId> = new Set(["validTo", "dueDate", "dateTo", "expiresOn", "paymentTerm"]);

/** A ticket is valid until later than it was paid. */
function isUntil({ marks }: DocumentContext, segment: Segment, at: number): boolean {
  return (marks.labelsIn[segment.index] ?? []).some(
    ({ end, meanings }) =>
      end <= at &&
      at - end <= farthestWords &&
      meanings.some(({ concept, weight }) => until.has(concept) && weight >= 0.6),
  );
}

const farthestWords = 16;
