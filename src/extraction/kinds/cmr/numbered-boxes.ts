import { fold } from "../../lexicon/fold.ts";
import { findPlates } from "../../entities/plates.ts";
import type { Label } from "../../fields/labels/annotations.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { Segment } from "../../layout/layout.ts";
import { thresholds } from "../scores.ts";
import { boxNumbersIn, markBehind, wasScanned } from "./box-numbers.ts";
import { boxNumbers, type Box, type BoxHead } from "./box.ts";
import { listsGoods } from "./goods-texts.ts";
import { scores } from "./scores.ts";

/** Boxes with the right numbers, so that further numbers are those of boxes. */
export const minNumbered = 4;

interface Candidate {
  box: Box;
  number: number;
  segment: Segment;
  mark: string;
  start: number;
  end: number;
}

/**
 * Finds boxes by their numbers: those with captions in unknown words on a form with numbered boxes, and all boxes of a
 * form that has no captions, as a printer fills in a form of paper.
 */
export function numberedOnly(document: DocumentContext, named: readonly BoxHead[]): BoxHead[] {
  const known = new Set(named.map(({ role }) => role));
  const printed = named.filter(({ agrees }) => agrees);
  if (new Set(printed.map(({ role }) => role)).size < minNumbered) return bareForm(document, named);
  const largest = Math.max(...printed.map(({ label }) => label.segment.size)) * scores.caption.maxSize;
  const marks = new Set(printed.map(({ label, from = label.start }) => markBehind(label.segment.text.slice(from))));
  return candidatesIn(document).flatMap(({ box, segment, mark, start, end }): BoxHead[] => {
    const fits = !known.has(box) && segment.size <= largest && (wasScanned(segment) || marks.has(mark));
    if (!fits || named.some(({ label }) => label.segment === segment && label.start >= start && label.start <= end + 2))
      return [];
    return [headAt({ box, segment, start, end }, captionEnd(document, segment, end))];
  });
}

/** Segments that may begin with the number of a box, and not with the number of packages. */
const outsideGoods = ({ annotations }: DocumentContext): Segment[] =>
  annotations.layout.pages.flatMap(({ rows }) => rows.flatMap((row) => (listsGoods(row) ? [] : row)));

function candidatesIn(document: DocumentContext): Candidate[] {
  return outsideGoods(document).flatMap((segment) =>
    boxNumbersIn(document, segment).flatMap((found) => {
      const box = boxWith(found.number);
      return box && box !== "Goods" ? [{ box, segment, ...found }] : [];
    }),
  );
}

const boxWith = (number: number): Box | undefined =>
  (Object.keys(boxNumbers) as Box[]).find((each) => boxNumbers[each]?.includes(number));

function headAt({ box, segment, start, end }: Omit<Candidate, "mark" | "number">, to: number): BoxHead {
  const label: Label = { index: -1, segment, start: end, end: to, meanings: [], standing: "Head" };
  return { role: box, label, weight: scores.caption.numberOnly, narrow: false, from: start, agrees: true };
}

/** A form without known captions has at least so many numbers, and most of those of its parties and places. */
const [minBare, minFirst, lastFirst] = [5, 3, 4];
const numberAhead = /^[([]?(\d{1,2})(?:[.):\]]{0,2}\s?[-–·/]\s?[([]?\d{1,2})?([.):\]]{0,2})(?:\s+|$)/u;
const numberBehind = /\p{L}\s?\((\d{1,2})\)$/u;

/** Finds the boxes of a form without known captions. Each box begins with the first of its numbers. */
function bareForm(document: DocumentContext, named: readonly BoxHead[]): BoxHead[] {
  const all = outsideGoods(document).flatMap((segment) => bareNumberIn(segment) ?? []);
  const sets = [...Map.groupBy(all, ({ mark }) => mark).values()].map((some) => [
    ...Map.groupBy(some, ({ number }) => number).values(),
  ]);
  const [best = []] = sets.sort((a, b) => b.length - a.length);
  const first = best.filter(([one]) => one && one.number <= lastFirst).length;
  if (best.length < minBare || first < minFirst) return [];
  const known = new Set(named.filter(({ agrees }) => agrees).map(({ role }) => role));
  return best.flatMap(([one]) => (one && !known.has(one.box) ? [headAt(one, knownCaptionEnd(document, one))] : []));
}

/** A caption in two languages may end with a known label, as in "18 Çekinceler / Reservations". */
function knownCaptionEnd({ annotations }: DocumentContext, { segment, end }: Candidate): number {
  const closes = (annotations.labelsIn[segment.index] ?? []).some(
    (label) => label.start >= end && label.end >= segment.text.length - 1 && label.standing !== "Loose",
  );
  return closes ? segment.text.length : end;
}

function bareNumberIn(segment: Segment): Candidate | undefined {
  const [ahead, behind] = [numberAhead.exec(segment.text), numberBehind.exec(segment.text)];
  const number = Number(ahead?.[1] ?? behind?.[1]);
  const box = boxWith(number);
  const end = ahead ? ahead[0].length : segment.text.length;
  const isText = ahead?.[2] !== "" || /^(?:[\p{L}("„«–—-]|$)/u.test(segment.text.slice(end));
  if (!box || !isText) return undefined;
  return { box, number, segment, mark: ahead ? (ahead[2] ?? "") : "(", start: 0, end };
}

const maxCaptionLength = 60;

/**
 * Returns the offset at which an unknown caption ends: after its colon, otherwise before digits or a recognised name.
 * If a value is in place of the caption, returns `from`.
 */
function captionEnd({ annotations }: DocumentContext, { text, index }: Segment, from: number): number {
  const valued = (annotations.entitiesIn[index] ?? []).some(
    ({ start, end, score }) => (start === from || (start < from && end > from)) && score >= thresholds.entityInContext,
  );
  if (valued || findPlates(fold(text.slice(from)))[0]?.start === 0) return from;
  const colon = text.indexOf(":", from);
  if (colon >= 0 && colon - from < maxCaptionLength) return colon + 1;
  const figure = text.slice(from).search(/\d/u);
  const names = (annotations.entitiesIn[index] ?? []).filter(
    ({ type, start, score }) => start > from && score >= thresholds.entity && (type === "Company" || type === "Place"),
  );
  return Math.min(figure < 0 ? text.length : from + figure, ...names.map(({ start }) => start));
}
