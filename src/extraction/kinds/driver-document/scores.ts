/**
 * Confidences, thresholds and weights of the driver document extractor, 0..1, set by hand. `min` is the score that a
 * candidate needs.
 */
export const scores = {
  /**
   * Values in a machine-readable zone. `checked`: confirmed by a check digit. A long `name` is shortened in the zone.
   */
  zone: { checked: 0.97, country: 0.95, name: 0.8 },
  /**
   * Confidence of the document type that the machine-readable zone shows: of a passport, or of an identity card or
   * residence permit, with or without a title in the text. `unknown`: nothing shows the type.
   */
  type: { passportZone: 0.97, zoneAndTitle: 0.95, zone: 0.85, unknown: 0.4 },

  /**
   * How likely a label such as "Driving licence" is the title of the document: by its position on the line, its share
   * of the line, its font size and its position on the page.
   */
  title: {
    standing: { Head: 1, Lead: 0.7, Inline: 0.6, Tail: 0.6, Loose: 0.25 },
    shareOfLine: 0.4,
    /** Font size in points that adds 1 to the score. */
    unitFontSize: 60,
    distanceFromTop: -0.5,
    perPage: -0.3,
    /**
     * Added if a word for "number" follows the label ("Driving licence No."), because it is then the label of a field.
     */
    beforeNumber: -0.3,
  },
  /** Confidence of the type: `base` plus `factor` times the score of its title. */
  titleConfidence: { base: 0.5, factor: 0.4, max: 0.95 },

  country: { fullStateName: 0.92, lineAtTop: 0.75, wordAtTop: 0.6 },
  /** `behindWords`: after words such as "born on", `behindPlace`: "Lisboa, 22.09.2025". */
  date: { numberedField: 0.93, labelled: { min: 0.25 }, behindWords: 0.75, behindPlace: 0.7 },
  /**
   * Document number, by the place where it is printed. The factor lowers the score of a label that may belong to
   * another number.
   */
  number: {
    numberedField: 0.93,
    labelled: { min: 0.3 },
    unlabelled: 0.6,
    otherLabel: { min: 0.4, factor: 0.8 },
  },
  nameInNumberedFields: 0.9,
  nameBeforeBirth: 0.7,
  categories: 0.85,
} as const;
