import type { EntityOf } from "../../entities/entity.ts";
import type { Annotations } from "../labels/annotations.ts";
import type { TextSpan } from "../../layout/text-span.ts";

/**
 * Returns the name within a sentence: "Hill Freight Ltd" in "Please load at Hill Freight Ltd". It begins at the first
 * capital after the last lower-case word that cannot be part of a name.
 */
export function nameCore(span: TextSpan): TextSpan {
  const words = [...span.text.matchAll(/\S+/gu)];
  const small = words.findLastIndex(
    ([word], at) =>
      at < words.length - 1 &&
      ((/^\p{Ll}{3}/u.test(word) && !particle.test(word)) || (/[.!?]$/u.test(word) && word.length > 5)),
  );
  const first = words.findIndex(([word], at) => at > small && /^[^\p{Ll}]/u.test(word));
  const from = words[first]?.index ?? 0;
  return first <= 0 ? span : { ...span, start: span.start + from, text: span.text.slice(from) };
}

/** Returns the company name within a longer span. */
export function firmOf(annotations: Annotations, span: TextSpan): TextSpan {
  const firm = (annotations.entitiesIn[span.segment.index] ?? []).find(
    (entity): entity is EntityOf<"Company"> =>
      entity.type === "Company" && entity.start >= span.start - 1 && entity.end <= span.end + 1,
  );
  if (span.segment.lines > 1 || span.text.split(" ").length > 6) {
    const core = nameCore(span);
    return firm && core.start >= firm.end ? { ...span, start: firm.start, end: firm.end, text: firm.value } : core;
  }
  if (!firm || span.end - firm.end > 3) return span;
  return {
    ...span,
    start: firm.start,
    end: Math.max(firm.end, span.end),
    text: span.segment.text.slice(firm.start, Math.max(firm.end, span.end)),
  };
}

const particle =
  /^(?:&|and|und|et|y|e|i|de|da|do|du|di|del|della|la|le|les|van|von|der|den|des|dos|of|the|für|pour|para|dla|pro)$/u;
