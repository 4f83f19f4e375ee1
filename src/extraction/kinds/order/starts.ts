import type { ConceptId } from "../../lexicon/concepts.ts";
import { findCodes } from "../../fields/labels/codes.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import type { Common } from "../../layout/split.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { orderCodes } from "./number.ts";

const sure = 0.45;

/**
 * Where the orders of a file begin: titles with a number that was not seen before, each with a loading of its own
 * before the next. One title or none: the whole file is one order.
 */
export function orderStarts(around: DocumentContext): Segment[] {
  const codes = orderCodes(around);
  const best = codes.find(({ concept, score }) => concept !== "reference" && score >= sure) ?? codes[0];
  if (!best) return [];
  const alike = findCodes(around, [best.concept]).filter(
    (code) =>
      code.score >= sure &&
      !around.prose.has(code.label.segment) &&
      likeTitle(around, code.label.segment, best.label.segment),
  );
  alike.sort((a, b) => a.label.index - b.label.index);
  const starts: { number: string; segment: Segment }[] = [];
  for (const { span: piece, label } of alike) {
    if (!starts.some((start) => start.number === piece.text))
      starts.push({ number: piece.text, segment: label.segment });
  }
  const whole = starts.every((start, index) =>
    loadsBetween(around, start.segment.index, starts[index + 1]?.segment.index ?? Number.MAX_SAFE_INTEGER),
  );
  return whole && starts.length > 1 ? starts.map((start) => start.segment) : [];
}

/**
 * Orders listed on one page under one letterhead: it is every one's, and so is what stands below the last order and is
 * of another kind than what the orders say themselves.
 */
export function commonToOrders(around: DocumentContext, starts: readonly Segment[]): Common {
  const { layout, labelsIn } = around.annotations;
  const [first, second] = starts;
  const last = starts.at(-1);
  if (!first || !second || !last || starts.some(({ page, part }) => page !== first.page || part !== first.part))
    return nothing;
  const head = layout.segments.filter(({ index, row }) => index < first.index && row < first.row);
  if (repeatsHead(layout.segments.slice(first.index), head)) return nothing;
  const told = (from: number, to: number) =>
    new Set(layout.segments.slice(from, to).flatMap(({ index }) => topicsOf(labelsIn[index] ?? [])));
  const ofOrders = told(first.index, second.index);
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

/** The sum of all orders is the price of none. */
const isSum = (labels: readonly Label[]) => topicsOf(labels).some((topic) => sums.has(topic));

const topicsOf = (labels: readonly Label[]): ConceptId[] =>
  labels.flatMap(({ standing, meanings }) =>
    standing === "Loose" ? [] : meanings.flatMap(({ concept, weight }) => (weight >= 0.6 ? [concept] : [])),
  );

/** A letterhead printed again with each order. */
function repeatsHead(below: readonly Segment[], head: readonly Segment[]): boolean {
  const texts = new Set(below.map(({ text }) => text));
  return head.some(({ text }) => text.length > 6 && texts.has(text));
}

/** The same words in the same place of the line as the order's own title. */
function likeTitle(around: DocumentContext, segment: Segment, title: Segment): boolean {
  if (segment === title) return true;
  const phrase = (each: Segment) =>
    (around.annotations.labelsIn[each.index] ?? [])
      .map((label) => each.text.slice(label.start, label.end).toLowerCase())
      .join("|");
  return Math.abs(segment.box.x0 - title.box.x0) < 2 * title.size && phrase(segment) === phrase(title);
}

function loadsBetween(around: DocumentContext, from: number, to: number): boolean {
  const has = (concepts: readonly string[]) =>
    around.annotations.labels.some(
      ({ segment, standing, meanings }) =>
        segment.index >= from &&
        segment.index < to &&
        standing !== "Loose" &&
        meanings.some((each) => concepts.includes(each.concept)),
    );
  return has(["loading", "loadingPlace", "shipper"]) && has(["unloading", "unloadingPlace", "consignee"]);
}
