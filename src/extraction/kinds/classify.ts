import type { DocumentContext } from "../fields/labels/values.ts";
import { rankedClasses, type LinearModel } from "../linear-model.ts";
import { kindFeatures, type KindFeatures } from "./kind-features.ts";
import model from "./kind-model.json" with { type: "json" };
import type { KindName } from "./kinds.ts";

/** Classes that are recognised and not extracted as documents. */
export const otherClasses = ["statement", "other"] as const;

export type DocumentKind = KindName | (typeof otherClasses)[number];

/** A kind and the probability that the document is of it. */
export interface LikelyKind {
  kind: DocumentKind;
  confidence: number;
}

/**
 * All kinds the model has learned, the likeliest first; their confidences add up to 1. A kind it has not learned yet is
 * extracted only on request.
 */
export const classifyDocument = (document: DocumentContext): LikelyKind[] => rankKinds(kindFeatures(document), model);

export const rankKinds = (features: KindFeatures, by: LinearModel): LikelyKind[] =>
  rankedClasses<DocumentKind>(by, features).map(({ class: kind, probability }) => ({ kind, confidence: probability }));
