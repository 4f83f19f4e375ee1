import type { Page } from "../document.ts";
import { decode } from "./encoding.ts";
import type { Desk, Reader } from "./reader.ts";
import { paragraphWidth, Sheet } from "./typeset.ts";

export const readPlain: Reader = (file, desk) => ({ pages: setPlain(decode(file.bytes), desk) });

/** Sets text whose blanks matter: a form feed starts a page, a prose line longer than a page is wide is broken. */
export function setPlain(text: string, desk: Desk): Page[] {
  const sheets = text.split("\f").map((page) => setSheet(page, desk));
  const printed = sheets.filter((page) => page.tokens.length > 0);
  return printed.length > 0 ? printed : sheets.slice(0, 1);
}

function setSheet(text: string, desk: Desk): Page {
  const sheet = new Sheet(desk, "Text");
  let line = 0;
  for (const source of text.split(/\r\n|\r|\n|\u2028|\u2029/)) {
    const printed = source.trimEnd();
    if (printed.length <= paragraphWidth || isColumned(printed)) {
      sheet.fixedLine(printed, line);
      line++;
    } else {
      line += sheet.paragraph([{ text: printed }], { line, column: 0, width: paragraphWidth });
    }
  }
  return sheet.page();
}

const widestPrintout = 400;

/** Wide print-outs of tables align their columns with runs of blanks or with rules. */
function isColumned(line: string): boolean {
  return line.length <= widestPrintout && /\S(?: {2,}|\t)\S|[|┃│]/.test(line);
}
