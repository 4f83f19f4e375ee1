/** Languages that have a model, by Tesseract's names for them. */
const models: Record<string, string> = {
  cs: "ces",
  de: "deu",
  en: "eng",
  es: "spa",
  et: "est",
  fr: "fra",
  hu: "hun",
  it: "ita",
  lt: "lit",
  lv: "lav",
  nl: "nld",
  pl: "pol",
  pt: "por",
  ro: "ron",
  sk: "slk",
  uk: "ukr",
  // Languages without one of their own are read with one that has most of their letters.
  bg: "ukr",
  da: "deu",
  fi: "est",
  hr: "slk",
  ru: "ukr",
  sl: "slk",
  sv: "est",
};

/** Each further model costs time and memory, and one of another language spoils what the first reads. */
const mostAtOnce = 2;
const withoutAny = "eng";

/** Tesseract's models for languages (ISO 639-1), the likeliest first. */
export function modelsOf(languages: string[]): string[] {
  const found = new Set(languages.flatMap((language) => models[language] ?? []));
  return found.size > 0 ? [...found].slice(0, mostAtOnce) : [withoutAny];
}

/** Every model there is. */
export const allModels = [...new Set(Object.values(models))];
