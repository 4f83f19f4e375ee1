import { findCodes } from "../../fields/labels/codes.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Common } from "../../layout/split.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { thresholds } from "../scores.ts";
import { orderCodes } from "./number.ts";
import { scores } from "./scores.ts";

/**
 * Finds the segments at which the orders of a file start: titles with a new number, each followed by a loading and an
 * unloading before the next title. Empty if the whole file is one order.
 */
export function orderStarts(document: DocumentContext): Segment[] {
  const codes = orderCodes(document);
  const best =
    codes.find(({ concept, score }) => concept !== "reference" && score >= scores.number.minStart) ?? codes[0];
  if (!best) return [];
  const alike = findCodes(document, [best.concept]).filter(
    (code) =>
      code.score >= scores.number.minStart &&
      !document.prose.has(code.label.segment) &&
      isLikeTitle(document, code.label.segment, best.label.segment),
  );
  alike.sort((a, b) => a.label.index - b.label.index);
  const starts: { number: string; segment: Segment }[] = [];
  for (const { span, label } of alike) {
    if (!starts.some((start) => start.number === span.text)) starts.push({ number: span.text, segment: label.segment });
  }
  const whole = starts.every((start, index) =>
    loadsBetween(document, start.segment.index, starts[index + 1]?.segment.index ?? Number.MAX_SAFE_INTEGER),
  );
  return whole && starts.length > 1 ? starts.map((start) => start.segment) : [];
}

/**
 * Finds the segments that several orders on one page share. The letterhead belongs to all orders. So does the text
 * below the last order, if the orders contain nothing on its topics; a sum there belongs to none.
 */
export function commonToOrders(document: DocumentContext, starts: readonly Segment[]): Common {
  const { layout, labelsIn } = document.annotations;
  const [first, second] = starts;
  const last = starts.at(-1);
  if (!first || !second || !last || starts.some(({ page, part }) => page !== first.page || part !== first.part))
    return nothing;
  const head = layout.segments.filter(({ index, row }) => index < first.index && row < first.row);
  if (repeatsHead(layout.segments.slice(first.index), head)) return nothing;
  const countNamed = (from: number, to: number) =>
    new Set(layout.segments.slice(from, to).flatMap(({ index }) => topicsOf(labelsIn[index] ?? [])));
  const ofOrders = countNamed(first.index, second.index);
  const end = layout.segments.findLastIndex(
    ({ index }) => index >= last.index && topicsOf(labelsIn[index] ?? []).some((topic) => ofOrders.has(topic)),
  );
  const row = layout.segments[end]?.row ?? 0;
  const tail = layout.segments.slice(end + 1).filter(({ row: at, part }) => at > row && part === first.part);
  const summed = (segment: Segment) => isSum(labelsIn[segment.index] ?? []);
  return {
    ofAll: new Set([...head, ...tail.filter((segment) => !summed(segment))]),
    ofNone: new Set(tail.filter(summed)),
  };
}

const nothing: Common = { ofAll: new Set(), ofNone: new Set() };
const sums: ReadonlySet<ConceptId> = new Set(["totalPrice", "price", "netAmount", "grossAmount"]);

/** The sum of all orders belongs to no single order. */
const isSum = (labels: readonly Label[]) => topicsOf(labels).some((topic) => sums.has(topic));

const topicsOf = (labels: readonly Label[]): ConceptId[] =>
  labels.flatMap(({ standing, meanings }) =>
    standing === "Loose"
      ? []
      : meanings.flatMap(({ concept, weight }) => (weight >= thresholds.ambiguousMeaning ? [concept] : [])),
  );

/** Whether text of the first letterhead occurs again below it, so that each order has a letterhead of its own. */
function repeatsHead(below: readonly Segment[], head: readonly Segment[]): boolean {
  const texts = new Set(below.map(({ text }) => text));
  return head.some(({ text }) => text.length > 6 && texts.has(text));
}

function isLikeTitle(document: DocumentContext, segment: Segment, title: Segment): boolean {
  if (segment === title) return true;
  const phrase = (each: Segment) =>
    (document.annotations.labelsIn[each.index] ?? [])
      .map((label) => each.text.slice(label.start, label.end).toLowerCase())
      .join("|");
  return Math.abs(segment.box.x0 - title.box.x0) < 2 * title.size && phrase(segment) === phrase(title);
}

function loadsBetween(document: DocumentContext, from: number, to: number): boolean {
  const has = (concepts: readonly string[]) =>
    document.annotations.labels.some(
      ({ segment, standing, meanings }) =>
        segment.index >= from &&
        segment.index < to &&
        standing !== "Loose" &&
        meanings.some((each) => concepts.includes(each.concept)),
    );
  return has(["loading", "loadingPlace", "shipper"]) && has(["unloading", "unloadingPlace", "consignee"]);
}
