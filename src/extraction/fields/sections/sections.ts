import type { Box } from "../../document/document.ts";
import { boxOf, type Segment } from "../../layout/layout.ts";
import type { Annotations, Label } from "../labels/annotations.ts";
import { horizontalOverlap, verticalOverlap } from "../../document/geometry.ts";

/**
 * A heading: a label that applies to the text below it and to its right, such as "Loading", "Carrier", "Payment terms".
 */
export interface Head<Role extends string> {
  role: Role;
  label: Label;
  /** Confidence that the label is a heading and not a word in a sentence, 0..1. */
  weight: number;
  /**
   * True for the label of a single field: it applies to the value next to it, but hardly to text further right. False
   * for a section heading, which applies to the whole line.
   */
  narrow: boolean;
  /** Whether the label is alone in its cell of a ruled table and is therefore the heading of the row. */
  alone?: boolean;
  /**
   * Offset at which the text that the label applies to begins, if before the label: in "On Monday we load in Ulm",
   * "load" also applies to "On Monday".
   */
  from?: number;
}

/**
 * Costs, in letter heights. `beside` and `aside` are factors for a distance along a row and across columns. The others
 * are added for crossing a vertical rule (`lane`), a page break (`page`) and for a weak heading (`weak`).
 */
const price = { beside: 0.22, aside: 0.75, lane: 6, page: 25, weak: 9 };
const widestAside = 34;
const hair = 2;
const tallestRow = 7;
const out = Number.POSITIVE_INFINITY;

/**
 * Returns a function that finds the heading of a position: the last one before it in the same segment, otherwise the
 * one to the left or above with the lowest cost (see `price`).
 */
export function ruledBy<Role extends string>(
  heads: readonly Head<Role>[],
): (segment: Segment, at: number) => Head<Role> | undefined {
  const byPage = Map.groupBy(heads, (head) => head.label.segment.page);
  const within = Map.groupBy(heads, (head) => head.label.segment);
  const known = new Map<Segment, Head<Role> | undefined>();
  return (segment, at) => {
    const own = within.get(segment)?.findLast((head) => (head.from ?? head.label.start) <= at);
    if (own) return own;
    if (!known.has(segment)) known.set(segment, nearestOn(byPage, segment));
    return known.get(segment);
  };
}

function nearestOn<Role extends string>(
  byPage: ReadonlyMap<number, Head<Role>[]>,
  segment: Segment,
): Head<Role> | undefined {
  for (let page = segment.page; page >= 1 && page >= segment.page - 2; page--) {
    const nearest = cheapest(byPage.get(page) ?? [], segment, segment.page - page);
    if (nearest) return nearest;
  }
  return undefined;
}

function cheapest<Role extends string>(
  heads: readonly Head<Role>[],
  segment: Segment,
  pagesBack: number,
): Head<Role> | undefined {
  let best: { head: Head<Role>; cost: number } | undefined;
  const lowest = pagesBack > 0 || heads.length === 0 ? undefined : lowestAbove(heads, segment);
  for (const head of heads) {
    if (head.label.segment.part !== segment.part || head.label.segment === segment) continue;
    if (lowest && head.label.segment.box.y0 < (lowest.get(columnOf(head)) ?? 0)) continue;
    const way =
      pagesBack > 0
        ? price.page - head.label.segment.box.y1 / segment.size
        : distance(narrowed(head.label), segment, head.narrow, head.alone);
    const cost = way + (1 - head.weight) * price.weak;
    if (cost < (best?.cost ?? out)) best = { head, cost };
  }
  return best?.head;
}

const columnOf = ({ label }: Head<string>) => Math.round(label.segment.box.x0 / 3);

/** Headings of a column above its last heading do not apply. */
function lowestAbove(heads: readonly Head<string>[], segment: Segment): ReadonlyMap<number, number> {
  const rows = lowestByRow.get(heads) ?? new Map<number, ReadonlyMap<number, number>>();
  lowestByRow.set(heads, rows);
  const known = rows.get(segment.row) ?? lowestOver(heads, segment);
  rows.set(segment.row, known);
  return known;
}

const lowestByRow = new WeakMap<readonly Head<string>[], Map<number, ReadonlyMap<number, number>>>();

function lowestOver(heads: readonly Head<string>[], { box, size, part }: Segment): ReadonlyMap<number, number> {
  const lowest = new Map<number, number>();
  for (const head of heads) {
    const { segment } = head.label;
    const above = segment.part === part && segment.box.y1 <= box.y0 + 0.4 * size;
    if (!above || head.narrow || head.weight < headingWeight) continue;
    lowest.set(columnOf(head), Math.max(lowest.get(columnOf(head)) ?? 0, segment.box.y0));
  }
  return lowest;
}

const headingWeight = 0.6;

/**
 * Returns the segment of the heading without the value on its line ("Loading: Hill Ltd"), because a heading applies to
 * its own column, not to the width of its value.
 */
function narrowed({ segment, start, end }: Label): Segment {
  if (segment.cell || segment.lines > 1 || end >= segment.text.length - 1) return segment;
  const known = headings.get(segment)?.get(end);
  if (known) return known;
  const made = { ...segment, box: { ...boxOf(segment, start, end), x0: segment.box.x0 } };
  headings.set(segment, (headings.get(segment) ?? new Map<number, Segment>()).set(end, made));
  return made;
}

