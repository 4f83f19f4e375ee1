import type { Raster } from "../pixels/raster.ts";
import { jpegHead } from "../pixels/jpeg.ts";
import { damaged } from "../pixels/limits.ts";

/** A page that is a picture: a JPEG as it is, or pixels. */
export type PicturePage = { jpeg: Uint8Array } | { raster: Raster };

/** Long side of an A4 page in points: pictures are set as large as that. */
const longSide = 842;

/** A PDF in which each page is one picture. */
export async function picturePdf(pages: readonly PicturePage[]): Promise<Uint8Array> {
  const objects: Uint8Array[] = [];
  const kids = pages.map((_, index) => `${3 + index * 3} 0 R`).join(" ");
  objects.push(text("<< /Type /Catalog /Pages 2 0 R >>"));
  objects.push(text(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`));
  for (const [index, page] of pages.entries()) {
    const { width, height, turn, stream } = await imageOf(page);
    const scale = longSide / Math.max(width, height);
    const [wide, high] = [(width * scale).toFixed(2), (height * scale).toFixed(2)];
    const first = 3 + index * 3;
    objects.push(
      text(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Rotate ${turn} /Contents ${first + 1} 0 R /Resources << /XObject << /P ${first + 2} 0 R >> >> >>`,
      ),
      streamOf("", text(`q ${wide} 0 0 ${high} 0 0 cm /P Do Q`)),
      stream,
    );
  }
  return fileOf(objects);
}

const text = (said: string): Uint8Array => new TextEncoder().encode(said);

/** Quarter turns that EXIF notes; mirrored pictures no camera makes. */
const turns: Record<number, number> = { 3: 180, 6: 90, 8: 270 };

async function imageOf(
  page: PicturePage,
): Promise<{ width: number; height: number; turn: number; stream: Uint8Array }> {
  if ("jpeg" in page) {
    const head = jpegHead(page.jpeg);
    if (!head) throw damaged();
    const { width, height, components, orientation } = head;
    const space = components === 1 ? "DeviceGray" : "DeviceRGB";
    const stream = streamOf(`${imageEntries(width, height, space)} /Filter /DCTDecode`, page.jpeg);
    return { width, height, turn: turns[orientation] ?? 0, stream };
  }
  const { width, height, gray } = page.raster;
  const packing = new Blob([gray as BufferSource]).stream().pipeThrough(new CompressionStream("deflate"));
  const packed = new Uint8Array(await new Response(packing).arrayBuffer());
  const stream = streamOf(`${imageEntries(width, height, "DeviceGray")} /Filter /FlateDecode`, packed);
  return { width, height, turn: 0, stream };
}

const imageEntries = (width: number, height: number, space: string): string =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${space} /BitsPerComponent 8`;

const streamOf = (entries: string, content: Uint8Array): Uint8Array =>
  joined([text(`<< /Length ${content.length} ${entries} >>\nstream\n`), content, text("\nendstream")]);

function fileOf(objects: readonly Uint8Array[]): Uint8Array {
  const pieces = [text("%PDF-1.7\n")];
  let at = pieces[0]!.length;
  const rows = ["0000000000 65535 f \n"];
  for (const [index, object] of objects.entries()) {
    const piece = joined([text(`${index + 1} 0 obj\n`), object, text("\nendobj\n")]);
    rows.push(`${String(at).padStart(10, "0")} 00000 n \n`);
    pieces.push(piece);
    at += piece.length;
  }
  const size = objects.length + 1;
  pieces.push(
    text(`xref\n0 ${size}\n${rows.join("")}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`),
  );
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
