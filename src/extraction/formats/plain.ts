import type { Page } from "../document/document.ts";
import type { Paragraph } from "./blocks.ts";
import { blocksOfLines, hasTable } from "./delimited-text.ts";
import { decode } from "./encoding.ts";
import type { ReaderContext, Reader } from "./reader.ts";
import { layOutBlocks } from "./table-layout.ts";
import { paragraphWidth, PageBuilder } from "./page-builder.ts";

export const readPlain: Reader = (file, context) => ({ pages: layOutPlainText(decode(file.bytes), context) });

/**
 * Lays out text whose white space matters. A form feed starts a new page. Lines of prose that are wider than the page
 * are wrapped.
 */
export function layOutPlainText(text: string, context: ReaderContext): Page[] {
  const sheets = text.split("\f").flatMap((page) => setPage(page, context));
  const printed = sheets.filter((page) => page.tokens.length > 0);
  return printed.length > 0 ? printed : sheets.slice(0, 1);
}

function setPage(text: string, context: ReaderContext): Page[] {
  const lines = text.split(/\r\n|\r|\n|\u2028|\u2029/).map((line) => line.trimEnd());
  const asParagraph = (line: string): Paragraph => ({
    kind: "Paragraph",
    runs: [{ text: line }],
    fixed: isFixed(line),
  });
  return hasTable(lines) ? layOutBlocks(blocksOfLines(lines, asParagraph), context) : [setLines(lines, context)];
}

const isFixed = (line: string): boolean => line.length <= paragraphWidth || isColumned(line);

function setLines(lines: readonly string[], context: ReaderContext): Page {
  const sheet = new PageBuilder(context, "Text");
  let line = 0;
  for (const printed of lines) {
    if (isFixed(printed)) {
      sheet.fixedLine(printed, line);
      line++;
    } else {
      line += sheet.paragraph([{ text: printed }], { line, column: 0, width: paragraphWidth });
    }
  }
  return sheet.page();
}

const maxPrintoutWidth = 400;

/** Printed tables separate columns by several spaces, tabs or vertical lines. */
function isColumned(line: string): boolean {
  return line.length <= maxPrintoutWidth && /\S(?: {2,}|\t)\S|[|┃│]/.test(line);
}
