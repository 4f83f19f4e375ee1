import type { Segment } from "../../layout/layout.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { entitiesOfType } from "../../fields/labels/annotations.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { columnOf, columns, draftOf, isRow, type Column, type GoodsDraft } from "./goods-rows.ts";
import { scores } from "./scores.ts";

/*
 * Goods without captions above their columns. The boxes of a CMR note have a fixed order: marks, number of packages,
 * packing, nature, statistical number, weight, volume. A text is assigned to one of them by its form (a weight has a
 * unit, a statistical number 8 digits) and by what stands before it.
 */

type Row = readonly Segment[];

/** A text between separators, and the column that its form, caption or box number determines. */
interface Piece {
  column?: Column;
  span: TextSpan;
}

type Item = Map<Column, { text: string; span: TextSpan }>;

const number = String.raw`\d{1,3}(?:[ .,'\u00a0]\d{3})+(?:[.,]\d{1,3})?|\d+(?:[.,]\d+)?`;
const notInside = String.raw`(?<![\p{L}\p{N}.,/-])`;
/** Texts that show by their form which column they belong to. */
const forms: readonly [Column, RegExp][] = [
  ["volume", new RegExp(`${notInside}(?:${number})\\s?(?:m3|m³|cbm|mc|м3|м³|куб)(?!\\p{L})`, "giu")],
  ["grossWeight", new RegExp(`${notInside}(?:${number})\\s?(?:kgs?|кг|t|т)(?![\\p{L}\\p{N}])`, "giu")],
  ["grossWeight", new RegExp(`(?<!\\p{L})kg\\.?\\s?(?:${number})(?![\\d])`, "giu")],
  ["statisticalNumber", /(?<![\p{L}\p{N}.,/-])\d{4}(?:[ .]?\d{2}){2,3}(?![\p{L}\p{N}/-]|[.,]\d)/gu],
];
const codeAlone = /^(?:\p{L}{2,7}[.:]?\s)?(\d{4}[ .]?\d{2}(?:[ .]?\d{2})*)$/u;
const numberAlone = new RegExp(`^(?:${number})$`, "u");
const countAhead = /^(\d{1,3}(?:[ .]\d{3})+|\d{1,5})\s?[x×]?\s+(?=\p{L}{2})/u;
const boxAlone = /^[([]?(6|7|8|9|10|11|12)[.):\]]{0,2}$/u;
const boxAhead = /^[([]?(6|7|8|9|10|11|12)[.):\]](\s?[-–]\s?[([]?\d{1,2}[.):\]]{0,2})?\s+/u;
const total =
  /^(?:grand |sub)?(?:total|totaal|totale|totali|totaux|tot|gesamt|summe|summa|sum|σύνολο|συνολο|razem|celkem|celkom|spolu|összesen|össz|ukupno|skupaj|iš viso|viso|kopā|kokku|yhteensä|i alt|sammanlagt|итого|всего|разом|усього|общо|всичко|soma|suma|ogółem|toplam)(?![\p{L}])/iu;

const measure = new RegExp(
  `^(?:\\p{L}{1,7}\\.?\\s)?(?:(?:${number})\\s?(?:kgs?|кг|t|т|m3|m³|cbm|mc|м3|м³)?|\\d{4}(?:[ .]?\\d{2}){1,3})\\.?$`,
  "iu",
);
const certainMeasure = /^(?:\p{L}{1,7}\.?\s)?\d[\d ]{4,12}\d$|\d\s?(?:kgs?|кг|m3|m³|cbm|м3|м³)\.?$/iu;
/** A row outside the box of the goods lists goods if it has so many measures, one of them a weight or code. */
const minMeasures = 2;

/**
 * Finds the rows of the goods: those in their box, with the figures right of them, and rows elsewhere with the measures
 * of goods. `inBox`: whether a segment is in the box. `isCaption`: whether it is a caption without a value.
 */
export function goodsRows(
  { annotations, prose }: DocumentContext,
  inBox: (segment: Segment) => boolean,
  isCaption: (segment: Segment) => boolean,
): Row[] {
  return annotations.layout.pages.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const free = row.filter((segment) => !isCaption(segment));
      const own = free.filter(inBox);
      const measured = free.filter(({ text }) => measure.test(text));
      const isListed = listsGoods(free) && !free.some((segment) => prose.has(segment));
      if (isListed)
        return [free.slice(0, Math.max(...[...measured, ...own].map((segment) => free.indexOf(segment))) + 1)];
      if (own.length === 0 || (measured.length === 0 && free.length < row.length)) return [];
      const from = own[0]!.index;
      return [free.filter((segment) => own.includes(segment) || (measured.includes(segment) && segment.index > from))];
    }),
  );
}

