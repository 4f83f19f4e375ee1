/**
 * Scores of the fields of an order, 0..1, set by hand. `min…` is the lowest score with which a candidate is accepted.
 * The confidence of a labelled candidate is the score of its label, unless a value is given here.
 */
export const scores = {
  /** Minimum probability that a document is an order or a request for a quote, by the number of stops with an address. */
  minLikelihood: { oneStop: 0.67, severalStops: 0.3 },
  number: {
    /** Minimum probabilities of the likeliest number: at all, and to prefer it to the subject of the mail. */
    min: 0.1,
    minOwn: 0.5,
    minInSentence: 0.5,
    /**
     * Scores fall with the distance from the top of the document: by the number of rows above divided by `rows`, but at
     * most by `max`.
     */
    reduction: { rows: 200, max: 0.3 },
    /** A number in the subject of a mail: after a word for an order, or repeated in the text of the mail. */
    inSubject: 0.7,
    inSubjectAndMail: 0.6,
    /** Minimum score of a title with a number, at which another order may start. */
    minStart: 0.45,
  },
  reference: { minLabelled: 0.5 },

  date: {
    minLabelled: 0.4,
    /** Minimum weight of a label that means the date of the order ("Order date"), not that of the printout ("Date"). */
    minSureWord: 0.6,
    /** Minimum score after a general label such as "Date". */
    minGeneral: 0.5,
    /** Dates without a label: above the stops, and beside the signature. */
    minUnlabelled: 0.4,
    aboveStops: 0.6,
    atSignature: 0.5,
    ofMail: 0.6,
  },

  /** Minimum weight of a word such as "booked" or "sharp". Beside two hours, only "fixed" itself makes the window fixed. */
  fixedTime: { single: 0.5, window: 0.7 },

  minSingle: { distance: 0.4, invoiceEmail: 0.4, incoterms: 0.3, cargoValue: 0.5 },
  invoiceEmailInSentence: 0.6,

  container: { number: 0.7, type: 0.6, minSlot: 0.3 },

  submission: { labelled: 0.75, byAddress: 0.6, minAddress: 0.5 },
  secureParking: 0.7,
  link: 0.8,
  /** Remarks and instructions. */
  text: 0.6,

  /** Values of EDI messages and Open Trip Model. */
  structured: 0.99,
} as const;
