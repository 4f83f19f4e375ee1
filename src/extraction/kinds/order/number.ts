import type { ConceptId } from "../../lexicon/concepts.ts";
import { findCodes, type Code } from "../../fields/labels/codes.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType, type Label } from "../../fields/labels/annotations.ts";
import type { Route } from "../../fields/route/stops.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import type { Segment } from "../../layout/layout.ts";
import type { Common } from "../../layout/split.ts";

const concepts: readonly ConceptId[] = ["orderNumber", "titleTransportOrder", "reference"];
const headRows = 8;

/** The customer's number of the order: behind its label, in the title, or the only code at the top of the page. */
export function orderNumberOf(document: DocumentContext, route: Route, subject = ""): FieldValue<string> | undefined {
  const codes = orderCodes(document).filter(
    ({ concept, span: piece, label }) =>
      (concept !== "reference" && !inPassing(label)) || !route.owner(piece.segment, piece.start),
  );
  const elsewhere = codes.find(
    ({ concept, span: piece, score }) =>
      concept !== "reference" && score >= 0.35 && !route.owner(piece.segment, piece.start),
  );
  const [first] = codes;
  const atStop = first !== undefined && route.owner(first.span.segment, first.span.start) !== undefined;
  const best =
    first?.label.standing === "Head" && !(atStop && elsewhere && isClose(elsewhere, first))
      ? first
      : (elsewhere ?? first);
  const sent = numberInSubject(document, subject);
  if (
    sent &&
    (!best || sent.value === best.span.text || !isOwn(best) || route.owner(best.span.segment, best.span.start))
  )
    return sent;
  if (best && best.score >= 0.35) return new FieldValue(best.span.text, best.score, best.span);
  const onTop = entitiesOfType(document.annotations, "Reference").find(
    ({ segment, entity }) =>
      segment.page === 1 && segment.row < headRows && !document.prose.has(segment) && /\d{3}/.test(entity.value),
  );
  return (
    onTop &&
    new FieldValue(onTop.entity.value, 0.4, {
      segment: onTop.segment,
      start: onTop.entity.start,
      end: onTop.entity.end,
    })
  );
}

/** A word for the order's own number, standing as a label. */
const isOwn = ({ concept, label, score }: Code) =>
  concept !== "reference" && label.standing !== "Loose" && score >= minOwnScore;
const minOwnScore = 0.6;

/** At a stop "order no." is the number of somebody else's order. */
const isClose = (elsewhere: Code, first: Code) => elsewhere.score > 0.6 * first.score;

/** "Say number 80424122 at the gate": any number, not the order's. */
function inPassing({ standing, meanings }: Label): boolean {
  return standing === "Loose" && !meanings.some(({ concept, weight }) => concept === "orderNumber" && weight >= 0.5);
}

/** Codes that may be the order's number; those in the upper part of the document weigh more. */
export function orderCodes(document: DocumentContext): Code[] {
  const topRow = (code: Code) => code.span.segment.row + 60 * (code.span.segment.page - 1);
  return findCodes(document, concepts)
    .filter((code) => !document.prose.has(code.span.segment) || code.label.standing !== "Loose" || code.score > 0.5)
    .map((code) => ({ ...code, score: code.score * (1 - Math.min(0.3, topRow(code) / 200)) }))
    .sort((a, b) => b.score - a.score);
}

const code = /^(?:\p{Lu}{1,4}[ :])?(?=[\p{L}\p{N}/._-]*\d{2})[\p{L}\p{N}][\p{L}\p{N}/._-]{2,30}/u;
const between = /^[\s:.#№=(*–—-]*(?:(?:nr|no|n|num|number|č|št|br|бр|№)(?:[.:°º#\s]+))?/iu;
const apart =
  /(?<![\p{L}\p{N}/._-])(?:\p{Lu}{2,4} )?(?=[\p{L}\p{N}/-]*\d{3})[\p{L}\p{N}][\p{L}\p{N}]*(?:[/-][\p{L}\p{N}]+)*(?![\p{L}\p{N}]|[./-]\d)/gu;
/** Days and weights are no numbers of orders. */
const other = /^(?:\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{2}|\d{4}))?|\d{4}-\d{2}-\d{2}|\d[\d.,]*(?:t|to|kg|km|ldm|m))$/iu;
const [labelled, printedToo, seldom] = [0.7, 0.6, 3];

/**
 * The number a mail's subject names: behind a word for an order, else the only code in it that the mail itself prints
 * again. Its place is where the mail prints it.
 */
function numberInSubject(document: DocumentContext, subject: string): FieldValue<string> | undefined {
  const named = behindWord(subject);
  if (named) return new FieldValue(named, labelled, pieceOf(document, named));
  const codes = [...subject.matchAll(apart)].map(([text]) => text).filter((text) => !other.test(text));
  const printed = codes.filter((text) => text.length > seldom && pieceOf(document, text));
  const [only] = printed;
  return only && printed.length === 1 ? new FieldValue(only, printedToo, pieceOf(document, only)) : undefined;
}

const naming: ReadonlySet<ConceptId> = new Set(["orderNumber", "titleTransportOrder", "bookingNumber"]);

function behindWord(subject: string): string | undefined {
  for (const { concept, weight, end } of findLabels(subject)) {
    if (!naming.has(concept) || weight < 0.5) continue;
    const rest = subject.slice(end);
    const skipped = between.exec(rest)?.[0].length ?? 0;
    const number = code.exec(rest.slice(skipped))?.[0].replace(/[._/-]+$/u, "");
    if (number && !other.test(number)) return number;
  }
  return undefined;
}

function pieceOf({ annotations: marks }: DocumentContext, text: string) {
  for (const segment of marks.layout.segments) {
    const start = segment.text.indexOf(text);
    if (start >= 0) return { segment, start, end: start + text.length, text };
  }
  return undefined;
}

const sure = 0.45;

/**
 * Where the orders of a file begin: titles with a number that was not seen before, each with a loading of its own
 * before the next. One title or none: the whole file is one order.
 */
export function orderStarts(document: DocumentContext): Segment[] {
  const codes = orderCodes(document);
  const best = codes.find(({ concept, score }) => concept !== "reference" && score >= sure) ?? codes[0];
  if (!best) return [];
  const alike = findCodes(document, [best.concept]).filter(
    (code) =>
      code.score >= sure &&
      !document.prose.has(code.label.segment) &&
      likeTitle(document, code.label.segment, best.label.segment),
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
 * Orders listed on one page under one letterhead: it is every one's, and so is what stands below the last order and is
 * of another kind than what the orders say themselves.
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
function likeTitle(document: DocumentContext, segment: Segment, title: Segment): boolean {
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