const headings = new WeakMap<Segment, Map<number, Segment>>();

/**
 * Returns the cost of the distance between a heading and a segment, in letter heights. It is infinite if the heading
 * cannot apply to the segment.
 */
export function distance(head: Segment, segment: Segment, narrow = false, alone = false): number {
  if (head === segment) return 0;
  if (inOneTable(head, segment)) return tableDistance(head, segment, narrow);
  const size = Math.max(segment.size, 1);
  const [a, b] = [head.box, segment.box];
  if (alone && inOneStrip(head, segment))
    return (Math.max(0, b.x0 - a.x1) / size) * (narrow ? price.aside : price.beside) + (narrow ? price.lane : 0);
  const lane = outOfLane(head, segment) ? price.lane : 0;
  if (onOneRow(head, segment))
    return b.x0 >= a.x1 - size ? (Math.max(0, b.x0 - a.x1) / size) * (narrow ? price.aside : price.beside) + lane : out;
  if (b.y0 < a.y0 - 0.4 * size) return out;
  if (lane > 0 && head.lane && b.x1 <= head.lane.x0 + hair) return out;
  const sideways = (aside(a, b) / size) * price.aside;
  return sideways > widestAside ? out : Math.max(0, b.y0 - a.y1) / size + sideways + lane;
}

function outOfLane({ lane }: Segment, { lane: other, box }: Segment): boolean {
  if (!lane) return false;
  return other ? lane.x0 !== other.x0 : box.x1 <= lane.x0 || box.x0 >= lane.x1;
}

function inOneStrip({ band, lane }: Segment, segment: Segment): boolean {
  if (!band || !lane || !segment.band || !segment.lane) return false;
  const row = band.y0 === segment.band.y0 && band.y1 === segment.band.y1;
  return row && lane.x1 <= segment.lane.x0 + hair;
}

/** Whether both are on one line, or the segment is higher up in a ruled row whose heading is vertically centred. */
function onOneRow(head: Segment, segment: Segment): boolean {
  if (verticalOverlap(head.box, segment.box) > 0.5) return true;
  const { band } = head;
  if (!band || segment.box.y0 >= head.box.y0 || band.y0 !== segment.band?.y0 || band.y1 !== segment.band.y1)
    return false;
  const centred = Math.abs(band.y0 + band.y1 - head.box.y0 - head.box.y1) < 3 * head.size;
  return centred && band.y1 - band.y0 < tallestRow * head.size && head.box.x1 < segment.box.x0;
}

/** The distance is small if the segment and the column of the heading overlap, because headings may be centred. */
function aside(head: Box, segment: Box): number {
  if (horizontalOverlap(head, segment) > 0.3) return Math.max(0, segment.x0 - head.x0) * 0.15;
  if (segment.x0 >= head.x1) return segment.x0 - head.x1;
  if (head.x0 >= segment.x1) return (head.x0 - segment.x1) * 2;
  return Math.abs(segment.x0 - head.x0) * 0.3;
}

function inOneTable(a: Segment, b: Segment): boolean {
  return a.cell !== undefined && b.cell !== undefined && a.cell.table === b.cell.table;
}

function tableDistance(head: Segment, segment: Segment, narrow: boolean): number {
  const rows = (segment.cell?.row ?? 0) - (head.cell?.row ?? 0);
  const columns = (segment.cell?.column ?? 0) - (head.cell?.column ?? 0);
  if (rows === 0 && columns === 0) return segment.box.y0 >= head.box.y0 ? 0 : 3;
  if (rows < 0) return out;
  if (rows === 0) return columns > 0 ? (narrow ? 6 * columns - 5.4 : 0.6 * columns) : out;
  return columns === 0 ? 1.1 * rows : 1.2 * rows + (columns > 0 ? 2.5 * columns : 8 * -columns);
}

/** From this weight on, a label for a stop is a heading even without its counterpart ("From" without "To"). */
const sureAlone = 0.6;
const together = 0.65;
const acts = { loading: "Loading", unloading: "Unloading" } as const;

type Act = (typeof acts)[keyof typeof acts];

/**
 * Finds "From" above one address and "To" above another. Each alone may be an ordinary word, but as a pair of headings
 * they describe a route.
 */
export function pairedHeads({ labels, entitiesIn }: Annotations): Head<Act>[] {
  const heads = labels.flatMap((label): Head<Act>[] => {
    const { segment, standing, meanings } = label;
    if (standing !== "Head" || meanings.some(({ weight, concept }) => weight >= sureAlone && concept in acts))
      return [];
    const [act] = (["loading", "unloading"] as const).filter((each) =>
      meanings.some(({ concept }) => concept === each),
    );
    const writes = (entitiesIn[segment.index] ?? []).some(({ type }) => type === "Email");
    return act && !writes ? [{ role: acts[act], label, weight: together, narrow: false }] : [];
  });
  const roles = new Set(heads.map(({ role }) => role));
  return roles.size === 2 ? heads : [];
}
