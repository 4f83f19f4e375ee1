import type { Head } from "../../fields/sections/sections.ts";

/** The boxes of a CMR note by their international names. Many notes also have a box for plates. */
export type Box =
  | "Sender"
  | "Consignee"
  | "Delivery"
  | "TakingOver"
  | "Documents"
  | "Goods"
  | "Instructions"
  | "Payment"
  | "CashOnDelivery"
  | "Carrier"
  | "SuccessiveCarriers"
  | "Reservations"
  | "Agreements"
  | "ToBePaid"
  | "Established"
  | "SenderSignature"
  | "CarrierSignature"
  | "Received"
  | "Number"
  | "Plates";

export const boxNumbers: Partial<Record<Box, readonly number[]>> = {
  Sender: [1],
  Consignee: [2],
  Delivery: [3],
  TakingOver: [4],
  Documents: [5],
  Goods: [6, 7, 8, 9, 10, 11, 12],
  Instructions: [13],
  Payment: [14],
  CashOnDelivery: [15],
  Carrier: [16],
  SuccessiveCarriers: [17],
  Reservations: [18],
  Agreements: [19],
  ToBePaid: [20],
  Established: [21],
  SenderSignature: [22],
  CarrierSignature: [23],
  Received: [24],
  Plates: [25, 26],
};

/**
 * The caption of a box. `agrees`: the number printed before it is that of its box. `differs`: the number is that of
 * another box. `plated`: the caption means licence plates.
 */
export type BoxHead = Head<Box> & { agrees: boolean; differs?: boolean; plated?: boolean };
