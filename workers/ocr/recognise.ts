import { type Raster, toGraymap } from "../../src/extraction/images/raster.ts";
import type { Box } from "../../src/extraction/document/document.ts";
import type { RecogniseOptions, RecognisedPage, RecognisedWord } from "../../src/extraction/images/recogniser.ts";
import { crop, deskew, enlarge, fitWithin, rotate } from "../../src/extraction/ocr/transform.ts";
import { median } from "../../src/extraction/document/geometry.ts";
import { inkOf, PaperTiles, removeBoxes } from "./binarize.ts";
import { findLetterBlobs, keepOnlyBoxes } from "./letter-blobs.ts";
import { modelsOf } from "./models.ts";
import { rulingsIn } from "./rulings.ts";
import { meanConfidence, Tesseract, type TesseractResources, type RecognitionResult } from "./tesseract.ts";

/** An A4 page at 200 dpi has 3.9 million pixels. More cost memory and time without better results. */
const maxPixels = 4_500_000;
/** Half an A4 page at 150 dpi. */
const quickPixels = 1_100_000;
/** Pictures with fewer pixels are screenshots, whose letters must be enlarged. */
const smallPixels = 700_000;
const maxEnlargement = 3;
/** Confidences of recognised words, from 0 to 1, chosen by hand. */
const confidences = {
  /** Minimum mean confidence of the letters on an upright page. */
  upright: 0.7,
  /** Words with less confidence may be wrong. `shortWord`: one or two letters. */
  word: 0.5,
  shortWord: 0.85,
  /** Words with less confidence do not count when orientations are compared. */
  oriented: 0.6,
  /** Text with less confidence is a speck, a ruling or a frame, not a word. */
  speck: { punctuation: 0.5, shortWord: 0.3, word: 0.1 },
};
/** Minimum of {@link sureLetters} on an upright page. */
const enoughLetters = 40;
/** Minimum ratio of {@link sureLetters} between another orientation and the first. */
const clearlyMore = 1.3;
/** The upper half is read strip by strip, until there are enough letters to detect the language. */
const stripsOfPage = 6;
const lettersForLanguage = 250;
/**
 * Slopes of the lines, in radians. A page with a slope between these two is rotated until its lines are level; 0.002 is
 * a tenth of a line's height over the width of a page.
 */
const level = 0.002;
const steepest = 0.35;
/** A second pass needs at least this many letters outside words, and this share of the recognised letters. */
const [fewestLetters, worthAnotherLook] = [8, 0.03];
/** A line with a larger share within words is not a ruling. */
const mostCovered = 0.5;
/** Number of lines assumed for a page without recognised words. */
const usualLines = 60;

/** Recognises one page with its own instance of Tesseract, which is then discarded with its memory. */
export async function recognise(
  raster: Raster,
  options: RecogniseOptions,
  resources: TesseractResources,
): Promise<RecognisedPage> {
  const models = modelsOf(options.languages);
  const fit = scaleForOcr(raster);
  return options.depth === "Quick"
    ? recogniseQuick(fit, models, options, resources)
    : recogniseWhole(rotate(fit, options.turn), models, options, resources);
}

function scaleForOcr(raster: Raster): Raster {
  const pixels = raster.width * raster.height;
  if (pixels >= smallPixels) return fitWithin(raster, maxPixels);
  const factor = Math.min(maxEnlargement, Math.sqrt(maxPixels / 2 / pixels));
  return factor > 1.2 ? enlarge(raster, factor) : raster;
}

async function recogniseWhole(
  page: Raster,
  models: string[],
  { turn }: RecogniseOptions,
  resources: TesseractResources,
): Promise<RecognisedPage> {
  const tesseract = await Tesseract.open(resources, models);
  const upright = straighten(page, tesseract);
  const ink = inkOf(upright, new PaperTiles(upright));
  const { width, height } = upright;
  const first = tesseract.read("Page").words.filter(isWord);
  const rulings = rulingsIn(upright, ink).filter((ruling) => !runsThrough(ruling, first));
  const words = [...first, ...findMissedWords(upright, first, rulings, ink, tesseract)];
  return { width, height, words, rulings, confidence: meanConfidence(words), turn, memory: tesseract.memory };
}

/**
 * The first pass misses words, or takes them for pictures. Letters outside its words are copied to a white page, on
 * which words are searched at any position.
 */
