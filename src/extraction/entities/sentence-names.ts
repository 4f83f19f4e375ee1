import { languages } from "../lexicon/languages.ts";
import nameLeads from "../lexicon/name-leads.json" with { type: "json" };
import { foldText } from "../lexicon/fold.ts";

const keys = (words: readonly string[]) => new Set(words.map(foldText));
const [sure, likely] = [keys(nameLeads.sure), keys(nameLeads.likely)];
const acts = languages.flatMap(({ loadingVerbs: { loading, unloading } }) => [...loading, ...unloading].map(foldText));
const wholeActs = new Set(acts.filter((word) => !word.endsWith("*")));
const actStems = acts.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));

/** Text up to the end of a date or time, including the word for the hour. "Trans 2000 Ltd" does not match. */
const MOMENT =
  /^.*(?:\d[.:/-] ?\d[\d.:/-]*|(?<![\p{L}\d])\d{1,2}h(?:\d{2})?|(?<![\p{L}\d])\d{2,4}(?= \p{Ll}))(?: ?(?:[Uu]hr|hrs?|hod|h|[AaPp]\.?[Mm]|ч|год)(?!\p{L})\.?)*[ ,:;-]*/su;
const SMALL_WORDS = /(?<=^| )(?:\p{Ll}[\p{L}']*\.? )+(?=["']?\p{Lu})/gu;
const FIRM = /^(?:Firma|Fa\.) (?=["']?\p{Lu})/u;
const ARTICLE = /(?<=^| )(?:der|die|den|dem) $/u;
/**
 * A lower-case word of at least this length is unlikely to be a preposition or part of a name. It indicates a sentence.
 */
const longWord = 4;

/**
 * Finds the offset at which the company name begins in the words before a legal form. In a sentence, it begins after
 * words such as "on 24.11. at 8:00 from" or "entladen bei der Firma". Returns 0 if nothing indicates a sentence.
 */
export function findNameInSentence(words: string): number {
  const dated = MOMENT.exec(words)?.[0].length ?? 0;
  const lead = [...words.matchAll(SMALL_WORDS)]
    .filter(({ index, 0: run }) => index >= dated && leads(words.slice(0, index), run, dated > 0))
    .at(-1);
  if (!lead) return dated;
  const start = lead.index + lead[0].length;
  return start + (ARTICLE.test(lead[0]) ? (FIRM.exec(words.slice(start))?.[0].length ?? 0) : 0);
}

function leads(before: string, run: string, dated: boolean): boolean {
  const small = foldText(run).trim().split(" ");
  if (small.some((word) => sure.has(word))) return true;
  if (!small.some((word) => likely.has(word))) return false;
  const earlier = before.trim().split(" ");
  const sentence = earlier.some((word) => /^\p{Ll}/u.test(word) && word.length >= longWord);
  return dated || sentence || isAct(foldText(earlier.at(-1) ?? ""));
}

function isAct(word: string): boolean {
  return wholeActs.has(word) || actStems.some((stem) => word.startsWith(stem));
}
