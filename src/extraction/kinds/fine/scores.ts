/**
 * Scores of the fields of a fine, 0..1, set by hand. `min…` is the score from which on a candidate is accepted; a candidate
 * behind a label keeps the score of the label as its confidence unless a value is named here.
 */
export const scores = {
  recognition: {
    /** Weight of a title that counts even where it occurs in a sentence. */
    minTitleInSentence: 0.9,
    minPlate: 0.3,
  },

  authority: {
    minLabelled: 0.45,
    /** Share of the first page's height that may hold the letterhead. */
    letterheadHeight: 0.4,
    /** A line of the letterhead: base, and increment for each word that names an authority. */
    letterhead: { base: 0.5, perWord: 0.1 },
    /** Ranks lines with as many such words: the first rows, then by row. */
    rank: { firstRows: 0.5, perRow: 0.05 },
    /** A company in the letterhead that collects for an authority. */
    collector: 0.45,
  },

  reference: {
    minLabelled: 0.3,
    /** Behind a label for references in general. */
    minGeneral: 0.4,
    behindTitle: 0.8,
    behindNumberWord: 0.7,
    /** Share of the first page's height in which a number without a label of its own counts. */
    headHeight: 0.5,
  },
  paymentReference: {
    minLabelled: 0.3,
    /** Factor for a number in a sentence. */
    inSentence: 0.9,
    /** Structured communication or creditor reference. */
    structured: 0.9,
  },
  iban: 0.95,

  plate: {
    minLabelled: 0.2,
    /** Right behind a label, in the shape of a country or in any other. */
    shaped: 0.8,
    shapeless: 0.6,
    /** Factor for trailers: the driver of the truck commits the offence. */
    trailer: 0.5,
    /** The likeliest shape on the page. */
    minUnlabelled: 0.3,
    unlabelled: 0.4,
    behindVehicleWord: 0.5,
    /** Score from which on an entity of another type on the same characters excludes a plate. */
    minOtherEntity: 0.35,
  },
  plateCountry: {
    minLabelled: 0.25,
    codeBehindPlate: 0.85,
    nameBehindPlate: 0.8,
    codeBeforePlate: 0.75,
    /** In the next cell of the row, or behind a label on this line or the one below. */
    beside: 0.75,
  },

  /** Dates of the offence are ranked by points. */
  offenceDate: {
    min: 0.3,
    /** Increment for a time beside the date. */
    timeBeside: 0.45,
    /** Factor for labels of dates in general. */
    generalLabel: 0.3,
    /** Factor for labels of other dates, which count against a date whose own label scores no more than `clearLabel`. */
    otherLabel: 0.7,
    clearLabel: 0.3,
    confidence: { base: 0.45, perPoint: 0.45, max: 0.97 },
  },
  offencePlace: { minLabelled: 0.25, inSentence: 0.6 },
  offenceType: { minLabelled: 0.2, bySpeed: 0.9, labelled: 0.75, unlabelled: 0.5 },

  speed: {
    minLabelled: 0.12,
    /** Scores of the number itself, with or without its unit. */
    withUnit: 0.9,
    withoutUnit: 0.5,
    /** Known by the words beside it. */
    byWords: 0.45,
    /** Score from which on a speed limit may exceed the measured speed. */
    minSureLimit: 0.6,
    /** Two speeds without a known word. */
    unlabelled: 0.45,
  },

  /** Amounts are ranked by points. */
  amount: {
    minLabelled: 0.1,
    /** Score from which on a label outweighs the words of the sentence. */
    minSureLabel: 0.5,
    /** Without a currency: the score that amounts with cents reach. */
    minWithoutCurrency: 0.4,
    /** Base points with or without a meaning, and increment for a currency. */
    withMeaning: 0.4,
    withoutMeaning: 0.3,
    currency: 0.1,
    /** Confidence of a currency that is printed at another amount. */
    otherCurrency: 0.6,
  },
  /** Deadlines are ranked by points. */
  deadline: {
    min: 0.2,
    besideDiscount: 0.6,
    dueWords: 0.5,
    driverWords: 0.7,
    /** Deduction for a label of another date, and the score of this label that it requires. */
    otherLabel: 0.4,
    minOtherLabel: 0.4,
  },
  /** Confidence of amounts and deadlines by their points. */
  byPoints: { base: 0.4, perPoint: 0.55 },
} as const;
