import { fold } from "../lexicon/fold.ts";
import { romanise } from "../lexicon/romanise.ts";
import lexicon from "./concepts.json" with { type: "json" };

/*
 * `concepts.json` holds words of mails by language and concept. An entry is the beginning of a word; an entry with a full stop, or with fewer
 * letters than this, is a whole word; `_` joins the words of a phrase. Concepts are the same in all languages, so that
 * mails of one language also teach the others.
 */

const minPrefixLength = 4;
const longestPrefix = 14;
const longestPhrase = 5;

interface Entry {
  concept: string;
  language: string;
  /** The words after the first one. */
  rest: readonly string[];
}

let entriesByStart: Map<string, Entry[]> | undefined;

interface Hit {
  concept: string;
  languages: readonly string[];
}

/** A sentence of a text. */
export interface Sentence {
  /** In plain letters, without words that contain digits. */
  words: readonly string[];
  isQuestion: boolean;
}

/** Share of the votes of the first language from which on another language is read as well. */
const minShare = 0.4;

/**
 * Returns the concepts of each sentence, without repetitions. Words count only in the languages of the text: those of
 * most entries found. The vote of an entry of several languages counts less.
 */
export function conceptsOf(sentences: readonly Sentence[]): string[][] {
  const hits = sentences.map(({ words }) => hitsIn(words));
  const votes = new Map<string, number>();
  for (const { languages } of hits.flat())
    for (const language of languages) votes.set(language, (votes.get(language) ?? 0) + 1 / languages.length ** 2);
  const most = Math.max(0, ...votes.values());
  const isRead = (language: string) => votes.get(language)! >= most * minShare;
  return hits.map((found) => [
    ...new Set(found.flatMap(({ concept, languages }) => (languages.some(isRead) ? [concept] : []))),
  ]);
}

function hitsIn(words: readonly string[]): Hit[] {
  entriesByStart ??= indexed();
  const found: Hit[] = [];
  for (const [at, word] of words.entries()) {
    const here = new Map<string, Set<string>>();
    for (const beginning of beginningsOf(word))
      for (const { concept, language, rest } of entriesByStart.get(beginning) ?? [])
        if (rest.every((each, after) => begins(words[at + 1 + after], each)))
          here.set(concept, (here.get(concept) ?? new Set<string>()).add(language));
    for (const [concept, languages] of here) found.push({ concept, languages: [...languages] });
  }
  return found;
}

/** The word itself with a full stop, and its beginnings that an entry may consist of. */
function beginningsOf(word: string): string[] {
  const all = [`${word}.`];
  for (let length = minPrefixLength; length <= Math.min(longestPrefix, word.length); length++)
    all.push(word.slice(0, length));
  return all;
}

const begins = (word: string | undefined, entry: string): boolean =>
  word !== undefined && (entry.endsWith(".") ? word === entry.slice(0, -1) : word.startsWith(entry));

function indexed(): Map<string, Entry[]> {
  const all = new Map<string, Entry[]>();
  for (const [language, concepts] of Object.entries(lexicon))
    for (const [concept, entries] of Object.entries(concepts))
      for (const entry of entries.split(" ")) {
        const [first, ...rest] = entry.split("_").filter(Boolean).slice(0, longestPhrase).map(plainEntry);
        if (first) all.set(first, [...(all.get(first) ?? []), { concept, language, rest }]);
      }
  return all;
}

function plainEntry(entry: string): string {
  const plain = plainLetters(entry.replace(/\.$/, "")).slice(0, longestPrefix);
  return entry.endsWith(".") || plain.length < minPrefixLength ? `${plain}.` : plain;
}

const greek: Record<string, string> = Object.fromEntries(
  [..."αβγδεζηθικλμνξοπρςστυφχψω"].map((letter, at) => [
    letter,
    "a v g d e z i th i k l m n x o p r s s t i f h ps o".split(" ")[at]!,
  ]),
);

/**
 * Writes text in lower-case Latin letters without diacritics. Digraphs of transliterations and umlauts become one
 * letter: "ž", "ж" and "zh" are all "z".
 */
const plainLetters = (text: string): string =>
  romanise(fold(text.replaceAll("ου", "u").replaceAll("ού", "u")).text)
    .replace(/[α-ω]/g, (letter) => greek[letter] ?? letter)
    .replaceAll(/([zcskt])h/g, "$1")
    .replaceAll("ts", "c")
    .replaceAll(/([aou])e/g, "$1");

/** Divides a text into its sentences, without those that have no words. */
export const plainSentences = (text: string): Sentence[] =>
  text
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((sentence) => ({
      words: (plainLetters(sentence).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !/\d/.test(word)),
      isQuestion: /[?;]\s*$/.test(sentence),
    }))
    .filter(({ words }) => words.length > 0);
