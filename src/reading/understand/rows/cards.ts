import type { Box, Token } from "../../document.ts";
import { conceptOf, type ConceptId } from "../../know/concepts.ts";
import { around } from "../geometry.ts";
import { keeping } from "../split.ts";
import { textOf, type LaidOutPage, type Layout, type Segment } from "../layout.ts";
import type { Label, Marks } from "../marks.ts";
import { stopRoles } from "../roles.ts";
import type { Column, Section } from "./columns.ts";
import { kindIn, rowOrdersIn, type Row, type RowOrder } from "./orders.ts";
import type { Cell } from "./tables.ts";
import type { Surroundings } from "../values.ts";

/** An order from a table, set as a form: its fields one below the other, each stop and company under its heading. */
export interface Card {
  layout: Layout;
  /** What the labels of the card mean. */
  meanings: ReadonlyMap<Segment, ConceptId>;
  /** What stands beside them. */
  values: ReadonlySet<Segment>;
}

/** A label, its meaning, and the words beside it. A heading has no words beside it. */
interface Line {
  label: Token[];
  concept?: ConceptId;
  value: Token[];
}

interface Part {
  section?: Section;
  heading: Token[];
  lines: Line[];
}

/** A card for each order of the document's tables; none where no table has a row for each order. */
export function cardsIn(around: Surroundings): Card[] {
  return rowOrdersIn(around).map((order) => {
    const setter = new Setter(order, around.marks.layout);
    for (const part of partsOf(order, around.languages)) setter.set(part);
    return setter.card();
  });
}

/** The marks of a card, its labels meaning what the columns say; the words of its values are no labels of stops. */
export function told(marks: Marks, { meanings, values }: Card): Marks {
  const labelsIn = marks.layout.segments.map((segment, at): Label[] => {
    const found = marks.labelsIn[at] ?? [];
    if (values.has(segment)) return found.map(withoutHeadings).filter(({ meanings }) => meanings.length > 0);
    const concept = meanings.get(segment);
    return concept
      ? [
          {
            index: -1,
            segment,
            start: 0,
            end: segment.text.length,
            meanings: [{ concept, weight: 1 }],
            standing: "Head",
          },
        ]
      : found;
  });
  const labels = labelsIn.flat();
  for (const [index, label] of labels.entries()) label.index = index;
  return { ...marks, labels, labelsIn };
}

const inValues: ReadonlySet<string> = new Set(["Document", "Loading", "Unloading", "Party"]);

function withoutHeadings(label: Label): Label {
  return {
    ...label,
    meanings: label.meanings.filter(
      ({ concept }) => conceptOf(concept).stands !== "Heading" && !inValues.has(conceptOf(concept).about),
    ),
  };
}

/** The order's own fields, its companies, then its stops as they are driven. */
function partsOf({ list, rows }: RowOrder, languages: readonly string[]): Part[] {
  const [first] = rows;
  const general = {
    heading: [],
    lines: list.columns
      .filter(({ section, index }) => !section && index !== list.kinds?.index)
      .flatMap((column) => distinct(rows, column)),
  };
  const sections = [
    ...new Map(list.columns.flatMap(({ section }) => (section ? [[section.key, section] as const] : []))).values(),
  ];
  const companies = sections
    .filter(({ role }) => !stopRoles.has(role))
    .map((section) => partOf(section, list.columns, first ?? new Map()));
  const stops = rows.flatMap((row) =>
    list.kinds
      ? [typedStop(list.kinds, list.columns, row, languages)]
      : sections.filter(({ role }) => stopRoles.has(role)).map((section) => partOf(section, list.columns, row)),
  );
  const driven = list.kinds
    ? stops
    : [
        ...stops.filter(({ section }) => section?.role === "Loading"),
        ...stops.filter(({ section }) => section?.role !== "Loading"),
      ];
  return [general, ...companies, ...once(driven)].filter(({ lines }) => lines.length > 0);
}

function distinct(rows: readonly Row[], column: Column): Line[] {
  const cells = rows.flatMap((row) => row.get(column.index) ?? []);
  return [...new Map(cells.map((cell) => [cell.text, cell])).values()].map((cell) => lineOf(column, cell));
}

function lineOf({ words, concept }: Column, { tokens }: Cell): Line {
  return { label: words, ...(concept && { concept }), value: tokens };
}

function partOf(section: Section, columns: readonly Column[], row: Row): Part {
  const own = columns.filter((column) => column.section?.key === section.key);
  return { section, heading: section.words, lines: linesOf(own, row) };
}

function typedStop(kinds: Column, columns: readonly Column[], row: Row, languages: readonly string[]): Part {
  const cell = row.get(kinds.index);
  const kind = cell && kindIn(cell, languages);
  const own = columns.filter(
    ({ section, index, concept }) =>
      index !== kinds.index && (section ? stopRoles.has(section.role) : concept && conceptOf(concept).about === "Stop"),
  );
  return {
    ...(kind && { section: { ...kind, key: kind.role, words: cell.tokens } }),
    heading: cell?.tokens ?? [],
    lines: linesOf(own, row),
  };
}

