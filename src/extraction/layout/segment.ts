import type { Box, Token } from "../document/document.ts";
import type { Day } from "../entities/calendar.ts";
import { boundingBox } from "./geometry.ts";

/**
 * A run of words that belong together: the piece of a line between two wide gaps, one line of a table cell, or a
 * paragraph of prose whose lines were joined. The unit in which everything after the layout thinks.
 */
export interface Segment {
  /** Position in `Layout.segments`. */
  index: number;
  /** The words with one blank between them. */
  text: string;
  tokens: Token[];
  /** Where each token starts in `text`. */
  starts: number[];
  box: Box;
  /** From 1, through all parts of the document. */
  page: number;
  part: number;
  /** Segments with the same row stand on one baseline of their page. */
  row: number;
  /** Height of the letters. */
  size: number;
  bold: boolean;
  /** Page lines this segment was joined from: 1, or more for a paragraph. */
  lines: number;
  /** The day its words were written, where an older mail says so above them. */
  written?: Day;
  /** The strip between two printed rules it stands in, where there are rules. */
  band?: { y0: number; y1: number };
  /** The strip between two upright rules, likewise. */
  lane?: { x0: number; x1: number };
  cell?: Token["cell"];
}

/** Letters of the longest segment. Longer text is cut: no document has it, and what looks at a segment may take the square of its length. */
export const longestSegment = 3000;

/** Whether a word belongs to the part of the document in question. */
export type Owned = (segment: Segment, at: number) => boolean;

/** The words with one blank between them, and where each starts. */
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

/** The tokens a stretch of the segment's text was printed with. */
export function tokensOf(segment: Segment, start: number, end: number): Token[] {
  return segment.tokens.filter((token, at) => {
    const from = segment.starts[at] ?? 0;
    return from < end && from + token.text.length > start;
  });
}

/** Where a stretch of text stands on its page. */
export function boxOf(segment: Segment, start = 0, end = segment.text.length): Box {
  const tokens = tokensOf(segment, start, end);
  return tokens.length ? boundingBox(tokens) : segment.box;
}
