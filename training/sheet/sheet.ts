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

export type Role = "customer" | "carrier" | "payer" | "stop" | "cargo" | "vehicle" | "payment" | "remarks";

export interface Block {
  role: Role;
  title: string;
  items: Item[];
  /** The items in sentences; empty if a sentence cannot say them. */
  says: string;
  /** The type of a stop, its short name, and what is loaded or unloaded there. */
  stop?: { type: Stop["type"]; short: string; load: Item[]; loadSays: string };
}

/** The texts of an order, from which a layout makes a file. Each value stands in exactly one item. */
export interface Sheet {
  title: string;
  head: Item[];
  blocks: Block[];
  /** The goods of all loadings together. */
  totals: Item[];
  terms: { title: string; sentences: string[] };
  foot: string[];
  /** Text around the order in a letter or mail. */
  mail: MailWords;
  /** The document's word for something. */
  label: (of: Label) => string;
}

export interface MailWords {
  from: { name: string; address: string };
  to: { name: string; address: string };
  subject: string;
  /** ISO day. */
  day: string;
  opening: string[];
  closing: string;
  /** A quoted reply with a price that was not agreed. */
  older: string[];
}
