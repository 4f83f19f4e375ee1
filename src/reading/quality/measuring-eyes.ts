import type { Page } from "../document.ts";
import type { Eyes, PageSize } from "../open/reader.ts";
import { fromGraymap } from "../ocr/graymap.ts";
import type { Picture } from "../ocr/recogniser.ts";
import { decode } from "../pixels/decode.ts";
import { measure, type PageMeasures } from "../pixels/measure.ts";
import { ReadingProblem } from "../problem.ts";

/** What the pixels of a page told, or why they could not be looked at. */
export type Looked = { measures: PageMeasures } | { damage: string };

/** Measures each page that is a picture, and has others read it where there are some. */
export class MeasuringEyes implements Eyes {
  /** In the order the pages came. */
  readonly looked: Looked[] = [];
  private readonly readers: Eyes | undefined;

  constructor(readers?: Eyes) {
    this.readers = readers;
  }

  async read(picture: Picture, size?: PageSize): Promise<Page | undefined> {
    const looked = await lookedAt(picture, size);
    this.looked.push(looked);
    return "damage" in looked ? undefined : this.readers?.read(picture, size);
  }
}

async function lookedAt({ bytes, page }: Picture, size: PageSize | undefined): Promise<Looked> {
  try {
    const raster = fromGraymap(bytes) ?? (await decode(bytes, undefined, page))[0];
    if (!raster) return { damage: "The picture has no such page." };
    const measures = measure(raster);
    return { measures: size ? { ...measures, resolution: dotsAnInch(measures, size) } : measures };
  } catch (cause) {
    if (!(cause instanceof ReadingProblem)) throw cause;
    return { damage: cause.message };
  }
}

/** Of a page whose size is known, in points. */
const dotsAnInch = ({ width, height }: PageMeasures, size: PageSize): number =>
  Math.round((Math.max(width, height) / Math.max(size.width, size.height)) * 72);
