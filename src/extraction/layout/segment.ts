import type { Box, Token } from "../document/document.ts";
import type { Day } from "../entities/calendar.ts";
import { boundingBox } from "../document/geometry.ts";

/**
 * A unit of text: the part of a line between two wide gaps, one line of a table cell, or a paragraph of joined prose.
 * All steps after the layout work on segments.
 */
export interface Segment {
  /** Position in `Layout.segments`. */
  index: number;
  /** The words joined by single spaces. */
  text: string;
  tokens: Token[];
  /** Offset of each token in `text`. */
  starts: number[];
  box: Box;
  /** From 1, counted across all parts of the document. */
  page: number;
  part: number;
  /** Row number on the page. Segments of one row share a baseline. */
  row: number;
  /** Letter height. */
  size: number;
  bold: boolean;
  /** Number of printed lines; more than 1 for a paragraph. */
  lines: number;
  /** Date of the pasted or quoted mail that contains the segment, if its header states one. */
  written?: Day;
  /** The strip between two horizontal rules that contains the segment, if there are rules. */
  band?: { y0: number; y1: number };
  /** The strip between two vertical rules that contains the segment, if there are rules. */
  lane?: { x0: number; x1: number };
  cell?: Token["cell"];
}

/**
 * Maximum number of characters of a segment. Longer text, which real documents do not contain, is split, because later
 * steps may take quadratic time.
 */
export const longestSegment = 3000;

/** Whether the text at an offset of a segment belongs to what is being extracted, such as one stop or one party. */
export type Owned = (segment: Segment, at: number) => boolean;

/** Returns the words joined by single spaces, and the offset of each. */
export function textOf(tokens: readonly Token[]): { text: string; starts: number[] } {
  const starts: number[] = [];
  let text = "";
  for (const token of tokens) {
    if (text) text += " ";
    starts.push(text.length);
    text += token.text;
  }
  return { text, starts };
}

/** Returns the tokens of a span of the segment's text. */
export function tokensOf(segment: Segment, start: number, end: number): Token[] {
  return segment.tokens.filter((token, at) => {
    const from = segment.starts[at] ?? 0;
    return from < end && from + token.text.length > start;
  });
}

/** Returns the box of a span of text on its page. */
export function boxOf(segment: Segment, start = 0, end = segment.text.length): Box {
  const tokens = tokensOf(segment, start, end);
  return tokens.length ? boundingBox(tokens) : segment.box;
}
