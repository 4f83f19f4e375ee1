import type { Box, Page, Token } from "../document.ts";
import type { PageSize } from "../open/reader.ts";
import { median } from "../understand/geometry.ts";
import type { Recognised, RecognisedWord } from "./recogniser.ts";

/** Letters of this size, in points, are what most pages are printed in. */
const usualSize = 9.5;

/** What was recognised as a page, in points where the size of the page is known, else as large as letters usually are. */
export function pageOf({ width, height, words, rulings, turn }: Recognised, size?: PageSize): Page {
  const scale = scaleOf(width, words, turn, size);
  const tokens = words.flatMap((word) => tokensOf(word, scale));
  return {
    width: width * scale,
    height: height * scale,
    tokens,
    rulings: rulings.map((box) => scaled(box, scale)),
    scanned: tokens.length === 0,
  };
}

function scaleOf(width: number, words: RecognisedWord[], turn: number, size: PageSize | undefined): number {
  if (size) return (turn % 2 === 0 ? size.width : size.height) / width;
  return words.length > 0 ? usualSize / median(words.map((word) => word.size)) : 1;
}

const scaled = ({ x0, y0, x1, y1 }: Box, by: number): Box => ({ x0: x0 * by, y0: y0 * by, x1: x1 * by, y1: y1 * by });

/** Rules between columns are read as bars at the ends of words. */
function tokensOf({ text, confidence, size, ...box }: RecognisedWord, scale: number): Token[] {
  const bare = text.replace(/^[|[\]{}¦]+(?=.)|(?<=.)[|[\]{}¦]+$/gu, "");
  if (/^[|_¦]*$/u.test(bare)) return [];
  return [{ ...scaled(box, scale), text: bare, size: size * scale, bold: false, confidence, source: "Ocr" }];
}

/** The words as lines of text, top to bottom. */
export function linesOf(words: readonly RecognisedWord[]): string[] {
  const lines: { y: number; size: number; words: RecognisedWord[] }[] = [];
  for (const word of words.toSorted((a, b) => a.y1 - b.y1)) {
    const line = lines.findLast(({ y, size }) => Math.abs(y - word.y1) < size / 2);
    if (line) line.words.push(word);
    else lines.push({ y: word.y1, size: word.size, words: [word] });
  }
  return lines.map((line) =>
    line.words
      .toSorted((a, b) => a.x0 - b.x0)
      .map(({ text }) => text)
      .join(" "),
  );
}
