import laneWords from "../lexicon/lane-words.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";

/**
 * By folded case ending after "from" or "to": the possible endings of the base form, most likely first. In "z
 * Wrocławia", the ending is "ia"; the base form "Wrocław" has none.
 */
const endings: Readonly<Record<string, readonly string[]>> = {
  "": ["e"],
  a: ["", "e", "o", "as"],
  ia: [""],
  u: ["", "a"],
  y: ["a", ""],
  i: ["a", "", "e"],
  e: ["a", ""],
  o: ["as"],
  aus: ["us"],
  os: ["a"],
  as: ["a"],
  ca: ["iec"],
  iem: [""],
  em: [""],
  ie: ["", "ia"],
  ej: ["a"],
  ne: ["en"],
  st: [""],
  ast: [""],
  ist: ["", "i"],
  sta: [""],
  lta: [""],
  lle: [""],
  een: ["e"],
  iin: ["i"],
  bol: [""],
  rol: [""],
  tol: [""],
  ba: [""],
  be: [""],
  ra: [""],
  re: [""],
  ig: [""],
  ban: [""],
  ben: [""],
  on: [""],
  en: [""],
  nal: [""],
  nel: [""],
  ssa: [""],
  lla: [""],
  uje: ["us"],
  oje: ["a"],
  yje: ["ys"],
  uose: ["ai"],
  s: [""],
  а: ["", "о"],
  у: ["а", ""],
  и: ["а", "я", ""],
  і: ["а", "я", ""],
  ы: ["а", ""],
  я: ["ь", ""],
  ова: ["ів", "ов"],
  єва: ["їв"],
  ева: ["ев", "ів"],
};
const longestEnding = 4;
const shortestStem = 3;
const cyrillic = /[а-яіїєґ]/u;
const leading = new Set([...laneWords.from, ...laneWords.to].map(foldText));
const near = new Set(laneWords.near.map((words) => foldText(words).split(" ").at(-1)!));
/** Case endings that replace a preposition: "Győrből", "Tallinnast". */
const suffixed = /(?:bol|rol|tol|ba|be|ra|re|ig|st|sta|lta|lle|een|iin|ssa)$/u;

/** Case endings for a location or destination in languages that need no preposition: "Szegeden", "Vilniuje". */
const locative: Readonly<Record<string, RegExp>> = {
  hu: /(?:bol|rol|tol|ba|be|ban|ben|ra|re|on|en|nal|nel|ig)$/u,
  lt: /(?:uje|oje|yje|uose)$/u,
  et: /(?:st|[aeiou]s)$/u,
  fi: /(?:ssa|sta|lla|lta|lle|een|iin)$/u,
};

/** Whether the form of a town's name expresses a location or destination. */
export const isLocative = (word: string, languages: readonly string[]): boolean =>
  languages.some((language) => locative[language]?.test(foldText(word)));

/** `near`: the case form only expresses a location ("pod Poznaniem"), not a start or destination. */
interface TownForms {
  forms: string[];
  near: boolean;
}

/**
 * Finds the base forms of a town's name in a case form: "Wrocławia" after "z" is Wrocław, "Győrből" is Győr,
 * "Poznaniem" after "pod" is Poznań. Returns none if nothing indicates a case form.
 */
export function townForms(word: string, before: string, languages: readonly string[]): TownForms {
  const folded = foldText(word).replace(/\.$/, "");
  const last = foldText(before).match(/\p{L}+(?=\s*$)/u)?.[0];
  const behindTown = /\p{Lu}\p{L}+\s$/u.test(before) && last !== undefined && suffixed.test(last);
  const isEnd = suffixed.test(folded) || behindTown || (last !== undefined && leading.has(last));
  const isThere = isLocative(folded, languages);
  if (!isEnd && !isThere && !(last !== undefined && near.has(last))) return { forms: [], near: false };
  const forms: string[] = [];
  for (let length = longestEnding; length >= 0; length -= 1) {
    const stem = folded.slice(0, folded.length - length);
    if (stem.length < (cyrillic.test(stem) ? 2 : Math.max(shortestStem, length + 1))) continue;
    for (const ending of endings[folded.slice(stem.length)] ?? []) forms.push(stem + ending);
  }
  return { forms, near: !isEnd };
}
