import { describe, expect, test } from "vitest";
import { decode } from "../../../src/extraction/images/decode.ts";
import { defaultPixelLimits } from "../../../src/extraction/images/limits.ts";
import { measurePage } from "../../../src/extraction/images/measure.ts";
import {
  blur,
  crop,
  darken,
  page,
  paragraph,
  sheet,
  sign,
  stamp,
  rotate,
  write,
  type Drawing,
} from "../../support/pictures/draw.ts";
import { frameOf, inFourColours } from "../../support/files/hostile-pictures.ts";
import { cmykJpeg, jpeg } from "../../support/pictures/jpeg.ts";
import { emptyPng, png } from "../../support/pictures/png.ts";
import { tiff } from "../../support/pictures/tiff.ts";

const drawn = page();
const small = crop(drawn, [0, 0, 333, 257]);

/** Whether two lists of rasters have equal sizes and pixels. `toEqual` is too slow for arrays of this length. */
const alike = (rasters: Drawing[], expected: Drawing[]) =>
  rasters.length === expected.length &&
  rasters.every(({ width, height, gray }, index) => {
    const other = expected[index]!;
    return width === other.width && height === other.height && Buffer.from(gray).equals(other.gray);
  });

const pngs: [string, Parameters<typeof png>[1]][] = [
  ["grey", {}],
  ["colours", { color: 2 }],
  ["transparent", { color: 6 }],
  ["a palette", { color: 3 }],
  ["16 bits", { bits: 16, color: 2 }],
  ["interlaced", { interlaced: true, color: 6 }],
];

describe("pictures are decoded", () => {
  test.for(pngs)("PNG: %s", async ([, kind]) => expect(alike(await decode(png(small, kind)), [small])).toBe(true));

  test("a PNG with one bit per pixel", async () => {
    const [raster] = await decode(png(small, { bits: 1 }));
    expect(alike([{ ...raster!, gray: raster!.gray.map((value) => (value > 127 ? 250 : 20)) }], [small])).toBe(true);
  });

  test.for(["none", "packBits", "deflate", "lzw"] as const)("TIFF: %s", async (packing) =>
    expect(alike(await decode(tiff([{ drawing: small, packing }])), [small])).toBe(true),
  );

  test("a TIFF of several pages, one of them a fax", async () => {
    const pages = await decode(tiff([{ drawing: small }, { drawing: sheet(333, 90), packing: "fax4" }]));
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [333, 257],
      [333, 90],
    ]);
    expect(pages[1]!.gray.every((value) => value === 255)).toBe(true);
    expect(alike(await decode(tiff([{ drawing: small }, { drawing: drawn }]), undefined, 1), [drawn])).toBe(true);
  });

  test("a JPEG is turned as its orientation says", async () => {
    const [upright, turnedRight] = [await decode(await jpeg(small)), await decode(await jpeg(small, 6))];
    expect([upright[0]!.width, upright[0]!.height]).toEqual([333, 257]);
    expect([turnedRight[0]!.width, turnedRight[0]!.height]).toEqual([257, 333]);
    const corner = (raster: Drawing, x: number, y: number) => raster.gray[y * raster.width + x];
    expect(corner(turnedRight[0]!, 256 - 70, 80)).toBe(corner(upright[0]!, 80, 70));
  });

  test.for([false, true])("a CMYK JPEG with inverted inks: %s", async (isNegative) => {
    const [raster] = await decode(await cmykJpeg(small, isNegative));
    const [grey] = await decode(await jpeg(small));
    expect([raster!.width, raster!.height]).toEqual([333, 257]);
    const apart = raster!.gray.reduce((sum, light, at) => sum + Math.abs(light - grey!.gray[at]!), 0);
    expect(apart / raster!.gray.length).toBeLessThan(2);
  });

  test("a large picture is scaled down and keeps its original size", async () => {
    const [raster] = await decode(png(drawn), { ...defaultPixelLimits, kept: 500_000 });
    expect(raster!.width * raster!.height).toBeLessThanOrEqual(500_000);
    expect(raster!.stored).toEqual({ width: 1240, height: 1754 });
    const mean = (gray: Uint8Array) => gray.reduce((sum, value) => sum + value, 0) / gray.length;
    expect(mean(raster!.gray)).toBeCloseTo(mean(drawn.gray), 0);
  });

  test("a picture of one pixel", async () => {
    const dot = { width: 1, height: 1, gray: Uint8Array.of(7) };
    expect(alike(await decode(png(dot)), [dot])).toBe(true);
    expect(alike(await decode(tiff([{ drawing: dot }])), [dot])).toBe(true);
    expect(measurePage(dot).letterHeight).toBe(0);
  });
});

/** Inserts a segment before the frame of a JPEG. */
function withSegment(whole: Buffer, frame: number, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([whole.subarray(0, frame), head, content, whole.subarray(frame)]);
}

/** Changes the size that a JPEG declares. */
function ofSize(whole: Buffer, side: number): Buffer {
  whole.writeUInt16BE(side, frameOf(whole) + 5);
  whole.writeUInt16BE(side, frameOf(whole) + 7);
  return whole;
}

/** A Huffman table of twenty symbols, two of which look like the start of a frame. */
const hiddenFrame = Buffer.from([0x10, 20, ...Array(15).fill(0), 0xff, 0xc0, ...Array(18).fill(0)]);
const moreLines = Buffer.from([0xff, 0xdc, 0, 4, 0xff, 0xff, 0xff, 0xd9]);

const animation = Buffer.alloc(64);
animation.write("RIFF\x38\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x09\0\0\x09\0\0", "latin1");

