import { deflateRawSync, deflateSync } from "node:zlib";
import PdfDocument from "pdfkit";
import { drawLines, pdfOf, stream } from "../papers/pdf.ts";
import type { Drawing } from "../pictures/draw.ts";

const [wide, high] = [595, 842];

/** A picture in a PDF: the entries of its dictionary, and its bytes. */
export interface PdfPicture {
  entries: string;
  bytes: Buffer;
}

/** The content stream of a page, with pictures named `P0`, `P1`, ... and the font `F`. */
export interface PdfPlan {
  content: string;
  pictures?: readonly PdfPicture[];
}

/** Makes a PDF of A4 pages. A picture that several pages share is written only once. */
export function pdfWith(pages: readonly PdfPlan[]): Buffer {
  const first = 4;
  const pictures = [...new Set(pages.flatMap(({ pictures: own = [] }) => own))];
  const numberOf = new Map(pictures.map((picture, index) => [picture, first + index]));
  const pageAt = first + pictures.length;
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${pageAt + index * 2} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pictures.map(({ entries, bytes }) => stream(bytes, `/Type /XObject /Subtype /Image ${entries}`)),
    ...pages.flatMap(({ content, pictures: own = [] }, index) => {
      const named = own.map((picture, place) => `/P${place} ${numberOf.get(picture)} 0 R`).join(" ");
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents ${pageAt + index * 2 + 1} 0 R /Resources << /Font << /F 3 0 R >> /XObject << ${named} >> >> >>`,
        stream(content),
      ];
    }),
  ]);
}

export const textPage = (lines: readonly string[]): PdfPlan => ({ content: drawLines(lines) });

/** Makes a page that consists only of this picture. */
export const scanPage = (picture: PdfPicture): PdfPlan => ({
  content: `${wide} 0 0 ${high} 0 0 cm /P0 Do`,
  pictures: [picture],
});

const sized = (width: number, height: number): string => `/Width ${width} /Height ${height}`;

/** Makes an image mask that paints the dark pixels of a drawing. */
export function maskOf({ width, height, gray }: Drawing): PdfPicture {
  const rowBytes = Math.ceil(width / 8);
  const bits = Buffer.alloc(rowBytes * height);
  for (const [at, value] of gray.entries()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (value > 127) bits[y * rowBytes + (x >> 3)]! |= 128 >> (x & 7);
  }
  return {
    entries: `${sized(width, height)} /ImageMask true /BitsPerComponent 1 /Filter /FlateDecode`,
    bytes: deflateSync(bits),
  };
}

/** Makes a page of ten thousand small pictures side by side. Each is a separate object. */
export function tenThousandPictures(): PdfPlan {
  const side = 100;
  const [across, down] = [wide / side, high / side];
  const places = Array.from({ length: side * side }, (_, index) => [index % side, Math.floor(index / side)] as const);
  const content = places.map(([x, y], index) => `q ${across} 0 0 ${down} ${x * across} ${y * down} cm /P${index} Do Q`);
  const pictures = places.map(() => ({
    entries: `${sized(10, 10)} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    bytes: Buffer.alloc(100, 0x80),
  }));
  return { content: content.join("\n"), pictures };
}

/** Makes a page on which `count` white pictures of a million pixels are painted on top of each other. */
export function whitePictures(count: number): PdfPlan {
  const bytes = deflateSync(Buffer.alloc(1000 * 1000 * 3, 0xff));
  const entries = `${sized(1000, 1000)} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`;
  const pictures = Array.from({ length: count }, () => ({ entries, bytes }));
  const content = pictures.map((_, index) => `q ${wide} 0 0 ${high} 0 0 cm /P${index} Do Q`);
  return { content: content.join("\n"), pictures };
}

/**
 * Makes a page on which `count` colour pictures of 14 million pixels each, and then a drawing, are painted on top of
 * each other.
 */
