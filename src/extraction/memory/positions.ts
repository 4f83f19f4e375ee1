import type { Evidence } from "../document/extraction-result.ts";
import { horizontalOverlap } from "../document/geometry.ts";
import { lettersOf } from "../fields/find-value/letters.ts";
import type { Segment } from "../layout/layout.ts";
import { indexAt } from "../layout/page-index.ts";
import { hash32 } from "./hash.ts";
import type { AnnotatedPage } from "./lesson.ts";

/*
 * A position is the beginning of a word. It is described by what is printed around it, so that the same position is
 * found in another document of the layout. Digits are masked, and texts are hashed: the memory of a layout contains no
 * text of its documents.
 */

/** Aspects of a position, and how much each tells. */
const aspects = {
  /** The word before, and the two words before. */
  before: 1,
  before2: 1,
  /** The text of the segment up to a colon. */
  caption: 1.5,
  wordNumber: 0.4,
  /** The segments to the left and above, the first segment of the row. */
  left: 1.5,
  rowHead: 0.5,
  above: 1.2,
  above2: 0.6,
  /** The nearest label above, without and with the number of rows between. */
  labelAbove: 1,
  rowsBelowLabel: 1.2,
  /** The last label in the row or above it, anywhere on the page. */
  section: 0.8,
  column: 0.5,
  column2: 0.5,
  height: 0.3,
  shape: 0.7,
  entity: 2,
  /** Where it is relative to the town of its stop. */
  rowsFromTown: 1.2,
  columnsFromTown: 0.8,
} as const;

type Aspect = keyof typeof aspects;
const names = Object.keys(aspects) as Aspect[];
export const weights: readonly number[] = Object.values(aspects);
const strong: readonly number[] = (
  ["before2", "caption", "left", "above", "labelAbove", "rowsBelowLabel"] as const
).map((name) => names.indexOf(name));
const [rowsFromTown, columnsFromTown] = [names.indexOf("rowsFromTown"), names.indexOf("columnsFromTown")];

export interface Position {
  segment: Segment;
  start: number;
  /** A hash for each aspect; 0 if there is nothing. */
  features: readonly number[];
}

const longestMask = 40;
/** A page of more words than this is no form. */
const mostPositions = 4000;
const mostWordsOfSegment = 40;
/** In letter heights. */
const furthestAbove = 12;

export const masked = (text: string): string => lettersOf(text.slice(0, 80)).replace(/\d+/g, "0").slice(0, longestMask);

const token = /[\p{L}\p{N}][\p{L}\p{N}.]*/gu;

/** All positions of a document, with an index by what is printed around them. */
export class Positions {
  readonly all: Position[] = [];
  readonly #by = new Map<number, Position[]>();
  readonly #of = new Map<Segment, Position[]>();

  constructor(page: AnnotatedPage) {
    const surroundings = surroundingsOf(page);
    for (const segment of page.annotations.layout.segments) {
      if (this.all.length > mostPositions) break;
      const around = surroundings(segment);
      const positions = positionsIn(segment, around, page);
      this.#of.set(segment, positions);
      this.all.push(...positions);
      for (const position of positions)
        for (const aspect of strong) {
          const feature = position.features[aspect]!;
          if (feature === 0) continue;
          const known = this.#by.get(feature);
          if (known) known.push(position);
          else this.#by.set(feature, [position]);
        }
    }
  }

  /** The position at an offset of a segment, or the last one before it. */
  at(segment: Segment, offset: number): Position | undefined {
    return this.#of.get(segment)?.findLast(({ start }) => start <= offset);
  }

  /** The position of a value by its evidence. */
  shownAt({ page, box }: Evidence, { annotations: { layout } }: AnnotatedPage): Position | undefined {
    const printed = page === undefined ? undefined : layout.pages[page - 1];
    if (!box || !printed) return undefined;
    const [x, y] = [box[0] * printed.width, ((box[1] + box[3]) / 2) * printed.height];
    const segment = layout.segments.find(
      (each) =>
        each.page === page && each.box.y0 <= y && each.box.y1 >= y && each.box.x0 <= x + 1 && each.box.x1 >= x + 1,
    );
    const token = segment?.tokens.findLastIndex((each) => each.x0 <= x + 1) ?? -1;
    return segment && this.at(segment, (segment.starts[token] ?? 0) + 1);
  }

