import type { Flaw } from "../../extraction/quality/verdict.ts";
import { languageCodes, messagesIn } from "../../i18n/language.ts";

export const adviceLanguages = languageCodes;

/** One sentence on how to fix the most severe of these flaws; English if the language is unknown. */
export const adviceOn = ([worst]: readonly Flaw[], language = "en"): string => {
  const advice: Record<Flaw | "Good", string> = messagesIn(language).quality;
  return advice[worst ?? "Good"];
};
