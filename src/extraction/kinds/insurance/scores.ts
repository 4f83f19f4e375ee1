/**
 * Confidences, thresholds and weights of the insurance extractor, 0..1, set by hand. Higher is more reliable. `min` is
 * the score that a candidate needs.
 */
export const scores = {
  /** Minimum confidence of the classifier with which its result counts for or against an insurance. */
  classified: 0.5,
  /** Minimum weight of a label's meaning that indicates a policy. */
  policyLabel: 0.6,
  /** Minimum score of a company or date without a label. */
  unlabelledEntity: 0.5,

  /**
   * Scores by the place where the number is printed. The factor lowers the score of a label that may belong to another
   * number.
   */
  policyNumber: {
    ownLabel: { min: 0.3 },
    inTitle: 0.75,
    afterTitle: { min: 0.3, factor: 0.9 },
    topOfPage: 0.65,
    inSentence: 0.6,
    otherLabel: { min: 0.45, factor: 0.8 },
  },

  insurer: { namedAsInsurer: 0.75, firstCompany: 0.5 },
  /** Confidence by the text in which words for the kind are found. The texts are searched in this order. */
  insuranceKind: { label: 0.85, title: 0.8, firstPage: 0.6 },
  /**
   * When a policy holder is chosen, these are added to the confidence of its name: `properName` if the text looks like
   * a name, `perField` for each field found.
   */
  policyHolder: { properName: 0.3, perField: 0.1 },

  /** Confidence of the period if its dates have no label. */
  unlabelledPeriod: 0.6,
  period: {
    min: 0.2,
    /**
     * A date does not belong to the period if its score as another date, such as the date of issue, is higher than this
     * or than its score for the period.
     */
    otherDate: 0.5,
  },

  /**
   * `min`: minimum score of an amount. The others are added to this score when the amounts are ranked: if it has a
   * currency, for each page before it, and if its label is a word in a sentence.
   */
  sumInsured: { min: 0.15, currency: 0.2, perPage: -0.05, looseLabel: -0.3 },
  territory: { min: 0.25, factor: 0.9 },
  /**
   * `labelled`: plates after a label. `listed`: further plates in the segment or column of such a plate. `base` is
   * added to the score of the plate's format.
   */
  plate: { labelled: { min: 0.25 }, listed: { min: 0.28 }, base: 0.5 },
} as const;
