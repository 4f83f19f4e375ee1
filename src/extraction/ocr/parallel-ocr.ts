import type { Page } from "../document/document.ts";
import type { PageOcr, PageSize, PlacedImage } from "../formats/reader.ts";
import type { PageImage } from "../images/recogniser.ts";

/** Recognises the pages of a file in parallel, only to fill the OCR cache. */
export class ParallelOcr implements PageOcr {
  private readonly idle: PageOcr[];
  private readonly running = new Set<Promise<void>>();
  private readonly faults: unknown[] = [];

  constructor(ocr: readonly PageOcr[]) {
    this.idle = [...ocr];
  }

  read(picture: PageImage): Promise<undefined> {
    return this.schedule((ocr) => ocr.read(picture));
  }

  readPlaced(framed: PlacedImage, size: PageSize): Promise<undefined> {
    return this.schedule((ocr) => ocr.readPlaced(framed, size));
  }

  /** Does nothing, because the later extraction skips and reports the same picture. */
  skip(): void {}

  /**
   * Waits until all pages are recognised.
   * @throws the first error of the OCR engine
   */
  async done(): Promise<void> {
    await Promise.all(this.running);
    this.complain();
  }

  private async schedule(recognise: (ocr: PageOcr) => Promise<Page | undefined>): Promise<undefined> {
    let ocr = this.idle.pop();
    while (!ocr) {
      await Promise.race(this.running);
      this.complain();
      ocr = this.idle.pop();
    }
    const begun = this.recogniseWith(ocr, recognise).finally(() => this.running.delete(begun));
    this.running.add(begun);
  }

  private async recogniseWith(ocr: PageOcr, recognise: (ocr: PageOcr) => Promise<Page | undefined>): Promise<void> {
    try {
      await recognise(ocr);
    } catch (fault) {
      this.faults.push(fault);
    }
    this.idle.push(ocr);
  }

  private complain(): void {
    if (this.faults.length > 0) throw this.faults[0];
  }
}
