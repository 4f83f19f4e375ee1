/**
 * Scores of the fields of a request for a quote, 0..1, set by hand. `min…` is the score from which on a candidate is accepted;
 * a candidate behind a label keeps the score of the label as its confidence unless a value is named here.
 */
export const scores = {
  number: { minLabelled: 0.35 },
  distance: { minLabelled: 0.3, unlabelled: 0.5 },
  comments: 0.6,
  /** The sender of the mail as the requesting party. */
  sender: { name: 0.7, email: 0.75 },

  stop: {
    /** Weight from which on a word means loading or unloading. */
    minMeaning: 0.4,
    /** Stops along a lane and behind words: maximum, and the shares of it that do and do not depend on the place's score. */
    inLane: { max: 0.75, base: 0.6, perScore: 0.4 },
    behindWord: { max: 0.65, base: 0.5, perScore: 0.5 },
  },
  date: { min: 0.35, base: 0.4, perScore: 0.4 },

  requirement: 0.75,
  loadingSide: 0.7,
  fullLoad: 0.75,
  goods: {
    /** From here on a label counts: some words for goods mean something else in another language, such as "merci". */
    minLabelled: 0.65,
    behindQuantity: 0.5,
  },

  /** The only sum of money. */
  price: { min: 0.6, base: 0.3, perScore: 0.4 },
  /** The only number of days. */
  paymentTerm: 0.4,
} as const;
