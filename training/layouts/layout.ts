import type { Chance } from "../chance.ts";
import type { Sheet, SheetWishes } from "../sheet/sheet.ts";

/** Sets one sheet, or several of one sender, into the bytes of a file. */
export interface Layout {
  extension: "pdf" | "docx" | "xlsx" | "eml" | "html" | "txt" | "csv";
  /** How often, against the others. */
  weight: number;
  wishes?: SheetWishes;
  /** Orders in one file: one unless said. */
  orders?: (chance: Chance) => number;
  /** One loading and one unloading. */
  pair?: boolean;
  /** Says nothing of the sender. */
  anonymous?: boolean;
  set(sheets: Sheet[], chance: Chance): Promise<Uint8Array> | Uint8Array;
}
