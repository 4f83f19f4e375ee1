import { rankedClasses, type LinearModel } from "../linear-model.ts";
import type { MailLabel } from "./labels.ts";
import { mailFeatures, type MailFeatures, type MailText } from "./mail-features.ts";
import model from "./label-model.json" with { type: "json" };

/** A label and its probability; the probabilities of all labels add up to 1. */
export interface RankedLabel {
  label: MailLabel;
  confidence: number;
}

/** Classifies a mail: all labels, the likeliest first. */
export const labelsOf = (mail: MailText): RankedLabel[] => likelyLabels(mailFeatures(mail), model);

/** All labels by a given model, the likeliest first. */
export const likelyLabels = (features: MailFeatures, by: LinearModel): RankedLabel[] =>
  rankedClasses<MailLabel>(by, features).map(({ class: label, probability }) => ({ label, confidence: probability }));
