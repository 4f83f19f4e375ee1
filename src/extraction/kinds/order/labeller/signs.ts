import { boxOf, type Segment } from "../../../layout/layout.ts";
import { indexAt, lineAbove, lineBelow } from "../../../layout/page-index.ts";
import { horizontalOverlap, verticalOverlap } from "../../../document/geometry.ts";
import type { Box } from "../../../document/document.ts";
import type { Label } from "../../../fields/labels/annotations.ts";
import { valueAreasOf, type ValueArea } from "../../../fields/labels/value-areas.ts";
import { featuresOf, scoreFeatures } from "../../../fields/labels/values.ts";
import type { TransportAnalysis } from "../../transport.ts";
import { captionOf } from "./caption.ts";
import type { Candidate } from "./candidates.ts";
import type { Group, Signs, Use } from "./groups.ts";
import { shapeOf } from "./shape.ts";

/** What the signs of all candidates of a document are computed from. */
export class SignReader {
  readonly analysis: TransportAnalysis;
  readonly groups: readonly Group[];
  readonly uses: readonly Use[];
  private readonly candidates: readonly Candidate[];
  private readonly areas: Map<Segment, ValueArea[]>;
  private readonly usesIn: Map<Segment, Use[]>;
  private readonly counts = new Map<string, number>();
  private readonly lines = new Map<Segment, Signs>();
  private readonly boxes = new Map<Candidate, Box>();
  private readonly ordinals = new Map<Candidate, Signs>();
  private readonly size: number;
  private readonly kin: ReadonlyMap<Group["scope"], Group[]>;
  /** What each group already has. */
  private readonly known: ReadonlyMap<Group, Signs>;
  /** Distances of the candidate that was asked for last. */
  private measured: { candidate: Candidate; away: readonly number[] } | undefined;

  constructor(
    analysis: TransportAnalysis,
    groups: readonly Group[],
    uses: readonly Use[],
    candidates: readonly Candidate[],
  ) {
    this.analysis = analysis;
    this.groups = groups;
    this.uses = uses;
    this.candidates = candidates;
    const { annotations } = analysis.document;
    const areas = annotations.labels.flatMap((label) => [...valueAreasOf(annotations, label)]);
    this.areas = Map.groupBy(areas, ({ segment }) => segment);
    this.usesIn = Map.groupBy(uses, ({ segment }) => segment);
    for (const each of candidates) this.counts.set(keyOf(each), (this.counts.get(keyOf(each)) ?? 0) + 1);
    const sizes = annotations.layout.segments.map(({ size }) => size).sort((a, b) => a - b);
    this.size = sizes[sizes.length >> 1] ?? 10;
    this.kin = Map.groupBy(groups, ({ scope }) => scope);
    const knownOf = ({ known, sure }: Group) =>
      Object.fromEntries([...known].map((name) => [`has ${name}`, sure.get(name) ?? 1]));
    this.known = new Map(groups.map((group) => [group, knownOf(group)]));
    this.setOrdinals();
  }

  /** What a candidate is and where it stands, whoever it belongs to. */
  of(candidate: Candidate): Signs {
    const { segment, start, end } = candidate;
    return {
      ...shapeOf(candidate),
      count: Math.min(6, this.counts.get(keyOf(candidate)) ?? 1),
      ...this.placeOf(segment),
      ...this.labelsOf(candidate),
      ...this.lineOf(segment),
      ...this.around(candidate),
      ...this.ruledBy(segment, start),
      ...this.usedBy(segment, start, end),
      ...this.coveredTypes(candidate),
    };
  }

  /** Which entities the candidate contains or is part of, by the share of it that they cover. */
  private coveredTypes({ segment, start, end, entity }: Candidate): Signs {
    const signs: Signs = {};
    for (const other of this.analysis.document.annotations.entitiesIn[segment.index] ?? []) {
      const shared = Math.min(end, other.end) - Math.max(start, other.start);
      if (other === entity || shared <= 0 || other.score < 0.3) continue;
      const name = `over ${other.type}`;
      signs[name] = Math.max(signs[name] ?? 0, shared / (end - start));
      if (other.start < start || other.end > end) signs[`part of ${other.type}`] = 1;
    }
    return signs;
  }

