import type { Box, Token } from "../../document/document.ts";
import type { ConceptId } from "../../lexicon/concepts.ts";
import { boundingBox } from "../../document/geometry.ts";
import type { LaidOutPage, Layout } from "../../layout/layout.ts";
import { textOf, type Segment } from "../../layout/segment.ts";
import { keepSegments } from "../../layout/split.ts";
import type { Line, Part } from "./parts.ts";
import type { Table } from "./tables.ts";

/** An order from a table, arranged as a form: one line per field, each stop and company under its heading. */
export interface Card {
  layout: Layout;
  /** Meanings of the card's labels. */
  meanings: ReadonlyMap<Segment, ConceptId>;
  /** Values on the card, each with the {@link Line} that has its label and type. */
  values: ReadonlyMap<Segment, Line>;
}

const lineHeight = 14;
const letterHeight = 10;
const letterWidth = 6;
const gap = 12;

/** Position of a table on its page. All cards of the table share it. */
interface Place {
  first: Segment;
  top: number;
  bottom: number;
  /** The layout without the tables. */
  emptied: Layout;
}

/** Caches the positions of tables whose rows become cards. */
export class Tables {
  private readonly source: Layout;
  private readonly places = new Map<Table, Place>();
  private readonly cells: ReadonlySet<Segment>;
  private emptied?: Layout;

  constructor(source: Layout, tables: Iterable<Table>) {
    this.source = source;
    this.cells = new Set([...new Set(tables)].flatMap(segmentsOf));
  }

  /** Returns a setter that builds a card at the position of a table. */
  setter(table: Table): CardSetter {
    const known = this.places.get(table) ?? this.look(segmentsOf(table));
    this.places.set(table, known);
    return new CardSetter(known);
  }

  private look(segments: readonly Segment[]): Place {
    const { y0, y1 } = boundingBox(segments.map(({ box }) => box));
    this.emptied ??= keepSegments(this.source, (segment) => !this.cells.has(segment));
    return { first: segments[0] as Segment, top: y0, bottom: y1, emptied: this.emptied };
  }
}

const segmentsOf = ({ rows }: Table) => rows.flat().flatMap((cell) => cell.segments);

/**
 * Arranges the fields of an order, its companies and its stops in lines, at the position of a table. Words keep their
 * tokens and therefore their original boxes on the page.
 */
export class CardSetter {
  private readonly place: Place;
  private readonly rows: Segment[][] = [];
  private readonly meanings = new Map<Segment, ConceptId>();
  private readonly values = new Map<Segment, Line>();

  constructor(place: Place) {
    this.place = place;
  }

  set({ section, lines }: Part): void {
    if (section) {
      const heading = this.segment(section.words, 0);
      this.meanings.set(heading, section.concept);
      this.rows.push([heading]);
    }
    const width = Math.max(0, ...lines.map(({ label }) => textOf(label).text.length * letterWidth));
    for (const line of lines) this.setLine(line, width + gap);
    this.rows.push([]);
  }

  private setLine(line: Line, left: number): void {
    for (const [at, words] of line.value.entries()) {
      const value = this.segment(words, left);
      this.values.set(value, line);
      const label = at === 0 && line.label.length > 0 ? this.segment(line.label, 0) : undefined;
      if (label && line.concept) this.meanings.set(label, line.concept);
      this.rows.push(label ? [label, value] : [value]);
    }
  }

  private segment(tokens: Token[], x0: number): Segment {
    const { text, starts } = textOf(tokens);
    const y0 = this.place.top + this.rows.length * lineHeight;
    const box = { x0, x1: x0 + text.length * letterWidth, y0, y1: y0 + letterHeight };
    const { page, part } = this.place.first;
    return { index: -1, text, tokens, starts, box, page, part, row: -1, size: letterHeight, bold: false, lines: 1 };
  }

  /** Returns the layout with the card in place of the table. */
  card(): Card {
    const { first, top, bottom, emptied } = this.place;
    const grown = this.rows.length * lineHeight - (bottom - top);
    const kept = keepSegments(emptied, () => true);
    const pages = kept.pages.map((page) => (page.number === first.page ? this.withCard(page, bottom, grown) : page));
    const segments = pages.flatMap(({ rows }) => rows.flat());
    for (const [index, segment] of segments.entries()) segment.index = index;
    return { layout: { ...kept, pages, segments }, meanings: this.meanings, values: this.values };
  }

  private withCard(page: LaidOutPage, bottom: number, grown: number): LaidOutPage {
    const isAbove = (row: readonly Segment[]) => (row[0]?.box.y0 ?? 0) < this.place.top;
    const below = page.rows.filter((row) => !isAbove(row));
    for (const segment of below.flat()) if (segment.box.y0 >= bottom) segment.box = lowered(segment.box, grown);
    const rows = [...page.rows.filter(isAbove), ...this.rows.filter((row) => row.length > 0), ...below];
    for (const [at, row] of rows.entries()) for (const segment of row) segment.row = at;
    return { ...page, rows };
  }
}

function lowered(box: Box, by: number): Box {
  return { ...box, y0: box.y0 + by, y1: box.y1 + by };
}
