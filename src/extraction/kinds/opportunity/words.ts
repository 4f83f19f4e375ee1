import { findCountryNames, findCountryPairs, findPostalAreas } from "../../entities/coarse-places.ts";
import { byPosition } from "../../entities/line-spans.ts";
import type { Day } from "../../entities/calendar.ts";
import { findRelativeDates } from "../../entities/relative-dates.ts";
import { findReeferTemperatures, findShortDates, findShortAmounts } from "../../entities/shorthand.ts";
import type { Entity, DocumentLocale } from "../../entities/entity.ts";
import type { LocatedEntity } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { threatsIn } from "../transport.ts";

/** Whether a piece of a line stands between commas or the like, alone or with "ca." before it: "…, 12 pal, 60 days". */
export function standsAlone({ segment: { text }, entity: { start, end } }: LocatedEntity): boolean {
  const before = text.slice(0, start).replace(/(?:\b(?:ca|approx|about)\.?|~)\s*$/iu, "");
  return /(?:^|[.,;|:(–/-])\s*$/u.test(before) && /^\s*(?:$|[,;|)–/-]|\.(?!\d))/u.test(text.slice(end));
}

/**
 * The document as people read requests: with what is told in few letters or from the day of writing ("DE 34", "450e",
 * "Thursday"), and with its sentences read as well as its lists.
 */
export function withQuoteWords(around: DocumentContext, seeing: DocumentLocale): DocumentContext {
  const { annotations: marks } = around;
  const entitiesIn = marks.layout.segments.map(({ text, written = seeing.today }, at) => {
    around.budget.check();
    return seenAlso(text, marks.entitiesIn[at] ?? [], written, seeing);
  });
  return { ...around, prose: threatsIn(around), annotations: { ...marks, entitiesIn } };
}

function seenAlso(
  text: string,
  seen: readonly Entity[],
  written: Day,
  { languages, dateOrder }: DocumentLocale,
): Entity[] {
  const areas = findPostalAreas(text, seen);
  const kept = seen.filter((entity) => !areas.some((area) => rivals(area, entity)));
  const countries = [...findCountryPairs(text), ...findCountryNames(text, kept)].filter(
    (country) =>
      ![...areas, ...kept].some(
        ({ type, start, end }) => type === "Place" && start < country.end && end > country.start,
      ),
  );
  const placed = [...kept, ...areas, ...countries];
  const money = findShortAmounts(text, placed);
  const days = findShortDates(text, written, dateOrder === "MDY", [...placed, ...money]);
  const dated = [...placed, ...days].filter((entity) => !money.some((sum) => rivals(sum, entity)));
  const cold = findReeferTemperatures(text, dated);
  return [...dated, ...money, ...cold, ...findRelativeDates(text, written, languages, dated)].sort(byPosition);
}

/** What a clearer reading of the same letters replaces. */
function rivals(clear: Entity, other: Entity): boolean {
  return other.start < clear.end && other.end > clear.start && other.type !== "Company" && other.type !== "Email";
}
