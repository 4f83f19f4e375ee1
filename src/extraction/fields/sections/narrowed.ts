import type { Segment } from "../../layout/layout.ts";
import type { Annotations } from "../labels/annotations.ts";
import { keepSegments } from "../../layout/split.ts";
import type { DocumentContext } from "../labels/values.ts";

/** The surroundings with only some of their segments; what was seen in them stays seen. */
export function withSegments(document: DocumentContext, wanted: (segment: Segment) => boolean): DocumentContext {
  const { annotations } = document;
  const before = annotations.layout.segments.filter(wanted);
  const layout = keepSegments(annotations.layout, wanted);
  const labelsIn = before.map((old, at) =>
    (annotations.labelsIn[old.index] ?? []).map((label) => ({ ...label, segment: layout.segments[at]! })),
  );
  const labels = labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  const entitiesIn: Annotations["entitiesIn"] = before.map((old) => annotations.entitiesIn[old.index] ?? []);
  const prose = new Set(layout.segments.filter((_, at) => document.prose.has(before[at]!)));
  return { ...document, annotations: { layout, labels, labelsIn, entitiesIn }, prose };
}
