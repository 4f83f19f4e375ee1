import { findLetters, lettersOf } from "../fields/find-value/letters.ts";
import { horizontalOverlap } from "../document/geometry.ts";
import { boxOf, type Segment } from "../layout/layout.ts";
import { indexAt } from "../layout/page-index.ts";
import { trimmedSpan, type TextRange } from "../layout/text-span.ts";
import { describeForm, parseForm, type ParsedValue } from "./forms.ts";
import type { Anchor, AnnotatedPage } from "./lesson.ts";

/** Words near a value that probably recur in other documents of the sender. */
interface Words extends TextRange {
  way: Anchor["way"];
  order: number;
  /** Score of how likely the words recur. */
  likelihood: number;
}

const mostAnchors = 2;
/** Further occurrences of a value are not examined. */
const mostPlaces = 30;
const mostWords = 6;
/** In letter heights: maximum distance of a value below the words, and maximum distance from its learned position. */
const [furthestBelow, furthestAside] = [8, 12];

/**
 * Creates anchors for a value from the words before it, to its left and above it; the most likely comes first. Leaves
 * out anchors from which the value cannot be parsed again.
 */
export function createAnchors(hits: readonly TextRange[], value: string | number, page: AnnotatedPage): Anchor[] {
  const near = hits
    .slice(0, mostPlaces)
    .flatMap((hit) => wordsNear(hit, page).map((words) => ({ hit, words })))
    .sort((a, b) => b.words.likelihood - a.words.likelihood);
  const anchors: Anchor[] = [];
  for (const { hit, words } of near) {
    const anchor = anchorBy(words, hit, value, page);
    if (anchor && readAnchor(anchor, page)?.value === value) anchors.push(anchor);
    if (anchors.length === mostAnchors) break;
  }
  return anchors;
}

function anchorBy(words: Words, hit: TextRange, value: string | number, page: AnnotatedPage): Anchor | undefined {
  const { layout } = page.annotations;
  const label = lettersOf(words.segment.text.slice(words.start, words.end));
  const stretch = valueStretch(words, hit);
  const form = describeForm(value, hit, stretch, page);
  if (!form || label.length < 2) return undefined;
  const pages = layout.pages.length;
  const where = words.segment.page === 1 ? "First" : words.segment.page === pages ? "Last" : "Any";
  const places = placesOf(label, where, page);
  const nth = places.findIndex(({ segment, end }) => segment === words.segment && end === words.end);
  if (nth < 0) return undefined;
  const from = boxOf(words.segment, words.start, words.end);
  const to = boxOf(hit.segment, stretch.start, hit.end);
  const size = words.segment.size || 1;
  return {
    label,
    nth,
    way: words.way,
    order: words.order,
    dx: tenths((to.x0 - from.x0) / size),
    dy: tenths((to.y0 - from.y0) / size),
    page: where,
    form,
  };
}

const tenths = (number: number) => Math.round(number * 10) / 10;

/**
 * The range in which the value is searched: the text after the words or, if the value is in another segment, that whole
 * segment.
 */
const valueStretch = ({ way, end }: Words, { segment }: TextRange): TextRange => ({
  segment,
  start: way === "Same" ? end : 0,
  end: segment.text.length,
});

function wordsNear(hit: TextRange, page: AnnotatedPage): Words[] {
  const { segment } = hit;
  const index = indexAt(page.annotations.layout, segment);
  const row = index.rowOf(segment);
  const at = row.indexOf(segment);
  const left = row.slice(0, at).flatMap((each, place) => fixedIn(each, page, "Right", at - place - 1));
  const { size, box } = segment;
  const above = index
    .between(box.y0 - furthestBelow * size, box.y0)
    .filter((each) => each !== segment && each.box.y1 <= box.y0 + size / 2 && horizontalOverlap(each.box, box) > 0)
    .flatMap((each) => fixedIn(each, page, "Below", 0, (box.y0 - each.box.y1) / size));
  return [...before(hit, page), ...left, ...above];
}

function before({ segment, start }: TextRange, page: AnnotatedPage): Words[] {
  const text = segment.text.slice(0, start);
  const words = /(?:[^\s\d]+\s+){0,5}[^\s\d]+\s*$/u.exec(text)?.[0] ?? "";
  return fixed(segment, start - words.length, start, page, "Same", 0, 0);
}

