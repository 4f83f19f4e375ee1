import { fold } from "../../lexicon/fold.ts";

interface Letters {
  letters: string;
  /** Offset of each letter in the text. */
  at: number[];
  /** For each letter, whether it begins a word or number. */
  begins: boolean[];
}

const letter = /[\p{L}\p{N}]/u;
const longestTail = 5;
const signsAtEnd = /[^\p{L}\p{N}]*$/u;

/** Returns the folded letters and digits of a text: "Wrocław, ul. Fabryczna 18" becomes "wroclawulfabryczna18". */
export const lettersOf = (text: string): string => spelled(text).letters;

/** Text to search for. */
export interface Wanted {
  letters: string;
  /** Punctuation at the end of the text. The match includes it if the line has it, too. */
  tail: string;
}

export const wantedOf = (text: string): Wanted => ({
  letters: lettersOf(text),
  tail: signsAtEnd.exec(text.slice(-longestTail))?.[0] ?? "",
});

/**
 * Finds whole words regardless of spacing, diacritics and punctuation. 18 is not found in 2018.
 * @param line the line; its letters are cached under this object, for further searches
 * @returns offsets into the text of the line
 */
export function findLetters(
  line: Readonly<{ text: string }>,
  { letters: sought, tail }: Wanted,
): { start: number; end: number } | undefined {
  if (!sought) return undefined;
  const { text } = line;
  const { letters, at, begins } = spelledOnce(line);
  for (let found = letters.indexOf(sought); found >= 0; found = letters.indexOf(sought, found + 1)) {
    const after = found + sought.length;
    if (!begins[found] || (after < letters.length && !begins[after])) continue;
    const end = (at[after - 1] ?? 0) + 1;
    return { start: at[found] ?? 0, end: text.startsWith(tail, end) ? end + tail.length : end };
  }
  return undefined;
}

/** Returns the folded letters of a line, and caches them. */
export const lettersIn = (line: Readonly<{ text: string }>): string => spelledOnce(line).letters;

const spelledBefore = new WeakMap<object, Letters>();

function spelledOnce(line: Readonly<{ text: string }>): Letters {
  const known = spelledBefore.get(line) ?? spelled(line.text);
  spelledBefore.set(line, known);
  return known;
}

function spelled(text: string): Letters {
  const folded = fold(text);
  const found: Letters = { letters: "", at: [], begins: [] };
  let inWord = false;
  for (let index = 0; index < folded.text.length; index += 1) {
    const each = folded.text[index]!;
    const isLetter = letter.test(each);
    if (isLetter) {
      found.letters += each;
      found.at.push(folded.at(index));
      found.begins.push(!inWord);
    }
    inWord = isLetter;
  }
  return found;
}
