import type { ConceptId } from "../../lexicon/concepts.ts";
import { foldText } from "../../lexicon/fold.ts";
import { findLabels } from "../../lexicon/lexicon.ts";
import type { Box } from "../../document/document.ts";
import { horizontalOverlap } from "../../document/geometry.ts";
import type { Label, Annotations } from "../labels/annotations.ts";
import { boxOf, type Segment } from "../../layout/segment.ts";
import { currencyOf } from "../../entities/amounts.ts";
import { distances, scores } from "../scores.ts";
import { wideGaps } from "./gaps.ts";

/** Possible contents of a column in a table of services. */
export type ColumnRole =
  | "Description"
  | "Route"
  | "Quantity"
  | "Unit"
  | "UnitPrice"
  | "Net"
  | "Rate"
  | "Vat"
  | "Gross"
  | "Other";

/** A column and the possible roles of its heading, most likely first. */
export interface Column {
  roles: readonly ColumnRole[];
  concepts: ReadonlySet<ConceptId>;
  box: Box;
  /** Index of the column in a ruled table. */
  cell?: number;
  text: string;
}

const money: ReadonlySet<ColumnRole> = new Set(["UnitPrice", "Net", "Vat", "Gross"]);
/** Labels that qualify the word before them: "unit price net", "amount VAT". */
const qualifiers: ReadonlySet<ConceptId> = new Set(["netAmount", "grossAmount", "vatAmount", "currency"]);
const amounts: ReadonlySet<ConceptId> = new Set(["unitPrice", "price", "lineAmount", "totalPrice", "basePrice"]);

const deepest = 5;
/** Minimum number of headings with a meaning of any kind if only one of them is that of a table of services. */
const minCaptions = 3;
/** Matches a number with four digits or a fraction. A row that contains one is not a row of headings. */
const value = /(?:\d\D{0,2}){4}|\d[.,]\d/;

/**
 * Reads the columns from a row of headings and the wrapped rows below it. Returns no columns if the row has no
 * headings.
 */
export function columnsAt(
  annotations: Annotations,
  rows: readonly Segment[][],
  at: number,
): { columns: Column[]; rows: number } {
  const none = { columns: [], rows: 0 };
  if (rows[at]?.some(({ text }) => value.test(text))) return none;
  let cells = headings(annotations, rows[at] ?? []);
  if (cells.filter(({ concepts }) => concepts.length > 0).length < 2) return none;
  const above = rows[at - 1] ?? [];
  if (begins(annotations, above, rows[at] ?? [])) cells = joined(headings(annotations, above), cells);
  let depth = 1;
  while (depth < deepest && goesOn(annotations, rows[at + depth - 1] ?? [], rows[at + depth] ?? [])) {
    cells = joined(cells, headings(annotations, rows[at + depth] ?? []));
    depth++;
  }
  const columns = cells.map(columnOf);
  const known = columns.filter(({ roles }) => roles[0] !== "Other");
  const isTable = known.some(({ roles }) => roles.some((role) => money.has(role)));
  const captions = cells.filter(({ concepts }) => concepts.length > 0).length;
  return isTable && (known.length >= 2 || captions >= minCaptions) ? { columns, rows: depth } : none;
}

interface Heading {
  concepts: ConceptId[];
  box: Box;
  cell?: number;
  text: string;
}

/** Returns one heading per cell, or one per label where the gaps between cells are too small to separate them. */
function headings(annotations: Annotations, row: readonly Segment[]): Heading[] {
  return row.flatMap((segment) => {
    const labels = (annotations.labelsIn[segment.index] ?? []).filter((label) =>
      label.meanings.some(({ weight }) => weight >= scores.grid.heading),
    );
    const pieces = piecesOf(segment);
    if (pieces.length > 1) return pieces.map(({ start, end }) => headingOf(segment, start, end));
    const groups: Label[][] = [];
    for (const label of labels) {
      const last = groups.at(-1);
      const stroke = last && /^\s*\/\s*$/u.test(segment.text.slice(last.at(-1)?.end, label.start));
      if (last && (stroke || qualifies(last, label))) last.push(label);
      else groups.push([label]);
    }
    if (groups.length <= 1 || segment.cell) {
      return [
        { concepts: labels.flatMap(conceptsOf), box: segment.box, cell: segment.cell?.column, text: segment.text },
      ];
    }
    return groups.map((group) => {
      const [start, end] = [group[0]?.start ?? 0, group.at(-1)?.end ?? 0];
      return {
        concepts: group.flatMap(conceptsOf),
        box: boxOf(segment, start, end),
        text: segment.text.slice(start, end),
      };
    });
  });
}

/** Text that belongs to the heading before it: a currency, "%" or words in brackets. */
const qualifier = /^(?:%|\(.*\)|\/.*|\p{Ll}{1,3}\.?)$/u;

/** Divides a segment at its wide gaps, so that each piece is a heading. */
function piecesOf(segment: Segment): { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = [];
  let start = 0;
  for (const end of [...wideGaps(segment), segment.text.length].toSorted((a, b) => a - b)) {
    const text = segment.text.slice(start, end);
    const last = pieces.at(-1);
    if (last && (qualifier.test(text) || isCurrency(text))) last.end = end;
    else pieces.push({ start, end });
    start = end + 1;
  }
  return pieces;
}

function headingOf(segment: Segment, start: number, end: number): Heading {
  const text = segment.text.slice(start, end);
  return { concepts: findLabels(text).map(({ concept }) => concept), box: boxOf(segment, start, end), text };
}