export function hugeFlatePictures(count: number, last: Drawing): PdfPlan {
  const [across, down] = [3500, 4000];
  const bytes = deflateSync(Buffer.alloc(across * down * 3, 0xff));
  const entries = `${sized(across, down)} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`;
  const blank = Array.from({ length: count }, () => ({ entries, bytes }));
  const read = {
    entries: `${sized(last.width, last.height)} /ColorSpace [/CalGray << /WhitePoint [1 1 1] >>] /BitsPerComponent 8 /Filter /FlateDecode`,
    bytes: deflateSync(last.gray),
  };
  const pictures = [...blank, read];
  return { content: pictures.map((_, index) => `q ${wide} 0 0 ${high} 0 0 cm /P${index} Do Q`).join("\n"), pictures };
}

/** The filters of a stream, and its encoded bytes. */
interface Packed {
  filters: string;
  bytes: Buffer;
}

/** Makes a PDF of one page whose content is a stream with the given filters. */
export const paintedWith = ({ filters, bytes }: Packed): Buffer =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 5 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
    stream(bytes, `/Filter ${filters}`),
  ]);

const megabyte = 1024 * 1024;
/** Makes this many megabytes of blanks, which paint nothing. */
const blanks = (megabytes: number): Buffer => Buffer.alloc(megabytes * megabyte, " ");

/** Content streams that decompress to forty megabytes of blanks, by their filters. */
export const bombs: Record<string, () => Packed> = {
  deflate: () => ({ filters: "/FlateDecode", bytes: deflateSync(blanks(40)) }),
  "deflate, twice": () => ({ filters: "[/FlateDecode /FlateDecode]", bytes: deflateSync(deflateSync(blanks(40))) }),
  "deflate in letters": () => ({ filters: "[/ASCIIHexDecode /FlateDecode]", bytes: inHex(deflateSync(blanks(40))) }),
  "runs of one letter": () => ({
    filters: "/RunLengthDecode",
    bytes: Buffer.alloc(2 * megabyte, Buffer.from([129, 32])),
  }),
};

const inHex = (bytes: Buffer): Buffer => Buffer.from(`${bytes.toString("hex")}>`);

/** Makes a PDF of one page whose content is the object `painting`, unchanged. Further objects are numbered from 6. */
const paintedBy = (painting: string | Buffer, ...further: (string | Buffer)[]): Buffer =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents 5 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
    painting,
    ...further,
  ]);

/** Makes an inline picture of one pixel whose data decompress to forty megabytes. */
const inlineBomb = (): Buffer =>
  Buffer.concat([
    Buffer.from("q BI /W 1 /H 1 /BPC 8 /CS /G /F /Fl ID "),
    deflateSync(blanks(40)),
    Buffer.from("\nEI Q"),
  ]);

/** Compresses blanks by LZW. Each code stands for one more blank than the code before. */
function lzwBomb(megabytes: number): Buffer {
  const [clear, end, first, last] = [256, 257, 258, 4094];
  const bits: string[] = [];
  const write = (code: number, width: number) => bits.push(code.toString(2).padStart(width, "0"));
  for (let length = 0; length < megabytes * megabyte;) {
    write(clear, 9);
    write(32, 9);
    for (let code = first; code < last; code++) {
      write(code, Math.floor(Math.log2(code + 1)) + 1);
      length += code - first + 2;
    }
    write(clear, 12);
  }
  write(end, 9);
  const all = bits.join("");
  return Buffer.from(all.match(/.{1,8}/g)!.map((byte) => parseInt(byte.padEnd(8, "0"), 2)));
}

/** Applies the PNG predictor "Sub": in rows of ten, each byte is replaced with its difference to the byte before. */
function asDifferences(bytes: Buffer): Buffer {
  const rows = Array.from({ length: Math.ceil(bytes.length / 10) }, (_, at) => bytes.subarray(at * 10, at * 10 + 10));
  return Buffer.concat(rows.flatMap((row) => [Buffer.of(1), row.map((byte, at) => byte - (row[at - 1] ?? 0))]));
}

/** Makes a stream whose data contain the word `endstream`, after which forty megabytes follow. */
const behindItsEnd = (): Buffer =>
  Buffer.concat([
    Buffer.of(0x78, 0x9c, 0, 11, 0, 0xf4, 0xff),
    Buffer.from("\nendstream "),
    deflateRawSync(blanks(40)),
    Buffer.alloc(4),
  ]);

