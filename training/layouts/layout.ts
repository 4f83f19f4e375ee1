import type { Chance } from "../chance.ts";
import type { Sheet, SheetWishes } from "../sheet/sheet.ts";

/** Renders one sheet, or several of one sender, as the bytes of a file. */
export interface Layout {
  extension: "pdf" | "docx" | "xlsx" | "eml" | "html" | "txt" | "csv";
  /** Relative frequency. */
  weight: number;
  wishes?: SheetWishes;
  /** Number of orders in one file; default one. */
  orders?: (chance: Chance) => number;
  /** Whether an order has exactly one loading and one unloading. */
  pair?: boolean;
  /** Whether the sender is omitted. */
  anonymous?: boolean;
  set(sheets: Sheet[], chance: Chance): Promise<Uint8Array> | Uint8Array;
}
