import type { Label } from "../words/words.ts";
import type { Stop } from "../world/order.ts";

/** One thing a form says: a label and its value, of several lines perhaps. */
export interface Item {
  about: Label;
  label: string;
  value: string;
  /** Printed without its label where the form has no columns for it: a name, an address. */
  bare?: boolean;
}

export type PartyStyle = "Lines" | "Labelled" | "OneLine";

export interface Block {
  role: "customer" | "carrier" | "payer" | "stop" | "cargo" | "vehicle" | "payment" | "remarks";
  title: string;
  items: Item[];
  stop?: Stop["type"];
}

/** An order in words, before anything is set: every layout prints all of it. */
export interface Sheet {
  title: string;
  /** The sender's own lines; empty where the form has none. */
  letterhead: string[];
  head: Item[];
  blocks: Block[];
  /** The same as running text, for letters and mails. */
  letter: string[];
  terms: { title: string; sentences: string[] };
  foot: string[];
  /** What stands around the order where it comes as a mail. */
  mail: MailWords;
  /** The word before the page's number. */
  page: string;
}

export interface MailWords {
  from: { name: string; address: string };
  to: { name: string; address: string };
  subject: string;
  /** ISO day. */
  day: string;
  opening: string[];
  signature: string[];
  /** An answer quoted below, with a price that was not agreed. */
  older: string[];
}

/** What a layout wants of its sheet. */
export interface SheetWishes {
  /** The sender stands on top of the page, in a block, or both. */
  customer?: "Letterhead" | "Block" | "Both";
  party?: PartyStyle;
  /** Goods with the loading (tables of stops) or in a block of their own. */
  withLoad?: boolean;
  splitTime?: boolean;
  /** A single loading is called "Loading 1". */
  numbered?: boolean;
}
