import type { Format } from "../document.ts";
import { readPdf } from "./pdf/pdf.ts";
import { readPlain } from "./plain.ts";
import type { Reader } from "./reader.ts";

export const readers: Record<Format, Reader> = {
  Pdf: readPdf,
  Image: readPlain,
  Docx: readPlain,
  Xlsx: readPlain,
  Xls: readPlain,
  Ods: readPlain,
  Csv: readPlain,
  Rtf: readPlain,
  Text: readPlain,
  Html: readPlain,
  Eml: readPlain,
  Msg: readPlain,
  Xml: readPlain,
  Edi: readPlain,
  Json: readPlain,
};
