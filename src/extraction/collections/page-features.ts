import { classifyDocument, kindFeatures, type DocumentKind } from "../kinds/classify.ts";
import { kinds, type KindName } from "../kinds/kinds.ts";
import type { EntityType } from "../lexicon/entity-type.ts";
import { foldText } from "../lexicon/fold.ts";
import { numberingOf, type Numbering } from "../quality/numbering.ts";
import { findCodes } from "../fields/labels/codes.ts";
import { median } from "../document/geometry.ts";
import type { DocumentContext } from "../fields/labels/values.ts";

/** The features of a page that show whether a document begins on it. */
export interface PageFeatures {
  blank: boolean;
  kind: DocumentKind;
  confidence: number;
  numbering?: Numbering;
  /** Terms of the trade at the top of the page, such as titles and labels of numbers. */
  tops: Set<string>;
  /** Document numbers of the page, found by the labels that such numbers have in documents of its kind. */
  numbers: Set<string>;
  /** Codes that contain digits. Pages of one document usually have some of them in common. */
  codes: Set<string>;
  /** The first lines, folded. A letterhead is repeated on each page, a title is not. */
  head: Set<string>;
  /** The words of the heading, without digits and punctuation; only if the page has few letters. */
  heading?: string;
  /** Position of the last line, as a fraction of the page height. */
  filled: number;
  /** Width divided by height. */
  shape: number;
  scanned: boolean;
}

const headLines = 6;
/** A page with fewer letters may be a slip, such as a weighing or pallet note. */
const fewLetters = 700;
const minTitleLetters = 8;

/**
 * Computes the features of a page.
 * @param document a document that consists of this page only
 * @param blank whether the picture of the page is blank; used only if the page has almost no text. Without it, such a
 * page is blank unless it is a scan.
 */
export function pageFeatures(document: DocumentContext, blank?: boolean): PageFeatures {
  const { segments, pages } = document.annotations.layout;
  const [page] = pages;
  const texts = segments.map(({ text }) => foldText(text));
  const [likeliest] = classifyDocument(document);
  const numbering = numberingOf(segments);
  const features = [...kindFeatures(document)];
  const height = page?.height || 1;
  const heading = texts.join("").length < fewLetters ? headingOf(document) : undefined;
  return {
    blank: texts.join("").length < minTitleLetters && (blank ?? !page?.scanned),
    kind: likeliest?.kind ?? "other",
    confidence: likeliest?.confidence ?? 0,
    ...(numbering && { numbering }),
    tops: new Set(features.filter(([name, strength]) => name.startsWith("top:") && strength > 0).map(([name]) => name)),
    numbers: new Set(numbersOf(document, likeliest?.kind)),
    codes: new Set(texts.flatMap((text) => text.match(/[a-z]*[\d][\da-z/-]{4,}/g) ?? [])),
    head: new Set(texts.slice(0, headLines)),
    ...(heading && { heading }),
    filled: Math.max(0, ...segments.map(({ box }) => box.y1)) / height,
    shape: (page?.width ?? 1) / height,
    scanned: page?.scanned ?? false,
  };
}

/**
 * Computes the features that show whether a document starts on this page, each from 0 to 1.
 * @param before the pages since the previous start
 */
export function startFeatures(page: PageFeatures, before: readonly PageFeatures[]): Record<string, number> {
  const last = before.findLast(({ blank }) => !blank);
  const { numbering } = page;
  if (!last) return { first: 1 };
  const total = last.numbering?.of;
  const sameCodes = shared(page.codes, last.codes);
  const sameHead = Math.max(...before.map(({ head }) => shared(page.head, head)));
  const titles = titlesOf(page);
  const earlierTitles = new Set(before.flatMap((each) => titlesOf(each)));
  return {
    always: 1,
    blankBefore: before.at(-1)?.blank ? 1 : 0,
    pageOne: numbering?.page === 1 ? 1 : 0,
    pageLater: numbering && numbering.page > 1 ? 1 : 0,
    pageNext: numbering && last.numbering && numbering.page === last.numbering.page + 1 ? 1 : 0,
    allSeen: total !== undefined && last.numbering?.page === total ? 1 : 0,
    notAllSeen: total !== undefined && (last.numbering?.page ?? 0) < total ? 1 : 0,
    otherKind: otherKindConfidence(page, before),
    sureKind: page.kind === "other" ? 0 : page.confidence,
    tops: Math.min(1, page.tops.size / 4),
    newTitle: titles.some((title) => !earlierTitles.has(title)) ? 1 : 0,
    anotherNumber: titles.length > 0 && sameHead < thresholds.sameHead && isNumberedAnew(page, before) ? 1 : 0,
    headedAnew: page.heading && !before.some(({ head }) => isIn(page.heading!, head)) ? 1 : 0,
    titledAnew: titles.some((title) => earlierTitles.has(title)) ? (1 - sameHead) * (1 - sameCodes) : 0,
    sameCodes,
    noCodes: page.codes.size > 0 && sameCodes === 0 ? 1 : 0,
    sameHead,
    renumbered: Math.max(...before.map(({ head }) => renumbered(page.head, head))),
    sameTops: shared(page.tops, before[0]!.tops),
    notFilled: last.filled < thresholds.filled ? 1 : 0,
    otherShape: Math.abs(page.shape - last.shape) > thresholds.shape ? 1 : 0,
    otherMaking: page.scanned === last.scanned ? 0 : 1,
  };
}

