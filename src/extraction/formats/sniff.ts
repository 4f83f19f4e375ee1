import type { Format } from "../document/document.ts";
import { ExtractionProblem } from "../problem.ts";
import { compoundKind } from "./compound.ts";
import { decode } from "./encoding.ts";
import { textFormat } from "./text-format.ts";
import { listZip } from "./zip.ts";

export interface SniffedFormat {
  format: Format;
  mediaType: string;
}

const mediaTypes: Record<Format, string> = {
  Pdf: "application/pdf",
  Image: "image/*",
  Docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  Xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  Xls: "application/vnd.ms-excel",
  Ods: "application/vnd.oasis.opendocument.spreadsheet",
  Csv: "text/csv",
  Rtf: "application/rtf",
  Text: "text/plain",
  Html: "text/html",
  Eml: "message/rfc822",
  Msg: "application/vnd.ms-outlook",
  Xml: "application/xml",
  Edi: "application/edi-x12",
  Json: "application/json",
};

const textSampleBytes = 64 * 1024;

/**
 * Detects the format of a file from its bytes. The name is used only to distinguish text formats.
 * @throws ExtractionProblem `file_empty`, `file_encrypted`, `unsupported_file_type`, `file_unreadable`
 */
export function sniff(bytes: Uint8Array, name = ""): SniffedFormat {
  if (bytes.length === 0) throw new ExtractionProblem("file_empty", "The file is empty.");
  const binary = binaryFormat(bytes);
  if (binary) return binary;
  requireText(bytes);
  const text = decode(bytes.subarray(0, textSampleBytes));
  if (text.trim() === "") throw new ExtractionProblem("file_empty", "The file contains only white space.");
  const format = textFormat(text, name);
  if (!format) throw unsupported("a script");
  return sniffed(format);
}

/**
 * Whether a file begins like a zip or OLE container. The format of a container can be detected only from a directory
 * further on in the file.
 */
export const isContainer = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x50 && bytes[1] === 0x4b) || (bytes[0] === 0xd0 && bytes[1] === 0xcf);

function sniffed(format: Format, mediaType = mediaTypes[format]): SniffedFormat {
  return { format, mediaType };
}

function unsupported(what: string): ExtractionProblem {
  const instead = what.endsWith("picture")
    ? " Send it as JPEG, PNG, WebP, TIFF or PDF."
    : what.endsWith("DOC format")
      ? " Send it as DOCX or PDF."
      : "";
  return new ExtractionProblem("unsupported_file_type", `The file is ${what}, which is not supported.${instead}`);
}

interface Signature {
  magic: string;
  at?: number;
  is: SniffedFormat | string;
}

/** The magic has one character per byte. If `is` is a description instead of a format, the file is refused. */
const signatures: Signature[] = [
  { magic: "\x89PNG\r\n\x1a\n", is: sniffed("Image", "image/png") },
  { magic: "\xff\xd8\xff", is: sniffed("Image", "image/jpeg") },
  { magic: "II*\0", is: sniffed("Image", "image/tiff") },
  { magic: "MM\0*", is: sniffed("Image", "image/tiff") },
  { magic: "WEBP", at: 8, is: sniffed("Image", "image/webp") },
  { magic: "{\\rtf", is: sniffed("Rtf") },
  { magic: "GIF8", is: "a GIF picture" },
  { magic: "BM", is: "a BMP picture" },
  { magic: "ftyphei", at: 4, is: "a HEIC picture" },
  { magic: "ftyphev", at: 4, is: "a HEIC picture" },
  { magic: "ftypmif1", at: 4, is: "a HEIC picture" },
  { magic: "ftypmsf1", at: 4, is: "a HEIC picture" },
  { magic: "ftypavif", at: 4, is: "an AVIF picture" },
  { magic: "MZ", is: "a program" },
  { magic: "\x7fELF", is: "a program" },
  { magic: "\xca\xfe\xba\xbe", is: "a program" },
  { magic: "\xcf\xfa\xed\xfe", is: "a program" },
  { magic: "\0asm", is: "a program" },
  { magic: "\x1f\x8b", is: "a gzip archive" },
  { magic: "7z\xbc\xaf", is: "a 7z archive" },
  { magic: "Rar!", is: "a RAR archive" },
  { magic: "%!PS", is: "a PostScript file" },
];

function binaryFormat(bytes: Uint8Array): SniffedFormat | undefined {
  const head = latin(bytes.subarray(0, 1100));
  // Some programs write a few bytes before the header, so PDF readers search the first kilobyte for it.
  if (head.slice(0, 1029).includes("%PDF-")) return pdf(bytes);
  if (head.startsWith("PK\x03\x04")) return zipFormat(bytes);
  if (head.startsWith("PK\x05\x06")) throw unsupported("an empty zip archive");
  if (head.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return compoundFormat(bytes);
  const signature = signatures.find(({ magic, at = 0 }) => head.startsWith(magic, at) && isPlausible(magic, head));
  if (typeof signature?.is === "string") throw unsupported(signature.is);
  return signature?.is;
}

/**
 * A two-letter signature may also be the start of a text such as "BMW" or "MZ-123", but the headers of programs and
 * bitmaps contain zero bytes.
 */
function isPlausible(magic: string, head: string): boolean {
  return magic.length > 2 || head.slice(2, 64).includes("\0") || magic === "\x1f\x8b";
}

function pdf(bytes: Uint8Array): SniffedFormat {
  if (bytes.length < 200) throw new ExtractionProblem("file_unreadable", "The PDF is truncated.");
  return sniffed("Pdf");
}

function zipFormat(bytes: Uint8Array): SniffedFormat {
  const entries = listZip(bytes);
  const has = (name: string) => entries.some((entry) => entry.name.startsWith(name));
  if (entries.some((entry) => entry.encrypted))
    throw new ExtractionProblem("file_encrypted", "The file is protected by a password.");
  if (has("word/")) return sniffed("Docx");
  if (has("xl/workbook.bin")) throw unsupported("a binary XLSB workbook");
  if (has("xl/")) return sniffed("Xlsx");
  if (has("content.xml") && /spreadsheet/.test(latin(bytes.subarray(30, 120)))) return sniffed("Ods");
  if (has("content.xml")) throw unsupported("an OpenDocument file other than a spreadsheet");
  if (has("ppt/")) throw unsupported("a presentation");
  throw unsupported("a zip archive");
}

function compoundFormat(bytes: Uint8Array): SniffedFormat {
  const kind = compoundKind(bytes);
  if (kind === "Encrypted") throw new ExtractionProblem("file_encrypted", "The document is protected by a password.");
  if (kind === "Msg" || kind === "Xls") return sniffed(kind);
  throw unsupported(kind === "Doc" ? "a Word document in the old DOC format" : "of an unknown Office type");
}

const maxControls = 0.02;

/** Refuses binary files. Text has few control characters and, except in UTF-16, no zero bytes. */
function requireText(bytes: Uint8Array): void {
  const sample = bytes.subarray(0, 8192);
  const text = decode(sample);
  // oxlint-disable-next-line no-control-regex
  const controls = text.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\uFFFD]/g)?.length ?? 0;
  if (controls > text.length * maxControls + 2) throw unsupported("of an unknown binary type");
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
