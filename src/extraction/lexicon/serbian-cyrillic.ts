/** Content of a language file: a word, a word with its weight, or lists and objects of these. */
type Words = string | number | readonly Words[] | { readonly [name: string]: Words };
type Entry = string | readonly [string, number];

const [latin, cyrillic] = ["abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш"];
const letters: Record<string, string> = {
  lj: "љ",
  nj: "њ",
  dž: "џ",
  ...Object.fromEntries([...latin].map((letter, at) => [letter, cyrillic[at]!])),
};
const spelled = /lj|nj|dž|[a-zčćđšž]/g;
const foreign = /[qwxy]/;

/**
 * Serbian is written in two scripts. Adds the Cyrillic spelling to each list of Latin words, except for labels in
 * `onlyLatin`. A word that a list has in Cyrillic too keeps its weight there.
 */
export function withCyrillic<File extends { labels: Words }>(file: File, onlyLatin: readonly string[]): File {
  const { labels, ...rest } = file;
  const known = new Map<string, string>();
  return {
    ...(addTo(rest as Words, new Set(), known) as typeof rest),
    labels: addTo(labels, new Set(onlyLatin), known),
  } as File;
}

function addTo(words: Words, onlyLatin: ReadonlySet<string>, known: Map<string, string>): Words {
  if (typeof words !== "object") return words;
  if (!isList(words))
    return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, addTo(each, onlyLatin, known)]));
  return words.every(isEntry) ? addToList(words, onlyLatin, known) : words.map((each) => addTo(each, onlyLatin, known));
}

function addToList(entries: readonly Entry[], onlyLatin: ReadonlySet<string>, known: Map<string, string>): Words {
  const listed = new Set(entries.map(phraseOf));
  return entries.flatMap((entry) => {
    const phrase = phraseOf(entry);
    const other = phrase
      .split(" ")
      .map((word) => inCyrillic(word, known))
      .join(" ");
    if (listed.has(other) || onlyLatin.has(phrase) || foreign.test(other)) return [entry];
    return [entry, typeof entry === "string" ? other : [other, entry[1]]];
  });
}

/** Words recur in many phrases: `known` keeps their spelling. */
function inCyrillic(word: string, known: Map<string, string>): string {
  let found = known.get(word);
  if (found === undefined) {
    found = word === "{no}" ? word : word.replace(spelled, (letter) => letters[letter] ?? letter);
    known.set(word, found);
  }
  return found;
}

const phraseOf = (entry: Entry): string => (typeof entry === "string" ? entry : entry[0]);
const isList = (words: Words): words is readonly Words[] => Array.isArray(words);
const isEntry = (words: Words): words is Entry =>
  typeof words === "string" || (isList(words) && words.length === 2 && typeof words[1] === "number");
