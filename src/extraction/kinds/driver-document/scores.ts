/**
 * Confidences, thresholds and weights of the driver document extractor, set by hand: 0..1, higher is more reliable. `min` is
 * the score that a candidate needs.
 */
export const scores = {
  /** Values of a machine-readable zone. Check digits prove number and dates; the zone shortens long names. */
  zone: { checked: 0.97, country: 0.95, name: 0.8 },
  /** The type by the zone's document code, alone or confirmed by a title, and where nothing tells it. */
  type: { passportZone: 0.97, zoneAndTitle: 0.95, zone: 0.85, unknown: 0.4 },

  /** How much a label resembles the title of the document: it opens its line, fills it, is set large and high on the first page. */
  title: {
    standing: { Head: 1, Lead: 0.7, Inline: 0.6, Tail: 0.6, Loose: 0.25 },
    shareOfLine: 0.4,
    /** Font size in points that adds 1. */
    unitFontSize: 60,
    /** By the distance from the top, as a share of the page. */
    distanceFromTop: -0.5,
    perPage: -0.3,
    /** Before a number: the label of a field. */
    beforeNumber: -0.3,
  },
  /** Confidence of the type from the score of its title. */
  titleConfidence: { base: 0.5, factor: 0.4, max: 0.95 },

  /** By where the issuing country is printed. */
  country: { fullStateName: 0.92, lineAtTop: 0.75, wordAtTop: 0.6 },
  /** In the numbered field of a licence or card; figures alone are no recognised date. */
  date: { numberedField: 0.93, figuresInField: 0.85, labelled: { min: 0.25 } },
  /** By where the number is printed. A factor lowers the score of a label that may belong to another number. */
  number: {
    numberedField: 0.93,
    labelled: { min: 0.3 },
    unlabelled: 0.6,
    otherLabel: { min: 0.4, factor: 0.8 },
  },
  nameInNumberedFields: 0.9,
  categories: 0.85,
} as const;
