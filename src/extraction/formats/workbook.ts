import { readOds, readXls, readXlsx } from "hucre";
import type { Workbook } from "hucre";
import { ReadingProblem } from "../problem.ts";
import { embeddedPictures } from "./embedded-pictures.ts";
import type { ReaderContext, InputFile, ReaderOutput, Reader } from "./reader.ts";
import { layOutBlocks } from "./table-setting.ts";
import { isShown, sheetBlocks } from "./worksheet.ts";
import { checkZip, testZip } from "./zip.ts";

const mostRows = 20_000;
/** hucre gives whole rectangles: a lone cell in the far corner must not fill the memory. */
const options = { readStyles: true, range: `A1:IV${mostRows}`, sheets: isShown };

export const readXlsxBook: Reader = (file, context) => readZipped(file, context, readXlsx);
export const readOdsBook: Reader = (file, context) => readZipped(file, context, readOds);
export const readXlsBook: Reader = async (file, context) => openBook(await parse(file.bytes, readXls), context);

type BookParser = (bytes: Uint8Array, settings: typeof options) => Promise<Workbook>;

async function readZipped(file: InputFile, context: ReaderContext, parser: BookParser): Promise<ReaderOutput> {
  const entries = checkZip(file.bytes, context.limits);
  testZip(file.bytes, entries, context);
  const book = openBook(await parse(file.bytes, parser), context);
  return { ...book, embedded: embeddedPictures(file.bytes, entries, book.pages, context) };
}

async function parse(bytes: Uint8Array, parser: BookParser): Promise<Workbook> {
  try {
    return await parser(new Uint8Array(bytes), options);
  } catch (cause) {
    if (cause instanceof Error && /encrypt|password|decrypt/i.test(`${cause.name} ${cause.message}`)) {
      throw new ReadingProblem("file_encrypted", "The workbook is protected by a password.");
    }
    throw new ReadingProblem("file_corrupted", "The workbook is damaged and cannot be read.");
  }
}

/** Every sheet a user sees is a page. */
function openBook(book: Workbook, context: ReaderContext): ReaderOutput {
  const sheets = book.sheets.filter(isShown);
  const pages = sheets.flatMap((sheet) => layOutBlocks(sheetBlocks(sheet, context), context, "Cell"));
  const filled = pages.filter((page) => page.tokens.length > 0);
  const cut = sheets.filter((sheet) => sheet.rows.length >= mostRows);
  return {
    pages: filled.length > 0 ? filled : pages.slice(0, 1),
    warnings: cut.map((sheet) => `Sheet ${sheet.name} was read up to row ${mostRows}.`),
  };
}
