import { rankedClasses, type LinearModel } from "../linear-model.ts";
import type { MailLabel } from "./labels.ts";
import { mailFeatures, type MailFeatures, type MailText } from "./mail-features.ts";
import model from "./label-model.json" with { type: "json" };

/** A label and how likely the mail means it; all labels together make 1. */
export interface Likely {
  label: MailLabel;
  confidence: number;
}

/** All labels, the likeliest first. */
export const labelsOf = (mail: MailText): Likely[] => likelyLabels(mailFeatures(mail), model);

/** All labels by the model, the likeliest first. */
export const likelyLabels = (features: MailFeatures, by: LinearModel): Likely[] =>
  rankedClasses<MailLabel>(by, features).map(({ class: label, probability }) => ({ label, confidence: probability }));
