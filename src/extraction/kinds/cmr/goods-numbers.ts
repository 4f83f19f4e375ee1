import { boxOf, type Segment } from "../../layout/layout.ts";
import { trimmed, type TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { columnOf, columns, type Caption } from "./goods-captions.ts";
import { draftOf, type Column, type GoodsDraft } from "./goods-draft.ts";
import { isRow } from "./goods-rows.ts";

/** A word on its line. */
interface Word {
  segment: Segment;
  start: number;
  end: number;
  text: string;
}

/** The number of a box, and where the words behind it begin. */
interface Mark extends Word {
  number: number;
  at: number;
}

/** A box by its number and the words behind it, up to the next number. */
interface Numbered {
  column: Column;
  mark: Mark;
  words: readonly Word[];
}

const fewestNumbers = 4;
const numberAlone = /^[([]?(\d{1,2})[.):\]]{0,2}$/u;
const numberAhead = /^(\d{1,2})[.)](?=\p{L})/u;

/**
 * Boxes 6 to 12 where their numbers stand on one line: with the goods between them ("9 paper 11 18 200"), or as captions
 * over the columns, whatever else the captions say.
 */
export function numberedCells(around: DocumentContext): NumberedGoods {
  const known = asked.get(around.marks) ?? searched(around);
  asked.set(around.marks, known);
  return known;
}

/** The goods between the numbers, else the captions made of them; and where the numbers stand. */
interface NumberedGoods {
  filled: GoodsDraft[];
  captions: Caption[];
  marks: readonly Word[];
}

/** The boxes ask for the numbers as the goods do. */
const asked = new WeakMap<DocumentContext["marks"], NumberedGoods>();

function searched(around: DocumentContext): NumberedGoods {
  const rows = around.marks.layout.pages.flatMap((page) =>
    page.rows.map((row, at) => [row, page.rows[at + 1] ?? []] as const),
  );
  const lines = rows.map(([row, below]) => lineOf(row, below)).filter((line) => line !== undefined);
  const full = lines.flatMap((line) => {
    const draft = draftOf(new Map(line.flatMap((each) => printedIn(around, each))));
    return figuresIn(line) && isRow(draft) ? [{ line, draft }] : [];
  });
  const header = full.length > 0 ? undefined : lines.find((line) => !figuresIn(line));
  const used = header ? [header] : full.map(({ line }) => line);
  return {
    filled: full.map(({ draft }) => draft),
    captions: header?.map(captionOf) ?? [],
    marks: used.flat().map(({ mark }) => mark),
  };
}

/** The boxes of a line, and of the line below as far as the rest of them stands there. */
function lineOf(row: readonly Segment[], below: readonly Segment[]): Numbered[] | undefined {
  const own = wordsOf(row);
  const marks = rising(own.flatMap((word, at) => markOf(word, at) ?? []));
  if (marks.length < fewestNumbers) return undefined;
  const more = wordsOf(below);
  const rest = rising(more.flatMap((word, at) => markOf(word, own.length + at) ?? [])).filter(
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

/** The word as far as it stands behind the number. */
function behind(word: Word, mark: Mark): Word | undefined {
  if (word.segment !== mark.segment || word.start !== mark.start) return word;
  return word.end > mark.end
    ? { ...word, start: mark.end, text: word.segment.text.slice(mark.end, word.end) }
    : undefined;
}

/** The most numbers that rise from left to right; of two ways the one that leaves fewer boxes empty. */
function rising(marks: readonly Mark[]): Mark[] {
  const best: Mark[][] = [];
  for (const mark of marks) {
    const earlier = best.filter((way) => (way.at(-1)?.number ?? 0) < mark.number);
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

/** Whether the goods stand between the numbers: figures where a caption would have words. */
function figuresIn(line: readonly Numbered[]): boolean {
  return line.some(({ column, words }) => words.some(({ text }) => figures[column]?.test(text)));
}

/** What of a box's words is its value, behind its caption. */
function printedIn(
  around: DocumentContext,
  { column, words }: Numbered,
): [Column, { text: string; piece: TextSpan }][] {
  const [first] = words;
  if (!first) return [];
  const label = (around.marks.labelsIn[first.segment.index] ?? []).find(
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
  const piece = trimmed(begin.segment, begin.start, own.at(-1)?.end ?? begin.end);
  const text = value.map((word) => word.text).join(" ");
  return [[column, { text: text.replace(/[\s,;–—-]+$/u, ""), piece }]];
}

const isCounted = (column: Column): boolean => column !== "marks" && column !== "packing" && column !== "nature";

function captionOf({ column, mark, words }: Numbered): Caption {
  const own = words.filter(({ segment }) => segment === mark.segment);
  const [start, end] = [mark.start, own.at(-1)?.end ?? mark.end];
  return { column, cell: { name: column, segment: mark.segment, start, end }, box: boxOf(mark.segment, start, end) };
}
