/**
 * The one model every format is opened into. Readers in `open/` make it, nothing after them knows what the file was.
 *
 * Distances are in page units (PDF points; for text without a layout one column is 6 units and one line 12), the origin
 * is the top left corner, y grows downwards.
 */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** One printed word, never containing blanks. */
export interface Token extends Box {
  text: string;
  /** Height of the letters in page units. */
  size: number;
  bold: boolean;
  /** 1 for text that was text in the file, the recogniser's own figure for scans. */
  confidence: number;
  source: "Pdf" | "Text" | "Cell" | "Ocr";
  /** The cell of a real table (spreadsheet, DOCX, HTML): tokens of one cell belong together whatever their distance. */
  cell?: { table: number; row: number; column: number };
}

/** A page with its words. */
export interface Page {
  width: number;
  height: number;
  /** In the order the file gives them; layout sorts them. */
  tokens: Token[];
  /** Printed rules and frames, as thin boxes; empty where the format has none. */
  rulings: Box[];
  /** True when the page has a picture but no words: a scan that has yet to be read. */
  scanned: boolean;
}

/** A mail's own words. Addresses are lower case. */
export interface MailHead {
  subject: string;
  from?: { name?: string; address?: string };
  to: { name?: string; address?: string }[];
  /** ISO 8601, as the mail says. */
  date?: string;
  /** The day of that by the sender's own clock: what is "tomorrow" in the mail counts from it. */
  day?: string;
}

/** Data that was data in the file (XML, EDI, form fields): mapped, never guessed. */
export interface StructuredPart {
  format: "Cii" | "Ubl" | "Edifact" | "X12" | "Otm" | "Form" | "Xml";
  name: string;
  text: string;
}

/** A file, or a mail's body, or one of its attachments. */
export interface Part {
  role: "File" | "Body" | "Attachment";
  name: string;
  format: Format;
  pages: Page[];
  /** For a mail's body: the page lines (1-based y order) that only quote an older mail are on pages of their own, marked here. */
  quoted: boolean;
}

/** What a file was. */
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

/** A file with all that came in it. */
export interface OpenedDocument {
  format: Format;
  mediaType: string;
  /** Pages are numbered through all parts in this order, from 1. */
  parts: Part[];
  structured: StructuredPart[];
  mail?: MailHead;
  /** What was left out and why, in words for people: "attachment photo.heic was not read". */
  warnings: string[];
}