const placeConcepts: readonly ConceptId[] = ["country", "postalCode", "city"];

/** The cells as lines; country, postcode and town go on one line, as on an envelope. */
function linesOf(columns: readonly Column[], row: Row): Line[] {
  const filled = columns.flatMap((column) => {
    const cell = row.get(column.index);
    return cell ? [{ column, cell }] : [];
  });
  const places = filled
    .filter(({ column: { concept } }) => concept && placeConcepts.includes(concept))
    .sort(
      (a, b) =>
        placeConcepts.indexOf(a.column.concept as ConceptId) - placeConcepts.indexOf(b.column.concept as ConceptId),
    );
  const last = places.at(-1);
  const lines = filled.filter((each) => !places.includes(each)).map(({ column, cell }) => lineOf(column, cell));
  if (!last) return lines;
  const place = { ...lineOf(last.column, last.cell), value: places.flatMap(({ cell }) => cell.tokens) };
  const name = lines.findLastIndex(
    ({ concept }) => concept === "companyName" || concept === "street" || concept === "address",
  );
  return lines.toSpliced(name + 1, 0, place);
}

/** The same stop in several rows of an order is driven to once. */
function once(parts: readonly Part[]): Part[] {
  const printed = (part: Part) => `${part.section?.key} ${part.lines.map(({ value }) => textOf(value).text).join("|")}`;
  return [...new Map(parts.map((part) => [printed(part), part])).values()];
}

const lineHeight = 14;
const letterHeight = 10;
const letterWidth = 6;
const gap = 12;

class Setter {
  private readonly order: RowOrder;
  private readonly source: Layout;
  private readonly sample: Segment;
  private readonly top: number;
  private readonly rows: Segment[][] = [];
  private readonly meanings = new Map<Segment, ConceptId>();
  private readonly values = new Set<Segment>();

  constructor(order: RowOrder, source: Layout) {
    this.order = order;
    this.source = source;
    this.sample = order.list.table.rows[0]?.[0]?.segments[0] as Segment;
    this.top = this.sample.box.y0;
  }

  set({ section, heading, lines }: Part): void {
    if (section) {
      const title = this.segment(heading, 0);
      this.meanings.set(title, section.concept);
      this.rows.push([title]);
    }
    const width = Math.max(0, ...lines.map(({ label }) => textOf(label).text.length * letterWidth));
    for (const line of lines) this.setLine(line, width + gap);
    this.rows.push([]);
  }

  private setLine({ label, concept, value }: Line, left: number): void {
    const words = this.segment(value, left);
    this.values.add(words);
    if (label.length === 0) {
      this.rows.push([words]);
      return;
    }
    const beside = this.segment(label, 0);
    if (concept) this.meanings.set(beside, concept);
    this.rows.push([beside, words]);
  }

  private segment(tokens: Token[], x0: number): Segment {
    const { text, starts } = textOf(tokens);
    const y0 = this.top + this.rows.length * lineHeight;
    const box = { x0, x1: x0 + text.length * letterWidth, y0, y1: y0 + letterHeight };
    const { page, part } = this.sample;
    return { index: -1, text, tokens, starts, box, page, part, row: -1, size: letterHeight, bold: false, lines: 1 };
  }

  /** The layout with the card in the table's place. */
  card(): Card {
    const table = new Set(this.order.list.table.rows.flat().flatMap(({ segments }) => segments));
    const box = around([...table].map((segment) => segment.box));
    const grown = this.rows.length * lineHeight - (box.y1 - box.y0);
    const kept = keeping(this.source, (segment) => !table.has(segment));
    const pages = kept.pages.map((page) =>
      page.number === this.sample.page ? this.withCard(page, box.y1, grown) : page,
    );
    const segments = pages.flatMap(({ rows }) => rows.flat());
    for (const [index, segment] of segments.entries()) segment.index = index;
    return { layout: { ...kept, pages, segments }, meanings: this.meanings, values: this.values };
  }

  private withCard(page: LaidOutPage, bottom: number, grown: number): LaidOutPage {
    const above = page.rows.filter((row) => (row[0]?.box.y0 ?? 0) < this.top);
    const below = page.rows.filter((row) => (row[0]?.box.y0 ?? 0) >= this.top);
    for (const segment of below.flat()) if (segment.box.y0 >= bottom) segment.box = lowered(segment.box, grown);
    const rows = [...above, ...this.rows.filter((row) => row.length > 0), ...below];
    for (const [at, row] of rows.entries()) for (const segment of row) segment.row = at;
    return { ...page, rows };
  }
}

function lowered(box: Box, by: number): Box {
  return { ...box, y0: box.y0 + by, y1: box.y1 + by };
}
