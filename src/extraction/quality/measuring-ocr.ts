import type { OpenedDocument, Page } from "../document/document.ts";
import type { PageOcr, PageSize, PlacedImage } from "../formats/reader.ts";
import { applyOrientation, fromGraymap } from "../images/raster.ts";
import type { PageImage } from "../images/recogniser.ts";
import { decode } from "../images/decode.ts";
import { jpegHead } from "../images/jpeg.ts";
import { type PageMeasures, measurePage } from "../images/measure.ts";
import { type Budget, ExtractionProblem } from "../problem.ts";

/** What the pixels of a page told, or why they could not be looked at. */
export type PageMeasurement = { measures: PageMeasures } | { damage: string };

/** A page that is a picture takes so long to paint, to unpack and to measure; on a quiet machine a third of it. */
const pageMilliseconds = 1_500;

/** Measures each page that is a picture, and has others read it where there are some. */
export class MeasuringOcr implements PageOcr {
  /** In the order the pages came. */
  readonly measurements: PageMeasurement[] = [];
  private readonly ocr: PageOcr | undefined;
  private readonly budget: Budget | undefined;

  private readonly mostMemory: number;

  /**
   * @param budget is given more time with each page: a file may have two hundred. Without it nobody waits for longer.
   * @param mostMemory bytes; a picture that takes more to unpack ends the look at its file
   */
  constructor({ ocr, budget, mostMemory = Infinity }: { ocr?: PageOcr; budget?: Budget; mostMemory?: number }) {
    this.ocr = ocr;
    this.budget = budget;
    this.mostMemory = mostMemory;
  }

  async read(picture: PageImage): Promise<Page | undefined> {
    return (await this.isWhole(picture)) ? this.ocr?.read(picture) : undefined;
  }

  async readPlaced(framed: PlacedImage, size: PageSize): Promise<Page | undefined> {
    return (await this.isWhole(framed.image, framed)) ? this.ocr?.readPlaced(framed, size) : undefined;
  }

  skip(why: string): void {
    this.measurements.push({ damage: why });
    this.ocr?.skip(why);
  }

  private async isWhole(picture: PageImage, framed?: PlacedImage): Promise<boolean> {
    this.budget?.allow(pageMilliseconds);
    if (memoryFor(picture) > this.mostMemory)
      throw new ExtractionProblem("file_unreadable", "The picture is larger than what is looked at here.");
    const looked = await measureImage(picture, framed);
    this.measurements.push(looked);
    return !("damage" in looked);
  }
}

/** JPEGs alone are unpacked as a whole, in all their colours; the others row by row. */
function memoryFor({ bytes }: PageImage): number {
  const { width = 0, height = 0, components = 0 } = jpegHead(bytes) ?? {};
  return width * height * components;
}

/** Of each page what was seen of it: those that were looked at are those that are pictures, in their order. */
export function measurementsByPage(
  document: OpenedDocument,
  looked: readonly PageMeasurement[],
): (PageMeasurement | undefined)[] {
  let pictures = 0;
  return document.parts.flatMap(({ pages }) => pages.map((page) => (isPicture(page) ? looked[pictures++] : undefined)));
}

const isPicture = ({ scanned, tokens }: Page): boolean => scanned || tokens.some(({ source }) => source === "Ocr");

/** What EXIF calls quarter turns clockwise. */
const orientations = [1, 6, 3, 8];

async function measureImage({ bytes, page }: PageImage, framed: PlacedImage | undefined): Promise<PageMeasurement> {
  try {
    const raster = fromGraymap(bytes) ?? (await decode(bytes, undefined, page))[0];
    if (!raster) return { damage: "The picture has no such page." };
    const measures = measurePage(applyOrientation(raster, orientations[framed?.turn ?? 0]!));
    return { measures: framed ? { ...measures, resolution: dotsAnInch(measures, framed) } : measures };
  } catch (cause) {
    if (!(cause instanceof ExtractionProblem)) throw cause;
    return { damage: cause.message };
  }
}

/** Of a picture whose size on the page is known, in points. */
const dotsAnInch = ({ width, height }: PageMeasures, { frame: { x0, y0, x1, y1 } }: PlacedImage): number =>
  Math.round((Math.max(width, height) / Math.max(x1 - x0, y1 - y0, 1)) * 72);
