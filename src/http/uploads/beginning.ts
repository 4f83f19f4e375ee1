import { isEncrypted } from "../../extraction/formats/open.ts";
import { joinBytes } from "../../extraction/document/bytes.ts";

/** This much tells what a file is. */
const headBytes = 64 * 1024;
/** No name in a PDF that is looked for is longer, however it is written. */
const longestName = 32;

/** What is seen of a file while it passes. */
export class Beginning {
  /** Its first bytes. */
  head: Uint8Array = new Uint8Array();
  /** A PDF that says that it is enciphered. */
  isEncrypted = false;
  private last: Uint8Array = new Uint8Array();

  /** No more of it is kept. */
  get isComplete(): boolean {
    return this.head.length === headBytes;
  }

  async *of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      if (this.head.length < headBytes)
        this.head = joinBytes([this.head, piece.subarray(0, headBytes - this.head.length)]);
      if (!this.isEncrypted && this.isPdf) this.lookForCipher(piece);
      yield piece;
    }
  }

  private get isPdf(): boolean {
    return this.head[0] === 0x25 || latin(this.head.subarray(0, 1029)).includes("%PDF-");
  }

  private lookForCipher(piece: Uint8Array): void {
    const seam = joinBytes([this.last, piece.subarray(0, longestName)]);
    this.isEncrypted = isEncrypted(seam) || isEncrypted(piece);
    this.last = joinBytes([this.last, piece.subarray(-longestName)]).slice(-longestName);
  }
}

/** What is seen of a file that is at hand. */
export async function beginningOf(bytes: Uint8Array): Promise<Beginning> {
  const beginning = new Beginning();
  for await (const _ of beginning.of(once(bytes)));
  return beginning;
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
