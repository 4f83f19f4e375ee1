import type { ConceptId } from "../concepts.ts";

/** One language's words. A phrase is a string (weight 1) or a pair of phrase and weight; "{no}" stands for any of `number`. */
export interface LabelFile {
  language: string;
  /** The language's words for "number" as they stand in labels: nr, no, n°. */
  number: string[];
  labels: Partial<Record<ConceptId, (string | [string, number])[]>>;
}
