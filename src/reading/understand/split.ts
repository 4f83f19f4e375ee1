import type { Layout, Segment } from "./layout.ts";

/**
 * Parts a layout at the given segments, each the first of a new document in the file. What stands above such a segment
 * and stood above the first one too (a repeated letterhead) goes with it.
 */
export function parted(layout: Layout, starts: readonly Segment[]): Layout[] {
  const [first, ...others] = starts;
  if (!first || others.length === 0) return [layout];
  const letterhead = new Set(layout.segments.slice(0, first.index).map((segment) => segment.text));
  const cuts = others.map((start) => {
    let at = start.index;
    while (at > 0 && repeats(layout.segments[at - 1], start, letterhead)) at--;
    return at;
  });
  const edges = [0, ...cuts, layout.segments.length];
  return edges
    .slice(0, -1)
    .map((from, index) => keeping(layout, ({ index: at }) => at >= from && at < (edges[index + 1] ?? from)));
}

function repeats(above: Segment | undefined, start: Segment, letterhead: ReadonlySet<string>): boolean {
  return above !== undefined && (letterhead.has(above.text) || (above.page === start.page && above.row === start.row));
}

/** The layout with only some of its segments, numbered anew. Pages keep their numbers. */
export function keeping(layout: Layout, wanted: (segment: Segment) => boolean): Layout {
  const kept = new Map(layout.segments.filter(wanted).map((segment, index) => [segment, { ...segment, index }]));
  const pages = layout.pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => row.flatMap((segment) => kept.get(segment) ?? [])).filter((row) => row.length > 0),
  }));
  return { pages, segments: [...kept.values()], parts: layout.parts };
}

/** The layout without the older mails that the newest one quotes; the whole where nothing else is there. */
export function newest(layout: Layout): Layout {
  const quoted = layout.segments.filter((segment) => layout.parts[segment.part]?.quoted);
  if (quoted.length === 0 || quoted.length === layout.segments.length) return layout;
  return keeping(layout, (segment) => !layout.parts[segment.part]?.quoted);
}
