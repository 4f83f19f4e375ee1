import { boxOf, type Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import {
  captionsOf,
  columnOf,
  columns,
  draftOf,
  isRow,
  rowsUnder,
  type Caption,
  type Column,
  type GoodsDraft,
} from "./goods-rows.ts";
import { goodsByForm, lessCertain, valuesIn } from "./goods-texts.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { findLabelledTexts } from "../../fields/labels/labelled-text.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { valueAreasOf } from "../../fields/labels/value-areas.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { entityValue } from "../field-values.ts";
import { thresholds } from "../scores.ts";
import { scores } from "./scores.ts";

const minCaptions = 3;

/**
 * Finds the goods in boxes 6 to 12. These layouts are tried in order: goods between box numbers on one line; columns
 * under captions; a list of labelled fields; a description on one line. Texts without captions are assigned to the
 * boxes by their forms, if more values are found in this way. `rows` are the rows of the goods.
 */
export function goodsIn(
  document: DocumentContext,
  ends: (segment: Segment) => boolean,
  rows: readonly (readonly Segment[])[],
): GoodsDraft[] {
  const numbered = numberedCells(document);
  if (numbered.filled.length > 0) return numbered.filled;
  const captioned = captionedGoods(document, numbered, ends);
  const byForm = goodsByForm(document, rows).map(lessCertain);
  return valuesIn(byForm) > valuesIn(captioned) ? byForm : captioned;
}

function captionedGoods(
  document: DocumentContext,
  numbered: NumberedGoods,
  ends: (segment: Segment) => boolean,
): GoodsDraft[] {
  const captions = mergeCaptions(numbered.captions, captionsOf(document));
  const rows = captions.length >= minCaptions ? rowsUnder(document, captions, ends) : [];
  if (rows.length > 0) return rows;
  const fields = fieldsOfGoods(document);
  return fields.length > 0 ? fields : goodsOnLine(document);
}

/**
 * Adds captions without box number to those in the same row that have one. With too few box numbers in the row, only
 * captions without a number count.
 */
function mergeCaptions(numbered: readonly Caption[], worded: readonly Caption[]): readonly Caption[] {
  if (numbered.length < minCaptions) return worded;
  const known = new Set(numbered.map(({ column }) => column));
  const [first] = numbered;
  const beside = worded.filter(
    ({ column, cell }) =>
      !known.has(column) &&
      cell.segment.page === first?.cell.segment.page &&
      cell.segment.row === first.cell.segment.row,
  );
  return [...numbered, ...beside];
}

interface Word {
  segment: Segment;
  start: number;
  end: number;
  text: string;
}

/** The number of a box. `at`: index of its word on the line. */
interface Mark extends Word {
  number: number;
  at: number;
}

interface NumberedBox {
  column: Column;
  mark: Mark;
  words: readonly Word[];
}

const minNumbers = 4;
const numberAlone = /^[([]?(\d{1,2})[.):\]]{0,2}$/u;
const numberAhead = /^(\d{1,2})[.)](?=\p{L})/u;

/**
 * Finds boxes 6 to 12 if their numbers are on one line: the goods between the numbers, as in "9 paper 11 18 200", or
 * captions of columns. The result is cached.
 */
export function numberedCells(document: DocumentContext): NumberedGoods {
  const cells = cellsByDocument.get(document.annotations) ?? findNumberedCells(document);
  cellsByDocument.set(document.annotations, cells);
  return cells;
}

/** `captions` are empty if goods are between the numbers. */
interface NumberedGoods {
  filled: GoodsDraft[];
  captions: Caption[];
  marks: readonly Word[];
}

const cellsByDocument = new WeakMap<DocumentContext["annotations"], NumberedGoods>();

function findNumberedCells(document: DocumentContext): NumberedGoods {
  const rows = document.annotations.layout.pages.flatMap((page) =>
    page.rows.map((row, at) => [row, page.rows[at + 1] ?? []] as const),
  );
  const lines = rows.map(([row, below]) => lineOf(row, below)).filter((line) => line !== undefined);
  const full = lines.flatMap((line) => {
    const draft = draftOf(new Map(line.flatMap((each) => printedIn(document, each))));
    return holdsGoods(line) && isRow(draft) ? [{ line, draft }] : [];
  });
  const header = full.length > 0 ? undefined : lines.find((line) => !holdsGoods(line));
  const used = header ? [header] : full.map(({ line }) => line);
  return {
    filled: full.map(({ draft }) => draft),
    captions: header?.map(captionOf) ?? [],
    marks: used.flat().map(({ mark }) => mark),
  };
}

