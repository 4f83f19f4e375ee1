import type { Page } from "../document/document.ts";
import type { PageOcr, PageSize, PlacedImage } from "../formats/reader.ts";
import type { PageImage } from "../images/recogniser.ts";

/**
 * Several that look at the pages of one file, each at the next page as soon as it is done with another. What they see is kept
 * by whoever lends them their sight: the pages come back unread.
 */
export class ParallelOcr implements PageOcr {
  private readonly idle: PageOcr[];
  private readonly looks = new Set<Promise<void>>();
  private readonly faults: unknown[] = [];

  constructor(ocr: readonly PageOcr[]) {
    this.idle = [...ocr];
  }

  read(picture: PageImage): Promise<undefined> {
    return this.handOut((ocr) => ocr.read(picture));
  }

  readPlaced(framed: PlacedImage, size: PageSize): Promise<undefined> {
    return this.handOut((ocr) => ocr.readPlaced(framed, size));
  }

  /** Whoever reads what was seen meets it as well, and says so. */
  skip(): void {}

  /** Ends when nobody looks at anything any more. @throws what one of them has thrown */
  async done(): Promise<void> {
    await Promise.all(this.looks);
    this.complain();
  }

  private async handOut(look: (ocr: PageOcr) => Promise<Page | undefined>): Promise<undefined> {
    let ocr = this.idle.pop();
    while (!ocr) {
      await Promise.race(this.looks);
      this.complain();
      ocr = this.idle.pop();
    }
    const begun = this.lookWith(ocr, look).finally(() => this.looks.delete(begun));
    this.looks.add(begun);
  }

  private async lookWith(ocr: PageOcr, look: (ocr: PageOcr) => Promise<Page | undefined>): Promise<void> {
    try {
      await look(ocr);
    } catch (fault) {
      this.faults.push(fault);
    }
    this.idle.push(ocr);
  }

  private complain(): void {
    if (this.faults.length > 0) throw this.faults[0];
  }
}
