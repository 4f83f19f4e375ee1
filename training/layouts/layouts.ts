import type { Layout } from "./layout.ts";
import { letter } from "./pdf-letter.ts";
import { columns, grid, list, numbered, sidebar, termsPage } from "./pdf-forms.ts";
import { stopColumns, stopRows } from "./pdf-tables.ts";

/** Every family of documents, by the name a set is asked for with. */
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
};
