import type { Format } from "../document/document.ts";
import { readCsv } from "./delimited-text.ts";
import { readEdi } from "./edi.ts";
import { readHtml } from "./html.ts";
import { readImage } from "./image.ts";
import { readJson } from "./json.ts";
import { readMail } from "./mail.ts";
import { readOutlook } from "./outlook.ts";
import { readPdf } from "./pdf/pdf.ts";
import { readPlain } from "./plain.ts";
import type { Reader } from "./reader.ts";
import { readRtf } from "./rtf.ts";
import { readWord } from "./word.ts";
import { readOdsBook, readXlsBook, readXlsxBook } from "./workbook.ts";
import { readXml } from "./xml.ts";

export const readers: Record<Format, Reader> = {
  Pdf: readPdf,
  Image: readImage,
  Docx: readWord,
  Xlsx: readXlsxBook,
  Xls: readXlsBook,
  Ods: readOdsBook,
  Csv: readCsv,
  Rtf: readRtf,
  Text: readPlain,
  Html: readHtml,
  Eml: readMail,
  Msg: readOutlook,
  Xml: readXml,
  Edi: readEdi,
  Json: readJson,
};
