import { isValidPhoneNumber } from "libphonenumber-js/max";
import type { CountryCode } from "libphonenumber-js/max";
import type { Chance } from "../chance.ts";
import type { Country } from "./countries.ts";

const MOST_TRIES = 300;

/**
 * Generates a phone number in a format of the country. It is valid in the country's numbering plan, except for American
 * numbers, which use 555, the prefix of fictional numbers.
 */
export function phone(chance: Chance, { code, ...country }: Country, kind: "phone" | "mobile"): string {
  const pattern = chance.pick(country[kind]);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const number = chance.code(pattern);
    if (code === "US" || isValidPhoneNumber(number, code as CountryCode)) return number;
  }
  return chance.code(pattern);
}
