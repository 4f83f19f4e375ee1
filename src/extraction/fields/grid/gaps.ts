import type { Token } from "../../document/document.ts";
import type { Segment } from "../../layout/segment.ts";

/** A gap between words in letter heights, at most: in proportional type, and in type whose letters are all equally wide. */
const widest = { proportional: 0.476, fixed: 0.84 };
/** Width of a letter of fixed-width type in letter heights. */
const fixedLetter = { min: 0.585, max: 0.63 };

/**
 * Returns the offsets of the spaces that are too wide for a space between words: the cells of a narrow table are printed
 * so close together that the layout joined them.
 */
export function wideGaps({ tokens, starts }: Segment): ReadonlySet<number> {
  const wide = new Set<number>();
  if (tokens[0]?.source !== "Pdf" || tokens.some(({ cell }) => cell)) return wide;
  const most = tokens.every(isFixed) ? widest.fixed : widest.proportional;
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    const isRow = next && Math.abs(next.y1 - token.y1) < token.size / 2;
    if (isRow && next.x0 - token.x1 > most * Math.min(token.size, next.size)) wide.add(starts[at + 1]! - 1);
  }
  return wide;
}

function isFixed({ x0, x1, size, text }: Token): boolean {
  const letter = (x1 - x0) / text.length / size;
  return letter >= fixedLetter.min && letter <= fixedLetter.max;
}

const between = "\u0001";

/** Replaces the wide gaps of a segment's text, so that no pattern matches across them. */
export function dividedText(segment: Segment): string {
  const wide = wideGaps(segment);
  if (wide.size === 0) return segment.text;
  return [...segment.text].length === segment.text.length
    ? segment.text.replace(/ /g, (blank, at: number) => (wide.has(at) ? between : blank))
    : segment.text;
}
