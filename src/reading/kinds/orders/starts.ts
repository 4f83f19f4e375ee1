import { codesFor } from "../../understand/codes.ts";
import type { Segment } from "../../understand/layout.ts";
import type { Surroundings } from "../../understand/values.ts";
import { orderCodes } from "./number.ts";

const sure = 0.45;

/**
 * Where the orders of a file begin: titles with a number that was not seen before, each with a loading of its own
 * before the next. One title or none: the whole file is one order.
 */
export function orderStarts(around: Surroundings): Segment[] {
  const codes = orderCodes(around);
  const best = codes.find(({ concept, score }) => concept !== "reference" && score >= sure) ?? codes[0];
  if (!best) return [];
  const alike = codesFor(around, [best.concept]).filter(
    (code) =>
      code.score >= sure &&
      !around.prose.has(code.label.segment) &&
      likeTitle(around, code.label.segment, best.label.segment),
  );
  alike.sort((a, b) => a.label.index - b.label.index);
  const starts: { number: string; segment: Segment }[] = [];
  for (const { piece, label } of alike) {
    if (!starts.some((start) => start.number === piece.text))
      starts.push({ number: piece.text, segment: label.segment });
  }
  const whole = starts.every((start, index) =>
    loadsBetween(around, start.segment.index, starts[index + 1]?.segment.index ?? Number.MAX_SAFE_INTEGER),
  );
  return whole && starts.length > 1 ? starts.map((start) => start.segment) : [];
}

/** The same words in the same place of the line as the order's own title. */
function likeTitle(around: Surroundings, segment: Segment, title: Segment): boolean {
  if (segment === title) return true;
  const phrase = (each: Segment) =>
    (around.marks.labelsIn[each.index] ?? [])
      .map((label) => each.text.slice(label.start, label.end).toLowerCase())
      .join("|");
  return Math.abs(segment.box.x0 - title.box.x0) < 2 * title.size && phrase(segment) === phrase(title);
}

function loadsBetween(around: Surroundings, from: number, to: number): boolean {
  const has = (concepts: readonly string[]) =>
    around.marks.labels.some(
      ({ segment, standing, meanings }) =>
        segment.index >= from &&
        segment.index < to &&
        standing !== "Loose" &&
        meanings.some((each) => concepts.includes(each.concept)),
    );
  return has(["loading", "loadingPlace", "shipper"]) && has(["unloading", "unloadingPlace", "consignee"]);
}
