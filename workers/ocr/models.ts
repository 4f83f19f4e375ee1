const models: Record<string, string | readonly string[]> = {
  bg: "bul",
  cs: "ces",
  da: "dan",
  de: "deu",
  el: "ell",
  en: "eng",
  es: "spa",
  et: "est",
  fi: "fin",
  fr: "fra",
  hr: "hrv",
  hu: "hun",
  it: "ita",
  lt: "lit",
  lv: "lav",
  nl: "nld",
  no: "nor",
  pl: "pol",
  pt: "por",
  ro: "ron",
  ru: "rus",
  sk: "slk",
  sl: "slv",
  // Serbian is written in both scripts.
  sr: ["hrv", "srp"],
  sv: "swe",
  tr: "tur",
  uk: "ukr",
};

/** Each further model for a page costs time and memory, and reduces the accuracy of the first. */
const maxModels = 2;
const defaultModel = "eng";

/** Returns the Tesseract models for languages (ISO 639-1), the likeliest first. */
export function modelsOf(languages: string[]): string[] {
  const found = new Set(languages.flatMap((language) => models[language] ?? []));
  return found.size > 0 ? [...found].slice(0, maxModels) : [defaultModel];
}
