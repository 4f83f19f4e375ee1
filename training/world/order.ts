import type { Firm, Person } from "./firms.ts";
import type { Place } from "./places.ts";

/** The time or time window of a stop, as printed. Days are ISO dates; times are minutes after midnight. */
export interface Window {
  day: string;
  kind: "Range" | "Single" | "Fixed" | "Until" | "Day" | "Days";
  from?: number;
  to?: number;
  /** The day on which the window ends, if that is a later day. */
  lastDay?: string;
}

export type GoodsKind = "dry" | "cool" | "frozen" | "dangerous";

export interface Load {
  goods?: string;
  /** Kilograms. */
  weight: number;
  pallets?: number;
  packages?: number;
  ldm?: number;
  /** Cubic metres. */
  volume?: number;
  /** Centimetres. */
  dimensions?: { length: number; width: number; height: number };
}

export interface Stop {
  type: "Loading" | "Unloading" | "Customs" | "EmptyReturn";
  /** Name and street are empty if the document does not print them. */
  name: string;
  street: string;
  place: Place;
  window: Window;
  references: string[];
  load?: Load;
}

/** Requirements for all goods of an order; undefined ones are not printed. */
export interface Handling {
  temperature?: { from: number; to?: number };
  continuous?: boolean;
  adr?: { tells: boolean; code?: string };
  exchange?: boolean;
  stackable?: boolean;
}

export interface Price {
  base: number;
  charges: { type: "FuelSurcharge" | "Toll"; amount: number }[];
  currency: string;
  days?: number;
  method?: "BankTransfer" | "Cash";
}

/** A synthetic transport order. A document of the order prints all its values, unless the layout omits some. */
export interface Order {
  language: string;
  number: string;
  date: string;
  reference?: string;
  customer: Firm;
  carrier?: Firm;
  payer?: Firm;
  stops: Stop[];
  handling: Handling;
  price: Price;
  trailerType?: string;
  tractorPlate?: string;
  trailerPlate?: string;
  driver?: Person;
  documents: ("Email" | "OriginalByPost" | "PortalUpload")[];
  link?: string;
  invoiceEmail?: string;
  cargoValue?: number;
  incoterms?: string;
  /** Kilometres. */
  distance?: number;
  container?: { number: string; type: string };
}
