import { isContainer } from "../entities/container-numbers.ts";
import { accountLength, isIban } from "../entities/ibans.ts";
import { isVatValid } from "../entities/vat.ts";
import { foldText } from "../lexicon/fold.ts";

/** Digits that OCR recognises as these letters, and letters that it recognises as these digits. */
const figures: Record<string, string> = { O: "0", o: "0", Q: "0", D: "0", I: "1", l: "1", S: "5", B: "8", Z: "2" };
const letters: Record<string, string> = { "0": "O", "1": "I", "5": "S", "8": "B", "2": "Z" };
/** In a VAT number, these letters are misread digits. B is missing because Dutch VAT numbers contain it. */
const neverLetters = /[OoQDIlSZ]/gu;

const inFigures = (text: string) => text.replace(/[A-Zlo]/gu, (letter) => figures[letter] ?? letter);
const inLetters = (text: string) => text.replace(/\d/gu, (figure) => letters[figure] ?? figure);
const bareOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();

interface Code {
  shape: RegExp;
  isRight: (read: string) => boolean;
  readings: (printed: string) => string[];
}

const codes: Code[] = [
  {
    shape: /(?<![\p{L}\p{N}])[A-Z]{2}[\dOoQDIlSBZ]{2}(?: ?[A-Z\dlo]){11,30}(?![\p{L}\p{N}])/gu,
    isRight: (read) => isIban(bareOf(read)) && accountLength(read.slice(0, 2)) !== undefined,
    readings: (printed) => [
      printed.slice(0, 2) + inFigures(printed.slice(2)),
      printed.slice(0, 2) + inFigures(printed.slice(2, 4)) + printed.slice(4),
    ],
  },
  {
    shape: /(?<![\p{L}\p{N}])[A-Z]{2}[ -]?[U\dOoQDIlSBZ](?:[ .-]?[A-Z\dlo]){6,12}(?![\p{L}\p{N}])/gu,
    isRight: (read) => isVatValid(read),
    readings: (printed) => {
      const number = printed.slice(2);
      const figured = number.replace(neverLetters, inFigures);
      return [figured, inFigures(number), `U${inFigures(number.slice(1))}`].map((each) => printed.slice(0, 2) + each);
    },
  },
  {
    shape: /(?<![\p{L}\p{N}])[A-Z\d]{3}[UJZ2][ -]?(?:[A-Z\dlo] ?){6}[ -]?[A-Z\dlo](?![\p{L}\p{N}])/gu,
    isRight: (read) => /^[A-Z]{4}/u.test(read) && isContainer(bareOf(read)),
    readings: (printed) => [inLetters(printed.slice(0, 4)) + inFigures(printed.slice(4))],
  },
];

/**
 * Corrects confused letters and digits in the codes of a line (bank account, VAT number, container number), if only the
 * corrected code has valid check digits. The length of the line does not change.
 */
export const correctDigits = (line: string): string =>
  /\d/u.test(line)
    ? codes.reduce((text, code) => text.replace(code.shape, (run) => correctedCode(run, code)), line)
    : line;

/** The code at the start of `run` may be followed by words in capitals, so shorter and shorter beginnings are tried. */
function correctedCode(run: string, { isRight, readings }: Code): string {
  const ends = Array.from(run.matchAll(/[^ ](?= |$)/gu), ({ index }) => index + 1).toReversed();
  if (ends.some((end) => isRight(run.slice(0, end)))) return run;
  for (const end of ends) {
    const printed = run.slice(0, end);
    const read = readings(printed).find((each) => mostlyFigures(printed) && isRight(each));
    if (read !== undefined) return read + run.slice(end);
  }
  return run;
}

/** Words are not codes, even if their letters look like digits. */
const mostlyFigures = (printed: string) => printed.replace(/\D/gu, "").length * 2 >= bareOf(printed).length;

