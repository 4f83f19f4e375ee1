import type { DocumentContext } from "../fields/labels/values.ts";
import { kindFeatures, type KindFeatures } from "./kind-features.ts";
import model from "./kind-model.json" with { type: "json" };

/** Kinds of documents that are told apart; `other` is whatever is none of them. */
export const documentKinds = [
  "order",
  "opportunity",
  "invoice",
  "receipt",
  "cmr",
  "fine",
  "insurance",
  "driver-document",
  "statement",
  "other",
] as const;

export type DocumentKind = (typeof documentKinds)[number];

/** A kind and how likely the document is of it; all kinds together make 1. */
export interface LikelyKind {
  kind: DocumentKind;
  confidence: number;
}

/** A linear model over the features of a document: of each feature a weight for each kind, in their order, in hundredths. */
export interface KindModel {
  temperature: number;
  weights: Record<string, number[]>;
}

/** All kinds, the likeliest first. */
export const kindOf = (around: DocumentContext): LikelyKind[] => likelyKinds(kindFeatures(around), model);

/** What a model makes of a document's features. */
export function likelyKinds(features: KindFeatures, { temperature, weights }: KindModel): LikelyKind[] {
  const sums = documentKinds.map(() => 0);
  for (const [name, strength] of features) {
    const row = weights[name];
    if (row) for (const [at, weight] of row.entries()) sums[at]! += (strength * weight) / 100;
  }
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp((sum - most) / temperature));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return documentKinds
    .map((kind, at) => ({ kind, confidence: shares[at]! / all }))
    .sort((a, b) => b.confidence - a.confidence);
}