const thresholds = { sameHead: 0.5, filled: 0.6, shape: 0.05, number: 0.4 };
/** `minHeadingSize`: size of the letters of a heading relative to the median of the page. */
const [maxHeadingWords, minHeadingSize] = [6, 1.15];

function headingOf({ annotations }: DocumentContext): string | undefined {
  const { segments } = annotations.layout;
  const usual = median(segments.map(({ size }) => size));
  const isBold = segments.filter(({ bold }) => bold).length * 2 < segments.length;
  const heading = segments.slice(0, headLines).find((segment) => {
    const { text, index, size, bold } = segment;
    const isSetOff = size >= minHeadingSize * usual || (bold && isBold) || isShouted(text);
    const isOther =
      /[:@]/u.test(text) || (annotations.entitiesIn[index] ?? []).some(({ type }) => neverHeadings.has(type));
    return isSetOff && !isOther && /\p{L}{4}/u.test(text) && text.split(" ").length <= maxHeadingWords;
  });
  return heading && lettersOf(foldText(heading.text));
}

const neverHeadings: ReadonlySet<EntityType> = new Set(["Company", "Street", "Date", "Phone", "Email", "Amount"]);

const isShouted = (text: string): boolean => /\p{Lu}{3}/u.test(text) && !/\p{Ll}/u.test(text);
const lettersOf = (text: string): string => (text.match(/\p{L}{3,}/gu) ?? []).join(" ");

const isIn = (heading: string, lines: ReadonlySet<string>): boolean =>
  [...lines].some((line) => lettersOf(line) === heading);

function otherKindConfidence({ kind, confidence }: PageFeatures, before: readonly PageFeatures[]): number {
  const words = before.filter(({ blank }) => !blank);
  return words.some((each) => each.kind === kind) ? 0 : confidence * Math.max(...words.map((each) => each.confidence));
}

const numbersOf = (around: DocumentContext, kind: DocumentKind = "other"): string[] =>
  findCodes(around, isExtracted(kind) ? kinds[kind].numberLabels : [])
    .filter(({ score }) => score >= thresholds.number)
    .map(({ span: piece }) => piece.text);

function isNumberedAnew({ kind, numbers }: PageFeatures, before: readonly PageFeatures[]): boolean {
  const earlierNumbers = new Set(before.filter((each) => each.kind === kind).flatMap((each) => [...each.numbers]));
  return numbers.size > 0 && earlierNumbers.size > 0 && numbers.isDisjointFrom(earlierNumbers);
}

const isExtracted = (kind: DocumentKind): kind is KindName => Object.hasOwn(kinds, kind);

const titlesOf = ({ tops }: PageFeatures): string[] => [...tops].filter((name) => name.startsWith("top:title"));

/**
 * Returns 1 if at least two of the first lines differ from an earlier page only in digits, such as "Invoice 17" and
 * "Invoice 18", and 0.5 for one such line. This is typical of the next document from the same sender.
 */
function renumbered(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const bare = (line: string) => line.replaceAll(/\d+/g, "#");
  const before = new Set([...other].map(bare));
  const anew = [...one].filter((line) => !other.has(line) && line !== bare(line) && before.has(bare(line)));
  return Math.min(1, anew.length / 2);
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  return few.size === 0 ? 0 : [...few].filter((each) => many.has(each)).length / few.size;
}