/** The numbers of the boxes are in one row; the last ones may be in the row below. */
function lineOf(row: readonly Segment[], below: readonly Segment[]): NumberedBox[] | undefined {
  const own = wordsOf(row);
  const marks = risingNumbers(own.flatMap((word, at) => markOf(word, at) ?? []));
  if (marks.length < minNumbers) return undefined;
  const more = wordsOf(below);
  const rest = risingNumbers(more.flatMap((word, at) => markOf(word, own.length + at) ?? [])).filter(
    ({ number }) => number > (marks.at(-1)?.number ?? 0),
  );
  const goesOn = rest.length > 0 && rest.length === last - (marks.at(-1)?.number ?? last);
  const [words, all] = goesOn
    ? [
        [...own, ...more],
        [...marks, ...rest],
      ]
    : [own, marks];
  return all.map((mark, at) => ({
    column: columns.find(({ box }) => box === mark.number)!.column,
    mark,
    words: words.slice(mark.at, all[at + 1]?.at ?? words.length).flatMap((word) => behind(word, mark) ?? []),
  }));
}

const last = 12;

function wordsOf(row: readonly Segment[]): Word[] {
  return row.flatMap((segment) =>
    segment.tokens.map((token, at): Word => {
      const start = segment.starts[at] ?? 0;
      return { segment, start, end: start + token.text.length, text: token.text };
    }),
  );
}

function markOf(word: Word, at: number): Mark | undefined {
  const match = numberAlone.exec(word.text) ?? numberAhead.exec(word.text);
  const number = Number(match?.[1]);
  return match && columns.some(({ box }) => box === number)
    ? { ...word, end: word.start + match[0].length, number, at }
    : undefined;
}

function behind(word: Word, mark: Mark): Word | undefined {
  if (word.segment !== mark.segment || word.start !== mark.start) return word;
  return word.end > mark.end
    ? { ...word, start: mark.end, text: word.segment.text.slice(mark.end, word.end) }
    : undefined;
}

/** If two sequences are equally long, the one with fewer empty boxes counts. */
function risingNumbers(marks: readonly Mark[]): Mark[] {
  const best: Mark[][] = [];
  for (const mark of marks) {
    const earlier = best.filter((sequence) => (sequence.at(-1)?.number ?? 0) < mark.number);
    best.push([...earlier.reduce<Mark[]>(better, []), mark]);
  }
  return best.reduce<Mark[]>(better, []);
}

function better(one: Mark[], other: Mark[]): Mark[] {
  if (other.length !== one.length) return other.length > one.length ? other : one;
  return emptyIn(other) < emptyIn(one) ? other : one;
}

const emptyIn = (marks: readonly Mark[]): number =>
  marks.filter((mark, at) => marks[at + 1]?.at === mark.at + 1).length;

const figures: Partial<Record<Column, RegExp>> = {
  quantity: /^\d/u,
  statisticalNumber: /^\d{4}/u,
  grossWeight: /^\d{2}/u,
};

/** Whether goods stand between the box numbers ("11 18 200"), and not captions ("11 Gross weight"). */
function holdsGoods(line: readonly NumberedBox[]): boolean {
  return line.some(({ column, words }) => words.some(({ text }) => figures[column]?.test(text)));
}

function printedIn(
  document: DocumentContext,
  { column, words }: NumberedBox,
): [Column, { text: string; span: TextSpan }][] {
  const [first] = words;
  if (!first) return [];
  const label = (document.annotations.labelsIn[first.segment.index] ?? []).find(
    (each) => each.start >= first.start && each.start <= first.start + 1 && columnOf(each) === column,
  );
  const captioned = label ? words.filter((word) => word.segment !== first.segment || word.start >= label.end) : words;
  const colon = captioned.findIndex(({ text }) => text.endsWith(":"));
  const named = captioned.slice(colon + 1);
  const from = isCounted(column) ? named.findIndex(({ text }) => /^\d/u.test(text)) : 0;
  const value = from < 0 ? [] : named.slice(from);
  const [begin] = value;
  if (!begin) return [];
  const own = value.filter(({ segment }) => segment === begin.segment);
  const span = trimmedSpan(begin.segment, begin.start, own.at(-1)?.end ?? begin.end);
  const text = value.map((word) => word.text).join(" ");
  return [[column, { text: text.replace(/[\s,;–—-]+$/u, ""), span }]];
}

const isCounted = (column: Column): boolean => column !== "marks" && column !== "packing" && column !== "nature";