  /** Positions that share one of the telling features. */
  like(features: readonly (readonly (readonly [number, number])[])[]): Set<Position> {
    const found = new Set<Position>();
    for (const aspect of strong)
      for (const [feature] of features[aspect] ?? [])
        for (const position of this.#by.get(feature) ?? []) found.add(position);
    return found;
  }
}

/** The features of a position, with those relative to the town of its stop. */
export function fromTown({ segment, features }: Position, { segment: town }: Position): number[] {
  const next = [...features];
  const size = town.size || 1;
  const away = segment.page === town.page ? Math.round((segment.box.y0 - town.box.y0) / size) : 99;
  next[rowsFromTown] = hash32(`rows ${away}`);
  next[columnsFromTown] = hash32(`columns ${Math.round((segment.box.x0 - town.box.x0) / (4 * size))}`);
  return next;
}

type Around = Partial<Record<Aspect, string>>;

function surroundingsOf({ annotations }: AnnotatedPage): (segment: Segment) => Around {
  const { layout, labels, labelsIn } = annotations;
  const isLabel = ({ index, text }: Segment) => (labelsIn[index] ?? []).length > 0 || /[:：]\s*$/u.test(text);
  const labelled = Map.groupBy(layout.segments.filter(isLabel), ({ page }) => page);
  const sections = Map.groupBy(
    labels.map(({ segment }) => segment),
    ({ page }) => page,
  );
  return (segment) => {
    const { box, size, page } = segment;
    const index = indexAt(layout, segment);
    const row = index.rowOf(segment);
    const at = row.indexOf(segment);
    const above = index
      .between(box.y0 - furthestAbove * size, box.y0)
      .filter((each) => each.box.y1 <= box.y0 + size / 2 && horizontalOverlap(each.box, box) > 0)
      .sort((a, b) => b.box.y1 - a.box.y1);
    const label = labelled
      .get(page)
      ?.findLast((each) => each.box.y1 <= box.y0 + size / 2 && horizontalOverlap(each.box, box) > 0);
    const section = sections.get(page)?.findLast((each) => each.row < segment.row && each.box.x0 <= box.x0 + size);
    const { width = 1, height = 1 } = layout.pages[page - 1] ?? {};
    return {
      ...(at > 0 && { left: masked(row[at - 1]!.text) }),
      ...(at > 1 && { rowHead: masked(row[0]!.text) }),
      ...(above[0] && { above: masked(above[0].text) }),
      ...(above[1] && { above2: masked(above[1].text) }),
      ...(label && {
        labelAbove: masked(label.text),
        rowsBelowLabel: `${masked(label.text)} ${Math.round((box.y0 - label.box.y0) / (size || 1))}`,
      }),
      ...(section && { section: masked(section.text) }),
      column: String(Math.floor((20 * box.x0) / width)),
      column2: String(Math.round((20 * box.x0) / width)),
      height: page === 1 ? String(Math.round((30 * box.y0) / height)) : "later",
    };
  };
}

function positionsIn(segment: Segment, around: Around, { annotations }: AnnotatedPage): Position[] {
  const { text, index } = segment;
  const shared = names.map((name) => featureOf(name, around[name]));
  const entities = annotations.entitiesIn[index] ?? [];
  const colon = /^[^:：]{2,50}[:：]/u.exec(text)?.[0] ?? "";
  const caption = masked(colon);
  const words = Array.from(text.matchAll(token)).slice(0, mostWordsOfSegment);
  return words.map(({ 0: word, index: start }, at) => {
    const previous = words.slice(Math.max(0, at - 2), at).map(([each]) => masked(each));
    const own: Around = {
      before: at === 0 ? "^" : previous.at(-1)!,
      before2: at === 0 ? "^" : previous.join(" "),
      wordNumber: String(Math.min(at, 9)),
      shape: word
        .replace(/\p{Lu}+/gu, "A")
        .replace(/\p{L}+/gu, "a")
        .replace(/\d+/g, "0"),
      entity: entities.find((each) => each.start <= start && each.end > start)?.type ?? "",
      ...(caption && start >= colon.length && { caption }),
    };
    const features = shared.map((feature, aspect) => {
      const value = own[names[aspect]!];
      return value === undefined ? feature : featureOf(names[aspect]!, value);
    });
    if (at === 0) features[names.indexOf("before2")] = 0;
    return { segment, start, features };
  });
}

const featureOf = (name: Aspect, value: string | undefined): number => (value ? hash32(`${name} ${value}`) : 0);