const fixedIn = (segment: Segment, page: AnnotatedPage, way: Anchor["way"], order: number, gap = 0) => {
  const words = /^[^\s\d]\D*/u.exec(segment.text)?.[0] ?? "";
  return fixed(segment, 0, words.length, page, way, order, gap);
};

const likelihoods = {
  way: { Same: 1.5, Right: 1, Below: 0.5 },
  label: 1,
  colon: 1,
  /** For words in a company, place or street with at least this score. */
  named: { likelihood: -1.5, leastScore: 0.7 },
  perOrder: -0.4,
  perGap: -0.15,
};

/** Labels and words before a colon probably recur; names and towns do not. */
function fixed(
  segment: Segment,
  start: number,
  end: number,
  page: AnnotatedPage,
  way: Anchor["way"],
  order: number,
  gap: number,
): Words[] {
  const span = trimmedSpan(segment, start, end);
  const words = span.text.split(" ").length;
  if (lettersOf(span.text).length < 2 || words > mostWords) return [];
  const isLabel = (page.annotations.labelsIn[segment.index] ?? []).some(
    (label) => label.start < span.end && label.end > span.start,
  );
  const isNamed = (page.annotations.entitiesIn[segment.index] ?? []).some(
    ({ type, score, start: from, end: to }) =>
      (type === "Company" || type === "Place" || type === "Street") &&
      score >= likelihoods.named.leastScore &&
      from < span.end &&
      to > span.start,
  );
  const hasColon = /^\s*[:：]/u.test(segment.text.slice(span.end));
  const likelihood =
    likelihoods.way[way] +
    (isLabel ? likelihoods.label : 0) +
    (hasColon ? likelihoods.colon : 0) +
    (isNamed ? likelihoods.named.likelihood : 0) +
    order * likelihoods.perOrder +
    gap * likelihoods.perGap;
  return [{ segment, start: span.start, end: span.end, way, order, likelihood }];
}

function placesOf(label: string, where: Anchor["page"], { annotations }: AnnotatedPage): TextRange[] {
  const { segments, pages } = annotations.layout;
  const wanted = { letters: label, tail: "" };
  return segments
    .filter(({ page }) => where === "Any" || page === (where === "First" ? 1 : pages.length))
    .flatMap((segment) => {
      const found = findLetters(segment, wanted);
      return found ? [{ segment, ...found }] : [];
    });
}

/** Parses the value at the anchor; undefined if there is none in the anchor's form. */
export function readAnchor(anchor: Anchor, page: AnnotatedPage): ParsedValue | undefined {
  const place = placesOf(anchor.label, anchor.page, page)[anchor.nth];
  const stretch = place && pointedAt(anchor, place, page);
  return stretch && parseForm(anchor.form, stretch, page);
}

function pointedAt({ way, order, dx, dy }: Anchor, place: TextRange, page: AnnotatedPage): TextRange | undefined {
  const { segment, start, end } = place;
  if (way === "Same") return { segment, start: end, end: segment.text.length };
  const index = indexAt(page.annotations.layout, segment);
  if (way === "Right") {
    const row = index.rowOf(segment);
    const beside = row[row.indexOf(segment) + order + 1];
    return beside && { segment: beside, start: 0, end: beside.text.length };
  }
  const from = boxOf(segment, start, end);
  const size = segment.size || 1;
  const off = ({ box }: Segment) =>
    Math.abs((box.y0 - from.y0) / size - dy) * 2 + Math.min(Math.abs((box.x0 - from.x0) / size - dx), furthestAside);
  const [best] = index
    .between(from.y1, from.y1 + (furthestBelow + 2) * size)
    .filter(
      (each) =>
        each.box.y0 >= from.y1 - size / 2 && horizontalOverlap(each.box, from) + horizontalOverlap(from, each.box) >= 0,
    )
    .map((each) => ({ each, off: off(each) }))
    .filter((one) => one.off < furthestAside)
    .sort((a, b) => a.off - b.off);
  return best && { segment: best.each, start: 0, end: best.each.text.length };
}
