import { joinBytes } from "../document/bytes.ts";
import type { Raster } from "../images/raster.ts";
import { jpegHead } from "../images/jpeg.ts";
import { damaged } from "../images/limits.ts";

/** A page image: a JPEG file or pixels. */
export type PicturePage = { jpeg: Uint8Array } | { raster: Raster };

/** A4, in points. */
const longSide = 842;

/** Creates a PDF with one picture on each page. */
export async function picturePdf(pages: readonly PicturePage[]): Promise<Uint8Array> {
  const objects: Uint8Array[] = [];
  const kids = pages.map((_, index) => `${3 + index * 3} 0 R`).join(" ");
  objects.push(toBytes("<< /Type /Catalog /Pages 2 0 R >>"));
  objects.push(toBytes(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`));
  for (const [index, page] of pages.entries()) {
    const { width, height, orientation, stream } = await imageOf(page);
    const scale = longSide / Math.max(width, height);
    const [across, down] = orientation > 4 ? [height, width] : [width, height];
    const [wide, high] = [across * scale, down * scale];
    const first = 3 + index * 3;
    objects.push(
      toBytes(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide.toFixed(2)} ${high.toFixed(2)}] /Contents ${first + 1} 0 R /Resources << /XObject << /P ${first + 2} 0 R >> >> >>`,
      ),
      streamOf("", toBytes(`q ${placed(orientation, wide, high).join(" ")} cm /P Do Q`)),
      stream,
    );
  }
  return fileOf(objects);
}

const toBytes = (line: string): Uint8Array => new TextEncoder().encode(line);

/** Returns the transformation matrix that draws a picture upright, given its EXIF orientation (1 to 8). */
function placed(orientation: number, wide: number, high: number): string[] {
  const ways = [
    [wide, 0, 0, high, 0, 0],
    [-wide, 0, 0, high, wide, 0],
    [-wide, 0, 0, -high, wide, high],
    [wide, 0, 0, -high, 0, high],
    [0, -high, -wide, 0, wide, high],
    [0, -high, wide, 0, 0, high],
    [0, high, wide, 0, 0, 0],
    [0, high, -wide, 0, wide, 0],
  ];
  return (ways[orientation - 1] ?? ways[0]!).map((value) => value.toFixed(2));
}

interface Image {
  width: number;
  height: number;
  orientation: number;
  stream: Uint8Array;
}

async function imageOf(page: PicturePage): Promise<Image> {
  if ("jpeg" in page) return jpegImage(page.jpeg);
  const { width, height, gray } = page.raster;
  const packing = new Blob([gray as BufferSource]).stream().pipeThrough(new CompressionStream("deflate"));
  const packed = new Uint8Array(await new Response(packing).arrayBuffer());
  const stream = streamOf(`${imageEntries(width, height, "DeviceGray")} /Filter /FlateDecode`, packed);
  return { width, height, orientation: 1, stream };
}

const spaces: Record<number, string> = { 1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK" };

/** Adobe programs store inverted CMYK values, which an APP14 segment declares. */
function jpegImage(jpeg: Uint8Array): Image {
  const head = jpegHead(jpeg);
  const space = head && spaces[head.components];
  if (!head || !space) throw damaged();
  const { width, height, orientation } = head;
  const segments = segmentsOf(jpeg);
  const isTurned = head.components === 4 && segments.some(({ marker, name }) => marker === 0xee && name === "Adobe");
  const entries = `${imageEntries(width, height, space)}${isTurned ? " /Decode [1 0 1 0 1 0 1 0]" : ""}`;
  const stream = streamOf(`${entries} /Filter /DCTDecode`, withoutExif(jpeg, segments));
  return { width, height, orientation, stream };
}

interface Segment {
  marker: number;
  name: string;
  from: number;
  to: number;
}

function segmentsOf(jpeg: Uint8Array): Segment[] {
  const segments: Segment[] = [];
  for (let at = 2; at + 9 <= jpeg.length && jpeg[at] === 0xff;) {
    const marker = jpeg[at + 1]!;
    if (marker === 0xda) break;
    const to = marker === 0xff ? at + 1 : at + 2 + jpeg[at + 2]! * 256 + jpeg[at + 3]!;
    const name = String.fromCharCode(...jpeg.subarray(at + 4, at + 9)).replace(/\0.*/su, "");
    if (marker !== 0xff) segments.push({ marker, name, from: at, to });
    at = to;
  }
  return segments;
}

/**
 * The PDF page already applies the orientation; a viewer that also read it from EXIF would rotate the picture twice.
 */
function withoutExif(jpeg: Uint8Array, segments: readonly Segment[]): Uint8Array {
  const exif = segments.filter(({ marker, name }) => marker === 0xe1 && name === "Exif");
  const starts = [0, ...exif.map(({ to }) => to)];
  const ends = [...exif.map(({ from }) => from), jpeg.length];
  return exif.length === 0 ? jpeg : joinBytes(starts.map((start, index) => jpeg.subarray(start, ends[index])));
}

const imageEntries = (width: number, height: number, space: string): string =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${space} /BitsPerComponent 8`;

const streamOf = (entries: string, content: Uint8Array): Uint8Array =>
  joinBytes([toBytes(`<< /Length ${content.length} ${entries} >>\nstream\n`), content, toBytes("\nendstream")]);

function fileOf(objects: readonly Uint8Array[]): Uint8Array {
  const pieces = [toBytes("%PDF-1.7\n")];
  let at = pieces[0]!.length;
  const rows = ["0000000000 65535 f \n"];
  for (const [index, object] of objects.entries()) {
    const piece = joinBytes([toBytes(`${index + 1} 0 obj\n`), object, toBytes("\nendobj\n")]);
    rows.push(`${String(at).padStart(10, "0")} 00000 n \n`);
    pieces.push(piece);
    at += piece.length;
  }
  const size = objects.length + 1;
  pieces.push(
    toBytes(`xref\n0 ${size}\n${rows.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`),
  );
  return joinBytes(pieces);
}
