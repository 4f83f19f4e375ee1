import type { OpenedDocument, Page } from "../document/document.ts";
import type { Eyes, Framed, PageSize } from "../formats/reader.ts";
import { fromGraymap } from "../images/graymap.ts";
import type { Picture } from "../images/recogniser.ts";
import { decode } from "../images/decode.ts";
import { jpegHead } from "../images/jpeg.ts";
import { measure, type PageMeasures } from "../images/measure.ts";
import { oriented } from "../images/raster.ts";
import { ReadingProblem, type Budget } from "../problem.ts";

/** What the pixels of a page told, or why they could not be looked at. */
export type Looked = { measures: PageMeasures } | { damage: string };

/** A page that is a picture takes so long to paint, to unpack and to measure; on a quiet machine a third of it. */
const pageMilliseconds = 1_500;

/** Measures each page that is a picture, and has others read it where there are some. */
export class MeasuringEyes implements Eyes {
  /** In the order the pages came. */
  readonly looked: Looked[] = [];
  private readonly readers: Eyes | undefined;
  private readonly budget: Budget | undefined;

  private readonly mostMemory: number;

  /**
   * @param budget is given more time with each page: a file may have two hundred. Without it nobody waits for longer.
   * @param mostMemory bytes; a picture that takes more to unpack ends the look at its file
   */
  constructor({ readers, budget, mostMemory = Infinity }: { readers?: Eyes; budget?: Budget; mostMemory?: number }) {
    this.readers = readers;
    this.budget = budget;
    this.mostMemory = mostMemory;
  }

  async read(picture: Picture): Promise<Page | undefined> {
    return (await this.isWhole(picture)) ? this.readers?.read(picture) : undefined;
  }

  async readFramed(framed: Framed, size: PageSize): Promise<Page | undefined> {
    return (await this.isWhole(framed.picture, framed)) ? this.readers?.readFramed(framed, size) : undefined;
  }

  miss(why: string): void {
    this.looked.push({ damage: why });
    this.readers?.miss(why);
  }

  private async isWhole(picture: Picture, framed?: Framed): Promise<boolean> {
    this.budget?.allow(pageMilliseconds);
    if (memoryFor(picture) > this.mostMemory)
      throw new ReadingProblem("file_unreadable", "The picture is larger than what is looked at here.");
    const looked = await lookedAt(picture, framed);
    this.looked.push(looked);
    return !("damage" in looked);
  }
}

/** JPEGs alone are unpacked as a whole, in all their colours; the others row by row. */
function memoryFor({ bytes }: Picture): number {
  const { width = 0, height = 0, components = 0 } = jpegHead(bytes) ?? {};
  return width * height * components;
}

/** Of each page what was seen of it: those that were looked at are those that are pictures, in their order. */
export function looksOf(document: OpenedDocument, looked: readonly Looked[]): (Looked | undefined)[] {
  let pictures = 0;
  return document.parts.flatMap(({ pages }) => pages.map((page) => (isPicture(page) ? looked[pictures++] : undefined)));
}

const isPicture = ({ scanned, tokens }: Page): boolean => scanned || tokens.some(({ source }) => source === "Ocr");

/** What EXIF calls quarter turns clockwise. */
const orientations = [1, 6, 3, 8];

async function lookedAt({ bytes, page }: Picture, framed: Framed | undefined): Promise<Looked> {
  try {
    const raster = fromGraymap(bytes) ?? (await decode(bytes, undefined, page))[0];
    if (!raster) return { damage: "The picture has no such page." };
    const measures = measure(oriented(raster, orientations[framed?.turn ?? 0]!));
    return { measures: framed ? { ...measures, resolution: dotsAnInch(measures, framed) } : measures };
  } catch (cause) {
    if (!(cause instanceof ReadingProblem)) throw cause;
    return { damage: cause.message };
  }
}

/** Of a picture whose size on the page is known, in points. */
const dotsAnInch = ({ width, height }: PageMeasures, { frame: { x0, y0, x1, y1 } }: Framed): number =>
  Math.round((Math.max(width, height) / Math.max(x1 - x0, y1 - y0, 1)) * 72);
