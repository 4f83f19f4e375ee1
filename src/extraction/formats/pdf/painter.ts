import type { Box } from "../../document/document.ts";
import {
  Background,
  emHeight,
  initialState,
  isBold,
  isSameColour,
  type Font,
  type GraphicsState,
} from "./graphics-state.ts";
import { apply, asMatrix, identity, multiply, pairs, segments, subpathBoxes, transformBox } from "./geometry.ts";
import type { Matrix, Point } from "./geometry.ts";
import type { Unpacked } from "./grey-store.ts";

/** One letter with its position, in page units. */
export interface Glyph {
  text: string;
  /** Left end of the letter on the baseline. */
  start: Point;
  /** Right end of the letter on the baseline, without letter spacing. */
  end: Point;
  /** Vector from the baseline upwards. Its length is the letter size. */
  up: Point;
  /** Additional space after the letter. */
  spacing: number;
  bold: boolean;
  visibility: Visibility;
}

/** `Unpainted` text is invisible (the text layer of a scan). `Camouflaged` text has the colour of its background. */
export type Visibility = "Printed" | "Unpainted" | "Camouflaged";

export interface PaintedPicture extends Box {
  /** Maps the unit square to the page. The first row of pixels is at the top of the square. */
  matrix: Matrix;
  /** The picture's object name in pdf.js. Small inline pictures have none. */
  id?: string;
  inline?: Unpacked;
  /** Whether the picture is a stencil mask, which only darkens the background. */
  isMask?: boolean;
  width: number;
  height: number;
}

interface Mask {
  /** The object name of the mask, or its data. */
  data: string | Uint8Array;
  width: number;
  height: number;
}

export interface Painted {
  glyphs: Glyph[];
  /** Straight lines and the edges of filled areas, as thin boxes. */
  strokes: Box[];
  pictures: PaintedPicture[];
}

interface PdfGlyph {
  unicode?: string;
  width: number;
  isSpace?: boolean;
}

export interface PaintingContext {
  /** Maps the PDF user space to page units; the origin is at the top left. */
  base: Matrix;
  width: number;
  height: number;
  font(id: string): Font | undefined;
  layerVisible(properties: unknown): boolean;
  paintOps: PaintOps;
}

/** The operators that paint a path. */
export interface PaintOps {
  fills: Set<number>;
  strokes: Set<number>;
}

const maxStrokes = 20_000;
const maxPictures = 10_000;
/** In points: maximum thickness of a filled area that counts as a ruling, and minimum length of a ruling. */
const [thinnest, minRulingLength] = [2.5, 8];
/** In points: half the thickness of the thinnest ruling, and the deviation up to which a line counts as straight. */
const [hairline, straight] = [0.25, 0.5];
/** Minimum opacity. Text with a lower one is invisible; an area with a lower one does not cover what is beneath it. */
const opacity = { text: 0.05, area: 0.5 };
/** Height at which the background colour of a letter is taken, as a fraction of the height of the letter. */
const groundHeight = 0.3;

/**
 * Interprets the drawing operators of a page, and records letters, lines, areas and pictures. Each method whose name is
 * a pdf.js operator implements this operator. Operators without a method do not affect the result.
 */
export class Painter {
  readonly painted: Painted = { glyphs: [], strokes: [], pictures: [] };
  private readonly context: PaintingContext;
  private state: GraphicsState;
  private readonly saved: GraphicsState[] = [];
  private readonly layers: boolean[] = [];
  private readonly grounds = new Background();

  constructor(context: PaintingContext) {
    this.context = context;
    this.state = initialState(context.base);
  }

  save(): void {
    this.saved.push({ ...this.state });
  }

  restore(): void {
    this.state = this.saved.pop() ?? this.state;
  }

  transform(...matrix: number[]): void {
    this.state.matrix = multiply(this.state.matrix, asMatrix(matrix));
  }

  paintFormXObjectBegin(matrix: number[] | null): void {
    this.save();
    if (matrix) this.transform(...matrix);
  }

  paintFormXObjectEnd(): void {
    this.restore();
  }

  beginGroup(): void {
    this.save();
  }

  endGroup(): void {
    this.restore();
  }

  beginAnnotation(_id: unknown, _rect: unknown, transform: number[], matrix: number[]): void {
    this.save();
    this.state = initialState(multiply(multiply(this.context.base, asMatrix(transform)), asMatrix(matrix)));
  }

  endAnnotation(): void {
    this.restore();
  }

  beginMarkedContentProps(tag: unknown, properties: unknown): void {
    this.layers.push(tag !== "OC" || this.context.layerVisible(properties));
  }

  beginMarkedContent(): void {
    this.layers.push(true);
  }

  endMarkedContent(): void {
    this.layers.pop();
  }

