import { byPosition } from "../entities/line-spans.ts";
import { findRelativeDates } from "../entities/relative-dates.ts";
import { findShortDates } from "../entities/shorthand.ts";
import type { DocumentLocale, Entity } from "../entities/entity.ts";
import type { DocumentContext } from "./labels/values.ts";

/** Adds the short dates of orders in the style of a mail: "laden 23/11", "Thursday at 8", "tomorrow". */
export function withShortDates(document: DocumentContext, locale: DocumentLocale): DocumentContext {
  const { annotations } = document;
  const entitiesIn = annotations.layout.segments.map(({ text, written = locale.today }, at): Entity[] => {
    document.budget.check();
    const seen = annotations.entitiesIn[at] ?? [];
    const days = findShortDates(text, written, locale.dateOrder === "MDY", seen).map((entity) =>
      entity.type === "Date"
        ? { ...entity, value: { month: entity.value.month, day: entity.value.day, anchor: written } }
        : entity,
    );
    const dated = [...seen, ...days];
    const relative = findRelativeDates(text, written, locale.languages, dated).map((entity) => {
      if (entity.type !== "Date" || entity.value.until) return entity;
      const { year, month, day } = entity.value;
      return { ...entity, value: { month, day, anchor: { year: year!, month, day } } };
    });
    return [...dated, ...relative].sort(byPosition);
  });
  return { ...document, annotations: { ...annotations, entitiesIn } };
}
