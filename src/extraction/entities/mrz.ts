import { countryOfCode } from "../lexicon/countries.ts";
import { dayExists } from "./calendar.ts";

/** Contents of the machine-readable zone of a card or passport (ICAO 9303). Dates are ISO days. */
export interface MachineReadableZone {
  kind: "Passport" | "Card";
  /** First two characters: "P<", "ID", "IR". */
  code: string;
  /** ISO 3166-1 alpha-2, if the three letters in the zone stand for a country. */
  country?: string;
  number: string;
  surname: string;
  givenNames: string;
  birthDate?: string;
  expiresAt?: string;
  /** For each check digit, the field that it protects, and whether it is correct. `all`: several fields together. */
  checks: { field: "number" | "birthDate" | "expiresAt" | "all"; passed: boolean }[];
  /** Indexes of the lines that hold the zone. */
  lines: number[];
}

const shapes = [
  { length: 44, count: 2 },
  { length: 36, count: 2 },
  { length: 30, count: 3 },
];

/**
 * Finds a machine-readable zone in lines of text: two lines of 44 or 36 characters, or three of 30. `today` determines
 * the century of dates.
 */
export function findMachineReadableZone(lines: readonly string[], today: string): MachineReadableZone | undefined {
  const bare = lines.map((line) => line.replace(/\s/gu, "").replaceAll("«", "<<").toUpperCase());
  for (const { length, count } of shapes) {
    for (let at = 0; at + count <= bare.length; at++) {
      const rows = bare.slice(at, at + count);
      if (
        !rows.every((row) => row.length === length && /^[A-Z0-9<]+$/u.test(row)) ||
        !rows.some((row) => row.includes("<"))
      )
        continue;
      const zone = count === 2 ? ofTwoLines(rows, length, today) : ofThreeLines(rows, today);
      return { ...zone, lines: rows.map((_, row) => at + row) };
    }
  }
  return undefined;
}

type Zone = Omit<MachineReadableZone, "lines">;

function ofTwoLines([first = "", second = ""]: readonly string[], length: number, today: string): Zone {
  const [surname, givenNames] = names(first.slice(5));
  const composite = second.slice(0, 10) + second.slice(13, 20) + second.slice(21, length - 1);
  return {
    kind: first.startsWith("P") ? "Passport" : "Card",
    code: first.slice(0, 2),
    country: countryOf(first.slice(2, 5)),
    number: plain(second.slice(0, 9)),
    surname,
    givenNames,
    birthDate: dayOf(second.slice(13, 19), today, "past"),
    expiresAt: dayOf(second.slice(21, 27), today, "future"),
    checks: [
      { field: "number", passed: isCheckDigit(second.slice(0, 9), second[9]) },
      { field: "birthDate", passed: isCheckDigit(second.slice(13, 19), second[19]) },
      { field: "expiresAt", passed: isCheckDigit(second.slice(21, 27), second[27]) },
      { field: "all", passed: isCheckDigit(composite, second[length - 1]) },
    ],
  };
}

function ofThreeLines([first = "", second = "", third = ""]: readonly string[], today: string): Zone {
  const [surname, givenNames] = names(third);
  const composite = first.slice(5, 30) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18, 29);
  return {
    kind: "Card",
    code: first.slice(0, 2),
    country: countryOf(first.slice(2, 5)),
    number: plain(first.slice(5, 14)),
    surname,
    givenNames,
    birthDate: dayOf(second.slice(0, 6), today, "past"),
    expiresAt: dayOf(second.slice(8, 14), today, "future"),
    checks: [
      { field: "number", passed: isCheckDigit(first.slice(5, 14), first[14]) },
      { field: "birthDate", passed: isCheckDigit(second.slice(0, 6), second[6]) },
      { field: "expiresAt", passed: isCheckDigit(second.slice(8, 14), second[14]) },
      { field: "all", passed: isCheckDigit(composite, second[29]) },
    ],
  };
}

/** "D<<": Germany has a code of one letter. */
function countryOf(letters: string): string | undefined {
  return countryOfCode(plain(letters));
}

function names(zone: string): [string, string] {
  const [surname = "", givenNames = ""] = zone.replace(/<+$/u, "").split("<<");
  return [spaced(surname), spaced(givenNames)];
}

const spaced = (text: string): string => text.replaceAll("<", " ").trim();
const plain = (text: string): string => text.replaceAll("<", "");

const weights = [7, 3, 1];

function isCheckDigit(text: string, digit: string | undefined): boolean {
  const sum = [...text].reduce(
    (total, sign, at) => total + (sign === "<" ? 0 : Number.parseInt(sign, 36)) * weights[at % 3]!,
    0,
  );
  return digit === "<" ? sum === 0 : String(sum % 10) === digit;
}

function dayOf(figures: string, today: string, lies: "past" | "future"): string | undefined {
  const match = /^(\d{2})(\d{2})(\d{2})$/u.exec(figures);
  if (!match) return undefined;
  const short = Number(match[1]);
  const now = Number(today.slice(2, 4));
  const year = short + (lies === "future" || short <= now ? 2000 : 1900);
  const exists = dayExists({ year, month: Number(match[2]), day: Number(match[3]) });
  return exists ? `${year}-${match[2]}-${match[3]}` : undefined;
}
