/**
 * Scores of the boxes of a CMR note and of the values in them, 0..1, set by hand; distances in multiples of the font size.
 * `min…` is the score from which on a candidate is accepted.
 */
export const scores = {
  /** Captions of boxes: the weight of the concept, times a factor for the position of the words on their line. */
  caption: {
    min: 0.4,
    position: { Head: 1, Lead: 0.85, Inline: 0.6, Tail: 0.5, Loose: 0 },
    /** Lower bound of this factor for words behind the number of their box. */
    minNumbered: 0.7,
    /** Increment for the number of the box, and factor for that of another box. */
    ownNumber: 0.3,
    otherNumber: 0.4,
    /** Captions known by their number alone: of the goods' columns, and of other boxes. */
    goodsNumber: 0.9,
    numberOnly: 0.6,
    /** Largest font size in relation to the captions that are known by their words. */
    maxSize: 1.05,
  },
  /** The caption in another language below the first one. */
  repeatedCaption: { minGap: -0.5, maxGap: 0.8, maxIndent: 2.5, maxSize: 1.15 },
  /** The number of a box to the left of its caption. */
  boxNumber: { maxGap: 4, maxOffset: 1.5 },

  number: {
    minLabelled: 0.35,
    behindNumberWord: 0.7,
    /** Behind a label for other references, and the factor for its score. */
    minGeneral: 0.5,
    general: 0.8,
    /** Alone beside the title, which is this far above or below. */
    besideTitle: 0.5,
    titleDistance: { above: 0.5, below: 1.5 },
    /** Share of the first page's height that may hold the number. */
    headHeight: 0.35,
  },

  /** The town by the score of its entity; a town that is in no gazetteer. */
  town: { base: 0.5, perScore: 0.4, unknown: 0.5 },
  country: { printed: 0.88, ofTown: 0.8 },
  date: 0.9,
  text: { oneLine: 0.85, severalLines: 0.7 },
  attachedDocument: 0.75,
  signaturePresent: 0.5,

  goods: {
    minCaption: 0.4,
    minLabelled: 0.3,
    /** Share of the narrower caption's width from which on captions stand one below the other. */
    minStacked: 0.5,
    /** Values in columns. */
    number: 0.9,
    text: 0.85,
    volume: 0.85,
    packingBehindQuantity: 0.7,
    /** Factor for a description that continues on the next line. */
    continued: 0.9,
    /** Measures and words of goods that are described on one line. */
    measureInLine: 0.8,
    wordsInLine: 0.7,
  },

  plate: {
    /** Minimum scores of shapes in the box of the plates, and in the boxes of carriers. */
    minInOwnBox: 0.22,
    minInCarrierBox: 0.3,
    /** By the score of the shape; a plate of no known shape. */
    base: 0.4,
    perScore: 0.5,
    shapeless: 0.5,
  },
} as const;
