import { docx } from "./docx.ts";
import { page } from "./html.ts";
import type { Layout } from "./layout.ts";
import { mailProse, mailTable, mailText, mailWithPdf } from "./mails.ts";
import { bundle, columns, grid, list, numbered, sidebar, termsPage } from "./pdf-forms.ts";
import { letter } from "./pdf-letter.ts";
import { stopColumns, stopRows } from "./pdf-tables.ts";
import { printOut, printOutOfSeveral } from "./text.ts";
import { csv, form, rows } from "./workbooks.ts";

/** Layouts by name. */
export const layouts: Record<string, Layout> = {
  list,
  "terms-page": termsPage,
  grid,
  columns,
  numbered,
  sidebar,
  "stop-rows": stopRows,
  "stop-columns": stopColumns,
  letter,
  bundle,
  "print-out": printOut,
  "print-outs": printOutOfSeveral,
  "mail-text": mailText,
  "mail-prose": mailProse,
  "mail-table": mailTable,
  "mail-pdf": mailWithPdf,
  html: page,
  docx,
  form,
  rows,
  csv,
};
