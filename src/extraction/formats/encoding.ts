/**
 * Decodes text. The encoding is the first of these that applies: the one that a byte order mark indicates, UTF-16
 * without such a mark, valid UTF-8, the declared encoding, and finally the code page in which the letters form words of
 * one language.
 */
export function decode(bytes: Uint8Array, declared?: string): string {
  const marked = byteOrderMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const wide = wideEncoding(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  const utf8 = asUtf8(bytes);
  if (utf8 !== undefined) return utf8;
  return asDeclared(bytes, declared) ?? new TextDecoder(likeliestCodePage(bytes)).decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** Minimum share of zero bytes in UTF-16 text. Almost half of its bytes are zero. */
const minZeros = 0.35;

/** Detects UTF-16 without a byte order mark. In Western text, every other byte is zero. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, 2000) & ~1;
  if (length < 4) return undefined;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) evenZeros++;
    if (bytes[at + 1] === 0) oddZeros++;
  }
  const many = length * minZeros;
  if (oddZeros > many && evenZeros < many / 10) return "utf-16le";
  if (evenZeros > many && oddZeros < many / 10) return "utf-16be";
  return undefined;
}

function asUtf8(bytes: Uint8Array): string | undefined {
  // A file that was cut off within its last character is still UTF-8.
  for (let cut = 0; cut < Math.min(4, bytes.length + 1); cut++) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      continue;
    }
  }
  return undefined;
}

function asDeclared(bytes: Uint8Array, label: string | undefined): string | undefined {
  // If text declares UTF-8 but is invalid, the program that wrote it used its local code page.
  if (!label || /^utf-?8$/i.test(label)) return undefined;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The letters of a language that are not ASCII, and letter sequences that never occur in it. */
interface Alphabet {
  letters: string;
  never?: RegExp;
}

const pl: Alphabet = { letters: "ąćęłńóśźż", never: /(?<!\p{L})n?mł(?!\p{L})/u };
const cs: Alphabet = { letters: "áčďéěíňóřšťúůýž" };
const sk: Alphabet = { letters: "áäčďéíĺľňóôŕšťúýž" };
const hu: Alphabet = { letters: "áéíóöőúüű" };

/** Code pages, and the languages that are written in each. If code pages are equally likely, the first is used. */
const codePages: [label: string, languages: Record<string, Alphabet>][] = [
  [
    "windows-1252",
    {
      de: { letters: "äöüß" },
      fr: {
        letters: "àâæçéèêëîïôœùûüÿ",
        never: /[èê](?!\p{L})|[auy]è|è[aeiouyáéíóúý]|[^d]û(?!\p{L})|û[bdfghjkpqsvwxz]|[^o]ù|œ[^ciu]|ë[^ln]/u,
      },
      es: { letters: "áéíñóúüºª¿¡", never: /ñ(?![aeiouáéíóú])|\p{L}[¿¡]/u },
      pt: { letters: "áâãàçéêíóôõúüºª", never: /õ(?!e)|ã(?![eos]|\P{L}|$)/u },
      it: { letters: "àèéìíòóùúºª", never: /[àèìòù]\p{L}/u },
      nl: { letters: "áéëïóöü", never: /(?<![aeiou])[ëï]/u },
      sv: { letters: "åäöé" },
      da: { letters: "æøåé", never: /ø[aeiouyáéíù]|æ[aeiou]|[aeiou]æ/u },
      // "sjøen" and "køyre", but never the "øe" that "ře" of windows-1250 resembles.
      no: { letters: "æøåé", never: /(?<!j)ø[aeiouáéíù]|æ[aeiou]|[aeiou]æ/u },
      et: { letters: "õäöü", never: /õ(?!\p{L})|[aeiou][^aeiouäöükmpv]õ/u },
    },
  ],
  ["windows-1250", { pl, cs, sk, hu, ro: { letters: "ăâîşţ" }, hr: { letters: "ćčđšž" } }],
  [
    "windows-1251",
    {
      ru: { letters: "абвгдеёжзийклмнопрстуфхцчшщъыьэюя№" },
      uk: { letters: "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя№" },
      sr: { letters: "абвгдђежзијклљмнњопрстћуфхцчџш№" },
    },
  ],
  ["windows-1257", { lt: { letters: "ąčęėįšųūž" }, lv: { letters: "āčēģīķļņšūž" }, et: { letters: "õäöüšž" } }],
  ["windows-1253", { el: { letters: "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ" } }],
  // `İ` in lower case contains a combining dot.
  ["windows-1254", { tr: { letters: "çğıöşüâîû\u0307" } }],
  ["iso-8859-2", { pl, cs, sk, hu }],
];

/** Detects the code page in which the letters of non-UTF-8 bytes form words of one language. */
export function likeliestCodePage(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, 50_000);
  const scored = codePages.map(([label, languages]) => {
    const words = foreignWords(new TextDecoder(label).decode(sample));
    const likeliest = Math.max(...Object.values(languages).map((alphabet) => plausibility(words, alphabet)));
    return { label, score: likeliest - 3 * words.filter(isNone).length };
  });
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).label;
}

/** Symbols and units that occur in every language. */
const signs = /[€°–—„“”‘’…•§©®±µ·«»\s]|(?<!\p{L})n?m[²³](?!\p{L})/giu;

const foreignWords = (text: string): string[] =>
  (text.replace(signs, " ").match(/[A-Za-z\P{ASCII}]{2,40}/gu) ?? []).filter((word) => /\P{ASCII}/u.test(word));

function plausibility(words: readonly string[], { letters, never }: Alphabet): number {
  let score = 0;
  for (const written of words) {
    const word = written.toLowerCase();
    for (const letter of word.match(/\P{ASCII}/gu) ?? []) score += letters.includes(letter) ? 2 : -2;
    if (never?.test(word)) score -= 3;
  }
  return score;
}

/**
 * Whether a string cannot be a word of any language, because it has symbols or capitals inside, or letters of two
 * scripts.
 */
const isNone = (word: string): boolean =>
  /\p{L}[^\p{L}\p{M}]\p{L}|\p{Ll}\p{Lu}/u.test(word) || scripts.filter((script) => script.test(word)).length > 1;

const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];
