import { cent } from "../checks.ts";

/**
 * Confidences and thresholds of the receipt extractor, set by hand: 0..1, higher is more reliable. `min` is the score that a
 * candidate needs.
 */
export const scores = {
  /** Minimum confidence of the classifier that rules out a receipt: where the page has the title of one, and where it has none. */
  otherKind: { titled: 0.9, untitled: 0.75 },
  /** Minimum weight of a label's meaning that opens a field or a sum. */
  label: 0.6,
  odometerLabel: 0.5,
  /** Minimum score of companies, dates and times that no label supports. */
  unlabelledEntity: 0.4,
  /** Minimum score of an entity that rules out an item on its line. */
  otherEntity: 0.5,

  /** How reliable labels are that name the paid amount on slips with a single one. */
  paidLabel: { price: 0.55, paymentMethod: 0.42 },
  /** The only amount of the slip, or the largest that is printed twice. `min` holds for amounts without a currency. */
  unlabelledTotal: { min: 0.45, value: 0.5, currency: 0.7 },

  merchant: { address: 0.85, company: 0.7, streetAboveTown: 0.7, topLine: 0.5 },
  /** A date with the time beside it, and without one. */
  issuedAt: { withTime: 0.85, dateOnly: 0.7 },
  /** Behind the characters that mask a card number, and the last digits behind a label. */
  card: { masked: 0.85, labelled: 0.75 },
  number: { labelled: { min: 0.25 }, besideTitle: 0.6, bare: 0.45 },
  plateInText: 0.7,
  /** By the names of the items, and by the text of the whole receipt. */
  category: { items: 0.9, wholeText: 0.7 },
  odometer: { labelled: 0.8, unlabelled: 0.6 },

  /** A figure in one segment, or across several. */
  figure: { oneSegment: 0.8, acrossSegments: 0.6 },
  description: { onLine: 0.8, fuelAbove: 0.6 },
} as const;

/** Rounding of a product of quantity and price, as printed: a cent, or a share of the product where that is more. */
export const productRounding = { amount: cent, share: 0.002 };