const bad: [string, () => Uint8Array | Promise<Uint8Array>, RegExp][] = [
  ["a truncated CMYK JPEG", async () => (await cmykJpeg(small)).subarray(0, 6000), /damaged or truncated/],
  [
    "a CMYK JPEG of 30000 x 30000",
    async () => ofSize(await cmykJpeg(small), 30_000),
    /too many\. Reduce its resolution\.$/,
  ],
  ["a truncated JPEG", async () => (await jpeg(small)).subarray(0, 3000), /damaged or truncated/],
  ["a truncated PNG", () => png(small).subarray(0, 900), /damaged or truncated/],
  ["a PNG of 60000 x 60000", () => emptyPng(60_000, 60_000), /60000 x 60000 pixels, which is too many/],
  ["a PNG without pixels", () => emptyPng(0, 10), /damaged/],
  [
    "a TIFF of 60000 x 60000",
    () => tiff([{ drawing: small }], { 256: 60_000, 257: 60_000 }),
    /too many\. Reduce its resolution\.$/,
  ],
  [
    "a TIFF whose strips exceed the memory of a Worker",
    () => tiff([{ drawing: small }], { 257: 60_000, 256: 1900, 278: 60_000 }),
    /damaged/,
  ],
  ["a TIFF with an unknown compression", () => tiff([{ drawing: small }], { 259: 9999 }), /compression 9999/],
  ["an animation", () => animation, /Animated/],
];

describe("unreadable pictures are refused with a reason", () => {
  test.for(bad)("%s", async ([, make, words]) => {
    const outcome = await decode(await make()).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ reason: "file_unreadable", message: expect.stringMatching(words) });
  });

  test("a grey JPEG that declares four inks", async () =>
    expect(decode(inFourColours(await jpeg(small)))).rejects.toThrow(/damaged/));

  const dishonest: [string, (whole: Buffer, frame: number) => Buffer][] = [
    ["that declares another size after its frame", (whole) => Buffer.concat([whole.subarray(0, -2), moreLines])],
    ["with a frame hidden in its tables", (whole, frame) => withSegment(whole, frame, 0xc4, hiddenFrame)],
    ["with a table that ends within its frame", (whole, frame) => withSegment(whole, frame, 0xdb, Buffer.alloc(40))],
    ["with unlimited sampling of its inks", (whole, frame) => whole.fill(0xff, frame + 11, frame + 12)],
  ];

  test.for(dishonest)("a CMYK JPEG %s", async ([, spoilt]) => {
    const whole = await cmykJpeg(small);
    await expect(decode(spoilt(Buffer.from(whole), frameOf(whole)))).rejects.toThrow(/damaged/);
  });

  test("a TIFF with circular directories ends", async () => {
    const bytes = Buffer.from(tiff([{ drawing: small }]));
    bytes.writeUInt32LE(8, 8 + 2 + bytes.readUInt16LE(8) * 12);
    expect(await decode(bytes)).toHaveLength(1);
  });
});

describe("measurements of a page", () => {
  const inked = page();
  sign(inked, 200, 1500);
  stamp(inked, 800, 1480);

  test("a good scan has no fault", () =>
    expect(measurePage(inked)).toMatchObject({
      resolution: 150,
      letterHeight: 21,
      blur: 0,
      glare: 0,
      crop: [],
      skew: 0,
      rotation: 0,
      blank: false,
    }));

  test("a signature and a stamp are found", () =>
    expect(
      measurePage(inked)
        .marks.map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["Signature", "Stamp"]));

  test("a page without signature and stamp has none", () => expect(measurePage(page()).marks).toEqual([]));

  test("blur is measured", () => {
    const part = crop(drawn, [0, 0, 700, 400]);
    const [some, more] = [measurePage(blur(part, 16)), measurePage(blur(part, 30))];
    expect(some.blur).toBeGreaterThan(0.1);
    expect(more.blur).toBeGreaterThan(some.blur);
  });

  test("darkness is measured, and letters are found in the dark", () =>
    expect(measurePage(darken(drawn, 0.3))).toMatchObject({ letterHeight: 22, darkness: expect.closeTo(0.7, 1) }));

  test.for([-9, -3, 2.5, 6])("a skew of %d degrees is measured", (degrees) =>
    expect(measurePage(rotate(drawn, degrees)).skew).toBeCloseTo(degrees, 0),
  );

  test("text that lies on its side is detected", () => {
    const lying = { width: drawn.height, height: drawn.width, gray: new Uint8Array(drawn.gray.length) };
    for (let y = 0; y < drawn.height; y++)
      for (let x = 0; x < drawn.width; x++)
        lying.gray[x * lying.width + lying.width - 1 - y] = drawn.gray[y * drawn.width + x]!;
    expect([90, 270]).toContain(measurePage(lying).rotation);
  });

  test("text that is cut off is detected", () =>
    expect(measurePage(crop(drawn, [150, 0, 1240, 1754])).crop).toEqual(["Left"]));

  test("a blank page with dust is recognised as blank", () => {
    const blank = sheet(1240, 1754);
    write(blank, ["."], 1);
    expect(measurePage(blank)).toMatchObject({ blank: true, letterHeight: 0 });
  });

  test("glare in a photograph is measured", () => {
    const photograph = page(paragraph(30));
    for (const [index, value] of photograph.gray.entries()) photograph.gray[index] = value * 0.75;
    for (let y = 300; y < 900; y++) photograph.gray.fill(255, y * 1240 + 200, y * 1240 + 900);
    expect(measurePage(photograph).glare).toBeGreaterThan(0.1);
  });
});
