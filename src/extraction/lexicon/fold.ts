/** Letters that Unicode does not take apart, as people write them without their marks. */
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

/** Letters folded before; a text that goes through all of Unicode only fills it once. */
const foldedLetters = new Map<string, string[]>();
const MOST_LETTERS = 2000;

/** A text without its marks, and the way back to where each letter stood. */
export interface Folded {
  /** What was given. */
  source: string;
  /** Without marks, typographic dashes, quotes and blanks made plain; capitals kept. */
  plain: string;
  /** `plain` in small letters, letter for letter as long as `plain`. */
  text: string;
  /** Where the letter at `index` of `plain` and `text` begins in `source`; `plain.length` gives `source.length`. */
  at: (index: number) => number;
}

/** Folds a text: "Załadunek – Łódź" becomes "zaladunek - lodz". Ukrainian and Russian letters lose their marks as well (й, ї, ё). */
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

/** Just the folded text, for keys and comparisons. */
export function foldText(source: string): string {
  return fold(source).text;
}

/** A name as a key: folded, punctuation made blank, single blanks. "Bad Homburg v.d.H." becomes "bad homburg v d h". */
export function foldName(source: string): string {
  const text = foldText(source);
  return PLAIN_NAME.test(text) ? text : text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** The UTF-16 units one letter becomes. */
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
  const small = plain.toLowerCase();
  if (small.length === plain.length) return small;
  return plain.replace(/./gsu, (letter) => {
    const lowered = letter.toLowerCase();
    return lowered.length === letter.length ? lowered : letter;
  });
}
