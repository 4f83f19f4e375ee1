/**
 * Scores of the fields of an order, 0..1, set by hand. `min…` is the score from which on a candidate is accepted; a candidate
 * behind a label keeps the score of the label as its confidence unless a value is named here.
 */
export const scores = {
  number: {
    min: 0.35,
    /** In sentences. */
    minInSentence: 0.5,
    /** A label for the order's own number, which outweighs the subject of the mail. */
    minOwnLabel: 0.6,
    /** Share of the best score that a number outside the stops needs to replace one at a stop. */
    minShareOfBest: 0.6,
    /** Reduces scores further down the document: by row / `rows` of the score, at most by `max`. */
    reduction: { rows: 200, max: 0.3 },
    /** In the subject of a mail: behind a word for an order, or printed again in the mail. */
    inSubject: 0.7,
    inSubjectAndMail: 0.6,
    /** The only code in the first rows. */
    inFirstRows: 0.4,
    /** Title with a number, at which another order may begin. */
    minStart: 0.45,
  },
  reference: { minLabelled: 0.5 },

  date: {
    minLabelled: 0.4,
    /** Weight from which on a word means the date of the order, not that of the printout. */
    minSureWord: 0.6,
    /** Behind a word for dates in general. */
    minGeneral: 0.5,
    /** Dates without a label: above the stops, or beside the signature. */
    minUnlabelled: 0.4,
    aboveStops: 0.6,
    atSignature: 0.5,
    /** The day on which the mail was sent. */
    ofMail: 0.6,
  },

  /** Minimum scores of fields that label and entity type determine. */
  minSingle: { distance: 0.4, invoiceEmail: 0.4, incoterms: 0.3, cargoValue: 0.5 },
  invoiceEmailInSentence: 0.6,

  container: { number: 0.7, type: 0.6, minSlot: 0.3 },

  submission: { labelled: 0.75, byAddress: 0.6, minAddress: 0.5 },
  secureParking: 0.7,
  link: 0.8,
  /** Remarks and instructions. */
  text: 0.6,

  /** Values of EDI messages and Open Trip Model, which are mapped and not recognised. */
  structured: 0.99,
} as const;