  /** How a candidate stands to one that may own it. */
  to(candidate: Candidate, group: Group): Signs {
    const all = this.kin.get(group.scope)!;
    const signs: Signs = {
      ...this.known.get(group),
      ...this.usedFor(candidate, group),
      groups: all.length,
      index: group.index,
    };
    if (group.scope === "order") return signs;
    const away = this.distances(candidate);
    const own = this.away(candidate, group);
    const others = this.groups.flatMap((each, at) => (each === group ? [] : [away[at]!]));
    const kin = this.groups.flatMap((each, at) => (each === group || each.scope !== group.scope ? [] : [away[at]!]));
    return {
      ...signs,
      away: own,
      nearer: Math.min(40, Math.max(-40, Math.min(far, ...others) - own)),
      nearerKin: Math.min(40, Math.max(-40, Math.min(far, ...kin) - own)),
      rank: others.filter((other) => other < own).length,
      ...this.layoutTo(candidate, group),
      ...(group.stop && this.stopSigns(candidate, group, all)),
    };
  }

  /** Distance of a candidate from one that may own it. */
  away = (candidate: Candidate, group: Group): number => this.distances(candidate)[this.groups.indexOf(group)]!;

  /** Whether a candidate is in the part of the document that belongs to this stop. */
  isOwn = ({ segment, start }: Candidate, { stop }: Group): boolean =>
    stop !== undefined && this.analysis.route.owner(segment, start) === stop;

  private distances(candidate: Candidate): readonly number[] {
    if (this.measured?.candidate !== candidate) {
      const away = this.groups.map((each) => (each.scope === "order" ? far : this.distance(candidate, each)));
      this.measured = { candidate, away };
    }
    return this.measured.away;
  }

  private stopSigns(candidate: Candidate, { stop, index }: Group, all: readonly Group[]): Signs {
    const { route } = this.analysis;
    const owner = route.owner(candidate.segment, candidate.start);
    const kind = all.filter((each) => each.stop?.kind === stop!.kind);
    const ordinal = this.ordinals.get(candidate) ?? {};
    const matched = (way: string) =>
      ordinal[`${way} n`] === all.length ? (ordinal[`${way} at`] === index ? 1 : -1) : 0;
    const inKind = kind.findIndex((each) => each.stop === stop);
    const matchedKind = (way: string) =>
      ordinal[`${way} n`] === kind.length ? (ordinal[`${way} at`] === inKind ? 1 : -1) : 0;
    return {
      [stop!.kind]: 1,
      owned: owner === stop ? 1 : owner ? -1 : 0,
      sameKind: owner && owner !== stop && owner.kind === stop!.kind ? 1 : 0,
      ofKind: kind.length,
      inKind,
      last: index === all.length - 1 ? 1 : 0,
      matchColumn: matched("column"),
      matchRow: matched("row"),
      matchKindColumn: matchedKind("column"),
      matchKindRow: matchedKind("row"),
    };
  }

  private layoutTo(candidate: Candidate, group: Group): Signs {
    const { segment } = candidate;
    const box = this.boxOf(candidate);
    const here = group.anchors.filter((anchor) => anchor.segment.page === segment.page);
    if (here.length === 0) return { elsewhere: 1 };
    const same = here.filter((anchor) => anchor.segment === segment);
    const inCell = here.filter(
      ({ segment: { cell } }) => cell && segment.cell?.table === cell.table && segment.cell.row === cell.row,
    );
    const steps = here.map((anchor) => segment.index - anchor.segment.index);
    const step = steps.reduce((best, each) => (Math.abs(each) < Math.abs(best) ? each : best));
    const [top, bottom] = [
      Math.min(...here.map((a) => a.segment.box.y0)),
      Math.max(...here.map((a) => a.segment.box.y1)),
    ];
    const left = Math.min(...here.map((a) => a.segment.box.x0));
    const unit = this.size;
    return {
      inSegment: same.length > 0 ? 1 : 0,
      behind: same.some(({ start }) => start < candidate.start) ? 1 : 0,
      onRow: here.some((anchor) => verticalOverlap(anchor.segment.box, box) > 0.5) ? 1 : 0,
      inTableRow: inCell.length > 0 ? 1 : 0,
      inTableColumn: here.some(
        ({ segment: { cell } }) => cell && segment.cell?.table === cell.table && segment.cell.column === cell.column,
      )
        ? 1
        : 0,
      inColumn: here.some((anchor) => horizontalOverlap(anchor.segment.box, box) > 0.3) ? 1 : 0,
      step: Math.max(-30, Math.min(60, step)),
      fromTop: clip((box.y0 - top) / unit),
      fromBottom: clip((box.y0 - bottom) / unit),
      fromLeft: clip((box.x0 - left) / unit),
      between: this.isBetween(candidate, group) ? 1 : 0,
    };
  }

  /** Whether no other stop begins between the stop and the candidate. */
  private isBetween({ segment }: Candidate, group: Group): boolean {
    const first = (each: Group) => Math.min(...each.anchors.map((anchor) => anchor.segment.index));
    const own = first(group);
    return own <= segment.index && !this.groups.some((each) => first(each) > own && first(each) <= segment.index);
  }

