import type { Label } from "../words/words.ts";
import type { Stop } from "../world/order.ts";

/** A label and its value, which may have several lines. */
export interface Item {
  about: Label;
  label: string;
  value: string;
  /** Whether only the value is printed, as for a name or an address. Tables still use the label as a heading. */
  bare?: boolean;
}

export type PartyStyle = "Lines" | "Labelled" | "OneLine";

export interface Block {
  role: "customer" | "carrier" | "payer" | "stop" | "cargo" | "vehicle" | "payment" | "remarks";
  title: string;
  items: Item[];
  stop?: Stop["type"];
}

/** The texts of an order, from which each layout makes a file. */
export interface Sheet {
  title: string;
  /** Lines about the sender; empty if the form has none. */
  letterhead: string[];
  head: Item[];
  blocks: Block[];
  /** The order as running text, for letters and mails. */
  letter: string[];
  terms: { title: string; sentences: string[] };
  foot: string[];
  /** Text around the order in a mail. */
  mail: MailWords;
  /** The word before the page number. */
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
  /** A quoted reply with a price that was not agreed. */
  older: string[];
}

/** What a layout requires of its sheets. */
export interface SheetWishes {
  /** Whether the sender is printed in the letterhead, in a block, or both. */
  customer?: "Letterhead" | "Block" | "Both";
  party?: PartyStyle;
  /** Whether the goods are always printed with the loading, as in a table of stops. */
  withLoad?: boolean;
  splitTime?: boolean;
  /** Whether a single loading is called "Loading 1". */
  numbered?: boolean;
}
