import { foldText } from "../../lexicon/fold.ts";
import { romanise } from "../../lexicon/romanise.ts";

const carrierWord =
  /^(?:trans|transports?|transporte[nrs]?|transporti|transportes|logist\p{L}*|sped|spedi[tc]\p{L}*|ekspedi\p{L}*|exped\p{L}*|cargo|freight|fracht|haulage|truck(?:ing|s)?|forward(?:ing|ers?)?|shipping|euro|inter|group|carriers?)$/u;
const shortestWord = 5;
const surePiece = 4;

/**
 * Whether a mail domain is formed from words of a company name: "hillandson.example" and "hs-freight.example" belong to
 * Hill & Son Freight Ltd.
 */
export function isNamedAfter(domain: string, name: string): boolean {
  const parts = domain.toLowerCase().split(".").slice(0, -1);
  const words = wordsOf(name);
  return parts.some((part) => {
    const letters = bare(part);
    if (letters.length < 3) return false;
    const whole = words.some(
      (word) =>
        word.length >= shortestWord && !carrierWord.test(word) && (letters.includes(word) || isCut(letters, word)),
    );
    return whole || isSpelt(letters, words, false);
  });
}

const isCut = (letters: string, word: string) => letters.length >= shortestWord && word.startsWith(letters);

/** Whether the letters consist of beginnings of the words, in the same order. At least one beginning must be long. */
function isSpelt(letters: string, words: readonly string[], sure: boolean): boolean {
  if (letters === "") return sure;
  return words.some((word, at) => {
    for (let length = Math.min(word.length, letters.length); length > 0; length--) {
      if (!letters.startsWith(word.slice(0, length))) continue;
      const isLongRun = length >= surePiece || (length >= 3 && length === word.length);
      if (isSpelt(letters.slice(length), words.slice(at + 1), sure || (isLongRun && !carrierWord.test(word))))
        return true;
    }
    return false;
  });
}

/**
 * Finds the words that name the owner of a mailbox (its part before the @): "j.smith", "smith", "john.smith" and
 * "smithj" belong to John Smith.
 */
export function nameInMailbox(mailbox: string, words: readonly string[]): { from: number; to: number } | undefined {
  const letters = bare(mailbox);
  if (letters.length < 3) return undefined;
  const plain = words.map(bare);
  for (const count of [2, 3]) {
    for (let from = 0; from + count <= plain.length; from++) {
      if (spellsAll(letters, plain.slice(from, from + count))) return { from, to: from + count };
    }
  }
  const at = plain.indexOf(letters);
  if (at < 0 || plain.length < 2) return undefined;
  return letters.length >= surePiece && at > 0
    ? { from: at - 1, to: at + 1 }
    : { from: at, to: Math.min(at + 2, plain.length) };
}

/** Whether the letters consist of beginnings of all the words, in any order. At least one word must be complete. */
function spellsAll(letters: string, words: readonly string[], whole = false): boolean {
  if (words.length === 0) return letters === "" && whole;
  return words.some((word, at) => {
    const others = words.filter((_, index) => index !== at);
    for (let length = Math.min(word.length, letters.length); length > 0; length--) {
      const complete = length === word.length && length >= 3;
      if (letters.startsWith(word.slice(0, length)) && spellsAll(letters.slice(length), others, whole || complete))
        return true;
    }
    return false;
  });
}

const wordsOf = (name: string) => (latin(name).match(/[\p{L}\p{N}]+/gu) ?? []).map(bare);

/** Letters and digits, with umlauts in one spelling: "Müller" and "Mueller" become the same. */
const bare = (text: string) =>
  latin(text)
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/([aou])e/gu, "$1");

const latin = (text: string) => romanise(foldText(text));
