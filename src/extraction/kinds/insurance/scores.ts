/**
 * Confidences, thresholds and weights of the insurance extractor, 0..1, set by hand. `min` is the score that a
 * candidate needs.
 */
export const scores = {
  /** Minimum confidence of the classifier with which its result counts for or against an insurance. */
  classified: 0.5,
  /** Minimum weight of a label's meaning that indicates a policy. */
  policyLabel: 0.6,
  /** Minimum score of a company or date without a label. */
  unlabelledEntity: 0.5,

  /**
   * Policy number, by the place where it is printed. The factor lowers the score of a label that may belong to another
   * number.
   */
  policyNumber: {
    ownLabel: { min: 0.3, minWeight: 0.4, loose: 0.75, below: 0.15 },
    inTitle: 0.75,
    afterTitle: { min: 0.3, factor: 0.9 },
    topOfPage: 0.65,
    inSentence: 0.6,
    otherLabel: { min: 0.45, factor: 0.8 },
  },

  insurer: { namedAsInsurer: 0.75, topLine: 0.6, firstCompany: 0.5 },
  /**
   * Confidence of the kind of insurance, by the text in which words for it are found. The texts are searched in this
   * order.
   */
  insuranceKind: { label: 0.85, title: 0.8, firstPage: 0.6 },
  /**
   * Added to the confidence of a possible holder's name: `properName` if the text looks like a name, `perField` for
   * each field found, such as city or VAT number.
   */
  policyHolder: { properName: 0.3, perField: 0.1 },

  unlabelledPeriod: 0.6,
  /** Two dates that are a whole year apart. */
  wholeYear: 0.8,
  period: {
    min: 0.2,
    /**
     * A date does not belong to the period if its score as another date, such as the date of issue, is higher than this
     * or higher than its score for the period.
     */
    otherDate: 0.5,
  },

  /**
   * Amounts are ranked by their score, to which these are added: `currency` if a currency is printed, `perPage` for
   * each page before the amount, `looseLabel` if the label is a word in a sentence.
   */
  sumInsured: { min: 0.15, currency: 0.2, perPage: -0.05, looseLabel: -0.3 },
  /** Confidence of the territory with a label, which its weight lowers, and without one. */
  territory: { labelled: 0.85, unlabelled: 0.5 },
  /**
   * `labelled`: plates after a label. `listed`: further plates in the segment or column of such a plate. The confidence
   * is `base` plus the score of the plate's format.
   */
  plate: { labelled: { min: 0.25 }, listed: { min: 0.28 }, base: 0.5 },
} as const;