const packed = (entries: string): Buffer => stream(deflateSync(blanks(40)), entries);

/**
 * PDFs of one page whose content decompresses to forty megabytes of blanks, with filters declared in unusual notations.
 */
export const disguises: Record<string, () => Buffer> = {
  "a short name": () => paintedBy(packed("/Filter /Fl")),
  "a name in figures": () => paintedBy(packed("/Fil#74er /Fl#61teDecode")),
  "the key of a file": () => paintedBy(packed("/F /FlateDecode")),
  "a list within remarks": () => paintedBy(packed("/Filter %]\n[ %/None\n/FlateDecode ]")),
  "a name elsewhere": () => paintedBy(packed("/Filter 6 0 R"), "/FlateDecode"),
  "a list elsewhere": () => paintedBy(stream(deflateSync(deflateSync(blanks(40))), "/Filter 6 0 R"), "[/Fl /Fl]"),
  "a long dictionary": () => paintedBy(packed(`/Note (${"x".repeat(5000)}) /Filter /FlateDecode`)),
  "a name before a long text": () => paintedBy(packed(`/Filter /FlateDecode /Note (${"x".repeat(5000)})`)),
  "a text in which an object begins": () => paintedBy(packed("/Filter /FlateDecode /Note (6 0 obj <<)")),
  "a remark in which an object begins": () => paintedBy(packed("/Filter /FlateDecode % 6 0 obj <<\n")),
  "a key without a value": () => paintedBy(packed("/Filter /FlateDecode /Note >>")),
  "short names of letters": () => paintedBy(stream(inHex(deflateSync(blanks(40))), "/Filter [/AHx /Fl]")),
  "short names of runs": () => paintedBy(stream(bombs["runs of one letter"]!().bytes, "/Filter /RL")),
  "codes that repeat more and more": () => paintedBy(stream(lzwBomb(20), "/Filter /LZW")),
  "a stream in a list": () =>
    paintedBy(Buffer.concat([Buffer.from("["), packed("/Filter /FlateDecode"), Buffer.from("]")])),
  "a length that may be another": () =>
    paintedBy(
      Buffer.concat([
        Buffer.from("<< /Length 6 0 R /Filter /FlateDecode >>\nstream\n"),
        behindItsEnd(),
        Buffer.from("\nendstream"),
      ]),
      `${behindItsEnd().length}\nendobj\n% 6 0 obj\n10`,
    ),
  "a picture in the painting": () => paintedBy(stream(inlineBomb())),
  "a picture in the packed painting": () => paintedBy(stream(deflateSync(inlineBomb()), "/Filter /FlateDecode")),
  "a picture in painting written as differences": () =>
    paintedBy(
      stream(
        deflateSync(asDifferences(inlineBomb())),
        "/Filter /FlateDecode /DecodeParms << /Predictor 11 /Columns 10 >>",
      ),
    ),
  "a fax that is no picture": () =>
    paintedBy(stream(Buffer.alloc(1000), "/Filter /CCITTFaxDecode /DecodeParms << /Columns 60000 /Rows 60000 >>")),
  "a JPEG that is no picture": () => paintedBy(stream(Buffer.alloc(1000), "/Filter /DCT")),
  "rows without end": () =>
    paintedBy(stream(deflateSync(blanks(1)), "/Filter /Fl /DecodeParms << /Predictor 12 /Columns 200000000 >>")),
  "many streams that unpack to what one may": () => {
    const [one, count] = [stream(deflateSync(blanks(15)), "/Filter /FlateDecode"), 30];
    const contents = Array.from({ length: count }, (_, index) => `${6 + index} 0 R`);
    return paintedBy(`[${contents.join(" ")}]`, ...Array.from({ length: count }, () => one));
  },
};

