import { fold } from "./fold.ts";
import type { ConceptId } from "./concepts.ts";
import { languages } from "./languages.ts";
import { nearWords } from "./near-words.ts";
import { beginningOf, FIRST_PART, PART, Phrases, PendingPhrases, type Phrase } from "./phrases.ts";

/** A label found in a text. `start` and `end` are offsets into that text. */
export interface LabelMatch {
  concept: ConceptId;
  /** The first of `languages`. */
  language: string;
  /** Languages in which this phrase means this concept. */
  languages: readonly string[];
  start: number;
  end: number;
  phrase: string;
  /** How unambiguous the phrase is, from 0.3 to 1; lower if the phrase was misread. */
  weight: number;
}

interface Meaning {
  concept: ConceptId;
  languages: string[];
  weight: number;
}

interface TrieNode {
  words?: Map<string, TrieNode>;
  meanings?: Meaning[];
  /** Rests of phrases that begin with this word. Their child nodes are created when a text contains the word. */
  waiting?: PhraseTail[];
}

interface Lexicon {
  root: TrieNode;
  waiting?: PendingPhrases;
}

interface PhraseTail {
  phrase: string;
  /** The words for "number" in this language, each as its tokens: "n.º" has two. */
  numbers: string[][];
  concept: ConceptId;
  language: string;
  weight: number;
}

interface Word {
  text: string;
  start: number;
  end: number;
}

