import type { ConceptId } from "./concepts.ts";
import { fold } from "./fold.ts";
import type { Language } from "./languages.ts";

/** A phrase of the lexicon before tokenisation. */
export interface Phrase extends PhraseMeaning {
  printed: string;
  weight: number;
}

interface PhraseMeaning {
  concept: ConceptId;
  language: string;
  /** Tokens of each word for "number": "n.º" has two. */
  numbers: string[][];
}

type Entry = string | [string, number];

const WORD = /[\p{L}\p{N}]+|[#%]/gu;
/** Matches the tokens of a folded phrase: a word, "#", "%", or "{no}" (any word for "number"). */
export const PART = new RegExp(`\\{no\\}|${WORD.source}`, "gu");
/** Matches the first token. */
export const FIRST_PART = new RegExp(PART.source, "u");
const LETTERS = /^[\p{L}\p{N}]+/u;
const anyNumber = "{no}";

/** Number of letters by which phrases are indexed. No stem of a compound is shorter. */
const letters = 3;
/** Returns the key of the phrases whose first word begins with the same letters as this word. */
export const beginningOf = (word: string): string => word.slice(0, letters);

/** All phrases in the order of the files, addressed by position. */
export class Phrases {
  readonly #entries: Entry[] = [];
  readonly #lists: (PhraseMeaning & { from: number })[] = [];

  constructor(files: readonly Language[]) {
    for (const { language, number, labels } of files) {
      const numbers = number.map((word) => fold(word).text.match(PART) ?? []);
      for (const [concept, entries = []] of Object.entries(labels) as [ConceptId, Entry[] | undefined][]) {
        this.#lists.push({ concept, language, numbers, from: this.#entries.length });
        this.#entries.push(...entries);
      }
    }
  }

  at(place: number): Phrase {
    const entry = this.#entries[place]!;
    const { from: _, ...meant } = this.#lists[this.#listAt(place)]!;
    return typeof entry === "string"
      ? { ...meant, printed: entry, weight: 1 }
      : { ...meant, printed: entry[0], weight: entry[1] };
  }

  *all(): Generator<Phrase> {
    for (let place = 0; place < this.#entries.length; place += 1) yield this.at(place);
  }

  /** Returns the positions of the phrases, by their first letters before folding. */
  byFront(): Map<string, number[]> {
    const found = new Map<string, number[]>();
    const entries = this.#entries;
    for (let place = 0; place < entries.length; place += 1) {
      const entry = entries[place]!;
      const front = (typeof entry === "string" ? entry : entry[0]).slice(0, letters);
      const alike = found.get(front);
      if (alike) alike.push(place);
      else found.set(front, [place]);
    }
    return found;
  }

  #listAt(place: number): number {
    let [low, high] = [0, this.#lists.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lists[middle]!.from <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * Phrases indexed by the first letters of their first word, because a text uses few of tens of thousands of phrases.
 */
export class PendingPhrases {
  readonly #phrases: Phrases;
  readonly #byBeginning = new Map<string, number[][]>();

  constructor(phrases: Phrases) {
    this.#phrases = phrases;
    const byFront = phrases.byFront();
    const folded = fold([...byFront.keys()].join("\n")).text.split("\n");
    let index = 0;
    for (const [front, alike] of byFront) {
      const beginning = beginningOfAll(folded[index++]!, front.length < letters);
      if (beginning !== undefined) this.#wait(beginning, alike);
      else for (const place of alike) for (const each of beginningsOf(phrases.at(place))) this.#wait(each, [place]);
    }
  }

  /** Removes and returns the phrases that may begin with this word, in the order of the files. */
  take(word: string): Phrase[] {
    const beginning = beginningOf(word);
    const waiting = this.#byBeginning.get(beginning);
    if (!waiting) return [];
    this.#byBeginning.delete(beginning);
    return waiting
      .flat()
      .sort((one, other) => one - other)
      .map((place) => this.#phrases.at(place));
  }

  #wait(beginning: string, places: number[]): void {
    const others = this.#byBeginning.get(beginning);
    if (others) others.push(places);
    else this.#byBeginning.set(beginning, [places]);
  }
}

/**
 * Returns the key under which all phrases that begin like `front` are indexed; undefined if `front` is too short to
 * tell.
 */
function beginningOfAll(front: string, isWhole: boolean): string | undefined {
  const word = LETTERS.exec(front)?.[0] ?? "";
  const hasEnd = word !== "" && (word.length < front.length || isWhole);
  return word.length >= letters || hasEnd ? beginningOf(word) : undefined;
}

function beginningsOf({ printed, numbers }: Phrase): Set<string> {
  const first = FIRST_PART.exec(fold(printed).text)?.[0];
  if (first === undefined) return new Set();
  return new Set((first === anyNumber ? numbers.map(([word = ""]) => word) : [first]).map(beginningOf));
}