/** Whether a row has several measures of goods, one of them certain, and words. */
export function listsGoods(row: Row): boolean {
  const measured = row.filter(({ text }) => measure.test(text));
  const counted = measured.length + (row.some(({ text }) => countAhead.test(text)) ? 1 : 0);
  return (
    counted >= minMeasures &&
    measured.some(({ text }) => certainMeasure.test(text)) &&
    row.some((segment) => !measured.includes(segment) && /\p{L}{3}/u.test(segment.text))
  );
}

/** Reads goods from the texts in the box of the goods, by their forms and order. */
export function goodsByForm(document: DocumentContext, rows: readonly Row[]): GoodsDraft[] {
  const items: Item[] = [];
  let waiting: Piece[] = [];
  for (const row of rows) {
    const pieces = piecesOf(document, row);
    if (pieces.length === 0 || pieces.some(({ span }) => total.test(span.text))) continue;
    const item = items.at(-1);
    const hinted = pieces.some(({ column }) => column !== undefined);
    const counts = pieces.some(
      ({ column, span }) => column === "quantity" || countAhead.test(span.text) || numberAlone.test(span.text),
    );
    if (!hinted && !counts) {
      if (item?.get("nature") && continues(item, row)) continueNature(item, pieces);
      else waiting = pieces;
      continue;
    }
    if (item && !counts && pieces.every(({ column }) => column !== undefined && !item.has(column))) {
      for (const { column, span } of pieces) item.set(column!, { text: span.text, span });
      continue;
    }
    const read = itemOf(document, [...waiting, ...pieces]);
    waiting = [];
    if (item && read.size > 0 && [...read.keys()].every((column) => !item.has(column)))
      for (const [column, value] of read) item.set(column, value);
    else items.push(read);
  }
  return items.map(draftOf).filter(isItem);
}

const isItem = (draft: GoodsDraft): boolean =>
  isRow(draft) && (draft.nature ?? draft.packing) !== undefined && (draft.quantity ?? draft.grossWeight) !== undefined;

function continues(item: Item, row: Row): boolean {
  const { segment } = item.get("nature")!.span;
  const [first] = row;
  return (
    row.length === 1 &&
    first !== undefined &&
    first.page === segment.page &&
    Math.abs(first.box.x0 - segment.box.x0) < segment.size &&
    first.box.y0 - segment.box.y1 < segment.size
  );
}

function continueNature(item: Item, pieces: readonly Piece[]): void {
  const { text, span } = item.get("nature")!;
  item.set("nature", { text: [text, ...pieces.map((piece) => piece.span.text)].join(" "), span });
}

function piecesOf(document: DocumentContext, row: Row): Piece[] {
  let hint: Column | undefined;
  return row.flatMap((segment) => {
    const alone = boxAlone.exec(segment.text)?.[1];
    if (alone && row.length > 1 && /[.):\]]$/u.test(segment.text)) {
      hint = columnWith(alone);
      return [];
    }
    const ahead = boxAhead.exec(segment.text);
    const pieces = piecesIn(document, segment, ahead?.[0].length ?? 0, row.length);
    const column = ahead ? (ahead[2] ? undefined : columnWith(ahead[1]!)) : hint;
    hint = undefined;
    if (column && pieces[0]) pieces[0].column ??= column;
    return pieces;
  });
}

const columnWith = (box: string): Column | undefined => columns.find((column) => column.box === Number(box))?.column;

