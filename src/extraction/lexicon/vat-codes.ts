import { countryOfCode } from "./countries.ts";

/** A parsed VAT code. */
export interface VatCode {
  /** Country of the prefix (ISO 3166-1 alpha-2). */
  country?: string | undefined;
  /** Capitals and digits, without the prefix. */
  number: string;
}

/** Northern Ireland (XI) has British numbers. */
const prefixAliases: Record<string, string> = { EL: "GR", XI: "GB", UK: "GB", CHE: "CH" };

const nationalForms: Record<string, (number: string) => string> = {
  AT: (number) => number.replace(/^U/, ""),
  BE: (number) => (/^\d{9}$/.test(number) ? `0${number}` : number),
  CH: (number) => number.replace(/(?:MWST|TVA|IVA|VAT)$/, ""),
  HU: (number) => number.replace(/^(\d{8})[1-5]\d{2}$/, "$1"),
  NO: (number) => number.replace(/MVA$/, ""),
};

/** Parses a VAT code in any notation. Returns undefined for text without a number, such as "none" or "000". */
export function parseVatCode(text: string): VatCode | undefined {
  const bare = bareVatCode(text);
  if (!/[1-9]/.test(bare)) return undefined;
  const prefix = /^(?:CHE(?=\d)|[A-Z]{2})/.exec(bare)?.[0] ?? "";
  const country = prefixAliases[prefix] ?? (countryOfCode(prefix) === prefix ? prefix : undefined);
  return country ? { country, number: bare.slice(prefix.length) } : { number: bare };
}

/** Returns the code in capitals without separators. Irish numbers may have `+` or `*` as their second character. */
export const bareVatCode = (text: string): string =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}+*]/gu, "");

/** Whether two texts are VAT codes of the same company. */
export function haveSameVatCode(one: string | undefined, other: string | undefined): boolean {
  const [code, otherCode] = [parseVatCode(one ?? ""), parseVatCode(other ?? "")];
  return code !== undefined && otherCode !== undefined && isSameCompany(code, otherCode);
}

/**
 * Whether two codes belong to the same company. A code without a country is taken for one from the country of the other
 * code.
 */
export function isSameCompany(one: VatCode, other: VatCode): boolean {
  if (one.country && other.country && one.country !== other.country) return false;
  const country = one.country ?? other.country;
  return vatCodeKey({ ...one, country }) === vatCodeKey({ ...other, country });
}

/** Returns the number in its country's normal form. */
export const vatCodeKey = ({ country, number }: VatCode): string =>
  (country && nationalForms[country]?.(number)) ?? number;
