import type { DocumentLocale, EntityType } from "../../entities/entity.ts";
import { conceptOf } from "../../lexicon/concepts.ts";
import { entitiesOfType, type Label } from "../labels/annotations.ts";
import type { DocumentContext } from "../labels/values.ts";
import { FieldValue } from "../confidence/field-value.ts";
import { boxOf, type Segment } from "../../layout/layout.ts";
import { cellsOfRow, type Cell } from "../../layout/row-cells.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { cleanedText } from "../route/stop-details.ts";
import { scores } from "../scores.ts";
import { cargoIn, type CargoDraft } from "./cargo.ts";
import { captionOf, figureUnder, type Caption } from "./goods-captions.ts";

/** One line of goods, and the segments in which it is printed. */
export interface GoodsLine {
  cargo: CargoDraft;
  segments: readonly Segment[];
  /** The texts of the columns that are no goods, such as the destination, by the names of the columns. */
  others: ReadonlyMap<string, OtherCell>;
}

/** A cell of a column that is no goods. */
export interface OtherCell {
  text: string;
  /** The stops that the caption of the column names: "Unloading" above "1", "2", "2". */
  about?: StopTopic;
}

type StopTopic = "Stop" | "Loading" | "Unloading";
const stopTopics: readonly string[] = ["Stop", "Loading", "Unloading"] satisfies StopTopic[];

type Row = readonly Segment[];
type PrintedRow = ReadonlyMap<string, { text: string; span: TextSpan }>;

/** Rows that are printed alike one below the other, and the row above them. */
interface Run {
  above: Row;
  lines: Row[];
  /** Number of rows, with those between the lines. */
  rows: number;
}

const mostLines = 60;
/** Wrapped text and other rows without figures may stand between two lines. */
const maxRowsBetween = 2;
/** Share of the lines that must have a measure, so that the rows are lines of goods. */
const minShare = 0.6;
const telling = ["weight", "pallets", "quantity", "vin"] as const;
/** Rows with these entities list stops or prices. */
const ofOtherTables: readonly EntityType[] = ["Date", "Time", "Phone", "Iban"];

/** Finds the tables and lists of goods: rows printed alike, each with a measure of its own. */
export function goodsTablesIn(document: DocumentContext, locale: DocumentLocale): GoodsLine[][] {
  return document.annotations.layout.pages.flatMap(({ rows }) => {
    const tables: GoodsLine[][] = [];
    for (let at = 0; at < rows.length;) {
      document.budget.check();
      const run = runAt(document, rows, at);
      const lines = run && mayListGoods(document, run) ? linesOf(document, locale, run) : [];
      if (lines.length > 0) tables.push(lines);
      at += run?.rows ?? 1;
    }
    return tables;
  });
}

/** Whether the rows have units of goods, vehicle identification numbers or captions of goods. */
function mayListGoods({ annotations }: DocumentContext, { above, lines }: Run): boolean {
  const measured = (row: Row) =>
    row.some(({ index }) =>
      (annotations.entitiesIn[index] ?? []).some(({ type }) => type === "Quantity" || type === "Vin"),
    );
  const captioned = above.some(({ index }) => (annotations.labelsIn[index] ?? []).some((label) => captionOf(label)));
  return captioned || lines.filter(measured).length >= minShare * lines.length;
}

function runAt(document: DocumentContext, rows: readonly Row[], at: number): Run | undefined {
  const first = rows[at]!;
  if (!isListed(document, first)) return undefined;
  const lines = [first];
  let [end, between] = [at + 1, 0];
  for (let next = at + 1; next < rows.length && between <= maxRowsBetween && lines.length < mostLines; next++) {
    const row = rows[next]!;
    if (isListed(document, row) && isAligned(row, first)) {
      lines.push(row);
      [end, between] = [next + 1, 0];
    } else if (row.some(({ text }) => /\d/u.test(text))) break;
    else between++;
  }
  return lines.length > 1 ? { above: rows[at - 1] ?? [], lines, rows: end - at } : undefined;
}

/** Whether a row may be a line of a list: it has figures, and is not made of captions and their values. */
function isListed(document: DocumentContext, row: Row): boolean {
  return (
    row.some(({ text }) => /\d/u.test(text)) &&
    !row.some((segment) => document.prose.has(segment)) &&
    2 * row.filter((segment) => isCaptioned(document, segment)).length < row.length &&
    !ofOtherTables.some((type) =>
      entitiesOfType(document.annotations, type, row).some(({ entity }) => entity.score >= scores.goods.table.minOther),
    )
  );
}