function captionOf({ column, mark, words }: NumberedBox): Caption {
  const own = words.filter(({ segment }) => segment === mark.segment);
  const [start, end] = [mark.start, own.at(-1)?.end ?? mark.end];
  return { column, cell: { name: column, segment: mark.segment, start, end }, box: boxOf(mark.segment, start, end) };
}

const minFields = 3;
const counted: ReadonlySet<Column> = new Set<Column>(["quantity", "statisticalNumber", "grossWeight", "volume"]);

function fieldsOfGoods(document: DocumentContext): GoodsDraft[] {
  const fields = columns
    .flatMap(({ column, concepts }) =>
      findLabelledTexts(document, [...concepts], { fits: (text) => !counted.has(column) || /^\d/u.test(text) })
        .filter(({ score, label }) => score >= scores.goods.minLabelled && label.standing !== "Tail")
        .map(({ span, label }) => ({ column, label, ...upToField(document, span) })),
    )
    .sort((a, b) => a.label.index - b.label.index);
  const goods: Map<Column, { text: string; span: TextSpan }>[] = [];
  for (const { column, text, span } of fields) {
    const open = goods.at(-1);
    if (open && !open.has(column)) open.set(column, { text, span });
    else goods.push(new Map([[column, { text, span }]]));
  }
  return goods
    .filter(({ size }) => size >= minFields)
    .map(draftOf)
    .filter(isRow);
}

/** In "wine in bottles, gross weight 19 200 kg", cuts off the text from "gross weight" on. */
function upToField({ annotations: marks }: DocumentContext, span: TextSpan): { text: string; span: TextSpan } {
  const { segment, start, end } = span;
  const next = (marks.labelsIn[segment.index] ?? []).find(
    (label) =>
      label.start > start &&
      label.start < end &&
      columnOf(label) &&
      /,\s*$/u.test(segment.text.slice(start, label.start)),
  );
  const own = next ? trimmedSpan(segment, start, next.start) : span;
  return { text: own.text, span: own };
}

const maxNameLength = 60;
const packages = new Set(["pallets", "pieces"]);

function goodsOnLine(document: DocumentContext): GoodsDraft[] {
  for (const label of document.annotations.labels) {
    const isGoods = label.standing === "Head" && columnOf(label) === "nature" && !document.prose.has(label.segment);
    const [area] = isGoods ? valueAreasOf(document.annotations, label) : [];
    const goods =
      area && area.way !== "Before" && goodsInLine(document, trimmedSpan(area.segment, area.start, area.end));
    if (goods) return [goods];
  }
  return [];
}

function goodsInLine(document: DocumentContext, span: TextSpan): GoodsDraft | undefined {
  const { segment, start, end } = span;
  const counts = entitiesOfType(document.annotations, "Quantity", [segment]).filter(
    ({ entity }) => entity.start >= start && entity.end <= end && entity.score >= thresholds.entity,
  );
  const weight = counts.find(({ entity }) => entity.value.unit === "kg" || entity.value.unit === "t");
  const number = counts.find(({ entity }) => packages.has(entity.value.unit));
  if (!weight || !number) return undefined;
  const packing = segment.text.slice(number.entity.start, number.entity.end).replace(/^[\d .,x]+/u, "");
  const kilograms = weight.entity.value.unit === "t" ? 1000 : 1;
  const nature = natureIn(span, number.entity);
  const { measureInLine, wordsInLine } = scores.goods;
  return {
    ...(nature && { nature }),
    quantity: entityValue(number.entity.value.amount, number, measureInLine),
    ...(packing && { packing: entityValue(packing, number, wordsInLine) }),
    grossWeight: entityValue(weight.entity.value.amount * kilograms, weight, measureInLine),
  };
}

/**
 * Finds the nature of the goods: the words before the first number ("oranges, 26 pallets"), otherwise the words after
 * the packages ("24 pallets wheat flour").
 */
function natureIn(
  { segment, start, end }: TextSpan,
  packed: { start: number; end: number },
): FieldValue<string> | undefined {
  const first = /^[^\d,;]+/u.exec(segment.text.slice(start, end))?.[0].trim();
  const from = first ? start : packed.end + (/^[\s:]*/u.exec(segment.text.slice(packed.end, end))?.[0].length ?? 0);
  const words = first ?? /^[^\d,;]+/u.exec(segment.text.slice(from, end))?.[0].trim();
  if (!words || words.length > maxNameLength || !/\p{L}{3}/u.test(words)) return undefined;
  return new FieldValue(words, scores.goods.wordsInLine, { segment, start: from, end: from + words.length });
}
