import type { Chance } from "../chance.ts";
import type { Sheet, SheetWishes } from "../sheet/sheet.ts";

/** Renders one sheet, or several of one sender, as the bytes of a file. */
export interface Layout {
  extension: "pdf" | "docx" | "xlsx" | "eml" | "html" | "txt" | "csv";
  /** How often the layout is used, relative to the others. */
  weight: number;
  wishes?: SheetWishes;
  /** Number of orders in one file; one by default. */
  orders?: (chance: Chance) => number;
  /** Whether an order has exactly one loading and one unloading. */
  pair?: boolean;
  /** Whether the file does not name the sender. */
  anonymous?: boolean;
  set(sheets: Sheet[], chance: Chance): Promise<Uint8Array> | Uint8Array;
}
