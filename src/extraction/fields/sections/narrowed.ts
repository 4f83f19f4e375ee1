import type { Segment } from "../../layout/layout.ts";
import type { Annotations } from "../labels/annotations.ts";
import { keeping } from "../../layout/split.ts";
import type { DocumentContext } from "../labels/values.ts";

/** The surroundings with only some of their segments; what was seen in them stays seen. */
export function narrowed(around: DocumentContext, wanted: (segment: Segment) => boolean): DocumentContext {
  const { marks } = around;
  const before = marks.layout.segments.filter(wanted);
  const layout = keeping(marks.layout, wanted);
  const labelsIn = before.map((old, at) =>
    (marks.labelsIn[old.index] ?? []).map((label) => ({ ...label, segment: layout.segments[at]! })),
  );
  const labels = labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  const entitiesIn: Annotations["entitiesIn"] = before.map((old) => marks.entitiesIn[old.index] ?? []);
  const prose = new Set(layout.segments.filter((_, at) => around.prose.has(before[at]!)));
  return { ...around, marks: { layout, labels, labelsIn, entitiesIn }, prose };
}