/** Cuts out what shows its column by its form, and splits the rest at separators. */
function piecesIn(document: DocumentContext, segment: Segment, from: number, among: number): Piece[] {
  const { text } = segment;
  const whole = trimmedSpan(segment, from, text.length);
  const code = codeAlone.exec(whole.text)?.[1];
  if (code) {
    const span = trimmedSpan(segment, segment.text.length - code.length, segment.text.length);
    return [
      {
        span,
        ...(code.length >= 6 && /\D|^\d{8}|^\d{10}|^\d{6}$/u.test(code) && { column: "statisticalNumber" as const }),
      },
    ];
  }
  const found: { column: Column; start: number; end: number }[] = [];
  for (const [column, form] of forms)
    for (const { index, 0: match } of text.slice(from).matchAll(form)) {
      const [start, end] = [from + index, from + index + match.length];
      if (isPackageSize(column, match, start > from)) continue;
      if (found.every((other) => other.end <= start || other.start >= end)) found.push({ column, start, end });
    }
  found.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = from;
  for (const { column, start, end } of [...found, { column: undefined, start: text.length, end: text.length }]) {
    pieces.push(...textsIn(document, segment, at, start, among, column !== undefined));
    if (column) pieces.push({ column, span: figuresOf(trimmedSpan(segment, start, end)) });
    at = end;
  }
  return pieces;
}

/** "Bags of 25 kg": a small weight behind words is that of a package. */
const isPackageSize = (column: Column, text: string, described: boolean): boolean =>
  column === "grossWeight" && described && /^\d{1,2}(?:[.,]\d{1,2})?\s?(?:kg|кг)/iu.test(text);

/** "KG 8.240" has its unit before the number. */
function figuresOf(span: TextSpan): TextSpan {
  const lead = /^\D+/u.exec(span.text)?.[0].length ?? 0;
  return trimmedSpan(span.segment, span.start + lead, span.end);
}

const manySeparators = /\s*[·•|;]\s*|\s[–—-]\s|,\s+|\s\/\s|(?<=[\p{L}\d]):\s+/gu;
const fewSeparators = /\s*[·•|]\s*/gu;
const maxFew = 2;

function textsIn(
  document: DocumentContext,
  segment: Segment,
  from: number,
  to: number,
  among: number,
  measured: boolean,
): Piece[] {
  const separators = among > maxFew ? fewSeparators : manySeparators;
  const pieces: Piece[] = [];
  let [at, hint]: [number, Column | undefined] = [from, undefined];
  const slice = segment.text.slice(from, to);
  const ends = [...slice.matchAll(separators)].map((match) => ({
    end: from + match.index,
    next: from + match.index + match[0].length,
    colon: match[0].startsWith(":"),
  }));
  for (const { end, next, colon } of [...ends, { end: to, next: to, colon: false }]) {
    const span = trimmedSpan(segment, at, end);
    at = next;
    const label = (document.annotations.labelsIn[segment.index] ?? []).find(
      ({ start }) => start >= span.start && start <= span.start + 1,
    );
    const named = label && columnOf(label);
    if (named && colon) hint = named;
    else if (label && named && label.end >= span.end - 1) hint = undefined;
    else if (label && named === "marks" && span.end > label.end)
      pieces.push({ column: named, span: trimmedSpan(segment, label.end, span.end) });
    else if (/[\p{L}\p{N}]/u.test(span.text) && !(measured && end === to && isUnitWord(span)))
      pieces.push({ span, ...(hint && { column: hint }) });
    if (!colon) hint = undefined;
  }
  return pieces;
}

/** A short word before a measure or code, such as "gross" and "HS". */
const isUnitWord = ({ text }: TextSpan): boolean =>
  /^(?:hs|cn|nc|kn|taric|tarif|stat|gross|brutto|bruto|brut|brt|btto|peso|kg|масса|брутто|вес|вага)[\s.:-]*(?:code|nr|no|weight|kg|lordo)?[.:]?$/iu.test(
    text,
  );

