/**
 * Scores of the fields of a fine, 0..1, set by hand. `min…` is the lowest score with which a candidate is accepted. The
 * confidence of a labelled candidate is the score of its label, unless a value is given here.
 */
export const scores = {
  recognition: {
    /** Minimum probability with which the classifier accepts a document as a fine. */
    minLikelihood: 0.3,
    /** Minimum weight of a title that counts even in a sentence, as in "must pay an administrative fine". */
    minTitleInSentence: 0.9,
    minPlate: 0.3,
  },

  authority: {
    minLabelled: 0.45,
    /** Fraction of the height of the first page that may contain the letterhead. */
    letterheadHeight: 0.4,
    /**
     * Confidence of the authority in a line of the letterhead: `base`, plus `perWord` for each word such as "police".
     */
    letterhead: { base: 0.5, perWord: 0.1 },
    /**
     * Lines of the letterhead are ranked by their number of words such as "police". `firstRows` is added for lines in
     * the first rows; `perRow` is deducted for each row above the line, `higher` from a state or ministry.
     */
    rank: { firstRows: 0.5, perRow: 0.05, higher: 1 },
    /** A company in the letterhead that collects for an authority. */
    collector: 0.45,
    /** Other words in the first row of the letterhead. */
    firstLine: 0.4,
  },

  reference: {
    minLabelled: 0.3,
    /** Minimum score after a general label such as "Reference". */
    minGeneral: 0.4,
    behindTitle: 0.8,
    behindNumberWord: 0.7,
    /** Fraction of the height of the first page in which a number without its own label is accepted. */
    headHeight: 0.5,
  },
  /**
   * The score of a labelled number is the weight of its label, times `below` if it is below the label, times `loose` if
   * the label is a word in a sentence. `quoted`: after a word such as "quoting". `nearAccount` is added.
   */
  paymentReference: { structured: 0.9, min: 0.5, below: 0.8, loose: 0.7, quoted: 0.35, nearAccount: 0.2, max: 0.95 },
  iban: 0.95,

  plate: {
    minLabelled: 0.2,
    /** A plate directly after a label: in the plate format of a country, or in another format. */
    shaped: 0.8,
    shapeless: 0.6,
    /** Factor for the plate of a trailer, because the offence is committed with the truck. */
    trailer: 0.5,
    /** If no plate has a label: minimum score of the format of a plate, and its confidence. */
    minUnlabelled: 0.3,
    unlabelled: 0.4,
    behindVehicleWord: 0.5,
    /**
     * An entity of another type, such as a date, excludes a plate on the same characters if it has at least this score.
     */
    minOtherEntity: 0.35,
  },
  plateCountry: {
    minLabelled: 0.25,
    codeBehindPlate: 0.85,
    nameBehindPlate: 0.8,
    codeBeforePlate: 0.75,
    /** A country in the next cell of the row, or after a label in this row or the next row. */
    beside: 0.75,
  },

  /** Points by which the date of the offence is chosen. */
  offenceDate: {
    min: 0.3,
    timeBeside: 0.45,
    /** For a date in a clause with a road or plate, whose format has more than `minPlate`. */
    withWhere: 0.2,
    minPlate: 0.33,
    /** Dates of a list with nearly equal points are several offences. */
    tie: 0.05,
    /** Factor for general labels such as "Date". */
    generalLabel: 0.3,
    /**
     * Factor for labels of other dates, such as "Due date". They lower the points of a date unless its score as date of
     * the offence is higher than `clearLabel`.
     */
    otherLabel: 0.7,
    clearLabel: 0.3,
    /** Factor for the label of another date if a time is beside the date. */
    besideTime: 0.3,
    confidence: { base: 0.45, perPoint: 0.45, max: 0.97 },
  },
  /**
   * A place in a sentence gets points for its road, kilometre, town and so on, `further` for each further part, `preposition` if one is
   * ahead, and loses
   * `perLetter` for each character between it and the moment. `minEntity`: score of a town or street.
   */
  offencePlace: {
    minLabelled: 0.25,
    inSentence: 0.6,
    minPoints: 0.6,
    perLetter: 0.004,
    further: 0.1,
    preposition: 0.3,
    minEntity: 0.25,
  },
  /** `weights`: of words for a type, by the text in which they are, and of a measured speed. */
  offenceType: {
    minLabelled: 0.2,
    weights: { label: 3, moment: 1.5, page: 1, speed: 2 },
    labelled: 0.75,
    unlabelled: 0.5,
  },

  speed: {
    minLabelled: 0.12,
    /** Scores of the number itself, with and without a unit. */
    withUnit: 0.9,
    withoutUnit: 0.5,
    /** Speeds whose meaning is known from the words beside them, as in "80 km/h allowed". */
    byWords: 0.45,
    /**
     * A speed limit with at least this score is accepted even if it is not below the measured speed or not a multiple
     * of five.
     */
    minSureLimit: 0.6,
    /** Two speeds without known words beside them. */
    unlabelled: 0.45,
  },

  amount: {
    minLabelled: 0.1,
    /** A label with at least this score decides the meaning of the amount, whatever the words of the sentence say. */
    minSureLabel: 0.5,
    /** Minimum score of an amount without currency. Amounts with cents reach it. */
    minWithoutCurrency: 0.4,
    /**
     * Points of an amount with and without a known meaning, such as "discounted". `currency` is added if a currency is
     * printed.
     */
    /** Added for each further time that the same sum is printed. */
    again: 0.2,
    /** Least part of the fine that a lower total may be. */
    minRest: 0.8,
    /** Least and highest part of the amount that a sum with a deadline may be to count as discounted. */
    discountShare: [0.3, 0.9],
    withMeaning: 0.4,
    withoutMeaning: 0.3,
    currency: 0.1,
    /** Confidence of a currency that is printed with another amount. */
    otherCurrency: 0.6,
  },
  /** Points by which the deadlines are chosen. */
  deadline: {
    min: 0.2,
    besideDiscount: 0.6,
    besideAmount: 0.45,
    dueWords: 0.5,
    payingWords: 0.4,
    /** "After this date the fine increases": a deadline if no other is known. */
    increasedWords: 0.25,
    driverWords: 0.7,
    /** Deduction for a label of another date, such as "Date of issue", and the minimum score of that label. */
    otherLabel: 0.4,
    minOtherLabel: 0.4,
  },
  /** Confidence of amounts and deadlines: `base` plus `perPoint` times their points. */
  byPoints: { base: 0.4, perPoint: 0.55 },
} as const;