function findMissedWords(
  page: Raster,
  words: RecognisedWord[],
  rulings: Box[],
  ink: Uint8Array,
  tesseract: Tesseract,
): RecognisedWord[] {
  const sure = words.filter(({ confidence }) => confidence > confidences.word);
  const line = sure.length > 0 ? median(sure.map(({ size }) => size)) : page.height / usualLines;
  const rest = removeBoxes(ink, page, [...sure.map(withEdges), ...rulings.map(widened)]);
  const letters = findLetterBlobs(rest, page, line);
  if (letters.length < Math.max(fewestLetters, worthAnotherLook * lettersOf(sure))) return [];
  show(tesseract, keepOnlyBoxes(page, letters));
  const more = tesseract.read("Sparse").words.filter((word) => isWord(word) && isSure(word));
  return more.filter((word) => !words.some((other) => overlaps(word, other)));
}

/** The touching serifs of adjacent letters can look like a ruling. */
function runsThrough({ x0, x1, y0, y1 }: Box, words: readonly RecognisedWord[]): boolean {
  const covered = words
    .filter((word) => word.y0 <= y0 && word.y1 >= y1)
    .reduce((sum, word) => sum + Math.max(0, Math.min(word.x1, x1) - Math.max(word.x0, x0)), 0);
  return covered > mostCovered * (x1 - x0);
}

const lettersOf = (words: readonly RecognisedWord[]) => words.reduce((sum, { text }) => sum + text.length, 0);

/** Short words need more confidence. */
const isSure = ({ text, confidence }: RecognisedWord) =>
  confidence > (text.length < 3 ? confidences.shortWord : confidences.word);

/** Letters extend slightly beyond the line box of Tesseract. */
const withEdges = ({ x0, y0, x1, y1, size }: RecognisedWord): Box => {
  const edge = size * 0.2;
  return { x0: x0 - edge, y0: y0 - edge, x1: x1 + edge, y1: y1 + edge };
};

const widened = ({ x0, y0, x1, y1 }: Box): Box => ({ x0: x0 - 2, y0: y0 - 2, x1: x1 + 2, y1: y1 + 2 });

function overlaps(one: Box, other: Box): boolean {
  const wide = Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0);
  const high = Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0);
  const area = ({ x0, y0, x1, y1 }: Box) => (x1 - x0) * (y1 - y0);
  return wide > 0 && high > 0 && wide * high * 3 > Math.min(area(one), area(other));
}

/** Also loads the page into Tesseract. */
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

/** If the page does not seem to be upright, its middle is recognised in the other three rotations. */
async function recogniseQuick(
  raster: Raster,
  models: string[],
  { turn }: RecogniseOptions,
  resources: TesseractResources,
): Promise<RecognisedPage> {
  const tesseract = await Tesseract.open(resources, models);
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

/** Stops at the strip at which rotation and language are clear. */
function recogniseTopStrips(page: Raster, tesseract: Tesseract): RecognitionResult {
  const high = Math.ceil(page.height / stripsOfPage);
  const words: RecognisedWord[] = [];
  for (let strip = 0; strip < stripsOfPage / 2; strip++) {
    const top = strip * high;
    const read = recogniseImage(crop(page, 0, top, page.width, high), tesseract).words;
    words.push(...read.map((word) => ({ ...word, y0: word.y0 + top, y1: word.y1 + top })));
    const reading = { words, confidence: meanConfidence(words) };
    if (isConvincing(reading) && sureLetters(reading) >= lettersForLanguage) break;
  }
  return { words, confidence: meanConfidence(words) };
}

/** Without a convincing rotation, returns the one with the most letters (see {@link sureLetters}). */
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
  reading.confidence >= confidences.upright && sureLetters(reading) >= enoughLetters;

/** Letters are weighted by confidence, because an upside-down page has as many letters, but with low confidence. */
const sureLetters = ({ words }: RecognitionResult) =>
  words.reduce(
    (sum, { text, confidence }) => sum + (confidence > confidences.oriented ? text.length * confidence : 0),
    0,
  );

function best(readings: Turned[]): Turned {
  return readings.reduce((one, other) => (sureLetters(other) > clearlyMore * sureLetters(one) ? other : one));
}

/** Specks, rulings and frames are recognised as letters with low confidence. */
function isWord({ text, confidence }: RecognisedWord): boolean {
  const { punctuation, shortWord, word } = confidences.speck;
  if (/^[\p{P}\p{S}]+$/u.test(text)) return confidence > punctuation && text.length < 4;
  return confidence > (text.length < 3 ? shortWord : word);
}
