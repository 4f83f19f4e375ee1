import type { Box, Token } from "../../document/document.ts";
import { median } from "../../document/geometry.ts";
import { cleanText } from "../clean-text.ts";
import type { Glyph, Visibility } from "./painter.ts";

/** A word with its rotation, in clockwise quarter turns. */
export interface Word extends Token {
  turn: number;
  visibility: Visibility;
}

/** Distances as fractions of the letter size, set by hand. */
const distances = {
  /** `gap`: a wider gap starts a new word. `overlap`: letters of a word may overlap by up to this. */
  gap: 0.12,
  overlap: 0.3,
  /** If the distance between two equal letters is less than this, they are one letter that was drawn twice. */
  twin: 0.12,
  /**
   * Maximum vertical distance from the previous letter's baseline. `baseline`: of a letter in the same word.
   * `superscript`: of a superscript. `spacedBaseline`: of a letter in a letter-spaced heading.
   */
  baseline: 0.2,
  superscript: 0.6,
  spacedBaseline: 0.1,
  /** Maximum gap between the letters of a letter-spaced heading. */
  spacedGap: 2.6,
} as const;
const maxSizeRatio = 2;
/** In a letter-spaced heading, a gap separates words if it is wider than the median gap by this factor. */
const wideGap = 1.6;
/** Height of a letter above and below the baseline, as a fraction of its size. */
const ascent = 0.78;
const descent = 0.22;
/** Minimum size of letters, in points. Smaller letters are not meant for readers. */
const smallest = 1.2;

interface Draft {
  glyphs: Glyph[];
  turn: number;
}

/**
 * Joins letters into words. Slanted text (stamps, watermarks) is left out. If a letter was drawn twice, its second copy
 * is left out.
 */
export function wordsFrom(glyphs: Glyph[]): Word[] {
  const seen = new Map<string, Map<number, { glyph: Glyph; draft: Draft }>>();
  const drafts: Draft[] = [];
  let draft: Draft | undefined;
  for (const glyph of glyphs) {
    const turn = turnOf(glyph);
    const text = cleanText(glyph.text);
    if (turn === undefined || text.trim() === "") {
      draft = undefined;
      continue;
    }
    const alike = seen.get(text) ?? new Map<number, { glyph: Glyph; draft: Draft }>();
    seen.set(text, alike);
    const twin = twinOf(glyph, alike);
    if (twin) {
      for (const letter of twin.draft.glyphs) letter.bold = true;
      draft = undefined;
      continue;
    }
    const last = draft?.glyphs.at(-1);
    if (!draft || !last || draft.turn !== turn || !follows(last, glyph)) drafts.push((draft = { glyphs: [], turn }));
    draft.glyphs.push(glyph);
    alike.set(placeKey(glyph.start.x, glyph.start.y), { glyph, draft });
  }
  return spacedWordsJoined(drafts).flatMap(finish);

  /** Some programs draw a letter twice, at nearly the same position, to make it bold. */
  function twinOf(
    glyph: Glyph,
    alike: ReadonlyMap<number, { glyph: Glyph; draft: Draft }>,
  ): { glyph: Glyph; draft: Draft } | undefined {
    const { x, y } = glyph.start;
    for (const shift of [0, -0.6, 0.6]) {
      const twin = alike.get(placeKey(x + shift, y));
      if (twin && Math.hypot(twin.glyph.start.x - x, twin.glyph.start.y - y) < sizeOf(glyph) * distances.twin)
        return twin;
    }
    return undefined;
  }
}

/** Factor that combines two coordinates into one key. Letters far outside the page may share a key. */
const widest = 2 ** 20;
const placeKey = (x: number, y: number) => Math.round(x) * widest + Math.round(y);

function turnOf(glyph: Glyph): number | undefined {
  const angle = (Math.atan2(glyph.up.x, -glyph.up.y) * 180) / Math.PI;
  const turn = Math.round(angle / 90);
  return Math.abs(angle - turn * 90) <= 8 ? (turn + 4) % 4 : undefined;
}

function sizeOf(glyph: Glyph): number {
  return Math.hypot(glyph.up.x, glyph.up.y);
}

/**
 * Measures the distance of `next` from the end of `last`, along the baseline and above it, as fractions of the letter
 * size.
 */
function offset(last: Glyph, next: Glyph): { along: number; above: number } {
  const size = sizeOf(last) || 1;
  const away = { x: next.start.x - last.end.x, y: next.start.y - last.end.y };
  const upward = { x: last.up.x / size, y: last.up.y / size };
  return {
    along: (away.x * -upward.y + away.y * upward.x) / size,
    above: (away.x * upward.x + away.y * upward.y) / size,
  };
}