/** "#" and "%" count as words: "Load #", "VAT %". */
const WORD = /[\p{L}\p{N}]+|[#%]/gu;
/** What may stand between two words of one label: "Auftrags-Nr.", "n° d'ordre", "date / time". */
const WITHIN_LABEL = /^[ .,'"°:;&/()\-_|]{0,4}$/;
/** One error in a word of fewer than six letters changes too much. The upper limit bounds the cost of hostile input. */
const mayBeMisread = (word: string) => word.length >= 6 && word.length <= 40;

let lazyLexicon: Lexicon | undefined;
/** Fuzzy matching needs all phrases. Once this lexicon exists, all queries use it. */
let fullLexicon: Lexicon | undefined;

/**
 * Finds the longest labels of all languages in a text. Ignores case and diacritics. A phrase with several meanings
 * yields one match for each.
 * @param options `fuzzy` (for scans) tolerates one wrong letter in a word of at least six letters, or one letter in the
 * wrong place in a word of at least twelve.
 */
export function findLabels(text: string, options: { fuzzy?: boolean } = {}): LabelMatch[] {
  const folded = fold(text);
  const words = wordsOf(folded.text);
  const fuzzy = options.fuzzy === true && words.some(({ text: word }) => mayBeMisread(word));
  const lexicon = fuzzy ? (fullLexicon ??= completeLexicon()) : (fullLexicon ?? (lazyLexicon ??= emptyLexicon()));
  const hits: LabelMatch[] = [];
  for (let at = 0; at < words.length;) {
    const found = longestPhrase(lexicon, folded.text, words, at, fuzzy);
    if (!found) {
      at += 1;
      continue;
    }
    const start = folded.at(words[at]!.start);
    const end = folded.at(words[found.last]!.end);
    for (const { concept, languages, weight } of found.meanings) {
      hits.push({
        concept,
        language: languages[0]!,
        languages,
        start,
        end,
        phrase: text.slice(start, end),
        weight: weight * found.likeness,
      });
    }
    at = found.last + 1;
  }
  return hits;
}

export function wordsOf(folded: string): Word[] {
  return Array.from(folded.matchAll(WORD), (match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

interface PhraseMatch {
  last: number;
  meanings: Meaning[];
  likeness: number;
}

function longestPhrase(
  lexicon: Lexicon,
  text: string,
  words: Word[],
  first: number,
  fuzzy: boolean,
): PhraseMatch | undefined {
  let node = rootWith(lexicon, words[first]!.text);
  let likeness = 1;
  let longest: PhraseMatch | undefined;
  for (let at = first; at < words.length; at += 1) {
    const word = words[at]!;
    if (at > first && !WITHIN_LABEL.test(text.slice(words[at - 1]!.end, word.start))) break;
    const next = step(node, word.text, fuzzy);
    if (!next) break;
    node = next.node;
    likeness *= next.likeness;
    if (node.meanings) longest = { last: at, meanings: node.meanings, likeness };
  }
  return longest;
}

function step(node: TrieNode, word: string, fuzzy: boolean): { node: TrieNode; likeness: number } | undefined {
  if (!node.words) return undefined;
  const exact = node.words.get(word);
  if (exact) return { node: expanded(exact), likeness: 1 };
  if (!fuzzy || !mayBeMisread(word)) return undefined;
  const near = nearWords(word, node.words);
  const found = near === undefined ? undefined : node.words.get(near);
  return found && { node: expanded(found), likeness: 0.8 };
}

const emptyLexicon = (): Lexicon => ({ root: {}, waiting: new PendingPhrases(new Phrases(languages)) });

function rootWith({ root, waiting }: Lexicon, word: string): TrieNode {
  const beginning = beginningOf(word);
  for (const phrase of waiting?.take(word) ?? []) {
    const numbers = phrase.numbers.filter(([first = ""]) => beginningOf(first) === beginning);
    addPhrase(root, phrase, numbers);
  }
  return root;
}

function completeLexicon(): Lexicon {
  const root: TrieNode = {};
  for (const phrase of new Phrases(languages).all()) addPhrase(root, phrase, phrase.numbers);
  return { root };
}

/**
 * Inserts the first word of a phrase; the rest is inserted when a text contains that word. `numbers` replaces "{no}".
 * In a language with compounds, "auftrags {no}" is also inserted as one word ("auftragsnummer").
 */
function addPhrase(root: TrieNode, { printed, ...meant }: Phrase, numbers: string[][]): void {
  const { concept, language, weight } = meant;
  const phrase = fold(printed).text;
  const first = FIRST_PART.exec(phrase);
  if (!first) return;
  const rest = { ...meant, phrase: phrase.slice(first.index + first[0].length) };
  for (const node of childrenOf(root, first[0], numbers)) (node.waiting ??= []).push(rest);
  const stem = joining.has(language) ? inOneWord.exec(phrase)?.[1] : undefined;
  for (const end of stem ? joinedEnds : []) addMeaning(childOf(root, stem + end), concept, language, weight);
}

const joining: ReadonlySet<string> = new Set(
  languages.filter(({ compounds }) => compounds).map(({ language }) => language),
);
const inOneWord = /^(\p{L}{3,}) \{no\}$/u;
const joinedEnds = ["nr", "nummer"];

function expanded(node: TrieNode): TrieNode {
  const { waiting } = node;
  if (!waiting) return node;
  delete node.waiting;
  for (const { phrase, numbers, concept, language, weight } of waiting) {
    let ends = [node];
    for (const part of phrase.match(PART) ?? []) ends = ends.flatMap((end) => childrenOf(end, part, numbers));
    for (const end of ends) addMeaning(end, concept, language, weight);
  }
  return node;
}

function childrenOf(node: TrieNode, part: string, numbers: string[][]): TrieNode[] {
  return part === "{no}" ? numbers.map((words) => words.reduce(childOf, node)) : [childOf(node, part)];
}

function childOf(node: TrieNode, word: string): TrieNode {
  node.words ??= new Map();
  let child = node.words.get(word);
  if (!child) node.words.set(word, (child = {}));
  return child;
}

function addMeaning(node: TrieNode, concept: ConceptId, language: string, weight: number): void {
  node.meanings ??= [];
  const known = node.meanings.find((meaning) => meaning.concept === concept);
  if (!known) {
    node.meanings.push({ concept, languages: [language], weight });
    return;
  }
  if (!known.languages.includes(language)) known.languages.push(language);
  known.weight = Math.max(known.weight, weight);
}