const conceptsOf = ({ meanings }: Label): ConceptId[] => meanings.map(({ concept }) => concept);

function qualifies(before: readonly Label[], label: Label): boolean {
  const says = (labels: readonly Label[], concepts: ReadonlySet<ConceptId>) =>
    labels.flatMap(conceptsOf).some((concept) => concepts.has(concept));
  return says([label], qualifiers) && says(before, new Set([...amounts, ...qualifiers]));
}

/** Whether the row below is a further line of the headings. */
function goesOn(annotations: Annotations, above: readonly Segment[], below: readonly Segment[]): boolean {
  const [first, next] = [above[0], below[0]];
  if (!first || !next || below.some(({ text }) => /\d{2,}|\d[.,]\d/.test(text))) return false;
  if (next.box.y0 - Math.max(...above.map(({ box }) => box.y1)) > distances.wrapped.heading * next.size) return false;
  const known = below.filter(
    ({ index, text }) => (annotations.labelsIn[index] ?? []).length > 0 || text.length <= 12 || /^\W/.test(text),
  );
  const under = below.filter(({ box }) => above.some((upper) => horizontalOverlap(upper.box, box) > 0));
  const columns = below.filter((segment) =>
    headings(annotations, [segment]).some((each) => columnOf(each).roles[0] !== "Other"),
  );
  return known.length === below.length && (under.length * 2 >= below.length || columns.length >= 2);
}

const longestUpper = 14;

/** Whether the row above is the first line of headings that are wrapped: "VAT  Unit" above "Service  Price". */
function begins(annotations: Annotations, above: readonly Segment[], below: readonly Segment[]): boolean {
  const [first] = above;
  if (!first || above.length > below.length || !goesOn(annotations, above, below)) return false;
  return above.every(
    ({ text, index }) =>
      text.length <= longestUpper &&
      !/\d|:/u.test(text) &&
      ((annotations.labelsIn[index] ?? []).length > 0 || isCurrency(text) || below.length > above.length),
  );
}

function joined(upper: readonly Heading[], lower: readonly Heading[]): Heading[] {
  const cells = upper.map((heading) => ({ ...heading }));
  for (const heading of lower) {
    const above = cells.find(({ box }) => horizontalOverlap(box, heading.box) > 0);
    if (!above) cells.push(heading);
    else {
      above.concepts = [...above.concepts, ...heading.concepts];
      above.text = `${above.text} ${heading.text}`;
      above.box = {
        ...above.box,
        x0: Math.min(above.box.x0, heading.box.x0),
        x1: Math.max(above.box.x1, heading.box.x1),
      };
    }
  }
  return cells.sort((a, b) => a.box.x0 - b.box.x0);
}

/** The text of a heading that is wrapped over several lines is matched as one phrase. */
function columnOf({ concepts, text, ...place }: Heading): Column {
  const unbroken = text.replace(/(\p{Ll})- (?=\p{Ll})/gu, "$1");
  const glued = unbroken.replace(/(\p{L}{4,}) (\p{Ll}{1,3})$/u, "$1$2");
  const whole = [unbroken, glued].flatMap((words) => findLabels(words)).map(({ concept }) => concept);
  const meant = new Set([...concepts, ...whole]);
  return { roles: rolesOf(meant, text), concepts: meant, text, ...place };
}

/** "à EUR", "EUR/km", "per unit". */
const perUnit = /^(?:à|á|a|per|pro|za)\s|\//iu;
const isCurrency = (text: string) => currencyOf(text.replace(/^\W+|[\s)\].]+$/gu, "")) !== undefined;

const without =
  /(?<!\p{L})(?:ohne|exkl|excl|ex|bez|hors|ht|h\.t|sin|senza|sem|be|fara|zonder|nelkul|ilman|uden|utan|brez|без|χωρις|haric)(?!\p{L})/u;

function rolesOf(concepts: ReadonlySet<ConceptId>, text: string): ColumnRole[] {
  const any = (...wanted: ConceptId[]) => wanted.some((concept) => concepts.has(concept));
  const percent = text.includes("%");
  const untaxed = without.test(foldText(text));
  if (any("unitPrice") || (any("price") && any("unitOfMeasure"))) return ["UnitPrice"];
  if (any("grossAmount")) return any("price") ? ["UnitPrice", "Gross"] : ["Gross"];
  if (any("vatRate", "vatAmount", "vatNumber")) {
    if (untaxed) return any("unitPrice") ? ["UnitPrice"] : ["Net", "UnitPrice"];
    if (percent && any("vatAmount", "vatNumber") && /\d/.test(text)) return ["Vat", "Rate"];
    if (percent || (any("vatRate") && !any(...amounts))) return ["Rate"];
    return any("vatAmount") || any(...amounts) ? ["Vat", "Rate"] : ["Rate", "Vat"];
  }
  if (any("netAmount")) return any("price") ? ["UnitPrice", "Net"] : ["Net", "UnitPrice"];
  if (any("quantity")) return ["Quantity"];
  if (any("totalPrice", "lineAmount", "amountDue")) return ["Net", "Gross", "UnitPrice"];
  if (any("price", "basePrice")) return ["UnitPrice", "Net", "Gross"];
  if (any("lineDescription", "goods")) return ["Description"];
  if (any("unitOfMeasure")) return ["Unit"];
  if (any("stop", "loading", "unloading")) return ["Route"];
  if (isCurrency(text)) return ["Net", "Gross", "UnitPrice"];
  if (perUnit.test(text) && text.split(/[\s/]/u).some(isCurrency)) return ["UnitPrice"];
  return ["Other"];
}
