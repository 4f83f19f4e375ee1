import { byPosition } from "../entities/line-spans.ts";
import { findRelativeDates } from "../entities/relative-dates.ts";
import { findShortDates } from "../entities/shorthand.ts";
import type { Day } from "../entities/calendar.ts";
import type { DocumentLocale, Entity } from "../entities/entity.ts";
import type { DocumentContext } from "./labels/values.ts";

/**
 * Adds the short dates of orders in the style of a mail: "laden 23/11", "Thursday at 8", "tomorrow". They have no year, so
 * that they are not taken for the date of the order.
 */
export function withShortDates(document: DocumentContext, locale: DocumentLocale): DocumentContext {
  const { annotations } = document;
  const entitiesIn = annotations.layout.segments.map(({ text, written = locale.today }, at): Entity[] => {
    document.budget.check();
    const seen = withoutChatStamps(text, annotations.entitiesIn[at] ?? []);
    const days = findShortDates(text, written, locale.dateOrder === "MDY", seen).map((day) =>
      withoutYear(day, written),
    );
    const dated = [...seen, ...days];
    const relative = findRelativeDates(text, written, locale.languages, dated);
    return [...dated, ...relative.map((day) => withoutYear(day))].sort(byPosition);
  });
  return { ...document, annotations: { ...annotations, entitiesIn } };
}

function withoutYear(entity: Entity, anchor?: Day): Entity {
  if (entity.type !== "Date" || entity.value.until) return entity;
  const { year, month, day } = entity.value;
  return { ...entity, value: { month, day, anchor: anchor ?? { year: year!, month, day } } };
}

/** "[11.03. 15:12] Name:", "12/05/2026 08:06 - Name:": when a message of a chat was sent. */
const chatStamp =
  /\[[\d./, :-]*\d{1,2}:\d{2}(?::\d{2})?(?: [ap]m)?\](?=\s?~?\p{Lu}[^:\n]{1,50}:)|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d{2}(?::\d{2})? [-–] (?=\p{Lu}[^:\n]{1,50}:)/giu;

/** Removes the days and hours at which messages were sent. */
export function withoutChatStamps(text: string, entities: readonly Entity[]): readonly Entity[] {
  const stamps = Array.from(text.matchAll(chatStamp), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  return stamps.length === 0
    ? entities
    : entities.filter(
        ({ type, start, end }) =>
          (type !== "Date" && type !== "Time") || !stamps.some((stamp) => start < stamp.end && end > stamp.start),
      );
}
