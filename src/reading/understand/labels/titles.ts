import type { ConceptId } from "../../know/concepts.ts";
import type { Surroundings } from "./values.ts";

/** Whether one of these stands as a title: in the upper part of the first pages, in words that stand alone: "invoice to x@…" is none. */
export function titled(around: Surroundings, concepts: readonly ConceptId[]): boolean {
  return around.marks.labels.some((label) => {
    const height = around.marks.layout.pages[label.segment.page - 1]?.height ?? 842;
    const onTop = label.segment.page <= 2 && (label.segment.row < 12 || label.segment.box.y0 < height * 0.35);
    return (
      onTop &&
      label.standing !== "Loose" &&
      !around.prose.has(label.segment) &&
      !around.marks.entitiesIn[label.segment.index]?.some(({ type }) => type === "Email") &&
      label.meanings.some((each) => concepts.includes(each.concept) && each.weight >= 0.6)
    );
  });
}
