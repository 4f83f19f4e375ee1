/**
 * Scores of the rules for fields, 0..1, set by hand: minimum scores of entities, minimum weights of labels, and
 * confidences of values before calibration. A confidence with `base` and `perScore` grows with the score of the entity.
 */
export const scores = {
  /** Minimum weight of a meaning of a label. */
  meaning: 0.5,

  /** Minimum scores of entities around an address. */
  address: {
    /** A place outside North America in a North American document, where "1440 Newtown" is the start of a street. */
    placeAbroad: 0.9,
    /** A postal code without a town and without a label: "60-001" alone. */
    codeAlone: 0.8,
    /** Minimum score of a place with a postal code: listed in the gazetteer, not listed, or printed after a street. */
    place: { known: 0.35, unknown: 0.5, behindStreet: 0.3 },
    town: 0.35,
    /** A place that is no address by itself, but may be a stop. */
    uncertain: 0.25,
    /** A place with postal code and town ("1010 Town"), whose line is therefore another address. */
    otherPlace: 0.55,
    /**
     * Minimum scores of a street: anywhere in a line, at the start or end of its line, and if its house number looks
     * like a postal code ("1440 Newtown Pike").
     */
    street: { anywhere: 0.6, wholeLine: 0.4, withNumber: 0.8 },
    company: 0.5,
    /**
     * Minimum scores of a company or street on a line above the place, and to the left of it ("Hill Ltd | 1010
     * Town").
     */
    name: { above: 0.3, beside: 0.4 },
    /** Minimum share of the text that a company or street covers. */
    covered: 0.5,
    /**
     * Minimum scores of other entities, such as dates. `before`: on the line of the place, the address begins after
     * such an entity ("26.11. Hill Ltd, 1010 Town"). `within`: text that contains one is not part of the address.
     */
    other: { before: 0.5, within: 0.35 },
    numberLabel: 0.6,
    /** Minimum horizontal overlap at which a place with a postal code rules out a town without one near it. */
    overlap: 0.2,
  },

  goods: {
    entity: 0.4,
    unNumber: 0.5,
    /** Minimum weight of a mark such as "full load" or "do not stack". */
    mark: 0.6,
    measure: 0.3,
    /** Factors for the score of a measure without a label ("24 t"): in a sentence, and elsewhere. */
    withoutLabel: { prose: 0.32, elsewhere: 0.6 },
    temperature: { base: 0.4, perScore: 0.5, bare: 0.7 },
    dimensions: { base: 0.3, perScore: 0.6 },
    coolingMode: 0.8,
    /** Figures of goods that are listed in words. */
    list: 0.7,
    /** Values in the columns of a table of goods. */
    table: { name: 0.75, figure: 0.8, minOther: 0.5 },
    /**
     * Confidences of a yes or no, depending on how it was found: next to the label, further away, next to the pallets,
     * or implied by a mark or UN number.
     */
    answer: { first: 0.85, further: 0.6, besidePallets: 0.7, implied: 0.8 },
    name: { base: 0.35, perWeight: 0.5, perArea: -0.08, besideFigures: 0.5 },
    /**
     * Minimum scores of entities whose text cannot be the name of goods: dates and times, and others such as phone
     * numbers.
     */
    noGoods: { date: 0.8, other: 0.6 },
  },

  grid: {
    /** Minimum weight of a label in the heading of a table. */
    heading: 0.3,
    /** A further meaning of a label counts from this share of its highest weight. */
    nearBest: 0.7,
  },

  price: {
    /** Minimum score of a charge. An amount without a currency has a lower score. */
    charge: 0.4,
    total: 0.35,
    /** Minimum score of an amount labelled as the total, as a share of the best score. */
    explicitTotal: 0.6,
    /** Minimum weight of a label for something other than the price. */
    otherMeaning: 0.4,
    /** Confidence of a price in a sentence, and of an amount that is the only one in the document. */
    spoken: 0.4,
    /**
     * Confidences of amounts without a label: a charge printed between base price and total, a charge in the column
     * above the total, and a base price that is the total less the charges.
     */
    between: 0.5,
    above: 0.6,
    rest: 0.7,
    /** Confidence of amounts that add up to a printed sum. */
    summed: 0.85,
    /** Confidence of a quantity and a unit price that multiply to a printed amount. */
    factor: 0.85,
    currency: { atPrice: 0.9, labelled: 0.8, elsewhere: 0.6 },
  },

  payment: {
    labelled: 0.2,
    vatInPln: 0.8,
    /**
     * Confidences of the payment days, depending on how they are stated: after "terms", after the price, counted from
     * the receipt of a document, and after "net".
     */
    days: { underTerms: 0.6, besidePrice: 0.5, fromDocument: 0.45, net: 0.8 },
    method: { nearTerm: 0.9, elsewhere: 0.6 },
  },

  vehicle: {
    plate: 0.3,
    /**
     * Scores of a text that does not look like a plate but follows a label for plates: of the entity, and of the value.
     */
    writtenPlate: { entity: 0.5, value: 0.6 },
    pair: 0.5,
    /** Minimum score of another entity on the same text, so that the text is not a plate. */
    other: 0.6,
    trailerType: { labelled: 0.85, elsewhere: 0.7 },
  },

  driver: {
    /** Minimum weight of a label after which a single name counts as the driver's. */
    sureLabel: 0.8,
    other: 0.5,
    labelled: 0.85,
    second: 0.75,
    behindPlates: 0.7,
    phone: 0.8,
    labelledPhone: 0.4,
  },

  /** Minimum scores of the document's own date: in a header line, at a label, and without a label. */
  ownDate: { header: 0.5, labelled: 0.4, free: 0.6 },
} as const;

/** Maximum distances on the page, in letter heights. */
export const distances = {
  /** A street to the left of its town: "Havnegade 12 | 7680 Thyborøn". */
  streetBeside: 3,
  /**
   * The line below a labelled value, indented to begin below the value (below "Alfa" of "Carrier: Alfa"): distance
   * between the two lines, their overlap, and shift between the left edges of value and line.
   */
  valueAbove: { up: 1.5, overlap: 0.4, shift: 1.5 },
  /** Shift of the left edges of labels in one column. */
  labelColumn: 3,
  /** Shift of the left edges of the fields of a form for one address. */
  fieldColumn: 1.5,
  /** Gap between rows of one table. */
  gridRow: 5.5,
  /**
   * Gap to a wrapped line: in the heading, within the table, and below its last row. The row above is preferred, unless
   * the row below is nearer by more than `preferAbove`. A row farther than `above` over a row with a description is a
   * heading.
   */
  wrapped: { heading: 0.9, row: 2.2, lastRow: 0.9, preferAbove: 0.2, above: 0.55 },
} as const;

/** Returns a confidence that grows with the score of an entity. */
export const confidenceFor = ({ base, perScore }: { base: number; perScore: number }, score: number): number =>
  base + perScore * score;
