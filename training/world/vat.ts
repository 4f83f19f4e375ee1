import { checkVAT, countries } from "jsvat";
import type { Chance } from "../chance.ts";
import type { Country } from "./countries.ts";

const MOST_TRIES = 20_000;

/** Generates a VAT number with prefix and correct check digits, or undefined for a country without a format. */
export function vatCode(chance: Chance, { vat }: Country): string | undefined {
  if (vat.length === 0) return undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const code = chance.code(chance.pick(vat));
    if (checkVAT(code, countries).isValid) return code;
  }
  throw new Error(`No valid VAT number found in the shapes ${vat.join(", ")}.`);
}

/** Formats a VAT number as letterheads of its country print it: with spaces or dashes, or without its prefix. */
export function printedVat(chance: Chance, code: string, { vatPrinted }: Country): string {
  const digits = code.slice(2).match(/\d/g) ?? [];
  const letters = code.slice(2).match(/\D/g) ?? [];
  const filled = chance.pick(vatPrinted).replaceAll(/[#@]/g, (slot) => (slot === "#" ? digits : letters).shift() ?? "");
  return filled.replace("{m}", chance.code("4#"));
}
