/** Replacements of characters that Unicode does not decompose. Invisible characters are removed. */
const SPECIAL_LETTERS: Record<string, string> = {
  ł: "l",
  Ł: "L",
  ß: "ss",
  ẞ: "SS",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  þ: "th",
  Þ: "TH",
  ı: "i",
  ħ: "h",
  Ħ: "H",
  ŧ: "t",
  Ŧ: "T",
  ŋ: "n",
  Ŋ: "N",
  ĸ: "k",
  // The form of "σ" at the end of a word.
  ς: "σ",
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "–": "-",
  "—": "-",
  "―": "-",
  "−": "-",
  "‘": "'",
  "’": "'",
  "‚": "'",
  "‛": "'",
  ʼ: "'",
  "′": "'",
  "´": "'",
  "`": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "\u00ad": "",
  "\u200b": "",
  "\u200c": "",
  "\u200d": "",
  "\u2060": "",
  "\ufeff": "",
};

const PLAIN_ASCII = /^\p{ASCII}*$/u;
const MARK = /\p{M}/u;
const PLAIN_NAME = /^[a-z\d]+(?: [a-z\d]+)*$/;

const foldedLetters = new Map<string, string[]>();
const MOST_LETTERS = 2000;

/** A text without diacritics whose offsets can be mapped back to the original. */
export interface Folded {
  source: string;
  /** The text without diacritics, in the original case, with plain dashes, quotes and spaces. */
  plain: string;
  /** `plain` in lower case, of the same length. */
  text: string;
  /** Offset in `source` of the letter at `index` of `plain` and `text`; `plain.length` maps to `source.length`. */
  at: (index: number) => number;
}

/** Removes diacritics and capitals: "Załadunek – Łódź" becomes "zaladunek - lodz", "й" becomes "и", "ς" becomes "σ". */
export function fold(source: string): Folded {
  if (PLAIN_ASCII.test(source)) return { source, plain: source, text: source.toLowerCase(), at: (index) => index };
  const starts: number[] = [];
  let plain = "";
  let offset = 0;
  for (const letter of source) {
    for (const part of foldLetter(letter)) {
      plain += part;
      starts.push(offset);
    }
    offset += letter.length;
  }
  starts.push(offset);
  return { source, plain, text: smallLetters(plain), at: (index) => starts[index] ?? offset };
}

/** Like {@link fold}, but returns only the text in lower case. */
export function foldText(source: string): string {
  return fold(source).text;
}

/** Converts a name to a key: "Bad Homburg v.d.H." becomes "bad homburg v d h". */
export function foldName(source: string): string {
  const text = foldText(source);
  return PLAIN_NAME.test(text) ? text : text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** Returns the letter without diacritics in its original case, as UTF-16 units. */
function foldLetter(letter: string): string[] {
  let parts = foldedLetters.get(letter);
  if (parts) return parts;
  parts = partsOf(letter);
  if (foldedLetters.size < MOST_LETTERS) foldedLetters.set(letter, parts);
  return parts;
}

function partsOf(letter: string): string[] {
  if (letter < "\x80") return [letter];
  const special = SPECIAL_LETTERS[letter];
  if (special !== undefined) return special.split("");
  const parts: string[] = [];
  for (const part of letter.normalize("NFKD")) {
    if (MARK.test(part)) continue;
    const plain = SPECIAL_LETTERS[part] ?? (/\s/.test(part) ? " " : part);
    parts.push(...plain.split(""));
  }
  return parts;
}

function smallLetters(plain: string): string {
  const small = plain.toLowerCase().replaceAll("ς", "σ");
  if (small.length === plain.length) return small;
  return plain.replace(/./gsu, (letter) => {
    const lowered = letter.toLowerCase();
    return lowered.length === letter.length ? lowered : letter;
  });
}
