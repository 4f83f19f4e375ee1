import type { DocumentContext } from "../fields/labels/values.ts";
import { rankedClasses, type LinearModel } from "../linear-model.ts";
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

/** All kinds, the likeliest first. */
export const kindOf = (around: DocumentContext): LikelyKind[] => likelyKinds(kindFeatures(around), model);

/** All kinds by the model, the likeliest first. */
export const likelyKinds = (features: KindFeatures, by: LinearModel): LikelyKind[] =>
  rankedClasses<DocumentKind>(by, features).map(({ class: kind, probability }) => ({ kind, confidence: probability }));
