/**
 * Confidences, thresholds and weights of the insurance extractor, set by hand: 0..1, higher is more reliable. `min` is the
 * score that a candidate needs.
 */
export const scores = {
  /** Minimum confidence of the document classifier, for an insurance or against one. */
  classified: 0.5,
  /** Minimum weight of a label's meaning that counts as a sign of a policy. */
  policyLabel: 0.6,
  /** Minimum score of a company or date that no label supports. */
  unlabelledEntity: 0.5,

  /** By where the number is printed. A factor lowers the score of a label that may belong to another number. */
  policyNumber: {
    ownLabel: { min: 0.3 },
    inTitle: 0.75,
    afterTitle: { min: 0.3, factor: 0.9 },
    topOfPage: 0.65,
    inSentence: 0.6,
    otherLabel: { min: 0.45, factor: 0.8 },
  },

  insurer: { namedAsInsurer: 0.75, firstCompany: 0.5 },
  /** By the text whose words tell the kind, in the order of search. */
  insuranceKind: { label: 0.85, title: 0.8, firstPage: 0.6 },
  /** Added to the name's confidence to choose among policy holders: if it is capitalised, and per field found. */
  policyHolder: { properName: 0.3, perField: 0.1 },

  /** Base confidence of a range of dates without a label. */
  unlabelledPeriod: 0.6,
  period: {
    min: 0.2,
    /** From here on the label of another date rules out a date of the period. */
    otherDate: 0.5,
  },

  /** Added to the score of an amount: the sum insured is printed with its currency, early and behind a label that opens a field. */
  sumInsured: { min: 0.15, currency: 0.2, perPage: -0.05, looseLabel: -0.3 },
  territory: { min: 0.25, factor: 0.9 },
  /** Plates after a label, and those in its row or column; `base` is added to the score of the plate's shape. */
  plate: { labelled: { min: 0.25 }, listed: { min: 0.28 }, base: 0.5 },
} as const;
