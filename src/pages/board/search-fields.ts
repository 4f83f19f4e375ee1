import { trailerTypes } from "../../domain/mappings.ts";
import type { FreightLanguage } from "../../i18n/language.ts";

const names = ["country", "postalCode", "near", "km", "toCountry", "trailer", "from", "to", "cursor"] as const;

/** Search fields of the board, as in the query of its URL. */
export type SearchFields = Partial<Record<(typeof names)[number], string>>;

/** Search radii in kilometres. */
export const radii = [25, 50, 100, 200, 400] as const;
export const defaultRadius = "50";

export const trailerNumbers = Object.keys(trailerTypes).map(Number);

/** Reads the search fields from a URL, without empty fields. */
export function readSearchFields({ searchParams }: URL): SearchFields {
  const present = names.flatMap((name) => {
    const value = searchParams.get(name)?.trim().slice(0, 1000);
    return value ? [[name, value] as const] : [];
  });
  const { km, ...fields }: SearchFields = Object.fromEntries(present);
  return fields.near ? { ...fields, km: km ?? defaultRadius } : fields;
}

const countries =
  "AD AL AM AT AZ BA BE BG BY CH CY CZ DE DK EE ES FI FR GB GE GR HR HU IE IS IT KZ LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM TR UA UZ XK".split(
    " ",
  );

const named = new Map<string, [code: string, name: string][]>();

/** Lists the countries of the search form, sorted by name in a language. Cached, because sorting is slow. */
export function countryNames({ code }: FreightLanguage): [code: string, name: string][] {
  const cached = named.get(code);
  if (cached) return cached;
  const names = new Intl.DisplayNames([code], { type: "region" });
  const { compare } = new Intl.Collator(code);
  const list = countries
    .map((country): [string, string] => [country, names.of(country) ?? country])
    .toSorted(([, one], [, other]) => compare(one, other));
  named.set(code, list);
  return list;
}
