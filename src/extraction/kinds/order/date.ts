import type { ConceptId } from "../../lexicon/concepts.ts";
import { labelOf } from "../../fields/labels/line-label.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { meaning, sightings, type Sighting } from "../../fields/labels/annotations.ts";
import { candidates } from "../../fields/labels/values.ts";
import { completed } from "../../fields/route/windows.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Span } from "../../entities/entity.ts";
import type { Understanding } from "../transport.ts";

const general: ReadonlySet<ConceptId> = new Set(["date", "titleTransportOrder", "orderNumber", "orderDate", "place"]);
const headRows = 14;
const written: ReadonlySet<ConceptId> = new Set(["orderDate"]);
/** Weaker words tell when the paper was printed. */
const sureWord = 0.6;

/** The day the order was written: under its label, else the first date above the stops that nothing else claims. */
export function orderDateOf({ around, route, seeing }: Understanding): FieldValue<string> | undefined {
  const ownerless = ({ segment, entity }: Sighting<"Date">) => !route.owner(segment, entity.start);
  const dated = candidates(around, { concepts: ["orderDate"], types: ["Date"] }).filter(({ score }) => score >= 0.4);
  const labelled =
    dated.find(({ label }) => meaning(label, written) >= sureWord) ??
    candidates(around, { concepts: ["date"], types: ["Date"] }).find(
      (each) => each.score >= 0.5 && ownerless(each) && !route.owner(each.label.segment, each.label.start),
    );
  if (labelled) return found(labelled, labelled.score);
  const first = Math.min(
    ...route.stops.map(
      (stop) => stop.heads[0]?.label.segment.index ?? stop.address?.first.segment.index ?? Number.MAX_SAFE_INTEGER,
    ),
  );
  const free = sightings(around.marks, "Date").find(({ segment, entity }) => {
    const firstPage = around.marks.layout.pages.find((page) => page.part === segment.part)?.number;
    if (segment.page !== firstPage || segment.row > headRows || entity.value.year === undefined || entity.score < 0.4)
      return false;
    if (route.owner(segment, entity.start)) return false;
    const label = labelOf(around.marks, segment, entity.start);
    return (
      (!label || label.meanings.some((each) => general.has(each.concept))) &&
      (segment.index < first || label !== undefined)
    );
  });
  if (free) return found(free, 0.6);
  const foot = sightings(around.marks, "Date").findLast(
    ({ segment, entity }) =>
      entity.value.year !== undefined &&
      entity.score >= 0.4 &&
      !route.owner(segment, entity.start) &&
      signsAt(around, segment, entity),
  );
  if (foot && dated.length === 0) return found(foot, 0.5);
  const [printed] = dated;
  return printed && found(printed, printed.score);

  function found({ segment, entity }: Sighting<"Date">, score: number): FieldValue<string> {
    return new FieldValue(completed(entity.value, seeing), score, { segment, start: entity.start, end: entity.end });
  }
}

/** "Szeged, 20.11.2026": nothing but a town and the day, as letters are signed. */
function signsAt({ prose }: Understanding["around"], segment: Segment, { start, end }: Span): boolean {
  const [before, after] = [segment.text.slice(0, start), segment.text.slice(end)];
  return (
    !prose.has(segment) &&
    /^\p{Lu}[\p{L}\p{M} .-]{2,30},? (?:\p{Ll}{1,3} )?$/u.test(before) &&
    /^\W*\p{L}?\W*$/u.test(after)
  );
}