  setGState(pairs: [string, unknown][]): void {
    for (const [key, value] of pairs) {
      if (key === "ca" && typeof value === "number") this.state.alpha = value;
      if (key === "LW" && typeof value === "number") this.state.lineWidth = value;
      if (key === "Font" && Array.isArray(value)) this.setFont(String(value[0]), Number(value[1]));
    }
  }

  setLineWidth(width: number): void {
    this.state.lineWidth = width;
  }

  setFillRGBColor(colour: unknown): void {
    this.state.fill = typeof colour === "string" ? colour : undefined;
  }

  setStrokeRGBColor(colour: unknown): void {
    this.state.stroke = typeof colour === "string" ? colour : undefined;
  }

  setFillColorN(): void {
    this.state.fill = undefined;
  }

  setStrokeColorN(): void {
    this.state.stroke = undefined;
  }

  beginText(): void {
    this.setTextMatrix(identity);
  }

  setTextMatrix(matrix: readonly number[]): void {
    this.state.textMatrix = asMatrix(matrix);
    this.state.at = this.state.lineStart = { x: 0, y: 0 };
  }

  setFont(id: string, size: number): void {
    this.state.font = this.context.font(id) ?? {};
    this.state.size = size;
  }

  setCharSpacing(spacing: number): void {
    this.state.letterSpacing = spacing;
  }

  setWordSpacing(spacing: number): void {
    this.state.wordSpacing = spacing;
  }

  setHScale(percent: number): void {
    this.state.stretch = percent / 100;
  }

  setLeading(leading: number): void {
    this.state.leading = -leading;
  }

  setTextRise(rise: number): void {
    this.state.rise = rise;
  }

  setTextRenderingMode(mode: number): void {
    this.state.mode = mode;
  }

  moveText(x: number, y: number): void {
    const { lineStart } = this.state;
    this.state.at = this.state.lineStart = { x: lineStart.x + x, y: lineStart.y + y };
  }

  setLeadingMoveText(x: number, y: number): void {
    this.setLeading(-y);
    this.moveText(x, y);
  }

  nextLine(): void {
    this.moveText(0, this.state.leading);
  }

  showText(letters: (PdfGlyph | number | null)[]): void {
    const { state } = this;
    const matrix = multiply(state.matrix, state.textMatrix);
    const scale = state.font.fontMatrix?.[0] ?? 0.001;
    const em = state.size * emHeight(state.font);
    const up = { x: matrix[2] * em, y: matrix[3] * em };
    const length = Math.hypot(matrix[0], matrix[1]);
    const bold = isBold(state.font.name) || (state.mode & 3) === 2;
    const visibility = this.visibilityOf(apply(matrix, state.at.x, state.at.y + state.rise), up);
    let x = state.at.x;
    for (const letter of letters) {
      if (typeof letter === "number") x -= (letter / 1000) * state.size * state.stretch;
      if (letter === null || typeof letter === "number") continue;
      const width = letter.width * scale * state.size * state.stretch;
      const spacing = (state.letterSpacing + (letter.isSpace ? state.wordSpacing : 0)) * state.stretch;
      if (visibility) {
        this.noteGlyph({
          text: letter.unicode ?? "",
          start: apply(matrix, x, state.at.y + state.rise),
          end: apply(matrix, x + width, state.at.y + state.rise),
          up,
          spacing: spacing * length,
          bold,
          visibility,
        });
      }
      x += width + spacing;
    }
    state.at = { x, y: state.at.y };
  }

  constructPath(paint: number, data: (ArrayLike<number> | null)[], bounds: ArrayLike<number> | null): void {
    const fills = this.context.paintOps.fills.has(paint);
    const strokes = this.context.paintOps.strokes.has(paint);
    if ((!fills && !strokes) || !bounds || !this.visible) return;
    const points = data[0];
    if (strokes && points) this.noteSegments(points);
    if (fills)
      for (const box of points ? subpathBoxes(points) : []) this.noteArea(transformBox(this.state.matrix, box));
  }

  shadingFill(): void {
    this.grounds.add({ x0: 0, y0: 0, x1: this.context.width, y1: this.context.height }, undefined);
  }

  paintImageXObject(id: string, width: number, height: number): void {
    this.notePicture({ id, width, height });
  }

  paintImageXObjectRepeat(id: string, scaleX: number, scaleY: number, places: ArrayLike<number>): void {
    for (const place of pairs(places)) this.notePicture({ id, width: 0, height: 0 }, [scaleX, 0, 0, scaleY, ...place]);
  }

  paintInlineImageXObject(inline: Unpacked): void {
    this.notePicture({ inline, width: inline.width, height: inline.height });
  }

  paintImageMaskXObject(mask: Mask): void {
    this.noteMask(mask);
  }

