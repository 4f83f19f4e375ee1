/** Thresholds that the kinds share, 0..1, set by hand. `<kind>/scores.ts` holds those of one kind. */
export const thresholds = {
  /** Minimum score of an entity that counts as recognised. */
  entity: 0.5,
  /** The same where the context supports it, such as a town in the box for places. */
  entityInContext: 0.3,
  /** Minimum weight of a concept among the meanings of a label. */
  meaning: 0.5,
  /** The same for a concept whose words often mean something else. */
  ambiguousMeaning: 0.6,
  /** Minimum probability of the likeliest kind. */
  kind: 0.5,
} as const;

/** Features of the classifier. Its model is trained with these values; after changing one, train again. */
export const featureScores = {
  minMeaning: 0.5,
  minEntity: 0.5,
  /** Strength of a concept that occurs in sentences only; 1 for one that occurs as a label. */
  inSentence: 0.5,
  /** Share of the first page's height that counts as its top. */
  topOfPage: 0.35,
  /** Factor for the share of digits among all characters. */
  digits: 2.5,
} as const;
