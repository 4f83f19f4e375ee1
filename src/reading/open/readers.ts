import type { Format } from "../document.ts";
import { readCsv } from "./csv.ts";
import { readHtml } from "./html.ts";
import { readImage } from "./image.ts";
import { readMail } from "./mail.ts";
import { readPdf } from "./pdf/pdf.ts";
import { readPlain } from "./plain.ts";
import type { Reader } from "./reader.ts";
import { readWord } from "./word.ts";
import { readOdsBook, readXlsBook, readXlsxBook } from "./workbook.ts";

export const readers: Record<Format, Reader> = {
  Pdf: readPdf,
  Image: readImage,
  Docx: readWord,
  Xlsx: readXlsxBook,
  Xls: readXlsBook,
  Ods: readOdsBook,
  Csv: readCsv,
  Rtf: readPlain,
  Text: readPlain,
  Html: readHtml,
  Eml: readMail,
  Msg: readPlain,
  Xml: readPlain,
  Edi: readPlain,
  Json: readPlain,
};
