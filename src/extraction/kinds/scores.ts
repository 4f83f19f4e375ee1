/** Thresholds that are shared by the kinds, 0..1, set by hand. `<kind>/scores.ts` contains those of one kind. */
export const thresholds = {
  /** Minimum score with which an entity counts as recognised. */
  entity: 0.5,
  /** Minimum score of an entity that its context supports, such as a town in a box for places. */
  entityInContext: 0.3,
  /** Minimum weight of a concept among the meanings of a label. */
  meaning: 0.5,
  /** Minimum weight of a concept whose words often have another meaning. */
  ambiguousMeaning: 0.6,
  /** Minimum probability of the likeliest kind. Below it, the kind is unknown. */
  kind: 0.5,
} as const;

/** Features of the classifier. After changing a value, train its model again. */
export const featureScores = {
  minMeaning: 0.5,
  minEntity: 0.5,
  /** Strength of a concept that occurs only in sentences. A concept that occurs as a label has strength 1. */
  inSentence: 0.5,
  /** Fraction of the height of the first page. */
  topOfPage: 0.35,
  /** Factor for the share of digits among all characters. */
  digits: 2.5,
} as const;
