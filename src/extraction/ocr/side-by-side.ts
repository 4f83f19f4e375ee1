import type { Page } from "../document/document.ts";
import type { PageOcr, PlacedImage, PageSize } from "../formats/reader.ts";
import type { PageImage } from "../images/recogniser.ts";

/**
 * Several that look at the pages of one file, each at the next page as soon as it is done with another. What they see is kept
 * by whoever lends them their sight: the pages come back unread.
 */
export class ParallelOcr implements PageOcr {
  private readonly idle: PageOcr[];
  private readonly looks = new Set<Promise<void>>();
  private readonly faults: unknown[] = [];

  constructor(eyes: readonly PageOcr[]) {
    this.idle = [...eyes];
  }

  read(picture: PageImage): Promise<undefined> {
    return this.handOut((eyes) => eyes.read(picture));
  }

  readPlaced(framed: PlacedImage, size: PageSize): Promise<undefined> {
    return this.handOut((eyes) => eyes.readPlaced(framed, size));
  }

  /** Whoever reads what was seen meets it as well, and says so. */
  skip(): void {}

  /** Ends when nobody looks at anything any more. @throws what one of them has thrown */
  async done(): Promise<void> {
    await Promise.all(this.looks);
    this.complain();
  }

  private async handOut(look: (eyes: PageOcr) => Promise<Page | undefined>): Promise<undefined> {
    let eyes = this.idle.pop();
    while (!eyes) {
      await Promise.race(this.looks);
      this.complain();
      eyes = this.idle.pop();
    }
    const begun = this.lookWith(eyes, look).finally(() => this.looks.delete(begun));
    this.looks.add(begun);
  }

  private async lookWith(eyes: PageOcr, look: (eyes: PageOcr) => Promise<Page | undefined>): Promise<void> {
    try {
      await look(eyes);
    } catch (fault) {
      this.faults.push(fault);
    }
    this.idle.push(eyes);
  }

  private complain(): void {
    if (this.faults.length > 0) throw this.faults[0];
  }
}
