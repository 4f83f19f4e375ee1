import { type Raster, toGraymap } from "../../src/extraction/images/raster.ts";
import type { Box } from "../../src/extraction/document/document.ts";
import type { RecogniseOptions, RecognisedPage, RecognisedWord } from "../../src/extraction/images/recogniser.ts";
import { crop, deskew, enlarge, fitWithin, rotate } from "../../src/extraction/ocr/transform.ts";
import { median } from "../../src/extraction/layout/geometry.ts";
import { inkOf, PaperTiles, removeBoxes } from "./ink.ts";
import { findLetterBlobs, keepOnlyBoxes } from "./letter-blobs.ts";
import { modelsOf } from "./models.ts";
import { rulingsIn } from "./rulings.ts";
import { meanConfidence, Tesseract, type TesseractResources, type RecognitionResult } from "./tesseract.ts";

/** An A4 page at 200 dpi has 3.9 million pixels. More cost memory and time and read no better. */
const mostPixels = 4_500_000;
/** What a quick look takes in: half an A4 page at 150 dpi. */
const quickPixels = 1_100_000;
/** Pictures smaller than this are of screens; their letters are too small to be read as they are. */
const smallPixels = 700_000;
const mostEnlarged = 3;
/** From this mean confidence on, and so many letters, nobody asks whether the page stands on its head. */
const convincing = 0.7;
const enoughLetters = 40;
/** A quick look goes down the page by strips, so many to a page, and needs so many letters to hear a language. */
const stripsOfPage = 6;
const lettersToKnow = 250;
/** Lines that slope more than this, in radians, are levelled: a tenth of a line's height over the width of a page. */
const level = 0.002;
const steepest = 0.35;
/** Words read less surely than this may be something else. */
const wellRead = 0.5;
/** Of one or two letters so much surety is asked. */
const surely = 0.85;
/** So many letters must be left over for another look, and so many for each that was read. */
const [fewestLetters, worthAnotherLook] = [8, 0.03];
/** The part of a ruling that may lie within words. */
const mostCovered = 0.5;
/** Lines on a page of which nothing was read. */
const usualLines = 60;

/** Looks at one page. Every look makes an instance of Tesseract, which is let go of with all its memory. */
export async function recognise(
  raster: Raster,
  look: RecogniseOptions,
  parts: TesseractResources,
): Promise<RecognisedPage> {
  const models = modelsOf(look.languages);
  const fit = scaleForOcr(raster);
  return look.depth === "Quick"
    ? recogniseQuick(fit, models, look, parts)
    : recogniseWhole(rotate(fit, look.turn), models, look, parts);
}

function scaleForOcr(raster: Raster): Raster {
  const pixels = raster.width * raster.height;
  if (pixels >= smallPixels) return fitWithin(raster, mostPixels);
  const factor = Math.min(mostEnlarged, Math.sqrt(mostPixels / 2 / pixels));
  return factor > 1.2 ? enlarge(raster, factor) : raster;
}

async function recogniseWhole(
  page: Raster,
  models: string[],
  { turn }: RecogniseOptions,
  parts: TesseractResources,
): Promise<RecognisedPage> {
  const tesseract = await Tesseract.open(parts, models);
  const upright = straighten(page, tesseract);
  const ink = inkOf(upright, new PaperTiles(upright));
  const { width, height } = upright;
  const first = tesseract.read("Page").words.filter(isWord);
  const rulings = rulingsIn(upright, ink).filter((ruling) => !runsThrough(ruling, first));
  const words = [...first, ...findMissedWords(upright, first, rulings, ink, tesseract)];
  return { width, height, words, rulings, confidence: meanConfidence(words), turn, memory: tesseract.memory };
}

/**
 * What the first reading took for pictures or passed over: letters that stand in none of its words are set on a clean page,
 * which is searched for words wherever they may be.
 */
function findMissedWords(
  page: Raster,
  words: RecognisedWord[],
  rulings: Box[],
  ink: Uint8Array,
  tesseract: Tesseract,
): RecognisedWord[] {
  const sure = words.filter(({ confidence }) => confidence > wellRead);
  const line = sure.length > 0 ? median(sure.map(({ size }) => size)) : page.height / usualLines;
  const rest = removeBoxes(ink, page, [...sure.map(withEdges), ...rulings.map(widened)]);
  const letters = findLetterBlobs(rest, page, line);
  if (letters.length < Math.max(fewestLetters, worthAnotherLook * lettersOf(sure))) return [];
  show(tesseract, keepOnlyBoxes(page, letters));
  const more = tesseract.read("Sparse").words.filter((word) => isWord(word) && isSure(word));
  return more.filter((word) => !words.some((other) => overlaps(word, other)));
}

/** The feet of typed letters touch each other: a line that runs within words is none, unless it is much longer. */
function runsThrough({ x0, x1, y0, y1 }: Box, words: readonly RecognisedWord[]): boolean {
  const covered = words
    .filter((word) => word.y0 <= y0 && word.y1 >= y1)
    .reduce((sum, word) => sum + Math.max(0, Math.min(word.x1, x1) - Math.max(word.x0, x0)), 0);
  return covered > mostCovered * (x1 - x0);
}

