import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BodyReader, minimumRate } from "../../src/http/body-reader.ts";
import { Problem } from "../../src/platform/problem.ts";
import { MemoryPool } from "../../src/http/memory-pool.ts";
import { partBytes, storeStream } from "../../src/http/uploads/store-stream.ts";
import { Uploads } from "../../src/http/uploads/uploads.ts";

/** Makes a fake R2 bucket with the methods that uploads use. It counts the bytes that it has received. */
function falseBucket() {
  const objects = new Map<string, Buffer>();
  const open = new Map<string, Buffer[]>();
  const bucket = {
    objects,
    open,
    /** Number of bytes that the upload has handed over, so that they are no longer in its memory. */
    given: 0,
    async put(key: string, bytes: Uint8Array) {
      bucket.given += bytes.length;
      objects.set(key, Buffer.from(bytes));
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) objects.delete(key);
    },
    async createMultipartUpload(key: string) {
      const parts: Buffer[] = [];
      open.set(key, parts);
      return {
        async uploadPart(number: number, bytes: Uint8Array) {
          expect(number).toBe(parts.length + 1);
          bucket.given += bytes.length;
          parts.push(Buffer.from(bytes));
          return { partNumber: number, etag: "" };
        },
        async complete() {
          expect(parts.slice(0, -1).every(({ length }) => length === partBytes)).toBe(true);
          objects.set(key, Buffer.concat(parts));
          open.delete(key);
        },
        async abort() {
          open.delete(key);
        },
      };
    },
  };
  return bucket;
}

const asBucket = (bucket: ReturnType<typeof falseBucket>) => bucket as unknown as R2Bucket;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const kinds = { contentType: "text/plain", limit: 2 ** 25 };

function bytesOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 997) bytes[at] = at % 251;
  return bytes;
}

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe("a stored stream", () => {
  test("is stored byte for byte, in parts of equal size", async () => {
    const lengths = fc.constantFrom(
      0,
      1,
      partBytes - 1,
      partBytes,
      partBytes + 1,
      2 * partBytes,
      2 * partBytes + 70_000,
    );
    const sizes = fc.array(fc.constantFrom(1_000_003, 65_536, 3 * partBytes, partBytes), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(lengths, sizes, async (length, sizes) => {
        const [bucket, bytes] = [falseBucket(), bytesOf(length)];
        const stored = await storeStream(asBucket(bucket), "key", inPieces(bytes, sizes), kinds);
        expect(stored).toEqual({ sizeBytes: length, sha256: sha256(bytes) });
        expect(bucket.objects.get("key")?.equals(bytes)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test("leaves nothing behind if it is truncated or too long", async () => {
    const breaking = async function* () {
      yield bytesOf(partBytes + 1);
      throw new Error("gone");
    };
    const bucket = falseBucket();
    await expect(storeStream(asBucket(bucket), "key", breaking(), kinds)).rejects.toThrow("gone");
    const long = inPieces(bytesOf(partBytes * 2 + 1), [65_536]);
    const stored = storeStream(asBucket(bucket), "key", long, { ...kinds, limit: 2 * partBytes });
    await expect(stored).rejects.toMatchObject({
      reason: "payload_too_large",
      message: "The file is larger than 10 MiB.",
    });
    expect([bucket.objects.size, bucket.open.size]).toEqual([0, 0]);
  });
});

describe("the files of a request", () => {
  test("are handed over as they arrive: less than one part is held, for all files together", async () => {
    const bucket = falseBucket();
    const uploads = new Uploads(asBucket(bucket), "request");
    let arrived = 0;
    let most = 0;
    const counted = async function* (bytes: Uint8Array) {
      for await (const piece of inPieces(bytes, [65_536])) {
        arrived += piece.length;
        yield piece;
        most = Math.max(most, arrived - bucket.given);
      }
    };
    for (const size of [25 * 2 ** 20, 3_000_000, 2_000_000, 1_000_000, 4_000_000])
      await uploads.take("file.txt", counted(bytesOf(size)));
    expect(most).toBeLessThanOrEqual(2 * partBytes);
    expect(arrived - bucket.given).toBeLessThanOrEqual(partBytes);
    await uploads.discard();
    expect(bucket.objects.size).toBe(0);
  });
});

describe("with fake timers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function bodyOf(pieces: ReadableStream<Uint8Array>) {
    const request = new Request("http://lorry.test/", { method: "POST", body: pieces, duplex: "half" } as RequestInit);
    return new BodyReader(request, 2 ** 30);
  }
  const every = (milliseconds: number, bytes: number) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        controller.enqueue(new Uint8Array(bytes));
      },
    });
  const readFor = async (body: BodyReader, minutes: number) => {
    let end: unknown = "still reading";
    void (async () => {
      for await (const _ of body.chunks());
    })().catch((error: unknown) => (end = error));
    await vi.advanceTimersByTimeAsync(minutes * 60_000);
    return end;
  };

  test("a body that hardly progresses is aborted", async () => {
    const end = await readFor(bodyOf(every(10_000, 1_000)), 3);
    expect(end).toBeInstanceOf(Problem);
    expect((end as Problem).errors[0]).toMatchObject({
      code: "incomplete",
      message: expect.stringContaining("slowly"),
    });
  });

  test("a body that progresses is awaited, however long it is", async () => {
    expect(await readFor(bodyOf(every(10_000, minimumRate.bytes)), 60)).toBe("still reading");
  });

  test("a slow reader does not count as a slow body", async () => {
    const body = bodyOf(every(100, 1_000));
    const pieces: number[] = [];
    const reading = (async () => {
      for (let turn = 0; turn < 5; turn++) {
        pieces.push((await body.next())!.length);
        await new Promise((resolve) => setTimeout(resolve, 10 * 60_000));
      }
    })();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    await reading;
    expect(pieces).toHaveLength(5);
  });

  test("memory is reserved for as many callers as fit, and for the others when it is released", async () => {
    const pool = new MemoryPool(100);
    const ended: string[] = [];
    const busy = (name: string, bytes: number, milliseconds: number) =>
      pool
        .with(bytes, { waitMilliseconds: 10_000 }, async () => {
          await new Promise((resolve) => setTimeout(resolve, milliseconds));
          ended.push(name);
        })
        .catch((error: unknown) => ended.push(`${name}: ${(error as Problem).reason}`));
    void busy("first", 60, 5_000);
    void busy("second", 60, 1_000);
    void busy("third", 40, 1_000);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(ended).toEqual(["third"]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ended).toEqual(["third", "first", "second"]);
    void busy("larger than the pool", 500, 30_000);
    void busy("behind it", 1, 1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ended.slice(3)).toEqual(["behind it: overloaded"]);
  });

  test("memory that is not released is free again two minutes after its last renewal", async () => {
    const pool = new MemoryPool(100);
    let renew!: () => void;
    void pool.with(100, { waitMilliseconds: 0 }, (given) => {
      renew = given;
      return new Promise(() => undefined);
    });
    await vi.advanceTimersByTimeAsync(100_000);
    renew();
    await vi.advanceTimersByTimeAsync(100_000);
    await expect(pool.with(1, { waitMilliseconds: 0 }, async () => "in")).rejects.toMatchObject({
      reason: "overloaded",
      status: 503,
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await pool.with(1, { waitMilliseconds: 0 }, async () => "in")).toBe("in");
  });
});