  paintImageMaskXObjectGroup(masks: (Mask & { transform: number[] })[]): void {
    for (const mask of masks) this.noteMask(mask, asMatrix(mask.transform));
  }

  paintImageMaskXObjectRepeat(
    mask: Mask,
    a: number,
    b: number | undefined,
    c: number | undefined,
    d: number,
    places: ArrayLike<number>,
  ): void {
    for (const place of pairs(places)) this.noteMask(mask, [a, b ?? 0, c ?? 0, d, ...place]);
  }

  paintSolidColorImageMask(): void {
    this.noteArea(transformBox(this.state.matrix, { x0: 0, y0: 0, x1: 1, y1: 1 }));
  }

  /** A white mask is invisible. */
  private noteMask({ data, width, height }: Mask, within?: Matrix): void {
    if (isSameColour(this.state.fill, "#ffffff")) return;
    const named = typeof data === "string" ? { id: data } : { inline: { data, width, height } };
    this.notePicture({ ...named, isMask: true, width, height }, within);
  }

  private notePicture(picture: Omit<PaintedPicture, keyof Box | "matrix">, within: Matrix = identity): void {
    if (!this.visible || this.painted.pictures.length >= maxPictures) return;
    const matrix = multiply(this.state.matrix, within);
    const box = transformBox(matrix, { x0: 0, y0: 0, x1: 1, y1: 1 });
    const area = (box.x1 - box.x0) * (box.y1 - box.y0);
    if (!(area > 0 && area < Infinity)) return;
    this.painted.pictures.push({ ...box, ...picture, matrix });
    this.grounds.add(box, undefined);
  }

  private get visible(): boolean {
    return !this.layers.includes(false);
  }

  private visibilityOf(start: Point, up: Point): Visibility | undefined {
    if (!this.visible) return undefined;
    const { mode, alpha, fill, stroke } = this.state;
    if ((mode & 3) === 3 || alpha < opacity.text) return "Unpainted";
    const ink = (mode & 3) === 1 ? stroke : fill;
    const ground = this.grounds.at({ x: start.x + up.x * groundHeight, y: start.y + up.y * groundHeight });
    return isSameColour(ink, ground) ? "Camouflaged" : "Printed";
  }

  private noteGlyph(glyph: Glyph): void {
    const { x, y } = glyph.start;
    const margin = 2;
    if (x < -margin || y < -margin || x > this.context.width + margin || y > this.context.height + margin) return;
    this.painted.glyphs.push(glyph);
  }

  private noteSegments(points: ArrayLike<number>): void {
    const { matrix, lineWidth } = this.state;
    const half = Math.max(hairline, (lineWidth * Math.hypot(matrix[0], matrix[1])) / 2);
    for (const [from, to] of segments(points)) {
      const start = apply(matrix, from.x, from.y);
      const end = apply(matrix, to.x, to.y);
      const upright = Math.abs(start.x - end.x) < straight;
      const level = Math.abs(start.y - end.y) < straight;
      if (!upright && !level) continue;
      this.noteStroke({
        x0: Math.min(start.x, end.x) - (upright ? half : 0),
        x1: Math.max(start.x, end.x) + (upright ? half : 0),
        y0: Math.min(start.y, end.y) - (level ? half : 0),
        y1: Math.max(start.y, end.y) + (level ? half : 0),
      });
    }
  }

  /**
   * Records a filled area. A thin area is a ruling. Any other area is the background of text; its edges are rulings if
   * its colour differs from the colour beneath it.
   */
  private noteArea(box: Box): void {
    const colour = this.state.alpha < opacity.area ? undefined : this.state.fill;
    const { x0, y0, x1, y1 } = box;
    const beneath = this.grounds.at({ x: (x0 + x1) / 2, y: (y0 + y1) / 2 });
    const seen = !isSameColour(colour, beneath);
    if (Math.min(x1 - x0, y1 - y0) <= thinnest) {
      if (seen) this.noteStroke(box);
      return;
    }
    this.grounds.add(box, colour);
    const wholePage = x0 <= 1 && y0 <= 1 && x1 >= this.context.width - 1 && y1 >= this.context.height - 1;
    if (!seen || wholePage) return;
    this.noteStroke({ x0, x1, y0: y0 - hairline, y1: y0 + hairline });
    this.noteStroke({ x0, x1, y0: y1 - hairline, y1: y1 + hairline });
    this.noteStroke({ y0, y1, x0: x0 - hairline, x1: x0 + hairline });
    this.noteStroke({ y0, y1, x0: x1 - hairline, x1: x1 + hairline });
  }

  private noteStroke(box: Box): void {
    const long = Math.max(box.x1 - box.x0, box.y1 - box.y0);
    if (long >= minRulingLength && this.painted.strokes.length < maxStrokes) this.painted.strokes.push(box);
  }
}
