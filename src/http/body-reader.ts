import { invalid, Problem, wrongField } from "../platform/problem.ts";

export const megabyte = 1024 * 1024;

/** The network delivers chunks of 4 KiB; reading several at once saves time. */
const chunkBytes = { least: 16 * 1024, most: 64 * 1024 };

/** A request is refused if its client sends fewer bytes in this time. */
export const minimumRate = { bytes: 64 * 1024, milliseconds: 60_000 };
const ticks = 12;

/** Reads the body of a request up to a limit. A caller may pause, and later continue or drain the rest. */
export class BodyReader {
  private readonly pull: (() => Promise<Uint8Array | undefined>) | undefined;
  onChunk: (() => void) | undefined;
  private readonly limit: number;
  private readonly tooLarge: Problem;
  private readonly tooSlow = Promise.withResolvers<never>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private isWaiting = false;
  private size = 0;

  /** @throws Problem `payload_too_large` if the declared length exceeds the limit */
  constructor({ body, headers }: Request, limit: number, tooLarge = bodyTooLarge(limit)) {
    if (Number(headers.get("content-length")) > limit) throw tooLarge;
    this.tooLarge = tooLarge;
    this.pull = body ? pullFrom(body as ReadableStream<Uint8Array>) : undefined;
    this.limit = limit;
    this.tooSlow.promise.catch(() => {});
  }

  /**
   * @returns the next chunk; undefined at the end
   * @throws Problem `payload_too_large`; `validation_failed` if the body is incomplete or arrives too slowly
   */
  async next(): Promise<Uint8Array | undefined> {
    this.timer ??= this.watch();
    const chunk = await this.readInTime().catch((error: unknown) => {
      this.close();
      throw error instanceof Problem ? error : bodyIncomplete();
    });
    this.size += chunk?.length ?? 0;
    if (!chunk) this.close();
    if (this.size > this.limit) throw this.tooLarge;
    this.onChunk?.();
    return chunk;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.next(); chunk; chunk = await this.next()) yield chunk;
  }

  /** Reads and discards the rest, because a client may read the response only after it has sent the whole body. */
  drain(): Promise<void> {
    this.close();
    return discardRest(this.rest());
  }

  private close(): void {
    clearInterval(this.timer);
  }

  private async readInTime(): Promise<Uint8Array | undefined> {
    this.isWaiting = true;
    try {
      return await Promise.race([this.read(), this.tooSlow.promise]);
    } finally {
      this.isWaiting = false;
    }
  }

  /** Only the time in which the service waits for a chunk counts. */
  private watch(): ReturnType<typeof setInterval> {
    let [waited, before] = [0, this.size];
    return setInterval(() => {
      if (this.isWaiting) waited++;
      if (waited < ticks) return;
      if (this.size - before < minimumRate.bytes) this.tooSlow.reject(bodyTooSlow());
      [waited, before] = [0, this.size];
    }, minimumRate.milliseconds / ticks);
  }

  private async *rest(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.read(); chunk; chunk = await this.read()) yield chunk;
  }

  private async read(): Promise<Uint8Array | undefined> {
    return this.pull?.();
  }
}

function pullFrom(body: ReadableStream<Uint8Array>): () => Promise<Uint8Array | undefined> {
  const reader = byteReader(body);
  if (!reader) {
    const chunks = body.getReader();
    return async () => (await chunks.read()).value;
  }
  return async () => {
    const { value } = await reader.readAtLeast(chunkBytes.least, new Uint8Array(chunkBytes.most));
    return value?.length ? value : undefined;
  };
}

/** Returns undefined for a stream that was created in this Worker, because it is not a byte stream. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    const reader = body.getReader({ mode: "byob" });
    if ("readAtLeast" in reader) return reader;
    (reader as ReadableStreamBYOBReader).releaseLock();
  } catch {
    // It is not a byte stream.
  }
  return undefined;
}

export const bodyTooLarge = (limit: number): Problem =>
  new Problem("payload_too_large", `The body is larger than ${formatSize(limit)}.`);

export const bodyIncomplete = (): Problem =>
  invalid([wrongField([], "incomplete", "The body is incomplete, or its length differs from Content-Length.")]);

const bodyTooSlow = (): Problem =>
  invalid([wrongField([], "incomplete", "The body arrives too slowly. Send at least 1 KiB per second.")]);

export const formatSize = (bytes: number): string =>
  bytes < megabyte ? `${bytes} bytes` : `${Math.floor(bytes / megabyte)} MiB`;

const drainLimit = 40 * megabyte;
const drainMilliseconds = 2_000;
/** Extends the time, so that a client with a slow connection can finish. */
const drainMillisecondsPerByte = 1_000 / (2 * megabyte);

/**
 * Reads and discards the rest of a body, within limits of size and time. If the connection were closed while the client
 * is sending, it would not receive the response.
 */
export async function drain(request: Request): Promise<void> {
  if (request.body && !request.bodyUsed) await new BodyReader(request, Infinity).drain();
}

async function discardRest(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const began = Date.now();
  let size = 0;
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<void>((resolve) => {
    const check = () => {
      const left = began + drainMilliseconds + size * drainMillisecondsPerByte - Date.now();
      if (left <= 0) resolve();
      else timer = setTimeout(check, left);
    };
    check();
  });
  const discarded = discard(chunks, (bytes) => (size += bytes));
  await Promise.race([discarded, timeout]).finally(() => clearTimeout(timer));
}

/** @param count returns the total, including these bytes */
async function discard(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => number): Promise<void> {
  try {
    for await (const chunk of chunks) if (count(chunk.length) > drainLimit) return;
  } catch {
    // The client disconnected.
  }
}
