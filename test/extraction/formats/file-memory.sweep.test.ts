import { glob, readFile } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readStoredFile, withFileMemory } from "../../../src/areas/intake/stored-files.ts";
import { fileMemory } from "../../../src/http/memory-pool.ts";
import { streamingBytes } from "../../../src/http/uploads/uploads.ts";
import { defaultLimits, openDocument } from "../../../src/extraction/formats/open.ts";
import type { PageOcr, InputFile } from "../../../src/extraction/formats/reader.ts";
import { Budget, SourceFault } from "../../../src/extraction/problem.ts";
import { pdfWith, scanPage } from "../../support/files/hostile-pdfs.ts";
import { page, paragraph } from "../../support/pictures/draw.ts";
import { jpeg } from "../../support/pictures/jpeg.ts";

const megabyte = 2 ** 20;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Collects the garbage and returns the bytes of live array buffers. */
async function held(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return process.memoryUsage().arrayBuffers;
}

const budget = () => new Budget(60_000);

describe("the memory that a reader of a PDF holds", () => {
  test("is released when a damaged PDF was refused", async () => {
    const read = async (megabytes: number) => {
      const bytes = new Uint8Array(megabytes * megabyte);
      bytes.set(Buffer.from("%PDF-1.7\n"));
      const opening = openDocument({ bytes, name: "damaged.pdf" }, defaultLimits, budget());
      await expect(opening).rejects.toMatchObject({ reason: "file_corrupted" });
    };
    await read(1);
    const before = await held();
    await read(6);
    // Other buffers of this process are released after a while; memory that the reader leaked would not be.
    await expect.poll(async () => (await held()) - before, { interval: 500 }).toBeLessThan(2 * megabyte);
  });

  /** Makes a PDF of scanned pages. Their pictures are padded with bytes that no decoder reads. */
  async function scans(): Promise<Uint8Array> {
    const entries = "/Width 1240 /Height 1754 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode";
    const picture = Buffer.concat([Buffer.from(await jpeg(page(paragraph(40)))), Buffer.alloc(3 * megabyte)]);
    return new Uint8Array(pdfWith(Array.from({ length: 3 }, () => scanPage({ entries, bytes: picture }))));
  }

  /** A fake recogniser, which recognises no word and records the live memory at each call. */
  class Weighing implements PageOcr {
    readonly pictures: number[] = [];
    readonly weights: number[] = [];
    async read(): Promise<undefined> {}
    async readPlaced({ image: picture }: Parameters<PageOcr["readPlaced"]>[0]): Promise<undefined> {
      this.pictures.push(picture.bytes.length);
      this.weights.push(await held());
    }
    skip(why: string): void {
      throw new Error(why);
    }
  }

  test("for scans is the file once, and the picture of the current page", async () => {
    const stored = await scans();
    const size = stored.length;
    let alls = 0;
    const source = {
      readAll: async () => (alls++, stored.slice()),
      readRange: async (from: number, to: number) => stored.slice(from, to),
    };
    await openDocument({ bytes: new Uint8Array(await scans()), name: "first.pdf" }, defaultLimits, budget());
    const before = await held();
    const ocr = new Weighing();
    const file: InputFile = { bytes: stored.slice(), name: "scans.pdf", source };
    await openDocument(file, defaultLimits, budget(), ocr);
    expect(ocr.pictures).toHaveLength(3);
    expect(alls).toBe(1);
    // This is less than two copies of the file. It is more than one, because other buffers of this process may still be
    // live.
    expect(Math.min(...ocr.weights) - before).toBeLessThan(1.9 * size);
    const unstored = new Weighing();
    await openDocument({ bytes: stored.slice(), name: "scans.pdf" }, defaultLimits, budget(), unstored);
    expect(unstored.pictures).toEqual(ocr.pictures);
  });

  test("a stored file that cannot be read again is not reported as a fault of the file", async () => {
    const fault = async () => {
      throw new SourceFault("gone");
    };
    const file = { bytes: await scans(), name: "scans.pdf", source: { readAll: fault, readRange: fault } };
    await expect(openDocument(file, defaultLimits, budget(), new Weighing())).rejects.toBeInstanceOf(SourceFault);
  });
});

describe("stored files are read one after another", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const stored = (sizeBytes: number) => ({ key: "key", name: "a.pdf", mediaType: "application/pdf", sizeBytes });
  const bucket = { get: async () => ({ bytes: async () => new Uint8Array(1) }) } as unknown as R2Bucket;
  const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

  /**
   * Reads files concurrently; each takes a second. @returns the maximum number of files that were read at the same time
   */
  async function mostAtOnce(sizes: readonly number[]): Promise<number> {
    let [now, most, read] = [0, 0, 0];
    const reading = sizes.map((size) =>
      readStoredFile(bucket, stored(size), async () => {
        most = Math.max(most, ++now);
        await seconds(1);
        now--;
        read++;
      }),
    );
    await vi.advanceTimersByTimeAsync(2_000 * sizes.length);
    await Promise.all(reading);
    expect(read).toBe(sizes.length);
    return most;
  }

  test("ten files of maximum size are read one by one, small ones concurrently", async () => {
    expect(await mostAtOnce(Array<number>(10).fill(25 * megabyte))).toBe(1);
    expect(await mostAtOnce(Array<number>(10).fill(100_000))).toBeGreaterThan(4);
  });

  test("each file is read in its turn, and room is left for a file that arrives", async () => {
    const ended: string[] = [];
    const read = (name: string, size: number) =>
      withFileMemory(size, () => seconds(10)).then(() => void ended.push(name));
    const all = [read("first", 25 * megabyte), read("second", 25 * megabyte), read("small", 1000)];
    const arriving = fileMemory.with(streamingBytes, { waitMilliseconds: 0 }, () => seconds(1));
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(2_000);
    await arriving;
    await vi.advanceTimersByTimeAsync(30_000);
    await Promise.all(all);
    expect(ended.slice(0, 2)).toEqual(["first", "second"]);
  });

  test("a long reading that still progresses is not considered dead", async () => {
    const long = withFileMemory(25 * megabyte, () => seconds(300));
    const second = vi.fn<() => Promise<void>>(async () => undefined);
    const waiting = withFileMemory(25 * megabyte, second);
    await vi.advanceTimersByTimeAsync(290_000);
    expect(second).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_000);
    await Promise.all([long, waiting]);
    expect(second).toHaveBeenCalledOnce();
  });
});

/**
 * Source files that read a whole body into memory without reserving memory in the pool, with the reason why each is
 * allowed to.
 */
const withoutRoom: Record<string, string> = {
  "src/areas/privacy/scan-file.ts": "pieces of 4 MiB",
  "src/areas/transactions/jobs.ts": "pieces",
  "src/areas/transactions/stage-rows.ts": "workbooks under a room",
  "src/http/body.ts": "bodies in JSON",
  "src/platform/files.ts": "its callers ask for room",
  "src/domain/places/places.ts": "shards of the gazetteer",
  "src/areas/intake/stored-files.ts": "the room",
  "src/pages/warm-up.ts": "the sample order",
  "src/pages/mails.ts": "mails that are posted on a developer's machine",
  "src/extraction/collections/image-pdf.ts": "a page that was packed",
};

test("no code takes a whole file into memory without a reservation", async () => {
  const takers: string[] = [];
  for await (const path of glob("src/**/*.ts")) {
    const source = await readFile(path, "utf8");
    if (/\.(?:bytes|arrayBuffer|blob)\(\)/.test(source)) takers.push(path);
  }
  expect(takers.filter((path) => !(path in withoutRoom)).toSorted()).toEqual([]);
});
