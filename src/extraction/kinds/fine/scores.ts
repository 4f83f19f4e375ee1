/**
 * Scores of the fields of a fine, 0..1, set by hand. `min…` is the lowest score with which a candidate is accepted. The
 * confidence of a labelled candidate is the score of its label, unless a value is given here.
 */
export const scores = {
  recognition: {
    /** Minimum weight of a title that counts even in a sentence. */
    minTitleInSentence: 0.9,
    minPlate: 0.3,
  },

  authority: {
    minLabelled: 0.45,
    /** Fraction of the height of the first page that may contain the letterhead. */
    letterheadHeight: 0.4,
    /** A line of the letterhead: base, and increment for each word that indicates an authority. */
    letterhead: { base: 0.5, perWord: 0.1 },
    /**
     * Lines of the letterhead are ranked by their number of such words, adjusted by their row: bonus for the first
     * rows, deduction for each row.
     */
    rank: { firstRows: 0.5, perRow: 0.05 },
    /** A company in the letterhead that collects for an authority. */
    collector: 0.45,
  },

  reference: {
    minLabelled: 0.3,
    /** Minimum score after a general label for references. */
    minGeneral: 0.4,
    behindTitle: 0.8,
    behindNumberWord: 0.7,
    /** Fraction of the height of the first page in which a number without its own label is accepted. */
    headHeight: 0.5,
  },
  paymentReference: {
    minLabelled: 0.3,
    /** Factor for a number in a sentence. */
    inSentence: 0.9,
    /** A structured communication or creditor reference. */
    structured: 0.9,
  },
  iban: 0.95,

  plate: {
    minLabelled: 0.2,
    /** A plate directly after a label: in the plate format of a country, or in another format. */
    shaped: 0.8,
    shapeless: 0.6,
    /** Factor for trailers, because the offence is committed with the truck. */
    trailer: 0.5,
    /** The text that is most likely a plate, if no plate has a label: minimum score of its format, and confidence. */
    minUnlabelled: 0.3,
    unlabelled: 0.4,
    behindVehicleWord: 0.5,
    /** An entity of another type on the same characters excludes a plate if it has at least this score. */
    minOtherEntity: 0.35,
  },
  plateCountry: {
    minLabelled: 0.25,
    codeBehindPlate: 0.85,
    nameBehindPlate: 0.8,
    codeBeforePlate: 0.75,
    /** A country in the next cell of the row, or after a label in this row or the next one. */
    beside: 0.75,
  },

  /** Points by which the date of the offence is chosen. */
  offenceDate: {
    min: 0.3,
    /** Increment for a time beside the date. */
    timeBeside: 0.45,
    /** Factor for general labels of dates. */
    generalLabel: 0.3,
    /**
     * Factor for labels of other dates. They lower the points of a date unless its own label scores more than
     * `clearLabel`.
     */
    otherLabel: 0.7,
    clearLabel: 0.3,
    confidence: { base: 0.45, perPoint: 0.45, max: 0.97 },
  },
  offencePlace: { minLabelled: 0.25, inSentence: 0.6 },
  offenceType: { minLabelled: 0.2, bySpeed: 0.9, labelled: 0.75, unlabelled: 0.5 },

  speed: {
    minLabelled: 0.12,
    /** Scores of the number itself, with and without a unit. */
    withUnit: 0.9,
    withoutUnit: 0.5,
    /** Speeds whose meaning is known from the words beside them. */
    byWords: 0.45,
    /**
     * A speed limit with at least this score is accepted even if it is not below the measured speed or not a multiple
     * of five.
     */
    minSureLimit: 0.6,
    /** Two speeds without known words beside them. */
    unlabelled: 0.45,
  },

  /** Amounts are ranked by points. */
  amount: {
    minLabelled: 0.1,
    /** A label with at least this score outweighs the words of the sentence. */
    minSureLabel: 0.5,
    /** Minimum score of an amount without currency. Amounts with cents reach it. */
    minWithoutCurrency: 0.4,
    /** Base points with and without a meaning, and increment for a currency. */
    withMeaning: 0.4,
    withoutMeaning: 0.3,
    currency: 0.1,
    /** Confidence of a currency that is printed with another amount. */
    otherCurrency: 0.6,
  },
  /** Deadlines are ranked by points. */
  deadline: {
    min: 0.2,
    besideDiscount: 0.6,
    dueWords: 0.5,
    driverWords: 0.7,
    /** Deduction for a label of another date, and the minimum score of that label. */
    otherLabel: 0.4,
    minOtherLabel: 0.4,
  },
  /** Confidence of amounts and deadlines from their points. */
  byPoints: { base: 0.4, perPoint: 0.55 },
} as const;
