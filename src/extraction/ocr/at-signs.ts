import { foldText } from "../lexicon/fold.ts";

/** What models that know no "@" read for it. */
const signs = /[GOEQCeoaq680©®€]/gu;
/** A mail address without its sign: no link, and a country or kind of domain at its end. */
const address = /^(?!www\.|https?:)[\p{L}\d][\p{L}\d._+-]*[\p{L}\d©®€][\p{L}\d.-]*\.\p{Ll}{2,}$/u;
/** Those of them that are read so in the midst of small letters. */
const alone = /[GOEQ©®€]/u;
const file = /\.(?:pdf|docx?|xlsx?|jpe?g|png|tiff?|xml|txt|html?)$/u;
const local = /^[\p{L}\d][\p{L}\d._+-]*$/u;
const domain = /^\p{Ll}[\p{Ll}\d-]+(?:\.[\p{Ll}\d-]+)+$/u;
/** Of fewer letters a firm's name stands in other words by chance. */
const shortestName = 4;

/**
 * Words of a page in which the sign of mail addresses was read for a letter: "billingOsaaremets.example" where the page names
 * Saaremets, or has the sign before that domain elsewhere, or a capital stands alone in small letters.
 */
export function restoreAtSigns(words: readonly string[]): string[] {
  if (!words.some(isAddress)) return [...words];
  const names = new Set(words.flatMap((word) => foldText(word).match(/\p{L}+/gu) ?? []));
  const domains = new Set(words.flatMap((word) => /@(\S+)$/u.exec(word)?.[1] ?? []));
  return words.map((word) => (isAddress(word) ? signed(word, names, domains) : word));
}

const isAddress = (word: string): boolean => !word.includes("@") && address.test(word) && !file.test(word);

function signed(word: string, names: ReadonlySet<string>, domains: ReadonlySet<string>): string {
  const places = Array.from(word.matchAll(signs), ({ index }) => index).filter(
    (at) => local.test(word.slice(0, at)) && domain.test(word.slice(at + 1)),
  );
  const named = places.find((at) => domains.has(word.slice(at + 1)) || isNamed(word.slice(at + 1), names));
  const capitals = places.filter((at) => alone.test(word[at]!) && /\p{Ll}/u.test(word[at - 1]!));
  const at = named ?? (capitals.length === 1 ? capitals[0] : undefined);
  return at === undefined ? word : `${word.slice(0, at)}@${word.slice(at + 1)}`;
}

/** Firms call their domains by their names. */
function isNamed(domain: string, names: ReadonlySet<string>): boolean {
  const [first = ""] = domain.split(/[.-]/u);
  return first.length >= shortestName && names.has(first);
}
