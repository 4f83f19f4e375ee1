import { isEncrypted } from "../../extraction/formats/open.ts";
import { joinBytes } from "../../extraction/document/bytes.ts";

/** Enough to detect the format of most files. */
const headBytes = 64 * 1024;
/** Maximum length of the PDF names that declare encryption, in any spelling. */
const longestName = 32;

/** Keeps the first bytes of a file that streams through, and detects encrypted PDFs. */
export class FileHead {
  head: Uint8Array = new Uint8Array();
  isEncrypted = false;
  private last: Uint8Array = new Uint8Array();

  get isComplete(): boolean {
    return this.head.length === headBytes;
  }

  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      if (this.head.length < headBytes)
        this.head = joinBytes([this.head, chunk.subarray(0, headBytes - this.head.length)]);
      if (!this.isEncrypted && this.isPdf) this.detectEncryption(chunk);
      yield chunk;
    }
  }

  private get isPdf(): boolean {
    return this.head[0] === 0x25 || latin(this.head.subarray(0, 1029)).includes("%PDF-");
  }

  private detectEncryption(chunk: Uint8Array): void {
    const seam = joinBytes([this.last, chunk.subarray(0, longestName)]);
    this.isEncrypted = isEncrypted(seam) || isEncrypted(chunk);
    this.last = joinBytes([this.last, chunk.subarray(-longestName)]).slice(-longestName);
  }
}

/** Returns the head of a file in memory. */
export async function fileHeadOf(bytes: Uint8Array): Promise<FileHead> {
  const beginning = new FileHead();
  for await (const _ of beginning.of(once(bytes)));
  return beginning;
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const latin = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
