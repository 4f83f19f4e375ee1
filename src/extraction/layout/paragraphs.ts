import type { Token } from "../document/document.ts";
import { findLabels } from "../lexicon/lexicon.ts";
import { boundingBox } from "../document/geometry.ts";
import { longestSegment, textOf, type Segment } from "./segment.ts";

/** Minimum number of letters of a line within a paragraph. Shorter lines are list entries or addresses. */
const proseLetters = 48;
const startsItem =
  /^(?:\(?\d{1,2}(?:\.\d{1,2})*[.)](?=\s|$)|\(?[a-z][.)](?=\s|$)|[-–•*·▪►>§]|art(?:icle|ikel|\.)?\s)/iu;
/**
 * The next line does not continue a line that ends with a colon or semicolon, or the caption of a numbered box such as
 * "2 Consignee (name, address, country)".
 */
const endsItem = /[:;]$|^\(?\d{0,2}[.)]?\s?[^.]{3,60}\([^()\d]{5,60}\)$/u;
/** A postal code at the end of a line. Its town is on the next line. */
const endsInPostcode =
  /(?:^|[\s,;])(?:\p{Lu}{1,2}[- ])?(?:\d{4,6}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{4} [A-Z]{2})$/u;
const startsTown = /^\p{Lu}\p{Ll}{2}[\p{L} .'’-]*(?:$|[,;(])/u;
/**
 * A lower-case first word, which continues a sentence. Abbreviations such as "ul." and "tel." do not match, because
 * they begin a separate line.
 */
const startsSmall = /^\p{Ll}[\p{Ll}\p{M}'’]*[,;)]?(?:\s|$)/u;
/** Maximum number of words of a paragraph. Appending a line takes time in proportion to the lines before it. */
const longestParagraph = 600;
/**
 * A label with a colon at the start of a line. It contains no full stop, so that "at the gate. Goods: tiles" does not
 * match.
 */
const labelled = /^(?:(?!(?:\p{Ll}{3}|\d|\))[.!?]\s+\p{Lu})[^:]){2,40}:(?:\s|$)/u;

/** Minimum and maximum distance between two lines of a paragraph, in letter heights. */
const [leastLeading, mostLeading] = [-0.5, 0.95];
const sizeTolerance = 0.12;
/**
 * In letter heights: maximum distance of baselines within a line, maximum difference of left edges, and maximum indent
 * of a first line or list item.
 */
const [sameLine, sameEdge, indent] = [0.6, 0.6, 3.5];
/** Width of a space in letter heights, and the minimum share of the column that a full line covers. */
const [wordSpace, fullLine] = [0.2, 0.9];

/**
 * Joins the lines of running prose into one segment, so that a date or address that is broken by a line end is found
 * whole. A line continues if the first word of the next line would not have fitted on it, or is in lower case.
 */
export function joinParagraphs(rows: Segment[][]): Segment[][] {
  const edges = rightEdges(rows);
  const joined: Segment[][] = [];
  for (const row of rows) {
    const above = joined.slice(-2).flat();
    const rest = row.filter((segment) => {
      const before = above.find((candidate) => goesOn(candidate, segment, row, edges));
      if (before) append(before, segment);
      return !before;
    });
    if (rest.length > 0) joined.push(rest);
  }
  return joined;
}

/** The right edge of a column is the rightmost end of all lines with about the same left edge. */
function rightEdges(rows: readonly Segment[][]): (segment: Segment) => number {
  const edges = new Map<number, number>();
  const key = (segment: Segment) => Math.round(lastLineStart(segment) / 4);
  for (const segment of rows.flat()) {
    const edge = key(segment);
    edges.set(edge, Math.max(edges.get(edge) ?? 0, segment.box.x1));
  }
  return (segment) => Math.max(...[-1, 0, 1].map((near) => edges.get(key(segment) + near) ?? 0), segment.box.x1);
}

function lastLine(segment: Segment): Token[] {
  const last = segment.tokens.at(-1);
  return last ? segment.tokens.filter((token) => Math.abs(token.y1 - last.y1) < last.size * sameLine) : [];
}

function lastLineStart(segment: Segment): number {
  return Math.min(...lastLine(segment).map((token) => token.x0));
}

function goesOn(
  before: Segment,
  after: Segment,
  row: readonly Segment[],
  edgeOf: (segment: Segment) => number,
): boolean {
  if (before.tokens.length > longestParagraph || before.text.length + after.text.length >= longestSegment) return false;
  const [last, next] = [lastLine(before), after.tokens[0]];
  if (!next || last.length === 0 || !sameColumn(before, after)) return false;
  if (startsItem.test(after.text) || endsItem.test(before.text) || labelled.test(after.text)) return false;
  if (before.band?.y0 !== after.band?.y0 || before.band?.y1 !== after.band?.y1) return false;
  const line = boundingBox(last);
  const leading = after.box.y0 - line.y1;
  if (leading < leastLeading * after.size || leading > mostLeading * after.size) return false;
  if (Math.abs(before.size - after.size) > sizeTolerance * after.size || before.bold !== after.bold) return false;
  const letters = last.reduce((sum, token) => sum + token.text.length + 1, 0);
  const edge = edgeOf(before);
  const full =
    line.x1 + (next.x1 - next.x0) + wordSpace * next.size > edge || line.x1 - line.x0 > fullLine * (edge - line.x0);
  if (full && letters > proseLetters / 2 && endsInPostcode.test(before.text) && startsTown.test(after.text))
    return true;
  if (besideLabel(after, row) || listed(before, after) || besideSum(after, row)) return false;
  if (isCaption(after.text, before.text) || (next.text.includes("@") && /\d$/u.test(before.text))) return false;
  if (before.text.endsWith(",") && row.length <= 2) return true;
  if (before.lines > 1 && !/[.!?]$/u.test(before.text) && before.text.length > 2 * proseLetters) return true;
  if (full && startsSmall.test(after.text) && letters > proseLetters / 2) return true;
  const sentenceEnded = /[.!?]$/u.test(before.text) && letters < proseLetters;
  return letters >= proseLetters && full && !sentenceEnded && row.length <= 2;
}

/** Whether the text is a label alone, a label before a number, or an entry of a list of labels and values. */
function isCaption(text: string, above: string): boolean {
  if (!/^\p{Lu}/u.test(text)) return false;
  const end = captionEnd(text);
  if (end === 0) return false;
  const rest = text.slice(end);
  return /^[\s\p{P}]*$/u.test(rest) || /^\W*\d/u.test(rest) || (/^ \p{Lu}/u.test(rest) && captionEnd(above) > 0);
}

/** 0 if no label begins the line. */
function captionEnd(text: string): number {
  const hits = findLabels(text.slice(0, longestCaption)).filter(
    ({ start, weight }) => start === 0 && weight >= labelWeight,
  );
  return Math.max(0, ...hits.map(({ end }) => end));
}

const longestCaption = 32;
const labelWeight = 0.6;

/** Whether `before` is an entry such as "Label: value" that `after` does not continue. */
function listed(before: Segment, after: Segment): boolean {
  return (
    before.lines === 1 &&
    labelled.test(before.text) &&
    before.text.length < 2 * proseLetters &&
    !before.text.endsWith(",") &&
    !startsSmall.test(after.text)
  );
}

/** A short text to the left makes the segment a separate field. */
function besideLabel(after: Segment, row: readonly Segment[]): boolean {
  const left = row[row.indexOf(after) - 1];
  return left !== undefined && !after.cell && left.text.length < 28;
}

/** A short description with an amount to its right is a separate field. */
function besideSum(after: Segment, row: readonly Segment[]): boolean {
  const right = row[row.indexOf(after) + 1];
  return right !== undefined && after.text.length < proseLetters && sum.test(right.text);
}

const sum = /^(?:[€$£]|\p{Lu}{3}(?!\p{L})) ?\d|^\d[\d ., ]*(?:[€$£]|\p{Lu}{3}(?!\p{L}))/u;

function sameColumn(before: Segment, after: Segment): boolean {
  if (before.cell || after.cell) {
    const same = before.cell?.table === after.cell?.table && before.cell?.row === after.cell?.row;
    if (!same || before.cell?.column !== after.cell?.column) return false;
  }
  const shift = after.box.x0 - lastLineStart(before);
  const hanging = before.lines === 1 && startsItem.test(before.text) && shift > 0 && shift < indent * after.size;
  const indented = before.lines === 1 && shift < 0 && shift > -indent * after.size;
  return Math.abs(shift) < sameEdge * after.size || hanging || indented;
}

function append(before: Segment, after: Segment): void {
  before.tokens = [...before.tokens, ...after.tokens];
  Object.assign(before, textOf(before.tokens), { box: boundingBox(before.tokens), lines: before.lines + after.lines });
}