function follows(last: Glyph, next: Glyph): boolean {
  const { along, above } = offset(last, next);
  const allowed = distances.gap + Math.max(0, last.spacing) / (sizeOf(last) || 1);
  if (along > allowed || along < -distances.overlap) return false;
  const ratio = sizeOf(next) / (sizeOf(last) || 1);
  if (Math.abs(above) <= distances.baseline) return ratio > 1 / maxSizeRatio && ratio < maxSizeRatio;
  // A superscript digit belongs to a word only in a unit (m², m³). Otherwise, it is a footnote mark.
  return above > 0 && above < distances.superscript && last.text.endsWith("m") && /^[23]$/.test(next.text);
}

/** Joins the letters of letter-spaced headings ("O R D E R") into words. */
function spacedWordsJoined(drafts: Draft[]): Draft[] {
  const out: Draft[] = [];
  for (let from = 0; from < drafts.length;) {
    const to = endOfSpacedRun(drafts, from);
    const run = drafts.slice(from, to);
    if (run.length >= 4) out.push(...joinByGap(run));
    else out.push(...run);
    from = to;
  }
  return out;
}

function endOfSpacedRun(drafts: Draft[], from: number): number {
  let to = from + 1;
  while (to < drafts.length && isSpacedNeighbour(drafts[to - 1], drafts[to])) to++;
  return to;
}

/**
 * Matches a character of a letter-spaced heading: a letter, or the punctuation of an abbreviation. Digits with gaps are
 * more often table cells.
 */
const spaceable = /^[\p{L}.:&-]$/u;

function isSpacedNeighbour(one: Draft | undefined, other: Draft | undefined): boolean {
  const last = one?.glyphs[0];
  const next = other?.glyphs[0];
  if (!last || !next || one.glyphs.length > 1 || other.glyphs.length > 1 || one.turn !== other.turn) return false;
  const { along, above } = offset(last, next);
  return (
    spaceable.test(last.text) &&
    spaceable.test(next.text) &&
    Math.abs(above) < distances.spacedBaseline &&
    along > 0 &&
    along < distances.spacedGap
  );
}

function joinByGap(run: Draft[]): Draft[] {
  const gaps = run.slice(1).map((next, index) => gapBetween(run[index], next));
  const usual = median(gaps);
  const words: Draft[] = [];
  run.forEach((letter, index) => {
    const word = words.at(-1);
    if (word && (gaps[index - 1] ?? 0) <= usual * wideGap) word.glyphs.push(...letter.glyphs);
    else words.push({ glyphs: [...letter.glyphs], turn: letter.turn });
  });
  return words;
}

function gapBetween(one: Draft | undefined, other: Draft): number {
  const last = one?.glyphs[0];
  const next = other.glyphs[0];
  return last && next ? offset(last, next).along : 0;
}

function finish({ glyphs, turn }: Draft): Word[] {
  const [first] = glyphs;
  const text = cleanText(glyphs.map((glyph) => glyph.text).join(""));
  if (!first || text === "") return [];
  const size = glyphs.reduce((largest, glyph) => Math.max(largest, sizeOf(glyph)), 0);
  if (size < smallest) return [];
  return partsAtBlanks(text).map(({ text: part, from, to }) => ({
    text: part,
    ...boxOf(glyphs.slice(from, to)),
    size,
    bold: first.bold,
    confidence: 1,
    source: "Pdf",
    turn,
    visibility: first.visibility,
  }));

  /** A glyph may stand for several words with spaces between them. */
  function partsAtBlanks(whole: string): { text: string; from: number; to: number }[] {
    if (!/\s/.test(whole)) return [{ text: whole, from: 0, to: glyphs.length }];
    return glyphs.flatMap((glyph, index) =>
      cleanText(glyph.text)
        .split(/\s+/)
        .filter(Boolean)
        .map((part) => ({ text: part, from: index, to: index + 1 })),
    );
  }
}

function boxOf(glyphs: readonly Glyph[]): Box {
  const box: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const { start, end, up } of glyphs) {
    for (const { x, y } of [start, end]) {
      box.x0 = Math.min(box.x0, x + up.x * ascent, x - up.x * descent);
      box.y0 = Math.min(box.y0, y + up.y * ascent, y - up.y * descent);
      box.x1 = Math.max(box.x1, x + up.x * ascent, x - up.x * descent);
      box.y1 = Math.max(box.y1, y + up.y * ascent, y - up.y * descent);
    }
  }
  return box;
}
