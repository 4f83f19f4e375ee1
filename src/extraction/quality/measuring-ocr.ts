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

/**
 * Time that is added to the budget for each page image, for rendering, decoding and measuring. On an idle machine, a
 * third of it suffices.
 */
const pageMilliseconds = 1_500;

/** Measures each page image, then passes it on to OCR if that is available. */
export class MeasuringOcr implements PageOcr {
  /** The measurements, in page order. */
  readonly measurements: PageMeasurement[] = [];
  private readonly ocr: PageOcr | undefined;
  private readonly budget: Budget | undefined;

  private readonly mostMemory: number;

  /**
   * @param budget the time limit. It is extended for each page, because a file may have 200 pages.
   * @param mostMemory maximum memory, in bytes, for decoding a picture. The assessment ends at a picture that needs
   * more.
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

/**
 * Memory that is needed to decode a picture, in bytes. It is 0 for formats other than JPEG, because they are decoded
 * row by row.
 */
function memoryFor({ bytes }: PageImage): number {
  const { width = 0, height = 0, components = 0 } = jpegHead(bytes) ?? {};
  return width * height * components;
}

/**
 * Assigns the measurements to the pages. Only pages that are images have one; `looked` is in the order of these pages.
 */
export function measurementsByPage(
  document: OpenedDocument,
  looked: readonly PageMeasurement[],
): (PageMeasurement | undefined)[] {
  let pictures = 0;
  return document.parts.flatMap(({ pages }) => pages.map((page) => (isPicture(page) ? looked[pictures++] : undefined)));
}

const isPicture = ({ scanned, tokens }: Page): boolean => scanned || tokens.some(({ source }) => source === "Ocr");

/** EXIF orientations for 0 to 3 quarter turns clockwise. */
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

/** The resolution, in dots per inch, of a picture that has a known size on the page. */
const dotsAnInch = ({ width, height }: PageMeasures, { frame: { x0, y0, x1, y1 } }: PlacedImage): number =>
  Math.round((Math.max(width, height) / Math.max(x1 - x0, y1 - y0, 1)) * 72);
