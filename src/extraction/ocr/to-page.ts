import type { Box, Page, Token } from "../document/document.ts";
import type { PageSize, PlacedImage } from "../formats/reader.ts";
import { correctDigits, restoreAtSigns, unifyAlphabet } from "./corrections.ts";
import { median } from "../document/geometry.ts";
import type { RecognisedPage, RecognisedWord } from "../images/recogniser.ts";

/** Usual letter size in points. A page of unknown size is scaled so that its letters have this size. */
const usualSize = 9.5;

/** What the file says about the picture: page size, position on the page, rotation in quarter turns. */
type Frame = PageSize & Pick<PlacedImage, "frame" | "turn">;

interface Place {
  x: number;
  y: number;
  scale: number;
}

/**
 * Converts recognised words to a page, in points. A page of unknown size is scaled to the usual letter size. If OCR
 * rotated the picture differently from the file, the picture is assumed to fill the page.
 */
export function toPage(recognised: RecognisedPage, page?: Frame): Page {
  const { width, height, words, rulings, turn } = recognised;
  const stands = page?.turn === turn ? page : undefined;
  const place = stands
    ? { x: stands.frame.x0, y: stands.frame.y0, scale: (stands.frame.x1 - stands.frame.x0) / width }
    : { x: 0, y: 0, scale: scaleOf(width, words, turn, page) };
  const tokens = withSections(withoutLookalikes(words)).flatMap((word) => tokensOf(word, place));
  return {
    width: stands?.width ?? width * place.scale,
    height: stands?.height ?? height * place.scale,
    tokens,
    rulings: rulings.map((box) => placed(box, place)),
    scanned: tokens.length === 0,
  };
}

function scaleOf(width: number, words: RecognisedWord[], turn: number, page: Frame | undefined): number {
  if (page) return ((turn - page.turn) % 2 === 0 ? page.width : page.height) / width;
  return words.length > 0 ? usualSize / median(words.map((word) => word.size)) : 1;
}

const placed = ({ x0, y0, x1, y1 }: Box, { x, y, scale }: Place): Box => ({
  x0: x + x0 * scale,
  y0: y + y0 * scale,
  x1: x + x1 * scale,
  y1: y + y1 * scale,
});

const [article, clause, word] = [/^(?:art\.?|\d{1,3}\p{Ll}?)$/iu, /^\d{1,3}\p{Ll}?$/u, /^\p{L}/u];

/** "Art. 92a $ 1" becomes "Art. 92a § 1". The words beside the sign show that it is not an amount. */
function withSections(words: readonly RecognisedWord[]): RecognisedWord[] {
  return words.map((each, at) => {
    const [before, next, behind] = [words[at - 1], words[at + 1], words[at + 2]];
    const cites = article.test(before?.text ?? "") || word.test(behind?.text ?? "");
    return each.text === "$" && clause.test(next?.text ?? "") && cites ? { ...each, text: "§" } : each;
  });
}

/** "Sp. z 0.0.", "s.r.0." or "d.0.0." with a misread "o". */
const legalForm = /^(?:0\.0\.|s\.?r\.0\.?|d\.[o0]\.[o0]\.)(?=[,;]?$)/iu;

/** "HafenstraBe": OCR models of other languages have no "ß". */
const sharpS = /(?<=\p{L}\p{Ll}[aeiouäöü])B(?=e(?![aeiou])|t?(?!\p{L}))/gu;

const inLetters = (form: string): string => form.replaceAll("0", "o");

/** Bars at the ends of a word are misread lines between columns. */
function tokensOf({ text, confidence, size, ...box }: RecognisedWord, place: Place): Token[] {
  const bare = text
    .replace(/^[|[\]{}¦]+(?=.)|(?<=.)[|[\]{}¦]+$/gu, "")
    .replace(sharpS, "ß")
    .replace(legalForm, inLetters);
  if (/^[|_¦]*$/u.test(bare)) return [];
  return [{ ...placed(box, place), text: bare, size: size * place.scale, bold: false, confidence, source: "Ocr" }];
}

/** Joins words into lines of text, from top to bottom. */
export const groupLines = (words: readonly RecognisedWord[]): string[] => inLines(words).map(textOf);

const textOf = (words: readonly RecognisedWord[]) => words.map(({ text }) => text).join(" ");

function inLines(words: readonly RecognisedWord[]): RecognisedWord[][] {
  const lines: { y: number; size: number; words: RecognisedWord[] }[] = [];
  for (const word of words.toSorted((a, b) => a.y1 - b.y1)) {
    const line = lines.findLast(({ y, size }) => Math.abs(y - word.y1) < size / 2);
    if (line) line.words.push(word);
    else lines.push({ y: word.y1, size: word.size, words: [word] });
  }
  return lines.map((line) => line.words.toSorted((a, b) => a.x0 - b.x0));
}

function withoutLookalikes(words: readonly RecognisedWord[]): RecognisedWord[] {
  const read = new Map<RecognisedWord, string>();
  for (const line of inLines(words)) {
    const texts = unifyAlphabet(correctDigits(textOf(line)).split(" "));
    if (texts.length === line.length) for (const [at, word] of line.entries()) read.set(word, texts[at]!);
  }
  const texts = restoreAtSigns(words.map((word) => read.get(word) ?? word.text));
  return words.map((word, at) => ({ ...word, text: texts[at]! }));
}
