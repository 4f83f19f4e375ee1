import type { MailHead, Page, StructuredPart } from "../document.ts";
import type { Budget } from "../problem.ts";
import type { OpenLimits } from "./limits.ts";

/** A file as it came: uploaded, attached to a mail or embedded in another file. */
export interface Incoming {
  bytes: Uint8Array;
  name: string;
  mediaType?: string;
}

/** What every reader works under. */
export interface Desk {
  limits: OpenLimits;
  budget: Budget;
}

/** What one reader makes of one file. Files found inside are handed back, not opened: `open` decides how deep to go. */
export interface Opened {
  pages: Page[];
  /** Pages that only quote older mails. */
  quoted?: Page[];
  structured?: StructuredPart[];
  mail?: MailHead;
  enclosed?: Incoming[];
  warnings?: string[];
}

export type Reader = (file: Incoming, desk: Desk) => Opened | Promise<Opened>;
