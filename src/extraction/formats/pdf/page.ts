import type { Page, Token } from "../../document/document.ts";
import { countReadable } from "../clean-text.ts";
import { boxAround } from "./geometry.ts";
import type { Painted } from "./painter.ts";
import { rulingsFrom } from "./rulings.ts";
import { wordsFrom, type Word } from "./words.ts";

/** A page with fewer letters and digits has only a page number or a stamp. */
const minReadable = 30;
/**
 * Minimum fraction of a page that a scan covers. The second, higher fraction applies if a fax line or the name of a
 * scanner is printed on the page.
 */
const minScanCoverage = 0.5;
const wholePage = 0.85;
/** Upper limit for the number of letters and digits of a fax line. */
const faxLine = 100;
/** A page with fewer letters and digits than this may be a scan with a fax line or a watermark. */
const sparse = 250;
/** Confidence of words in an invisible text layer, which another program added to a scan. */
const textLayerConfidence = 0.9;

export interface PaintedPage extends Page {
  /**
   * Whether the page must be analysed again with its pictures, because they may contain its text or be the background
   * of hidden words.
   */
  doubtful: boolean;
}

/**
 * Converts painted glyphs, lines and pictures to a page. Hidden words are dropped, except the text layer of a scan. The
 * page is rotated so that most words are upright.
 */
export function pageFrom(painted: Painted, width: number, height: number): PaintedPage {
  const words = wordsFrom(painted.glyphs);
  const printed = words.filter((word) => word.visibility === "Printed");
  const unpainted = words.filter((word) => word.visibility === "Unpainted");
  const layered = lettersIn(printed) < minReadable && lettersIn(unpainted) >= minReadable;
  const readableWords = layered ? [...printed, ...unpainted] : printed;
  const turn = mainTurn(readableWords);
  const kept = withoutMarginNotes(readableWords, turn);
  const page = {
    width,
    height,
    tokens: kept.map(tokenOf),
    rulings: rulingsFrom(painted.strokes),
    scanned: !layered && isScan(lettersIn(kept), coverage(painted, width, height)),
    doubtful: lettersIn(kept) < sparse || words.some((word) => word.visibility === "Camouflaged"),
  };
  return turn === 0 ? page : { ...page, ...turnedBack(page, turn) };
}

function isScan(letters: number, covered: number): boolean {
  return (letters < minReadable && covered > minScanCoverage) || (letters < faxLine && covered > wholePage);
}

function tokenOf({ turn: _turn, visibility, ...token }: Word): Token {
  return visibility === "Unpainted" ? { ...token, confidence: textLayerConfidence } : token;
}

function lettersIn(words: Word[]): number {
  return words.reduce((sum, word) => sum + countReadable(word.text), 0);
}

function mainTurn(words: Word[]): number {
  const letters = [0, 0, 0, 0];
  for (const word of words) letters[word.turn] = (letters[word.turn] ?? 0) + word.text.length;
  return letters.indexOf(Math.max(...letters));
}

/** Drops rotated words at the edge of the page, because they do not belong to a line of the text. */
function withoutMarginNotes(words: Word[], turn: number): Word[] {
  const upright = words.filter((word) => word.turn === turn);
  if (upright.length === words.length) return words;
  const { x0, y0, x1, y1 } = boxAround(
    upright.flatMap((word) => [
      { x: word.x0, y: word.y0 },
      { x: word.x1, y: word.y1 },
    ]),
  );
  const inText = (word: Word) => word.x1 > x0 && word.x0 < x1 && word.y1 > y0 && word.y0 < y1;
  return words.filter((word) => word.turn === turn || inText(word));
}

function turnedBack(page: Page, turn: number): Pick<Page, "width" | "height" | "tokens" | "rulings"> {
  const { width, height } = page;
  const turnBox = <B extends { x0: number; y0: number; x1: number; y1: number }>(box: B): B => {
    if (turn === 1) return { ...box, x0: box.y0, x1: box.y1, y0: width - box.x1, y1: width - box.x0 };
    if (turn === 3) return { ...box, x0: height - box.y1, x1: height - box.y0, y0: box.x0, y1: box.x1 };
    return { ...box, x0: width - box.x1, x1: width - box.x0, y0: height - box.y1, y1: height - box.y0 };
  };
  return {
    width: turn === 2 ? width : height,
    height: turn === 2 ? height : width,
    tokens: page.tokens.map(turnBox),
    rulings: page.rulings.map(turnBox),
  };
}

function coverage(painted: Painted, width: number, height: number): number {
  let covered = 0;
  for (const { x0, y0, x1, y1 } of painted.pictures) {
    const wide = Math.min(x1, width) - Math.max(x0, 0);
    const high = Math.min(y1, height) - Math.max(y0, 0);
    if (wide > 0 && high > 0) covered += wide * high;
  }
  return covered / (width * height);
}
