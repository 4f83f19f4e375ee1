/**
 * Scores of the boxes of a CMR note and of their values, 0..1, set by hand. Distances are multiples of the font size. A
 * name with `min` is a lower bound.
 */
export const scores = {
  /**
   * Captions of boxes. Their score is the weight of the concept, multiplied by a factor for the position of the words
   * on their line.
   */
  caption: {
    min: 0.4,
    position: { Head: 1, Lead: 0.85, Inline: 0.6, Tail: 0.5, Loose: 0 },
    /** Minimum of the position factor for words that follow the number of their box, as in "16 Carrier". */
    minNumbered: 0.7,
    /**
     * `ownNumber` is added if the number of the same box precedes the caption ("16 Carrier"). If it is the number of
     * another box ("17 Carrier"), the score is multiplied by `otherNumber`.
     */
    ownNumber: 0.3,
    otherNumber: 0.4,
    /** Score of a caption that has no known word, but a box number: of a column of goods, and of another box. */
    goodsNumber: 0.9,
    numberOnly: 0.6,
    /** Maximum font size of a caption without a known word, relative to the captions with known words. */
    maxSize: 1.05,
  },
  /** A caption that is repeated in another language on the line below, as in "Absender" and "Sender". */
  repeatedCaption: { minGap: -0.5, maxGap: 0.8, maxIndent: 2.5, maxSize: 1.15 },
  boxNumber: { maxGap: 4, maxOffset: 1.5 },

  number: {
    minLabelled: 0.35,
    behindNumberWord: 0.7,
    /**
     * A number after a label for other references, such as "Order": minimum score of the label, and factor for the
     * score.
     */
    minGeneral: 0.5,
    general: 0.8,
    /** A number without label beside the title, and its maximum distance above or below the title. */
    besideTitle: 0.5,
    titleDistance: { above: 0.5, below: 1.5 },
    /** Fraction of the height of the first page in which the number is searched for. */
    headHeight: 0.35,
  },

  /** Confidence of a town: `base` plus `perScore` times the score of its entity. `unknown`: not in the gazetteer. */
  town: { base: 0.5, perScore: 0.4, unknown: 0.5 },
  country: { printed: 0.88, ofTown: 0.8 },
  date: 0.9,
  text: { oneLine: 0.85, severalLines: 0.7 },
  attachedDocument: 0.75,
  signaturePresent: 0.5,

  goods: {
    minCaption: 0.4,
    minLabelled: 0.3,
    /** Two captions are one below the other if they overlap by more than this fraction of the narrower width. */
    minStacked: 0.5,
    number: 0.9,
    text: 0.85,
    volume: 0.85,
    packingBehindQuantity: 0.7,
    /** Factor for values that are assigned to their columns by their form and order. */
    byForm: 0.9,
    /** Factor for a description that continues on the next line. */
    continued: 0.9,
    /** Goods that are described on one line, as in "oranges, 26 pallets, 20.800 kg". */
    measureInLine: 0.8,
    wordsInLine: 0.7,
  },

  plate: {
    minInOwnBox: 0.22,
    minInCarrierBox: 0.3,
    /**
     * Confidence of a plate: `base` plus `perScore` times the score of its format. `shapeless`: not in a known format.
     */
    base: 0.4,
    perScore: 0.5,
    shapeless: 0.5,
  },
} as const;
