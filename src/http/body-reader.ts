import { invalid, Problem, wrongField } from "../platform/problem.ts";

export const megabyte = 1024 * 1024;

/** What comes from the network comes in pieces of 4 KiB, each of which takes its time: they are asked for together. */
const pieceBytes = { least: 16 * 1024, most: 64 * 1024 };

/** A sender that is waited for sends at least this much in this time, or is cut off. */
export const slowest = { bytes: 64 * 1024, milliseconds: 60_000 };
const ticks = 12;

/** The body of a request as it arrives, up to a limit. A reader that stops can go on later, or drain what is left. */
export class BodyReader {
  private readonly pull: (() => Promise<Uint8Array | undefined>) | undefined;
  /** Is called when a piece has come. */
  onPiece: (() => void) | undefined;
  private readonly limit: number;
  private readonly tooLarge: Problem;
  private readonly tooSlow = Promise.withResolvers<never>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private isWaiting = false;
  private size = 0;

  /** @throws Problem `payload_too_large` where the declared length is over the limit */
  constructor({ body, headers }: Request, limit: number, tooLarge = bodyTooLarge(limit)) {
    if (Number(headers.get("content-length")) > limit) throw tooLarge;
    this.tooLarge = tooLarge;
    this.pull = body ? pullFrom(body as ReadableStream<Uint8Array>) : undefined;
    this.limit = limit;
    this.tooSlow.promise.catch(() => {});
  }

  /**
   * The next piece; undefined at the end.
   * @throws Problem `payload_too_large`, and `validation_failed` where the body breaks off or hardly moves
   */
  async next(): Promise<Uint8Array | undefined> {
    this.timer ??= this.watch();
    const piece = await this.waitedFor().catch((error: unknown) => {
      this.close();
      throw error instanceof Problem ? error : bodyIncomplete();
    });
    this.size += piece?.length ?? 0;
    if (!piece) this.close();
    if (this.size > this.limit) throw this.tooLarge;
    this.onPiece?.();
    return piece;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let piece = await this.next(); piece; piece = await this.next()) yield piece;
  }

  /** Takes in what is left, so that a client which is still sending gets to read the answer. */
  drain(): Promise<void> {
    this.close();
    return drainPieces(this.rest());
  }

  private close(): void {
    clearInterval(this.timer);
  }

  private async waitedFor(): Promise<Uint8Array | undefined> {
    this.isWaiting = true;
    try {
      return await Promise.race([this.read(), this.tooSlow.promise]);
    } finally {
      this.isWaiting = false;
    }
  }

  /** Counts the time in which a piece is waited for: what takes long here is not the sender's fault. */
  private watch(): ReturnType<typeof setInterval> {
    let [waited, before] = [0, this.size];
    return setInterval(() => {
      if (this.isWaiting) waited++;
      if (waited < ticks) return;
      if (this.size - before < slowest.bytes) this.tooSlow.reject(bodyTooSlow());
      [waited, before] = [0, this.size];
    }, slowest.milliseconds / ticks);
  }

  private async *rest(): AsyncGenerator<Uint8Array> {
    for (let piece = await this.read(); piece; piece = await this.read()) yield piece;
  }

  private async read(): Promise<Uint8Array | undefined> {
    return this.pull?.();
  }
}

function pullFrom(body: ReadableStream<Uint8Array>): () => Promise<Uint8Array | undefined> {
  const reader = byteReader(body);
  if (!reader) {
    const pieces = body.getReader();
    return async () => (await pieces.read()).value;
  }
  return async () => {
    const { value } = await reader.readAtLeast(pieceBytes.least, new Uint8Array(pieceBytes.most));
    return value?.length ? value : undefined;
  };
}

/** None for a stream that was made here. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    const reader = body.getReader({ mode: "byob" });
    if ("readAtLeast" in reader) return reader;
    (reader as ReadableStreamBYOBReader).releaseLock();
  } catch {
    // It has no bytes of its own.
  }
  return undefined;
}

export const bodyTooLarge = (limit: number): Problem =>
  new Problem("payload_too_large", `The body may have ${sizeInWords(limit)} at most.`);

export const bodyIncomplete = (): Problem =>
  invalid([wrongField([], "incomplete", "The body broke off, or its length is not what was announced.")]);

const bodyTooSlow = (): Problem =>
  invalid([wrongField([], "incomplete", "The body arrives too slowly: less than 1 KiB a second.")]);

export const sizeInWords = (bytes: number): string =>
  bytes < megabyte ? `${bytes} bytes` : `${Math.floor(bytes / megabyte)} MiB`;

/** Bytes that nobody asked for and that are still taken in. */
const drainLimit = 40 * megabyte;
/** How long they are waited for. */
const drainMilliseconds = 2_000;
/** And how much longer for each that came: whoever really sends gets to its end, also where everything is slow. */
const drainMillisecondsPerByte = 1_000 / (2 * megabyte);

/**
 * Takes in what a request still sends though it is answered already, up to a limit and for a while: a connection that is closed while the client is writing
 * hides the answer from it.
 */
export async function drain(request: Request): Promise<void> {
  if (request.body && !request.bodyUsed) await new BodyReader(request, Infinity).drain();
}

async function drainPieces(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const began = Date.now();
  let size = 0;
  let timer: ReturnType<typeof setTimeout>;
  const enough = new Promise<void>((resolve) => {
    const look = () => {
      const left = began + drainMilliseconds + size * drainMillisecondsPerByte - Date.now();
      if (left <= 0) resolve();
      else timer = setTimeout(look, left);
    };
    look();
  });
  const taken = takeIn(pieces, (bytes) => (size += bytes));
  await Promise.race([taken, enough]).finally(() => clearTimeout(timer));
}

/** @param count tells how many there are when so many more have come */
async function takeIn(pieces: AsyncIterable<Uint8Array>, count: (bytes: number) => number): Promise<void> {
  try {
    for await (const piece of pieces) if (count(piece.length) > drainLimit) return;
  } catch {
    // The client is gone, and so is whoever would have read the answer.
  }
}