const lettersOf = (words: readonly RecognisedWord[]) => words.reduce((sum, { text }) => sum + text.length, 0);

/** One or two letters may be anything. */
const isSure = ({ text, confidence }: RecognisedWord) => confidence > (text.length < 3 ? surely : wellRead);

/** Letters reach a little beyond what Tesseract takes for their line. */
const withEdges = ({ x0, y0, x1, y1, size }: RecognisedWord): Box => {
  const edge = size * 0.2;
  return { x0: x0 - edge, y0: y0 - edge, x1: x1 + edge, y1: y1 + edge };
};

const widened = ({ x0, y0, x1, y1 }: Box): Box => ({ x0: x0 - 2, y0: y0 - 2, x1: x1 + 2, y1: y1 + 2 });

/** Whether two boxes have a third of the smaller one in common. */
function overlaps(one: Box, other: Box): boolean {
  const wide = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
  const high = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0);
  const area = ({ x0, y0, x1, y1 }: Box) => (x1 - x0) * (y1 - y0);
  return wide > 0 && high > 0 && wide * high * 3 > Math.min(area(one), area(other));
}

/** The page with its lines level, shown to Tesseract. */
function straighten(page: Raster, tesseract: Tesseract): Raster {
  show(tesseract, page);
  const slope = tesseract.slope();
  if (Math.abs(slope) < level || Math.abs(slope) > steepest) return page;
  const upright = deskew(page, -slope);
  show(tesseract, upright);
  return upright;
}

function show(tesseract: Tesseract, page: Raster): void {
  if (!tesseract.show(toGraymap(page))) throw new Error("Tesseract does not take a graymap.");
}

/** The upper half of the page, as far as it takes to know what it says; where that is hard to read, the middle of it all four ways round. */
async function recogniseQuick(
  raster: Raster,
  models: string[],
  { turn }: RecogniseOptions,
  parts: TesseractResources,
): Promise<RecognisedPage> {
  const tesseract = await Tesseract.open(parts, models);
  const small = fitWithin(raster, quickPixels * 2);
  const page = rotate(small, turn);
  const first = { turn, ...recogniseTopStrips(page, tesseract) };
  const upright = isConvincing(first) ? first : findUprightTurn(first, small, tesseract);
  return {
    width: page.width,
    height: page.height,
    words: upright.words.filter(isWord),
    rulings: [],
    confidence: upright.confidence,
    turn: upright.turn,
    memory: tesseract.memory,
  };
}

type Turned = RecognitionResult & { turn: number };

/** Strip by strip, until it is clear how the page lies and what it speaks. */
function recogniseTopStrips(page: Raster, tesseract: Tesseract): RecognitionResult {
  const high = Math.ceil(page.height / stripsOfPage);
  const words: RecognisedWord[] = [];
  for (let strip = 0; strip < stripsOfPage / 2; strip++) {
    const top = strip * high;
    const read = recogniseImage(crop(page, 0, top, page.width, high), tesseract).words;
    words.push(...read.map((word) => ({ ...word, y0: word.y0 + top, y1: word.y1 + top })));
    const reading = { words, confidence: meanConfidence(words) };
    if (isConvincing(reading) && sureLetters(reading) >= lettersToKnow) break;
  }
  return { words, confidence: meanConfidence(words) };
}

/** The way round that convinces first, else the one that says most. */
function findUprightTurn(first: Turned, page: Raster, tesseract: Tesseract): Turned {
  const side = Math.min(page.width, page.height);
  const middle = crop(page, (page.width - side) >> 1, (page.height - side) >> 1, side, side);
  const readings = [first];
  for (const more of [1, 2, 3]) {
    const turn = (first.turn + more) % 4;
    const reading = { turn, ...recogniseImage(rotate(middle, turn), tesseract) };
    if (isConvincing(reading)) return reading;
    readings.push(reading);
  }
  return best(readings);
}

function recogniseImage(raster: Raster, tesseract: Tesseract): RecognitionResult {
  show(tesseract, raster);
  return tesseract.read("Page");
}

const isConvincing = (reading: RecognitionResult): boolean =>
  reading.confidence >= convincing && sureLetters(reading) >= enoughLetters;

/** Letters that were read surely; a page upside down has as many, but of few is anybody sure. */
const sureLetters = ({ words }: RecognitionResult) =>
  words.reduce((sum, { text, confidence }) => sum + (confidence > 0.6 ? text.length * confidence : 0), 0);

function best(readings: Turned[]): Turned {
  return readings.reduce((one, other) => (sureLetters(other) > 1.3 * sureLetters(one) ? other : one));
}

/** Specks, rules and frames are taken for letters, of which nobody is sure. */
function isWord({ text, confidence }: RecognisedWord): boolean {
  if (/^[\p{P}\p{S}]+$/u.test(text)) return confidence > 0.5 && text.length < 4;
  return confidence > (text.length < 3 ? 0.3 : 0.1);
}