  private distance(candidate: Candidate, { anchors }: Group): number {
    const box = this.boxOf(candidate);
    const unit = this.size;
    const ways = anchors.map(({ segment }) => {
      if (segment === candidate.segment) return 0;
      if (segment.page !== candidate.segment.page) return 60 + 20 * Math.abs(segment.page - candidate.segment.page);
      const dy = Math.max(0, segment.box.y0 - box.y1, box.y0 - segment.box.y1) / unit;
      const dx = Math.max(0, segment.box.x0 - box.x1, box.x0 - segment.box.x1) / unit;
      return dy + 0.3 * dx + (box.y0 < segment.box.y0 - unit / 2 ? 1 : 0) + 0.5;
    });
    return Math.min(far, ...ways);
  }

  private boxOf(candidate: Candidate): Box {
    const known = this.boxes.get(candidate) ?? boxOf(candidate.segment, candidate.start, candidate.end);
    this.boxes.set(candidate, known);
    return known;
  }

  private placeOf(segment: Segment): Signs {
    const { layout } = this.analysis.document.annotations;
    const page = layout.pages[segment.page - 1];
    const ownPages = layout.pages.filter(({ part }) => part === segment.part);
    return {
      page: Math.min(3, segment.page - (ownPages[0]?.number ?? 1)),
      y: page ? Math.round((20 * segment.box.y0) / page.height) : 0,
      x: page ? Math.round((10 * segment.box.x0) / page.width) : 0,
      big: Math.round((4 * segment.size) / this.size) / 4,
      bold: segment.bold ? 1 : 0,
      cell: segment.cell ? 1 : 0,
      column: segment.cell?.column ?? -1,
      row: Math.min(12, segment.cell?.row ?? -1),
      prose: this.analysis.document.prose.has(segment) ? 1 : 0,
      lines: Math.min(5, segment.lines),
      quoted: layout.parts[segment.part]?.quoted ? 1 : 0,
      body: layout.parts[segment.part]?.role === "Body" ? 1 : 0,
    };
  }

  private labelsOf({ segment, start, end, entity, sort }: Candidate): Signs {
    const { document } = this.analysis;
    const signs: Signs = {};
    const note = (name: string, value: number) => (signs[name] = Math.max(signs[name] ?? 0, value));
    for (const area of this.areas.get(segment) ?? []) {
      if (area.start > start || area.end < end) continue;
      const { label } = area;
      const span = { start, end, score: entity?.score ?? 0.5, ...(entity && { type: entity.type }) };
      const score = Math.round(100 * scoreFeatures(featuresOf(document, label, area, span))) / 100;
      for (const { concept, weight } of label.meanings) {
        if (weight < 0.3) continue;
        note(`at ${concept}`, score);
        note(`${area.way} ${concept}`, 1 / (1 + area.order));
      }
    }
    for (const label of document.annotations.labelsIn[segment.index] ?? []) this.ownLabel(label, { start, end }, note);
    note("covered", this.coveredBy(segment, start, end));
    note(`sort ${sort}`, 1);
    return signs;
  }

  private ownLabel(
    label: Label,
    { start, end }: { start: number; end: number },
    note: (name: string, value: number) => void,
  ): void {
    const gap = start >= label.end ? start - label.end : -1;
    const behind = label.start >= end ? label.start - end : -1;
    for (const { concept, weight } of label.meanings) {
      if (weight < 0.3) continue;
      if (gap >= 0) note(`before ${concept}`, 1 / (1 + gap / 8));
      else if (behind >= 0) note(`after ${concept}`, 1 / (1 + behind / 8));
      else note(`in ${concept}`, 1);
    }
  }

  private coveredBy(segment: Segment, start: number, end: number): number {
    const labels = this.analysis.document.annotations.labelsIn[segment.index] ?? [];
    const covered = labels.reduce(
      (sum, label) => sum + Math.max(0, Math.min(end, label.end) - Math.max(start, label.start)),
      0,
    );
    return covered / Math.max(1, end - start);
  }

  /** What else stands in the segment, beside, above and below it. */
  private lineOf(segment: Segment): Signs {
    const known = this.lines.get(segment);
    if (known) return known;
    const { annotations } = this.analysis.document;
    const { layout } = annotations;
    const signs: Signs = {};
    const tell = (name: string, one: Segment | undefined) => {
      if (!one) {
        signs[`${name} none`] = 1;
        return;
      }
      for (const { type, score } of annotations.entitiesIn[one.index] ?? [])
        if (score > 0.3) signs[`${name} ${type}`] = 1;
      for (const { standing, meanings } of annotations.labelsIn[one.index] ?? [])
        if (standing !== "Loose")
          for (const { concept, weight } of meanings)
            if (weight >= 0.4) signs[`${name} ${concept}`] = Math.max(signs[`${name} ${concept}`] ?? 0, weight);
    };
    const row = indexAt(layout, segment).rowOf(segment);
    const at = row.indexOf(segment);
    tell("own", segment);
    tell("left", row[at - 1]);
    tell("right", row[at + 1]);
    tell("above", lineAbove(annotations, segment));
    tell("below", lineBelow(annotations, segment));
    const first = row[0];
    if (first && first !== segment && first !== row[at - 1]) tell("first", first);
    this.lines.set(segment, signs);
    return signs;
  }