/** PDFs of one empty page with a stream that decompresses to forty megabytes or more and that no page paints. */
export const unpainted: Record<string, () => Buffer> = {
  "a stream among packed objects": () =>
    paintedBy(
      stream(""),
      stream(deflateSync(Buffer.concat([Buffer.from("9 0 "), packed("/Filter /Fl")])), "/N 1 /First 4 /Filter /Fl"),
    ),
  "objects one within the other": () => paintedBy(stream(""), "9 0 obj <<".repeat(300_000)),
  "many streams": () => {
    const one = stream(deflateSync(blanks(15)), "/Filter /FlateDecode");
    return paintedBy(stream(""), ...Array.from({ length: 30 }, () => one));
  },
};

/** PDFs of one page whose content stream is declared as a picture and would decompress to forty megabytes. */
export const falsePictures: Record<string, () => Buffer> = {
  "a large one": () => paintedBy(packed("/Subtype /Image /Width 9999 /Height 9999 /Filter /FlateDecode")),
  "one whose size stands elsewhere": () =>
    paintedBy(packed("/Subtype /Image /Width 6 0 R /Height 6 0 R /Filter [/Fl]"), "9999"),
  "a JPEG of endless pixels": () =>
    paintedBy(stream(endlessJpeg(), "/Subtype /Image /Width 1 /Height 1 /Filter /DCTDecode")),
};

/** Makes the header of a JPEG of 60,000 by 60,000 pixels. */
const endlessJpeg = (): Buffer =>
  Buffer.concat([
    Buffer.of(0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0xea, 0x60, 0xea, 0x60, 1, 1, 0x11, 0),
    Buffer.of(0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0),
    Buffer.alloc(1000),
  ]);

/** Makes a PDF of one page with millions of drawing operators. */
export const endlessPainting = (): Buffer =>
  paintedWith({ filters: "/FlateDecode", bytes: deflateSync(Buffer.alloc(12 * megabyte, "q Q ")) });

/** Makes a PDF whose end is followed by thousands of unterminated pictures and by megabytes of the letter "e". */
export function endlessStreams(): Buffer {
  const picture = `9 0 obj << /Subtype /Image ${sized(1000, 1000)} /Filter /DCTDecode >>\nstream\n`;
  return Buffer.concat([
    pdfWith([textPage(["Page"])]),
    Buffer.from(picture.repeat(3000)),
    Buffer.alloc(4_000_000, "e"),
  ]);
}

/** Makes a uniformly grey JPEG 2000 picture of about a hundred bytes. Its dictionary may declare another size. */
export function jpx(
  width: number,
  height: number,
  said: { width: number; height: number } = { width, height },
): PdfPicture {
  const levels = 5;
  const channels = 3;
  const size = Buffer.alloc(38 + 2 + channels * 3);
  size.writeUInt16BE(0xff51, 0);
  size.writeUInt16BE(size.length - 2, 2);
  for (const [index, value] of [width, height, 0, 0, width, height, 0, 0].entries())
    size.writeUInt32BE(value, 6 + index * 4);
  size.writeUInt16BE(channels, 38);
  for (let channel = 0; channel < channels; channel++) size.set([7, 1, 1], 40 + channel * 3);
  const coding = Buffer.from([0xff, 0x52, 0, 12, 0, 0, 0, 1, 0, levels, 4, 4, 0, 1]);
  const steps = Buffer.alloc(5 + 3 * levels + 1, 8 << 3);
  steps.set([0xff, 0x5c, 0, steps.length - 2, 0x40]);
  const tile = Buffer.from([0xff, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0x93]);
  const packets = Buffer.alloc((levels + 1) * channels);
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0x4f]),
    size,
    coding,
    steps,
    tile,
    packets,
    Buffer.from([0xff, 0xd9]),
  ]);
  return { entries: `${sized(said.width, said.height)} /Filter /JPXDecode`, bytes };
}

/** Makes a PDF with a scan. It can be opened without a password but not changed. */
export async function lockedScan(jpeg: Uint8Array, pdfVersion: "1.4" | "1.7ext3"): Promise<Buffer> {
  const document = new PdfDocument({ size: [wide, high], margin: 0, ownerPassword: "nobody knows", pdfVersion });
  document.image(Buffer.from(jpeg), 0, 0, { width: wide, height: high });
  document.end();
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Buffer>));
}
