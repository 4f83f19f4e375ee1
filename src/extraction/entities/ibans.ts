import { scores } from "./scores.ts";
import type { EntityOf } from "./entity.ts";
import { lettersAndDigits, printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![\p{L}\p{N}])/gu;
const POLISH_ACCOUNT = /(?<![\p{L}\p{N}])\d{2}(?: ?\d{4}){6}(?![\p{L}\p{N}])/gu;
/** Lengths for the countries that are common on freight documents. Of other countries, only the checksum is tested. */
const IBAN_LENGTH: Record<string, number> = {
  AD: 24,
  AL: 28,
  AT: 20,
  BA: 20,
  BE: 16,
  BG: 22,
  BY: 28,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  KZ: 20,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  RS: 22,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  TR: 26,
  UA: 29,
  XK: 20,
};

/**
 * Finds IBANs with correct check digits (ISO 13616), returned in capitals without spaces. "PL" may be missing from a
 * Polish account number.
 */
export function findIbans(line: Line): EntityOf<"Iban">[] {
  const found: EntityOf<"Iban">[] = [];
  for (const match of line.plain.matchAll(IBAN)) {
    const length = ibanLength(match[0]);
    if (length)
      found.push({
        type: "Iban",
        ...printedSpan(line, match.index, match.index + length, scores.iban.checked),
        value: lettersAndDigits(match[0].slice(0, length)),
      });
  }
  for (const match of line.plain.matchAll(POLISH_ACCOUNT)) {
    const value = `PL${lettersAndDigits(match[0])}`;
    if (isIban(value))
      found.push({
        type: "Iban",
        ...printedSpan(line, match.index, match.index + match[0].length, scores.iban.withoutCountry),
        value,
      });
  }
  return withoutOverlaps(found);
}

/** Finds the first text with the form and length of an IBAN. Its check digits may be wrong. */
export function parseIban(printed: string): { bare: string; start: number; end: number } | undefined {
  const match = /(?<![\p{L}\p{N}])([A-Z]{2})\d{2}(?: ?[A-Z0-9]){11,30}/u.exec(printed.toUpperCase());
  const length = IBAN_LENGTH[match?.[1] ?? ""];
  const bare = match ? lettersAndDigits(match[0]).slice(0, length) : "";
  if (!match || length === undefined || bare.length < length) return undefined;
  let [letters, end] = [0, match.index];
  while (letters < length) if (printed[end++] !== " ") letters++;
  return { bare, start: match.index, end };
}

/** Returns the length of an IBAN of this country. Undefined for a country that is not listed. */
export const accountLength = (country: string): number | undefined => IBAN_LENGTH[country];

/** Whether the check digits of an IBAN without spaces are correct (ISO 13616). */
export function isIban(bare: string): boolean {
  const length = IBAN_LENGTH[bare.slice(0, 2)];
  if (length !== undefined && bare.length !== length) return false;
  let remainder = 0;
  for (const letter of bare.slice(4) + bare.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/**
 * Returns the length of the IBAN at the start of a text that may continue with words in capitals. Undefined if there is
 * none with correct check digits.
 */
function ibanLength(printed: string): number | undefined {
  const wanted = IBAN_LENGTH[printed.slice(0, 2)];
  let count = 0;
  for (let at = 0; at < printed.length; at += 1) {
    if (printed[at] !== " ") count += 1;
    if (count === wanted && isIban(lettersAndDigits(printed.slice(0, at + 1)))) return at + 1;
  }
  return isIban(lettersAndDigits(printed)) ? printed.length : undefined;
}
