/**
 * Scores of the rules for fields, 0..1, set by hand: thresholds for entities and labels, and confidences of the values before
 * they are calibrated. A confidence with `base` and `perScore` grows with the score of the entity.
 */
export const scores = {
  /** Weight from which a phrase of a label has a meaning. */
  meaning: 0.5,

  /** Thresholds of entities around an address. */
  address: {
    /** A place outside of North America in a document from there. */
    placeAbroad: 0.9,
    /** A postal code without town and label. */
    codeAlone: 0.8,
    /** A place with a code: in the gazetteer, not in it, and behind a street. */
    place: { known: 0.35, unknown: 0.5, behindStreet: 0.3 },
    town: 0.35,
    /** A place that begins the next address. */
    otherPlace: 0.55,
    /** A street anywhere, one that fills its line, and one whose house number was taken for a postal code. */
    street: { anywhere: 0.6, wholeLine: 0.4, withNumber: 0.8 },
    company: 0.5,
    /** A company or street: as part of an address, and to the left of the place. */
    name: { above: 0.3, beside: 0.4 },
    /** Share of the text that such an entity covers. */
    covered: 0.5,
    /** Other entities, which end the address if they stand before it, and exclude the text that contains them. */
    other: { before: 0.5, within: 0.35 },
    numberLabel: 0.6,
    /** Horizontal overlap with a place that has a postal code. */
    overlap: 0.2,
  },

  goods: {
    entity: 0.4,
    unNumber: 0.5,
    /** "Full load" and "do not stack". */
    mark: 0.6,
    measure: 0.3,
    /** Factors for a measure without a label. */
    withoutLabel: { prose: 0.32, elsewhere: 0.6 },
    temperature: { base: 0.4, perScore: 0.5, bare: 0.7 },
    dimensions: { base: 0.3, perScore: 0.6 },
    coolingMode: 0.8,
    /** Yes and no: next to the label or farther away, next to the pallets, and by a mark or UN number. */
    answer: { first: 0.85, further: 0.6, besidePallets: 0.7, implied: 0.8 },
    name: { base: 0.35, perWeight: 0.5, perArea: -0.08, besideFigures: 0.5 },
    /** A text with these entities names no goods. */
    noGoods: { date: 0.8, other: 0.6 },
  },

  grid: {
    /** Weight of a phrase in a heading. */
    heading: 0.3,
    /** Share of the best weight that a second meaning needs. */
    nearBest: 0.7,
  },

  price: {
    /** An amount that counts as a charge; it scores lower without a currency. */
    charge: 0.4,
    total: 0.35,
    /** Share of the best score that an amount labelled as the total needs. */
    explicitTotal: 0.6,
    /** Weight of a label for something other than the price. */
    otherMeaning: 0.4,
    /** In a sentence, or the only amount of the document. */
    spoken: 0.4,
    /** Without a label: between base price and total, above the total, and the rest of a sum. */
    between: 0.5,
    above: 0.6,
    rest: 0.7,
    currency: { atPrice: 0.9, labelled: 0.8, elsewhere: 0.6 },
  },

  payment: {
    labelled: 0.2,
    vatInPln: 0.8,
    /** Days: under "terms", behind the price, from the receipt of a document, and behind "net". */
    days: { underTerms: 0.6, besidePrice: 0.5, fromDocument: 0.45, net: 0.8 },
    method: { nearTerm: 0.9, elsewhere: 0.6 },
  },

  vehicle: {
    plate: 0.3,
    /** A code of unknown shape under a label for plates, and two plates without a label. */
    writtenPlate: { entity: 0.5, value: 0.6 },
    pair: 0.5,
    /** An entity that contains what looks like a plate. */
    other: 0.6,
    trailerType: { labelled: 0.85, elsewhere: 0.7 },
  },

  driver: {
    /** Weight of a label behind which a single name is enough. */
    sureLabel: 0.8,
    other: 0.5,
    labelled: 0.85,
    second: 0.75,
    behindPlates: 0.7,
    phone: 0.8,
    labelledPhone: 0.4,
  },

  /** Dates of a document: in a header line, at a label, and without one. */
  ownDate: { header: 0.5, labelled: 0.4, free: 0.6 },
} as const;

/** Distances on the page, in heights of a line of text. */
export const distances = {
  /** A street to the left of its town. */
  streetBeside: 3,
  /** A value above an indented line: how far up, the overlap of both lines, and the shift of its left edge. */
  valueAbove: { up: 1.5, overlap: 0.4, shift: 1.5 },
  /** Shift of the left edges of labels in one column. */
  labelColumn: 3,
  /** Shift of the left edges of the fields of a form for one address. */
  fieldColumn: 1.5,
  /** Gap after which a row no longer belongs to the table. */
  gridRow: 5.5,
  /** Gap to a wrapped line: in the heading, within the table, and below its last row; preference for the row above. */
  wrapped: { heading: 0.9, row: 2.2, lastRow: 0.9, preferAbove: 0.2 },
} as const;

/** Confidence that grows with the score of an entity. */
export const confidenceFor = ({ base, perScore }: { base: number; perScore: number }, score: number): number =>
  base + perScore * score;
