import * as z from "zod";
import { foldName } from "../extraction/lexicon/fold.ts";
import { bareVatCode, vatCodeKey, isSameCompany, parseVatCode, type VatCode } from "../extraction/lexicon/vat-codes.ts";
import { anyOf, type AnyOf } from "../platform/archive/filters.ts";
import { termsBy } from "../platform/archive/searchable.ts";
import { normalizeNumber } from "../platform/archive/terms.ts";

/** The name and the VAT code of a company. */
export interface Identity {
  name?: string | undefined;
  vatCode?: string | undefined;
}

/**
 * Whether two identities belong to one company. The VAT codes decide if both are valid, otherwise the names, otherwise
 * the texts of the VAT codes without case and punctuation.
 */
export function isSameParty(one: Identity, other: Identity): boolean {
  const codes = [parseVatCode(one.vatCode ?? ""), parseVatCode(other.vatCode ?? "")] as const;
  if (codes[0] && codes[1]) return isSameCompany(codes[0], codes[1]);
  const names = [comparedName(one.name), comparedName(other.name)];
  if (names[0] || names[1]) return names[0] === names[1];
  return bareVatCode(one.vatCode ?? "") === bareVatCode(other.vatCode ?? "");
}

/**
 * Returns the description `next` of a party, with the VAT code of `before` if that one is stronger: a code with a
 * country is stronger than one without. If a known code were lost, another company could impersonate this one.
 */
export function withKnownVatCode<Party extends Identity>(before: Identity, next: Party): Party {
  const [current, sent] = [parseVatCode(before.vatCode ?? ""), parseVatCode(next.vatCode ?? "")];
  const isWeaker = !sent || (current?.country !== undefined && sent.country === undefined);
  return current && isWeaker ? { ...next, vatCode: before.vatCode } : next;
}

/** "Vzorová Doprava s.r.o." and "VZOROVA DOPRAVA SRO" are equal. */
const comparedName = (name = "") => foldName(name).replaceAll(" ", "") || name.trim();

/** Returns the archive terms of a VAT code. {@link vatCodeSearch} finds them from any notation. */
export function vatCodeTerms(field: string, code: string): string[] {
  const parsed = parseVatCode(code);
  const values = [
    normalizeNumber(code),
    ...(parsed ? [writtenInFull(parsed)] : []),
    ...(parsed?.country ? [anyCountry(parsed)] : []),
  ];
  return [...new Set(values)].map((value) => `${field}:${value}`);
}

/** Returns the search terms for a VAT code in any notation. They match the terms of {@link vatCodeTerms}. */
export function vatCodeSearch(field: string, code: string): AnyOf {
  const parsed = parseVatCode(code);
  const values = [normalizeNumber(code), ...(parsed ? [writtenInFull(parsed)] : [])];
  if (parsed) values.push(parsed.country ? vatCodeKey(parsed) : anyCountry(parsed));
  return anyOf(...new Set(values.map((value) => `${field}:${value}`)));
}

/** Declares a search field for VAT codes in any notation. */
export const vatCodeField = <Thing>(
  codesOf: (thing: Thing) => readonly (string | undefined)[],
  description?: string,
) => {
  const shape = z.string().max(50).optional();
  return termsBy<Thing, typeof shape>(
    description ? shape.describe(description) : shape,
    (thing, name) => codesOf(thing).flatMap((code) => (code ? vatCodeTerms(name, code) : [])),
    (code, name) => vatCodeSearch(name, code),
  );
};

const writtenInFull = (code: VatCode) => (code.country ?? "") + vatCodeKey(code);

const anyCountry = (code: VatCode) => `*${vatCodeKey(code)}`;
