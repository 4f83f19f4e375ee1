import { cent } from "../checks.ts";

/**
 * Confidences and thresholds of the receipt extractor, 0..1, set by hand. `min` is the score that a candidate needs.
 */
export const scores = {
  /**
   * If the classifier finds another kind with at least this confidence, the document is not a receipt. `titled`: a
   * title names a receipt.
   */
  otherKind: { titled: 0.9, untitled: 0.75 },
  /** Minimum weight of the meaning of a label that starts a field or sum. */
  label: 0.6,
  odometerLabel: 0.5,
  /** Minimum score of companies, dates and times without a label. */
  unlabelledEntity: 0.4,
  /** Minimum score of an entity, such as a date, with which its line is not an item. */
  otherEntity: 0.5,

  /** Reliability of labels such as "Price" and "Card" for the paid amount, on receipts with a single amount. */
  paidLabel: { price: 0.55, paymentMethod: 0.42 },
  /**
   * The only amount of the receipt, or the largest that is printed twice. `min` applies to amounts without currency.
   */
  unlabelledTotal: { min: 0.45, value: 0.5, currency: 0.7 },

  merchant: { address: 0.85, company: 0.7, streetAboveTown: 0.7, topLine: 0.5 },
  issuedAt: { withTime: 0.85, dateOnly: 0.7 },
  /** The last digits of the card: after masking characters, as in "**** 5518", and after a label. */
  card: { masked: 0.85, labelled: 0.75 },
  number: { labelled: { min: 0.25 }, besideTitle: 0.6, bare: 0.45 },
  plateInText: 0.7,
  category: { items: 0.9, wholeText: 0.7 },
  odometer: { labelled: 0.8, unlabelled: 0.6 },

  /** Confidence of a number that is printed in one segment, and of one that is printed across several. */
  figure: { oneSegment: 0.8, acrossSegments: 0.6 },
  description: { onLine: 0.8, fuelAbove: 0.6 },
} as const;

/** Rounding of the product of quantity and price: a cent, or a share of the product if that is more. */
export const productRounding = { amount: cent, share: 0.002 };
