/**
 * The document model of every format. Readers in `formats/` create it; later steps do not depend on the file format.
 * Distances are in page units: PDF points, or, for text without a layout, 6 units for each column and 12 for each line.
 * The origin is the top left corner, and y grows downwards.
 */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** One printed word without white space. */
export interface Token extends Box {
  text: string;
  /** Height of the letters in page units. */
  size: number;
  bold: boolean;
  /** 1 for digital text; for scans, the confidence of the OCR engine. */
  confidence: number;
  source: "Pdf" | "Text" | "Cell" | "Ocr";
  /** The cell of a table in the file (spreadsheet, DOCX, HTML). Tokens of one cell belong together at any distance. */
  cell?: { table: number; row: number; column: number };
}

/** A page with its words and printed lines. */
export interface Page {
  width: number;
  height: number;
  /** In file order. The layout sorts them. */
  tokens: Token[];
  /** Printed lines and frames, as thin boxes; empty if the format has none. */
  rulings: Box[];
  /** Whether the page has a picture but no words, because OCR did not recognise it. */
  scanned: boolean;
}

/** The headers of a mail. Addresses are lower case. */
export interface MailHead {
  subject: string;
  from?: { name?: string; address?: string };
  to: { name?: string; address?: string }[];
  /** The date of the header, in ISO 8601. */
  date?: string;
  /** ISO date in the sender's time zone. Relative dates such as "tomorrow" are computed from it. */
  day?: string;
}

/** Structured data in the file (XML, EDI, form fields). It is mapped to fields directly. */
export interface StructuredPart {
  format: "Cii" | "Ubl" | "Edifact" | "X12" | "Otm" | "Form" | "Xml";
  name: string;
  text: string;
}

/** A file, the body of a mail, or one of its attachments. */
export interface Part {
  role: "File" | "Body" | "Attachment";
  name: string;
  format: Format;
  pages: Page[];
  /** Whether the part contains only quoted older mails. The newest mail is in another part. */
  quoted: boolean;
}

/** The format of a file. */
export type Format =
  | "Pdf"
  | "Image"
  | "Docx"
  | "Xlsx"
  | "Xls"
  | "Ods"
  | "Csv"
  | "Rtf"
  | "Text"
  | "Html"
  | "Eml"
  | "Msg"
  | "Xml"
  | "Edi"
  | "Json";

/** An opened file with its attachments and embedded files. */
export interface OpenedDocument {
  format: Format;
  mediaType: string;
  /** Pages are numbered from 1 across all parts, in this order. */
  parts: Part[];
  structured: StructuredPart[];
  mail?: MailHead;
  /** Messages for users about content that was left out, such as "attachment photo.heic was not read". */
  warnings: string[];
}