  private around({ segment, start, end }: Candidate): Signs {
    const { text } = segment;
    const [before, after] = [text.slice(0, start), text.slice(end)];
    const types = this.analysis.document.annotations.entitiesIn[segment.index] ?? [];
    const last = types.findLast((each) => each.end <= start && each.score > 0.3);
    const next = types.find((each) => each.start >= end && each.score > 0.3);
    return {
      opens: /[\p{L}\d]/u.test(before) ? 0 : 1,
      closes: /[\p{L}\d]/u.test(after) ? 0 : 1,
      colon: /:\s*$/u.test(before) ? 1 : 0,
      comma: /,\s*$/u.test(before) ? 1 : 0,
      bracket: /\(\s*$/u.test(before) ? 1 : 0,
      dash: /[-–—]\s*$/u.test(before) ? 1 : 0,
      hash: /[#№]|\b(?:nr|no|č|n°|nº)\.?\s*$/iu.test(before.slice(-5)) ? 1 : 0,
      times: /^\s*[x×*]/iu.test(after) ? 1 : 0,
      percent: /^\s*%/u.test(after) ? 1 : 0,
      [`last ${last?.type ?? "none"}`]: 1,
      [`next ${next?.type ?? "none"}`]: 1,
      at: Math.min(10, before.length / 10),
    };
  }

  private ruledBy(segment: Segment, start: number): Signs {
    const { sections, document } = this.analysis;
    const head = sections.ruling(segment, start);
    if (!head) return { "role none": 1, caption: captionOf(document.annotations, segment) };
    return {
      [`role ${head.role}`]: head.weight,
      narrow: head.narrow ? 1 : 0,
      caption: captionOf(document.annotations, segment),
    };
  }

  private usedBy(segment: Segment, start: number, end: number): Signs {
    const uses = (this.usesIn.get(segment) ?? []).filter((use) => use.start < end && use.end > start);
    return Object.fromEntries(uses.map(({ path, confidence }) => [`used ${path}`, confidence]));
  }

  private usedFor({ segment, start, end }: Candidate, group: Group): Signs {
    const uses = (this.usesIn.get(segment) ?? []).filter((use) => use.start < end && use.end > start);
    return Object.fromEntries(
      uses
        .filter(({ scope, index }) => scope === group.scope && index === group.index)
        .map(({ path, confidence }) => [`mine ${path}`, confidence]),
    );
  }

  /** Position among the candidates of the same sort that are in its column or row. */
  private setOrdinals(): void {
    const firsts = this.candidates.filter(({ part, sort }) => part !== "To" && sort !== "Words");
    const bySort = Map.groupBy(firsts, ({ sort, unit, segment }) => `${sort} ${unit ?? ""} ${segment.page}`);
    for (const group of bySort.values())
      for (const one of group) {
        const own = this.boxOf(one);
        const column = group.filter((other) => Math.abs(this.boxOf(other).x0 - own.x0) < 0.8 * this.size);
        const row = group.filter((other) => verticalOverlap(this.boxOf(other), own) > 0.5);
        this.ordinals.set(one, {
          "column n": column.length,
          "column at": column.indexOf(one),
          "row n": row.length,
          "row at": row.indexOf(one),
        });
      }
  }
}

const far = 120;
const clip = (value: number) => Math.round(4 * Math.max(-40, Math.min(60, value))) / 4;
const keyOf = ({ sort, value }: Candidate) => `${sort} ${value}`;

/**
 * What stands before a candidate: in its segment, to its left, and its column. Values with the same text before them are
 * often values of the same field.
 */
export function keysOf({ analysis: { document } }: SignReader, { segment, start }: Candidate): string[] {
  const { layout } = document.annotations;
  const letters = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}]+/gu, " ")
      .trim()
      .slice(-24);
  const row = indexAt(layout, segment).rowOf(segment);
  const left = row[row.indexOf(segment) - 1];
  const { cell } = segment;
  return [
    letters(segment.text.slice(0, start)),
    left ? letters(left.text) : "",
    cell ? `${cell.table}/${cell.column}` : `${segment.page}/${Math.round(segment.box.x0 / 6)}`,
  ];
}