/** Whether a segment is a caption for the value beside it, or begins with one: "Weight", "Weight: 24 t". */
function isCaptioned({ annotations }: DocumentContext, { index, text }: Segment): boolean {
  const isCaption = ({ standing, start, end }: Label) => standing === "Head" && start < 2 && end > text.length - 3;
  return /\p{L}\s*\.*:/u.test(text) || (annotations.labelsIn[index] ?? []).some(isCaption);
}

/** Whether most cells of two rows have a common edge or column. */
function isAligned(row: Row, model: Row): boolean {
  const common = row.filter((segment) => model.some((other) => haveCommonEdge(segment, other))).length;
  return common >= Math.max(Math.min(2, model.length), minShare * Math.max(row.length, model.length));
}

function haveCommonEdge(one: Segment, other: Segment): boolean {
  if (one.cell && other.cell) return one.cell.table === other.cell.table && one.cell.column === other.cell.column;
  const apart = Math.min(Math.abs(one.box.x0 - other.box.x0), Math.abs(one.box.x1 - other.box.x1));
  return apart < one.size;
}

function linesOf(document: DocumentContext, locale: DocumentLocale, { above, lines }: Run): GoodsLine[] {
  const widest = lines.reduce((best, row) => (row.length > best.length ? row : best));
  const cells = widest.map((segment, at): Cell<string> => ({
    name: String(at),
    segment,
    start: 0,
    end: segment.text.length,
  }));
  const captions = captionsBy(document, above, cells);
  const printed = lines.map((row) => cellsOfRow<string>(row, cells));
  const words = wordColumn(document, cells, printed, captions);
  const topics = topicsBy(document, above, cells);
  const goods = lines.map((segments, at): GoodsLine => {
    document.budget.check();
    const cells = printed[at]!;
    const cargo = cargoIn(document, (segment) => segments.includes(segment));
    const inColumns = columnsOf(document, locale, captions, cells, words);
    const others = [...cells].flatMap(([name, { text }]): [string, OtherCell][] =>
      captions.has(name) || (name === words && !text.includes(":")) ? [] : [[name, { text, ...topics.get(name) }]],
    );
    return { segments, cargo: { ...cargo, ...inColumns, ...vinIn(document, segments) }, others: new Map(others) };
  });
  const withoutSum = withoutTotal(goods);
  const isGoods = telling.some(
    (name) => withoutSum.filter(({ cargo }) => cargo[name]).length >= Math.max(2, minShare * withoutSum.length),
  );
  const named = withoutSum.filter(({ cargo }) => cargo.cargoType ?? cargo.vin).length;
  return isGoods && named >= minShare * withoutSum.length ? withoutSum : [];
}

/** The captions above the columns, by the names of the columns. */
function captionsBy(
  { annotations }: DocumentContext,
  above: Row,
  cells: readonly Cell<string>[],
): Map<string, Caption> {
  const captions = new Map<string, Caption>();
  if (above.some(({ text }) => /\d{2}/u.test(text))) return captions;
  for (const segment of above)
    for (const label of annotations.labelsIn[segment.index] ?? []) {
      const caption = captionOf(label);
      const column = caption && columnUnder(boxOf(segment, label.start, label.end), segment, cells);
      const before = column && captions.get(column);
      if (caption && column && (!before || caption.rank < before.rank)) captions.set(column, caption);
    }
  return withoutRivals(captions);
}

/** The stops that captions name, by the names of the columns below them. */
function topicsBy(
  { annotations }: DocumentContext,
  above: Row,
  cells: readonly Cell<string>[],
): Map<string, { about: StopTopic }> {
  const topics = new Map<string, { about: StopTopic }>();
  for (const segment of above)
    for (const { meanings, start, end } of annotations.labelsIn[segment.index] ?? []) {
      const about = meanings.map(({ concept }) => conceptOf(concept).about).find((each) => stopTopics.includes(each));
      const column = about && columnUnder(boxOf(segment, start, end), segment, cells);
      if (column && !topics.has(column)) topics.set(column, { about: about as StopTopic });
    }
  return topics;
}

