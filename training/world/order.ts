import type { Firm, Person } from "./firms.ts";
import type { Place } from "./places.ts";

/** A moment or a stretch of time at a stop, as the paper gives it. Days are ISO dates, hours minutes after midnight. */
export interface Window {
  day: string;
  kind: "Range" | "Single" | "Fixed" | "Until" | "Day" | "Days";
  from?: number;
  to?: number;
  /** Where the stretch ends on a later day. */
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
  name: string;
  street: string;
  place: Place;
  window: Window;
  references: string[];
  load?: Load;
}

/** What holds for all the goods of an order. Absent: the paper does not say. */
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

/** A transport order as the world knows it: all of it is printed, and nothing that is not here. */
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
