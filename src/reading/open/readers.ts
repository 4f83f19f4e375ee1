import type { Format } from "../document.ts";
import { readHtml } from "./html.ts";
import { readImage } from "./image.ts";
import { readMail } from "./mail.ts";
import { readPdf } from "./pdf/pdf.ts";
import { readPlain } from "./plain.ts";
import type { Reader } from "./reader.ts";

export const readers: Record<Format, Reader> = {
  Pdf: readPdf,
  Image: readImage,
  Docx: readPlain,
  Xlsx: readPlain,
  Xls: readPlain,
  Ods: readPlain,
  Csv: readPlain,
  Rtf: readPlain,
  Text: readPlain,
  Html: readHtml,
  Eml: readMail,
  Msg: readPlain,
  Xml: readPlain,
  Edi: readPlain,
  Json: readPlain,
};
