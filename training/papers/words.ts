import table from "./words.json" with { type: "json" };

/**
 * The words of the forms in one language. `cmr` contains the title, the captions of boxes 1 to 24 and the caption of
 * the plates.
 */
export type PaperWords = Omit<(typeof table)["de"], "fine"> & { fine: FineWords };
interface FineWords {
  title: string[];
  authority: string[];
  reference: string[];
  when: string[];
  where: string[];
  what: string[];
  plate: string[];
  country: string[];
  limit: string[];
  speed: string[];
  amount: string[];
  reduced: string[];
  due: string[];
  payref: string[];
  speeding: string;
  letter: string;
}

const words: Record<string, PaperWords> = table;

/** The languages that have words for forms. */
export const paperLanguages = Object.keys(words);

export function paperWords(language: string): PaperWords {
  const found = words[language];
  if (!found)
    throw new RangeError(`There are no forms in the language ${language}; known are ${paperLanguages.join(", ")}.`);
  return found;
}