function columnUnder(
  box: { x0: number; x1: number },
  { cell }: Segment,
  cells: readonly Cell<string>[],
): string | undefined {
  const inTable = cells.find(
    ({ segment }) => cell && segment.cell?.table === cell.table && segment.cell.column === cell.column,
  );
  if (inTable) return inTable.name;
  const away = cells.map(({ name, segment }) => ({
    name,
    gap: Math.max(0, segment.box.x0 - box.x1, box.x0 - segment.box.x1),
    edges: Math.min(Math.abs(segment.box.x0 - box.x0), Math.abs(segment.box.x1 - box.x1)),
  }));
  return away.sort((a, b) => a.gap - b.gap || a.edges - b.edges)[0]?.name;
}

/** Of several columns of one meaning, such as net and gross weight, only the best is read. */
function withoutRivals(captions: ReadonlyMap<string, Caption>): Map<string, Caption> {
  const all = [...captions];
  return new Map(
    all.filter(([, { column, rank }], at) =>
      all.every(
        ([, other], index) =>
          index === at || other.column !== column || other.rank > rank || (other.rank === rank && index < at),
      ),
    ),
  );
}

/** Finds the column with the names of the goods: the one under such a caption, otherwise the one with the most words. */
function wordColumn(
  document: DocumentContext,
  cells: readonly Cell<string>[],
  printed: readonly PrintedRow[],
  captions: ReadonlyMap<string, Caption>,
): string | undefined {
  const named = [...captions].find(([, { column }]) => column === "cargoType");
  if (named) return named[0];
  const lettersIn = (name: string) =>
    printed.reduce((sum, row) => {
      const cell = row.get(name);
      return sum + (cell && isName(document, cell) ? Math.min(30, cell.text.replace(/[^\p{L}]/gu, "").length) : 0);
    }, 0);
  const [best] = cells
    .filter(({ name }) => !captions.has(name))
    .map(({ name }) => ({ name, letters: lettersIn(name) }))
    .sort((a, b) => b.letters - a.letters);
  return best && best.letters >= 3 * printed.length ? best.name : undefined;
}

/** Whether a text may be the name of goods, and is no code, place, vehicle identification number or measure. */
function isName({ annotations }: DocumentContext, { text, span }: { text: string; span: TextSpan }): boolean {
  const entities = annotations.entitiesIn[span.segment.index] ?? [];
  const other = entities.some(
    ({ type, score, start, end }) =>
      (type === "Place" || type === "Vin" || type === "Quantity" || type === "Company") &&
      score >= scores.goods.table.minOther &&
      end - start > (span.end - span.start) / 2,
  );
  return !other && /\p{L}{3}/u.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) > (text.match(/\d/gu)?.length ?? 0);
}

function columnsOf(
  { annotations }: DocumentContext,
  { decimal }: DocumentLocale,
  captions: ReadonlyMap<string, Caption>,
  printed: PrintedRow,
  words: string | undefined,
): CargoDraft {
  const cargo: CargoDraft = {};
  const name = words === undefined ? undefined : printed.get(words);
  const measured = (annotations.entitiesIn[name?.span.segment.index ?? -1] ?? []).some(
    ({ type }) => type === "Quantity" || type === "Vin",
  );
  if (name && !measured && /\p{L}{2}/u.test(name.text))
    cargo.cargoType = new FieldValue(cleanedText(name.text), scores.goods.table.name, name.span);
  for (const [key, caption] of captions) {
    const cell = printed.get(key);
    if (!cell || caption.column === "cargoType") continue;
    const value = figureUnder(caption, cell.text, decimal);
    if (value !== undefined) cargo[caption.column] = new FieldValue(value, scores.goods.table.figure, cell.span);
  }
  return cargo;
}

function vinIn({ annotations }: DocumentContext, segments: Row): CargoDraft {
  const [vin] = entitiesOfType(annotations, "Vin", segments);
  if (!vin) return {};
  const { segment, entity } = vin;
  return { vin: new FieldValue(entity.value, entity.score, trimmedSpan(segment, entity.start, entity.end)) };
}

/** Drops a last line that is the sum of the others. */
export function withoutTotal(lines: GoodsLine[]): GoodsLine[] {
  const last = lines.at(-1)!;
  const others = lines.slice(0, -1);
  const measured = (["weight", "pallets", "quantity"] as const).filter((name) => last.cargo[name]);
  const isSum = (name: (typeof measured)[number]) =>
    Math.abs(others.reduce((sum, { cargo }) => sum + (cargo[name]?.value ?? 0), 0) - last.cargo[name]!.value) < 0.01;
  return others.length > 1 && measured.length > 0 && measured.every(isSum) ? others : lines;
}
