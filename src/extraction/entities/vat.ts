import { scores } from "./scores.ts";
import { checkVAT, countries } from "jsvat";
import type { EntityOf, DocumentLocale } from "./entity.ts";
import { printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

type VatEntity = EntityOf<"Vat">;
type Country = (typeof countries)[number];

/** For each printed prefix, the country whose rules check the number, and the prefix of the normalised code. */
const prefixes = new Map<string, { country: Country; code: string; prefix: string }>();
for (const country of countries) {
  const code = country.codes[0]!;
  const prefix = code === "GR" ? "EL" : code === "CH" ? "CHE" : code;
  if (code !== "BR") prefixes.set(prefix, { country, code, prefix });
  if (code === "GB") prefixes.set("XI", { country, code, prefix: "XI" });
  if (code === "GR") prefixes.set("GR", { country, code, prefix: "EL" });
}
const brazil = countries.find((country) => country.codes[0] === "BR")!;

/**
 * National tax numbers, which are VAT numbers without their prefix. They are printed next to labels such as "NIP", "PVM
 * kodas" and "P. IVA".
 */
const NATIONAL: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^0?\d{9}$/,
  BG: /^\d{9,10}$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[A-Z]\d{7}[A-Z0-9]$|^\d{8}[A-Z]$/,
  FI: /^\d{8}$/,
  FR: /^\d{11}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IT: /^\d{11}$/,
  LT: /^\d{9}$|^\d{12}$/,
  LV: /^\d{11}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{6,10}$/,
  RS: /^\d{9}$/,
  RU: /^\d{10}$|^\d{12}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Formats of countries without an implemented checksum. */
const FORMAT_ONLY: Record<string, RegExp> = {
  UA: /^UA\d{8,12}$/,
  TR: /^TR\d{10}$/,
  US: /^US\d{9}$/,
  IS: /^IS\d{5,6}$/,
  MD: /^MD\d{7,13}$/,
  BA: /^BA\d{12,13}$/,
  MK: /^MK\d{13}$/,
  ME: /^ME\d{8}$/,
  BY: /^BY\d{9}$/,
  LI: /^LI\d{5}$/,
};

const PREFIXED = /(?<![\p{L}\p{N}])([A-Z]{2,3}) ?-? ?((?:[A-Z0-9+*](?:[ .\-/](?=[A-Z0-9]))?){4,20})/gu;
const POLISH = /(?<![\d-])\d{3}-(?:\d{3}-\d{2}-\d{2}|\d{2}-\d{2}-\d{3})(?![\d-])/g;
const HUNGARIAN = /(?<![\d-])(\d{8})-[1-5]-\d{2}(?![\d-])/g;
const DANISH_AND_OTHERS = /(?<![\p{L}\p{N}.,/-])(?:[A-Z]?\d[\dA-Z]{6,12})(?![\p{L}\p{N}/-]|[.,]\d)/gu;
const BRAZILIAN = /(?<!\d)\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}(?!\d)/g;
const SPACED = /(?<![\p{L}\p{N}.,/-])\d{3}[ .]\d{3}[ .]\d{3}(?:[ .]\d{1,3})?(?![\d\p{L}]|[ .]\d)/gu;
const LONGEST = 16;
/**
 * Minimum number of digits. Romanian numbers may have only two, but such a short match is usually a word with digits.
 */
const FEWEST_FIGURES = 4;

/**
 * Finds VAT numbers. `code` has the country's prefix and no spaces; `checked` means that the check digits are
 * correct. A number without a prefix must have correct check digits. If only the document's countries suggest its
 * country, the score is low and a label must confirm it.
 */
export function findVatCodes(line: Line, context: DocumentLocale): VatEntity[] {
  return withoutOverlaps([...withPrefix(line), ...national(line, context), ...brazilian(line)]);
}

/** Whether a checksum is implemented for the number's prefix. */
export function hasVatCheck(printed: string): boolean {
  const bare = bareOf(printed);
  return (prefixes.get(bare.slice(0, 3)) ?? prefixes.get(bare.slice(0, 2))) !== undefined;
}

/** Whether a number with a prefix, in any spelling, has the correct form and check digits. */
export function isVatValid(printed: string): boolean {
  const bare = bareOf(printed);
  const known = prefixes.get(bare.slice(0, 3)) ?? prefixes.get(bare.slice(0, 2));
  return known !== undefined && passes(bare, known.country);
}

function withPrefix(line: Line): VatEntity[] {
  const found: VatEntity[] = [];
  for (const match of prefixed(line.plain)) {
    const seen = longestNumber(match[0]);
    if (seen)
      found.push({
        type: "Vat",
        ...printedSpan(
          line,
          match.index,
          match.index + seen.length,
          seen.checked ? scores.vat.checked : scores.vat.unchecked,
        ),
        value: { code: seen.code, country: seen.country, checked: seen.checked },
      });
  }
  return found;
}

