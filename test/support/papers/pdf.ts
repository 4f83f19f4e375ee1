import { Buffer } from "node:buffer";

/** Further entries of the trailer, and the offset of an earlier cross-reference section. */
interface Trailer {
  entries?: string;
  previous?: number;
}

/** Makes a PDF of these objects, which are numbered from 1. The first one is the catalogue. */
export function pdfOf(objects: (string | Buffer)[], { entries = "", previous }: Trailer = {}): Buffer {
  const pieces: Buffer[] = [Buffer.from("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  let length = pieces[0]!.length;
  const offsets: number[] = [];
  const write = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    write(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), asBuffer(object), Buffer.from("\nendobj\n")]));
  });
  const start = length;
  const size = objects.length + 1;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const before = previous === undefined ? "" : `/Prev ${previous} `;
  write(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`));
  write(
    Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R ${before}${entries} >>\nstartxref\n${start}\n%%EOF\n`, "latin1"),
  );
  return Buffer.concat(pieces);
}

/** Makes a stream object. `entries` are added to its dictionary; `claimed` replaces its real length. */
export function stream(content: string | Buffer, entries = "", claimed?: number): Buffer {
  const bytes = asBuffer(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${claimed ?? bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

/** Makes a PDF of A4 pages. Each page is a list of lines, which are printed in Helvetica. */
export function pdfPages(pages: string[][]): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      stream(drawLines(lines)),
    ]),
  ]);
}

/** Writes the operators that paint lines of text below each other in the font `F`. */
export const drawLines = (lines: readonly string[]): string =>
  lines.map((line, index) => `BT /F 10 Tf 50 ${800 - index * 14} Td (${escaped(line)}) Tj ET`).join("\n");

/** Escapes a line. Letters that are not in Latin-1 lose their accents, because Helvetica lacks them. */
const escaped = (line: string) =>
  Array.from(line, (letter) => (letter <= "\u00ff" ? letter : (letter.normalize("NFD")[0] ?? "")))
    .map((letter) => (letter === "\u0142" ? "l" : letter))
    .join("")
    .replace(/[\\()]/g, "\\$&");

const asBuffer = (content: string | Buffer) => (typeof content === "string" ? Buffer.from(content, "latin1") : content);
