/**
 * Confidences, thresholds and weights of the driver document extractor, 0..1, set by hand. Higher is more reliable.
 * `min` is the score that a candidate needs.
 */
export const scores = {
  /** Values of a machine-readable zone. Check digits confirm number and dates. Long names are shortened in the zone. */
  zone: { checked: 0.97, country: 0.95, name: 0.8 },
  /**
   * Confidence of a type that the machine-readable zone shows; for an identity card or residence permit, with or
   * without a title in the document. `unknown`: nothing shows the type.
   */
  type: { passportZone: 0.97, zoneAndTitle: 0.95, zone: 0.85, unknown: 0.4 },

  /**
   * How much a label resembles the title of the document: its position on the line, its share of the line, its font
   * size and its position on the page.
   */
  title: {
    standing: { Head: 1, Lead: 0.7, Inline: 0.6, Tail: 0.6, Loose: 0.25 },
    shareOfLine: 0.4,
    /** Font size in points that adds 1 to the score. */
    unitFontSize: 60,
    /** Factor for the distance from the top of the page, as a fraction of its height. */
    distanceFromTop: -0.5,
    perPage: -0.3,
    /** Deduction if a word for "number" follows the label, because it is then the label of a field. */
    beforeNumber: -0.3,
  },
  /** Confidence of the type from the score of its title. */
  titleConfidence: { base: 0.5, factor: 0.4, max: 0.95 },

  /** Confidence by the place where the issuing country is printed. */
  country: { fullStateName: 0.92, lineAtTop: 0.75, wordAtTop: 0.6 },
  /**
   * Dates in a numbered field of a licence or card. `figuresInField`: digits that were not recognised as a date entity.
   */
  date: { numberedField: 0.93, figuresInField: 0.85, labelled: { min: 0.25 } },
  /**
   * Scores by the place where the number is printed. The factor lowers the score of a label that may belong to another
   * number.
   */
  number: {
    numberedField: 0.93,
    labelled: { min: 0.3 },
    unlabelled: 0.6,
    otherLabel: { min: 0.4, factor: 0.8 },
  },
  nameInNumberedFields: 0.9,
  categories: 0.85,
} as const;