/**
 * Finds numbers with a known prefix. A word such as "VAT" before the number looks like a prefix; it must not consume
 * the number.
 */
function* prefixed(text: string): Generator<RegExpExecArray> {
  const pattern = new RegExp(PREFIXED);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, prefix = ""] = match;
    if (prefixes.has(prefix) || prefixes.has(prefix.slice(0, 2)) || FORMAT_ONLY[prefix.slice(0, 2)]) yield match;
    else pattern.lastIndex = match.index + prefix.length;
  }
}

interface VatMatch {
  length: number;
  code: string;
  country: string;
  checked: boolean;
}

/** More text may follow the number, so every space and separator is tried as its end. */
function longestNumber(printed: string): VatMatch | undefined {
  let unchecked: VatMatch | undefined;
  for (const length of groupEnds(printed)) {
    const bare = bareOf(printed.slice(0, length));
    if (bare.length > LONGEST + 4) continue;
    const known = prefixes.get(bare.slice(0, 3)) ?? prefixes.get(bare.slice(0, 2));
    if (known) {
      if (bare.replace(/\D/g, "").length < FEWEST_FIGURES) continue;
      const seen = { length, code: codeOf(bare, known), country: known.code };
      if (passes(bare, known.country)) return { ...seen, checked: true };
      if (!unchecked && formatFits(bare, known.country)) unchecked = { ...seen, checked: false };
      continue;
    }
    const country = bare.slice(0, 2);
    if (!unchecked && FORMAT_ONLY[country]?.test(bare)) unchecked = { length, code: bare, country, checked: false };
  }
  return unchecked;
}

function groupEnds(printed: string): number[] {
  const ends = Array.from(printed.matchAll(/[A-Z0-9+*](?![A-Z0-9+*])/g), (match) => match.index + 1);
  return ends.toReversed();
}

function national(line: Line, context: DocumentLocale): VatEntity[] {
  const found: VatEntity[] = [];
  const add = (match: RegExpExecArray, country: string, number: string, score: number): void => {
    const known = prefixes.get(country === "GR" ? "EL" : country);
    if (!known || !passes(known.prefix + number, known.country)) return;
    found.push({
      type: "Vat",
      ...printedSpan(line, match.index, match.index + match[0].length, score),
      value: { code: known.prefix + number, country, checked: true },
    });
  };
  for (const match of line.plain.matchAll(POLISH)) add(match, "PL", bareOf(match[0]), scores.vat.polish);
  for (const match of line.plain.matchAll(HUNGARIAN)) add(match, "HU", match[1]!, scores.vat.hungarian);
  for (const pattern of [DANISH_AND_OTHERS, SPACED]) {
    for (const match of line.plain.matchAll(pattern)) {
      const number = bareOf(match[0]);
      const country = context.countries.find(
        (each) =>
          NATIONAL[each]?.test(number) &&
          passes((prefixes.get(each)?.prefix ?? each) + number, prefixes.get(each)?.country),
      );
      if (country) add(match, country, number, scores.vat.national);
    }
  }
  return found;
}

function brazilian(line: Line): VatEntity[] {
  return Array.from(line.plain.matchAll(BRAZILIAN)).flatMap((match): VatEntity[] => {
    if (!checkVAT(match[0], [brazil]).isValid) return [];
    return [
      {
        type: "Vat",
        ...printedSpan(line, match.index, match.index + match[0].length, scores.vat.brazilian),
        value: { code: `BR${bareOf(match[0])}`, country: "BR", checked: true },
      },
    ];
  });
}

/** Removes the suffix for VAT of Swiss and Norwegian numbers: "MWST", "MVA". */
function codeOf(bare: string, known: { code: string; prefix: string }): string {
  const number = bare.slice(bare.startsWith(known.prefix) ? known.prefix.length : 2);
  return known.prefix + number.replace(/(?:MWST|TVA|IVA|MVA)$/, "");
}

function passes(bare: string, country: Country | undefined): boolean {
  if (!country) return false;
  return checkVAT(bare.replace(/^XI/, "GB").replace(/^GR/, "EL"), [country]).isValid;
}

function formatFits(bare: string, country: Country): boolean {
  return country.rules.regex.some((shape) => shape.test(bare.replace(/^XI/, "GB").replace(/^GR/, "EL")));
}

function bareOf(printed: string): string {
  return printed.toUpperCase().replace(/[ .\-/]/g, "");
}
