import { scores } from "./scores.ts";
import type { EntityOf } from "./entity.ts";
import { printedSpan, withoutOverlaps } from "./line-spans.ts";
import type { Line } from "./line-spans.ts";

const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![\p{L}\p{N}])/gu;
const POLISH_ACCOUNT = /(?<![\p{L}\p{N}])\d{2}(?: ?\d{4}){6}(?![\p{L}\p{N}])/gu;
/** IBAN lengths of countries common on freight documents. For other countries only the checksum is tested. */
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
        value: bareOf(match[0].slice(0, length)),
      });
  }
  for (const match of line.plain.matchAll(POLISH_ACCOUNT)) {
    const value = `PL${bareOf(match[0])}`;
    if (isIban(value))
      found.push({
        type: "Iban",
        ...printedSpan(line, match.index, match.index + match[0].length, scores.iban.withoutCountry),
        value,
      });
  }
  return withoutOverlaps(found);
}

/** The first text with the form and length of an IBAN; its check digits may be wrong. */
export function parseIban(printed: string): { bare: string; start: number; end: number } | undefined {
  const match = /(?<![\p{L}\p{N}])([A-Z]{2})\d{2}(?: ?[A-Z0-9]){11,30}/u.exec(printed.toUpperCase());
  const length = IBAN_LENGTH[match?.[1] ?? ""];
  const bare = match ? bareOf(match[0]).slice(0, length) : "";
  if (!match || length === undefined || bare.length < length) return undefined;
  let [letters, end] = [0, match.index];
  while (letters < length) if (printed[end++] !== " ") letters++;
  return { bare, start: match.index, end };
}

/** Length of an IBAN of this country; undefined for a country that is not listed. */
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
 * Length of the IBAN within a text that may continue with words in capitals; undefined if no check digits are correct.
 */
function ibanLength(printed: string): number | undefined {
  const wanted = IBAN_LENGTH[printed.slice(0, 2)];
  let count = 0;
  for (let at = 0; at < printed.length; at += 1) {
    if (printed[at] !== " ") count += 1;
    if (count === wanted && isIban(bareOf(printed.slice(0, at + 1)))) return at + 1;
  }
  return isIban(bareOf(printed)) ? printed.length : undefined;
}

const CONTAINER = /(?<![\p{L}\p{N}])([A-Z]{3}[UJZ])[ -]?(\d{3}[ .]?\d{3})[ \-/.]{0,3}(\d)(?![\p{L}\p{N}])/gu;

/** Finds container numbers (ISO 6346). A wrong check digit lowers the score. */
export function findContainers(line: Line): EntityOf<"Container">[] {
  return Array.from(line.plain.matchAll(CONTAINER), (match) => {
    const value = bareOf(match[0]);
    return {
      type: "Container",
      ...printedSpan(
        line,
        match.index,
        match.index + match[0].length,
        isContainer(value) ? scores.container.checked : scores.container.unchecked,
      ),
      value,
    };
  });
}

/** Whether the check digit of a container number is correct (ISO 6346). */
export function isContainer(bare: string): boolean {
  let sum = 0;
  for (let at = 0; at < 10; at += 1) sum += containerValue(bare[at]!) * 2 ** at;
  return (sum % 11) % 10 === Number(bare[10]);
}

/** ISO 6346 counts letters from 10 and leaves out the multiples of 11. */
function containerValue(letter: string): number {
  if (letter >= "0" && letter <= "9") return Number(letter);
  const value = Number.parseInt(letter, 36);
  return value + Math.floor((value - 1) / 10);
}

const VIN = /(?<![\p{L}\p{N}])(?=[A-Z]*\d)(?=\d*[A-Z])[A-HJ-NPR-Z0-9]{17}(?![\p{L}\p{N}])/gu;
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const VIN_VALUES: Record<string, number> = {
  A: 1,
  B: 2,
  C: 3,
  D: 4,
  E: 5,
  F: 6,
  G: 7,
  H: 8,
  J: 1,
  K: 2,
  L: 3,
  M: 4,
  N: 5,
  P: 7,
  R: 9,
  S: 2,
  T: 3,
  U: 4,
  V: 5,
  W: 6,
  X: 7,
  Y: 8,
  Z: 9,
};

/**
 * Finds vehicle identification numbers. Only North America and China use the check digit, so a wrong one proves
 * nothing.
 */
export function findVins(line: Line): EntityOf<"Vin">[] {
  return Array.from(line.plain.matchAll(VIN)).flatMap((match): EntityOf<"Vin">[] => {
    const value = match[0];
    if (!/\d{4}$/.test(value) || !/[A-Z].*[A-Z]/.test(value)) return [];
    return [
      {
        type: "Vin",
        ...printedSpan(
          line,
          match.index,
          match.index + value.length,
          isVin(value) ? scores.vin.checked : scores.vin.unchecked,
        ),
        value,
      },
    ];
  });
}

function isVin(value: string): boolean {
  const sum = VIN_WEIGHTS.reduce(
    (total, weight, at) => total + weight * (VIN_VALUES[value[at]!] ?? Number(value[at])),
    0,
  );
  const check = sum % 11;
  return value[8] === (check === 10 ? "X" : String(check));
}

const UN_NUMBER = /(?<![\p{L}\p{N}])UN ?-?(?:NO\.?|NR\.?|:)? ?:? ?(\d{4})(?!\d)/giu;

/** Finds dangerous goods by their UN number of four digits: "UN 1203" yields "1203". */
export function findUnNumbers(line: Line): EntityOf<"UnNumber">[] {
  if (!line.text.includes("un")) return [];
  return Array.from(line.plain.matchAll(UN_NUMBER), (match) => ({
    type: "UnNumber",
    ...printedSpan(
      line,
      match.index,
      match.index + match[0].length,
      match[0].startsWith("UN") ? scores.unNumber.prefixed : scores.unNumber.bare,
    ),
    value: match[1]!,
  }));
}

const INCOTERM =
  /(?<![\p{L}\p{N}])(EXW|FCA|CPT|CIP|DAP|DPU|DDP|FAS|FOB|CFR|CIF|DAT|DDU|DAF|EX WORKS)(?![\p{L}\p{N}])( ?(?:\p{L}+ )?\(?20[12]0\)?)?/gu;

export function findIncoterms(line: Line): EntityOf<"Incoterm">[] {
  return Array.from(line.plain.matchAll(INCOTERM), (match) => ({
    type: "Incoterm",
    ...printedSpan(
      line,
      match.index,
      match.index + match[0].trimEnd().length,
      match[2] ? scores.incoterm.withPlace : scores.incoterm.bare,
    ),
    value: match[1] === "EX WORKS" ? "EXW" : match[1]!,
  }));
}

function bareOf(printed: string): string {
  return printed.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
