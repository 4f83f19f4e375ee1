import type { CarrierPortalLanguage } from "../../i18n/language.ts";

export function sizeOf(bytes: number, { locale }: CarrierPortalLanguage): string {
  const [unit, value] = bytes < 1_000_000 ? ["kilobyte", Math.max(1, bytes / 1000)] : ["megabyte", bytes / 1_000_000];
  const digits = value < 10 && unit === "megabyte" ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: digits }).format(value);
}

/** The name of a document within a sentence: lower case, except in German and for abbreviations. */
export const inSentence = (name: string, { code }: CarrierPortalLanguage) =>
  code === "de" || /^\p{Lu}{2}/u.test(name) ? name : name.charAt(0).toLocaleLowerCase(code) + name.slice(1);