/** Assigns the texts to the columns in the order of the boxes. */
function itemOf(document: DocumentContext, pieces: readonly Piece[]): Item {
  const item: Item = new Map();
  const put = (column: Column, span: TextSpan, text = span.text) => {
    if (!item.has(column)) item.set(column, { text, span });
  };
  for (const { column, span } of pieces) if (column) put(column, span);
  const open = withCounts(
    document,
    pieces.filter(({ column }) => !column),
  );
  const isCounted = (piece: Piece | undefined) => piece !== undefined && countAhead.test(piece.span.text);
  const numbered = open.findIndex((piece) => isCounted(piece) || /^\d{1,5}$/u.test(piece.span.text));
  const first = numbered === 0 && isCounted(open[1]) && !isCounted(open[0]) ? 1 : numbered;
  const counted = item.has("quantity") ? -1 : first;
  const before = counted < 0 ? [] : open.slice(0, counted);
  const texts = open.slice(counted < 0 ? 0 : counted + 1);
  const quantity = counted < 0 ? undefined : open[counted];
  if (quantity)
    putCount(
      document,
      item,
      quantity.span,
      texts.some(({ span }) => /\p{L}{2}/u.test(span.text)),
    );
  const figures = texts.filter(({ span }) => numberAlone.test(span.text) && span.segment.text === span.text);
  const words = texts.filter((piece) => !figures.includes(piece) && /\p{L}/u.test(piece.span.text));
  if (!item.has("packing") && words.length > 1 && quantity && isPacking(words[0]!.span))
    put("packing", words.shift()!.span);
  if (words[0]) put("nature", words[0].span, textFrom(words));
  const described = before.length > 1 && !item.has("nature") ? before.splice(0, before.length - 1) : [];
  if (described[0]) put("nature", described[0].span, textFrom(described));
  if (before[0]) put("marks", before[0].span, textFrom(before));
  for (const { span } of figures) put(item.has("grossWeight") ? "volume" : "grossWeight", span);
  return item;
}

/** Divides "LFT 4-19 16 bundles" before the number of packages, if no text begins with a number. */
function withCounts(document: DocumentContext, open: readonly Piece[]): Piece[] {
  if (open.some(({ span }) => countAhead.test(span.text) || /^\d{1,5}$/u.test(span.text))) return [...open];
  return open.flatMap((piece): Piece[] => {
    const { segment, start, end } = piece.span;
    const packed = entitiesOfType(document.annotations, "Quantity", [segment]).find(
      ({ entity }) =>
        (entity.value.unit === "pallets" || entity.value.unit === "pieces") &&
        entity.start > start &&
        entity.end <= end &&
        countAhead.test(segment.text.slice(entity.start)),
    );
    if (!packed) return [piece];
    const { start: at } = packed.entity;
    return [{ span: trimmedSpan(segment, start, at) }, { span: trimmedSpan(segment, at, end) }];
  });
}

const isPacking = ({ text }: TextSpan): boolean => text.length < 25 && /^\p{L}/u.test(text);

/** Joins pieces of a text as they are printed. */
function textFrom(pieces: readonly Piece[]): string {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (!first || !last) return "";
  if (pieces.every(({ span }) => span.segment === first.span.segment))
    return first.span.segment.text.slice(first.span.start, last.span.end).trim();
  return pieces.map(({ span }) => span.text).join(" ");
}

/** Divides "620 boxes beech chairs" into number, packing and nature. `described`: another text has the nature. */
function putCount(document: DocumentContext, item: Item, span: TextSpan, described: boolean): void {
  const ahead = countAhead.exec(span.text);
  item.set("quantity", { text: ahead?.[1] ?? span.text, span });
  if (!ahead) return;
  const from = span.start + ahead[0].length;
  const rest = trimmedSpan(span.segment, from, span.end);
  const known = entitiesOfType(document.annotations, "Quantity", [span.segment]).find(
    ({ entity }) =>
      entity.start >= span.start - 1 && entity.start < from && entity.end > from && entity.end <= span.end,
  );
  const word = from + (/^[\p{L}.'-]+/u.exec(rest.text)?.[0].length ?? 0);
  const end = described && rest.text.split(" ").length < 3 ? rest.end : Math.max(word, known?.entity.end ?? 0);
  const packing = trimmedSpan(span.segment, from, end);
  const nature = trimmedSpan(span.segment, end, span.end);
  if (!item.has("packing")) item.set("packing", { text: packing.text, span: packing });
  if (/\p{L}{2}/u.test(nature.text) && !item.has("nature")) item.set("nature", { text: nature.text, span: nature });
}

/** Number of values in some drafts. */
export const valuesIn = (drafts: readonly GoodsDraft[]): number =>
  drafts.reduce((sum, draft) => sum + Object.values(draft).filter((value) => value instanceof FieldValue).length, 0);

/** Values that are assigned by form and order are less certain than those under captions. */
export const lessCertain = (draft: GoodsDraft): GoodsDraft =>
  Object.fromEntries(
    Object.entries(draft).map(([column, value]) => [
      column,
      value instanceof FieldValue
        ? new FieldValue(value.value, value.confidence * scores.goods.byForm, value.span)
        : value,
    ]),
  ) as GoodsDraft;