/** Letters at the same position look alike. */
const [latin, cyrillic] = ["ABCEHIKMOPTXYaceiopxy", "АВСЕНІКМОРТХУасеіорху"];
const latinFor = new Map([...cyrillic].map((letter, at) => [letter, latin[at]!]));
const cyrillicFor = new Map([...latin].map((letter, at) => [letter, cyrillic[at]!]));

const written = (text: string, letters: ReadonlyMap<string, string>): string =>
  text.replace(/\p{L}/gu, (letter) => letters.get(letter) ?? letter);
const isCyrillic = (text: string | undefined): boolean => /\p{sc=Cyrillic}{3}/u.test(text ?? "");

/**
 * Writes each word of a line in one alphabet. Changes words that mix the alphabets, and words of ambiguous letters
 * between two Cyrillic words.
 */
export const unifyAlphabet = (words: readonly string[]): string[] =>
  words.map((word, at) => {
    const [asLatin, asCyrillic] = [written(word, latinFor), written(word, cyrillicFor)];
    const [noCyrillic, noLatin] = [!/\p{sc=Cyrillic}/u.test(asLatin), !/\p{sc=Latin}/u.test(asCyrillic)];
    const isWord = isCyrillic(words[at - 1]) && isCyrillic(words[at + 1]) && !/\d/u.test(word);
    if (noCyrillic && noLatin) return isWord ? asCyrillic : word;
    return noLatin ? asCyrillic : noCyrillic ? asLatin : word;
  });

/** Characters that an OCR model without "@" recognises instead. */
const signs = /[GOEQCeoaq680©®€]/gu;
/** May be a mail address with a misread "@". */
const address = /^(?!www\.|https?:)[\p{L}\d][\p{L}\d._+-]*[\p{L}\d©®€][\p{L}\d.-]*\.\p{Ll}{2,}$/u;
/** Between lower-case letters, these characters are always a misread "@". */
const alone = /[GOEQ©®€]/u;
const file = /\.(?:pdf|docx?|xlsx?|jpe?g|png|tiff?|xml|txt|html?)$/u;
const local = /^[\p{L}\d][\p{L}\d._+-]*$/u;
const domain = /^\p{Ll}[\p{Ll}\d-]+(?:\.[\p{Ll}\d-]+)+$/u;
/** Shorter names also occur as other words. */
const minNameLength = 4;

/**
 * Restores a misread "@" in mail addresses such as "billingOsaaremets.example". The page must contain the name
 * Saaremets or another address with this domain, or the character must be the only capital letter or special sign
 * between lower-case letters.
 */
export function restoreAtSigns(words: readonly string[]): string[] {
  if (!words.some(isAddress)) return [...words];
  const names = new Set(words.flatMap((word) => foldText(word).match(/\p{L}+/gu) ?? []));
  const domains = new Set(words.flatMap((word) => /@(\S+)$/u.exec(word)?.[1] ?? []));
  return words.map((word) => (isAddress(word) ? withAtSign(word, names, domains) : word));
}

const isAddress = (word: string): boolean => !word.includes("@") && address.test(word) && !file.test(word);

function withAtSign(word: string, names: ReadonlySet<string>, domains: ReadonlySet<string>): string {
  const places = Array.from(word.matchAll(signs), ({ index }) => index).filter(
    (at) => local.test(word.slice(0, at)) && domain.test(word.slice(at + 1)),
  );
  const named = places.find((at) => domains.has(word.slice(at + 1)) || isNamed(word.slice(at + 1), names));
  const capitals = places.filter((at) => alone.test(word[at]!) && /\p{Ll}/u.test(word[at - 1]!));
  const at = named ?? (capitals.length === 1 ? capitals[0] : undefined);
  return at === undefined ? word : `${word.slice(0, at)}@${word.slice(at + 1)}`;
}

/** Companies use their names as domains, so a word of the page may be the beginning of a domain. */
function isNamed(domain: string, names: ReadonlySet<string>): boolean {
  const [first = ""] = domain.split(/[.-]/u);
  return first.length >= minNameLength && names.has(first);
}
