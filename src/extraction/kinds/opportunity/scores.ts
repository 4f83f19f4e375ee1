/**
 * Scores of the fields of a request for a quote, 0..1, set by hand. `min…` is the lowest score with which a candidate
 * is accepted. The confidence of a labelled candidate is the score of its label, unless a value is given here.
 */
export const scores = {
  number: { minLabelled: 0.35, alone: 0.45 },
  distance: { minLabelled: 0.3, unlabelled: 0.5 },
  comments: 0.6,
  /** The sender of the mail, or the company and phone number of the signature, as requester. */
  sender: { name: 0.7, email: 0.75, printed: 0.7, minFirm: 0.35, firm: 0.65, phone: 0.6 },

  stop: {
    /** Minimum weight of a word for loading or unloading. */
    minMeaning: 0.4,
    /**
     * Confidence of a stop along a lane ("Leipzig – Wrocław"), and of a stop after a word ("loading Leipzig"): `max`
     * times (`base` plus `perScore` times the score of the place).
     */
    inLane: { max: 0.75, base: 0.6, perScore: 0.4 },
    behindWord: { max: 0.65, base: 0.5, perScore: 0.5 },
  },
  date: { min: 0.35, base: 0.4, perScore: 0.4 },

  requirement: 0.75,
  loadingSide: 0.7,
  fullLoad: 0.75,
  goods: {
    /**
     * Minimum score of goods after a label. It is high because some labels for goods have another meaning in another
     * language, such as "merci".
     */
    minLabelled: 0.65,
    behindQuantity: 0.5,
  },

  /** The only sum of money in the request. Confidence: `base` plus `perScore` times the score of the sum. */
  price: { min: 0.6, base: 0.3, perScore: 0.4, currencyAlone: 0.5 },
  /** The only number of days in the request. */
  paymentTerm: 0.4,
} as const;
