import type { Chance } from "../chance.ts";
import type { Sheet, SheetWishes } from "../sheet/sheet.ts";

/** Renders one sheet, or several of one sender, as the bytes of a file. */
export interface Layout {
  extension: "pdf" | "docx" | "xlsx" | "eml" | "html" | "txt" | "csv";
  /** Relative frequency. */
  weight: number;
  wishes?: SheetWishes;
  /** Orders in one file; one by default. */
  orders?: (chance: Chance) => number;
  /** One loading and one unloading. */
  pair?: boolean;
  /** Omits the sender. */
  anonymous?: boolean;
  set(sheets: Sheet[], chance: Chance): Promise<Uint8Array> | Uint8Array;
}
