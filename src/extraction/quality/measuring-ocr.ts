import type { OpenedDocument, Page } from "../document/document.ts";
import type { PageOcr, PageSize, PlacedImage } from "../formats/reader.ts";
import { applyOrientation, fromGraymap } from "../images/raster.ts";
import type { PageImage } from "../images/recogniser.ts";
import { decode } from "../images/decode.ts";
import { jpegHead } from "../images/jpeg.ts";
import { type PageMeasures, measurePage } from "../images/measure.ts";
import { type Budget, ExtractionProblem } from "../problem.ts";

/** Measurements of a page, or the reason why its picture cannot be decoded. */
export type PageMeasurement = { measures: PageMeasures } | { damage: string };

/** Added to the budget for each page image. On an idle machine, a third of it suffices. */
const pageMilliseconds = 1_500;

/** Measures each page image, then passes it to OCR if that is available. */
export class MeasuringOcr implements PageOcr {
  readonly measurements: PageMeasurement[] = [];
  private readonly ocr: PageOcr | undefined;
  private readonly budget: Budget | undefined;

  private readonly mostMemory: number;

  /**
   * @param budget is extended for each page, because a file may have 200 pages
   * @param mostMemory in bytes, for decoding one picture. The assessment ends at a picture that needs more.
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
      throw new ExtractionProblem("file_unreadable", "The picture is too large to be checked. Reduce its resolution.");
    const looked = await measureImage(picture, framed);
    this.measurements.push(looked);
    return !("damage" in looked);
  }
}

/** Formats other than JPEG are decoded row by row. */
function memoryFor({ bytes }: PageImage): number {
  const { width = 0, height = 0, components = 0 } = jpegHead(bytes) ?? {};
  return width * height * components;
}

/**
 * Assigns measurements to the pages of a document.
 * @param looked measurements of the pages that are images, in page order
 */
export function measurementsByPage(
  document: OpenedDocument,
  looked: readonly PageMeasurement[],
): (PageMeasurement | undefined)[] {
  let pictures = 0;
  return document.parts.flatMap(({ pages }) => pages.map((page) => (isPicture(page) ? looked[pictures++] : undefined)));
}

const isPicture = ({ scanned, tokens }: Page): boolean => scanned || tokens.some(({ source }) => source === "Ocr");

/** EXIF orientations of 0 to 3 clockwise quarter turns. */
const orientations = [1, 6, 3, 8];

async function measureImage({ bytes, page }: PageImage, framed: PlacedImage | undefined): Promise<PageMeasurement> {
  try {
    const raster = fromGraymap(bytes) ?? (await decode(bytes, undefined, page))[0];
    if (!raster) return { damage: "The picture does not have this page." };
    const measures = measurePage(applyOrientation(raster, orientations[framed?.turn ?? 0]!));
    return { measures: framed ? { ...measures, resolution: dotsAnInch(measures, framed) } : measures };
  } catch (cause) {
    if (!(cause instanceof ExtractionProblem)) throw cause;
    return { damage: cause.message };
  }
}

const dotsAnInch = ({ width, height }: PageMeasures, { frame: { x0, y0, x1, y1 } }: PlacedImage): number =>
  Math.round((Math.max(width, height) / Math.max(x1 - x0, y1 - y0, 1)) * 72);
