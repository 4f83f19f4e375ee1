import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create } from "fontkit";
import type { Page, Token } from "../../src/extraction/document/document.ts";
import type { Raster } from "../../src/extraction/images/raster.ts";
import { fill, type Point } from "./ink.ts";

const fontAt = (name: string) =>
  create(readFileSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));
const familyOf = (name: string) => ({ plain: fontAt(name), bold: fontAt(`${name}-Bold`) });
const families = {
  sans: familyOf("DejaVuSans"),
  condensed: familyOf("DejaVuSansCondensed"),
  serif: familyOf("DejaVuSerif"),
  mono: familyOf("DejaVuSansMono"),
};

/** The typeface of a page. */
export type Face = keyof typeof families;

/** All typefaces. */
export const faces = Object.keys(families) as Face[];

/** The share of the font size that is above the baseline. */
const ascent = 0.78;
const pointsAnInch = 72;

/** Rasterises the words and rules of a page in black, with a DejaVu font. */
export function printed(page: Page, dpi: number, face: Face = "sans"): Raster {
  const scale = dpi / pointsAnInch;
  const [width, height] = [Math.round(page.width * scale), Math.round(page.height * scale)];
  const paper = { width, height, gray: new Uint8Array(width * height).fill(255) };
  for (const token of page.tokens) set(paper, token, scale, face);
  for (const { x0, y0, x1, y1 } of page.rulings)
    fill(paper, [
      [
        { x: x0 * scale, y: y0 * scale },
        { x: Math.max(x1 * scale, x0 * scale + 1), y: y0 * scale },
        { x: Math.max(x1 * scale, x0 * scale + 1), y: Math.max(y1 * scale, y0 * scale + 1) },
        { x: x0 * scale, y: Math.max(y1 * scale, y0 * scale + 1) },
      ],
    ]);
  return paper;
}

function set(paper: Raster, { text, bold, x0, x1, y0, y1 }: Token, scale: number, face: Face): void {
  const font = families[face][bold ? "bold" : "plain"];
  const { glyphs, positions } = font.layout(text);
  const advance = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  if (advance === 0) return;
  const up = ((y1 - y0) * scale) / font.unitsPerEm;
  const along = Math.min(up * 1.1, ((x1 - x0) * scale) / advance);
  const foot = (y0 + ascent * (y1 - y0)) * scale;
  let x = x0 * scale;
  for (const [at, { path }] of glyphs.entries()) {
    const outlines = outlinesOf(path.commands, (point) => ({ x: x + point.x * along, y: foot - point.y * up }));
    if (outlines.length > 0) fill(paper, outlines);
    x += positions[at]!.xAdvance * along;
  }
}

const pieces = 5;

function outlinesOf(commands: { command: string; args: number[] }[], place: (point: Point) => Point): Point[][] {
  const outlines: Point[][] = [];
  for (const { command, args } of commands) {
    if (command === "moveTo") outlines.push([]);
    const outline = outlines.at(-1);
    if (!outline || command === "closePath") continue;
    const ends = Array.from({ length: args.length / 2 }, (_, at) => ({ x: args[2 * at]!, y: args[2 * at + 1]! }));
    const curve = [outline.at(-1), ...ends].filter((point) => point !== undefined);
    if (ends.length === 1) outline.push(ends[0]!);
    else for (let piece = 1; piece <= pieces; piece++) outline.push(onCurve(curve, piece / pieces));
  }
  return outlines.map((outline) => outline.map(place));
}

/** Computes a point of a Bézier curve by De Casteljau's algorithm. */
function onCurve(points: Point[], share: number): Point {
  if (points.length === 1) return points[0]!;
  const between = points.slice(1).map(({ x, y }, at) => {
    const from = points[at]!;
    return { x: from.x + (x - from.x) * share, y: from.y + (y - from.y) * share };
  });
  return onCurve(between, share);
}
