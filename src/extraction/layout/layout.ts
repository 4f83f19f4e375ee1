import type { Box, OpenedDocument, Page, Part, Token } from "../document/document.ts";
import type { Budget } from "../problem.ts";
import { findLabels } from "../lexicon/lexicon.ts";
import { boundingBox, median, verticalOverlap } from "../document/geometry.ts";
import { joinParagraphs } from "./paragraphs.ts";
import { joinSpacedLetters, stillApart } from "./spaced-letters.ts";
import { longestSegment, textOf, type Segment } from "./segment.ts";
import { limitText } from "./text-limit.ts";

export { boxOf, textOf, tokensOf, type Owned, type Segment } from "./segment.ts";

export interface LaidOutPage {
  number: number;
  part: number;
  width: number;
  height: number;
  /** The rows from top to bottom, each with its segments from left to right. */
  rows: Segment[][];
  scanned: boolean;
}

/** The document as rows of segments, page by page. */
export interface Layout {
  pages: LaidOutPage[];
  /** All segments, in the order of pages, rows and positions within the row. */
  segments: Segment[];
  parts: Part[];
}

/** Minimum gap between columns, in letter heights. A space between words is about a quarter of the letter height. */
const columnGap = 1.15;
const rule = /^[-_=~.·…*─━═–—|│+#]{3,}$/u;
const bar = /^[|│┃║¦]+$/u;

/** Arranges the tokens of all pages into rows of segments. */
export function layOut(document: OpenedDocument, budget: Budget): Layout {
  limitText(document);
  const pages: LaidOutPage[] = [];
  const segments: Segment[] = [];
  for (const [part, { pages: sheets }] of document.parts.entries()) {
    for (const sheet of sheets) {
      budget.check();
      const page = layOutPage(sheet, pages.length + 1, part, budget);
      pages.push(page);
      for (const segment of page.rows.flat()) {
        segment.index = segments.length;
        segments.push(segment);
      }
    }
  }
  return { pages, segments, parts: document.parts };
}

function layOutPage(sheet: Page, number: number, part: number, budget: Budget): LaidOutPage {
  const rows = lines(sheet.tokens).map((line, row) =>
    pieces(joinSpacedLetters(line), sheet.rulings).map((tokens) =>
      segmentOf(tokens, { page: number, part, row, rulings: sheet.rulings }),
    ),
  );
  budget.check();
  return {
    number,
    part,
    width: sheet.width,
    height: sheet.height,
    rows: joinParagraphs(rows.filter((row) => row.length > 0)),
    scanned: sheet.scanned,
  };
}

function lines(tokens: readonly Token[]): Token[][] {
  const found: { box: Box; tokens: Token[] }[] = [];
  for (const token of [...tokens].sort((a, b) => a.y1 - b.y1 || a.x0 - b.x0)) {
    const line = found.slice(-4).findLast((line) => onOneLine(line, token));
    if (!line) found.push({ box: { ...token }, tokens: [token] });
    else {
      line.tokens.push(token);
      line.box.y0 = (line.box.y0 * (line.tokens.length - 1) + token.y0) / line.tokens.length;
      line.box.y1 = (line.box.y1 * (line.tokens.length - 1) + token.y1) / line.tokens.length;
    }
  }
  return found.map((line) => line.tokens.sort((a, b) => a.x0 - b.x0)).sort((a, b) => (a[0]?.y0 ?? 0) - (b[0]?.y0 ?? 0));
}

/**
 * Tokens share a line if their baselines differ by less than `baselineShift` letter heights, or if the share of their
 * vertical overlap is above `lineOverlap`.
 */
const [baselineShift, lineOverlap] = [0.45, 0.7];

function onOneLine(line: { box: Box; tokens: Token[] }, token: Token): boolean {
  const height = Math.min(line.box.y1 - line.box.y0, token.y1 - token.y0);
  return Math.abs(line.box.y1 - token.y1) < baselineShift * height || verticalOverlap(line.box, token) > lineOverlap;
}

function pieces(line: readonly Token[], rulings: readonly Box[]): Token[][] {
  const found: Token[][] = [];
  let open: Token[] | undefined;
  let before: Token | undefined;
  let letters = 0;
  for (const token of line.flatMap(withinSegment)) {
    if (rule.test(token.text) || bar.test(token.text)) {
      open = undefined;
      continue;
    }
    const fits = letters + token.text.length < longestSegment;
    if (open && before && fits && (together(before, token, rulings) || isTownOf(open, token, line))) {
      open.push(token);
      letters += token.text.length + 1;
    } else {
      found.push((open = [token]));
      letters = token.text.length;
    }
    before = token;
  }
  return found.map(withoutEdges).filter((tokens) => tokens.length > 0);
}

function withinSegment(token: Token): Token[] {
  const pieces = Math.ceil(token.text.length / longestSegment);
  if (pieces <= 1) return [token];
  const width = (token.x1 - token.x0) / pieces;
  return Array.from({ length: pieces }, (_, at) => ({
    ...token,
    text: token.text.slice(at * longestSegment, (at + 1) * longestSegment),
    x0: token.x0 + at * width,
    x1: token.x0 + (at + 1) * width,
  }));
}

/** Minimum gap between columns of plain text, in units of the page. */
const textColumnGap = 11;

function together(left: Token, right: Token, rulings: readonly Box[]): boolean {
  if (left.cell || right.cell) return sameCell(left.cell, right.cell);
  if (stillApart(left, right)) return true;
  const gap = right.x0 - left.x1;
  const widest = left.source === "Text" ? textColumnGap : columnGap * Math.min(left.size, right.size);
  return gap < widest && !(gap > 0 && rulings.some((box) => standsBetween(box, left, right)));
}

const postcode =
  /(?:^|[,;·-] ?)(?:[A-Z]{1,3}-)?(?:\d{5}|\d{4}(?: [A-Z]{2})?|\d{2}-\d{3}|\d{3} \d{2}|[A-Z]{2}-\d{4,5})$/u;
const widestInPlace = 2.6;
const price = /\d[.,]\d{2}$/u;

/** In "97424  Schweinfurt", the wide gap does not separate columns; in a row of prices, it does. */
function isTownOf(open: readonly Token[], next: Token, line: readonly Token[]): boolean {
  const before = open.at(-1);
  if (!before || before.cell || !/^\p{Lu}\p{L}/u.test(next.text)) return false;
  if (next.x0 - before.x1 > widestInPlace * before.size) return false;
  const words = open.slice(-3).map((token) => token.text);
  if (findLabels(next.text).length > 0) return false;
  return postcode.test(words.join(" ")) && !line.some((token) => price.test(token.text));
}

function sameCell(a: Token["cell"], b: Token["cell"]): boolean {
  return a?.table === b?.table && a?.row === b?.row && a?.column === b?.column;
}

/**
 * A vertical rule between words, in points: its maximum width, its minimum height, and its maximum overlap with the
 * words.
 */
const uprightRule = { width: 3, height: 4, overlap: 1.5 };

function standsBetween(box: Box, left: Token, right: Token): boolean {
  const upright = box.x1 - box.x0 < uprightRule.width && box.y1 - box.y0 > uprightRule.height;
  const height = (right.y0 + right.y1) / 2;
  return (
    upright &&
    box.x0 >= left.x1 - uprightRule.overlap &&
    box.x1 <= right.x0 + uprightRule.overlap &&
    box.y0 < height &&
    box.y1 > height
  );
}

/** Removes bullets and punctuation at the start, and a separate colon at the end. */
function withoutEdges(tokens: Token[]): Token[] {
  const bare = (token: Token | undefined) => token !== undefined && /^[:;,|>*•·]+$/u.test(token.text);
  let [from, to] = [0, tokens.length];
  while (from < to && bare(tokens[from])) from++;
  while (to > from + 1 && tokens[to - 1]?.text === ":" && to - from > 1) to--;
  return tokens.slice(from, to);
}

function segmentOf(
  tokens: Token[],
  where: { page: number; part: number; row: number; rulings: readonly Box[] },
): Segment {
  const box = boundingBox(tokens);
  const { text, starts } = textOf(tokens);
  return {
    index: -1,
    text,
    tokens,
    starts,
    box,
    page: where.page,
    part: where.part,
    row: where.row,
    size: median(tokens.map((token) => token.size)),
    bold: tokens.filter((token) => token.bold).length * 2 > tokens.length,
    lines: 1,
    band: bandOf(box, where.rulings),
    lane: laneOf(box, where.rulings),
    cell: tokens[0]?.cell,
  };
}

function bandOf(box: Box, rulings: readonly Box[]): Segment["band"] {
  const height = (box.y0 + box.y1) / 2;
  const across = rulings.filter((line) => line.y1 - line.y0 < 3 && line.x0 < box.x1 && line.x1 > box.x0);
  const above = across.filter((line) => line.y0 < height).map((line) => line.y0);
  const below = across.filter((line) => line.y0 >= height).map((line) => line.y0);
  return above.length && below.length ? { y0: Math.max(...above), y1: Math.min(...below) } : undefined;
}

function laneOf(box: Box, rulings: readonly Box[]): Segment["lane"] {
  const height = (box.y0 + box.y1) / 2;
  const upright = rulings.filter((line) => line.x1 - line.x0 < 3 && line.y0 < height && line.y1 > height);
  const left = upright.filter((line) => line.x0 <= box.x0 + 2).map((line) => line.x0);
  const right = upright.filter((line) => line.x0 >= box.x1 - 2).map((line) => line.x0);
  return left.length && right.length ? { x0: Math.max(...left), x1: Math.min(...right) } : undefined;
}
