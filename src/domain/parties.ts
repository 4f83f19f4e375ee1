import { foldName } from "../extraction/lexicon/fold.ts";
import { bareVatCode, vatCodeKey, isSameCompany, parseVatCode, type VatCode } from "../extraction/lexicon/vat-codes.ts";
import { anyOf, type AnyOf } from "../platform/archive/filters.ts";
import { normalizeNumber } from "../platform/archive/terms.ts";

/** What identifies a company. */
export interface Identity {
  name?: string | undefined;
  vatCode?: string | undefined;
}

/**
 * Whether two identities are of one company: the VAT codes decide where both have one, else the names. Without a VAT code
 * or a name that both have, nothing shows that they are the same, so they are not.
 */
export function isSameParty(one: Identity, other: Identity): boolean {
  const codes = [parseVatCode(one.vatCode ?? ""), parseVatCode(other.vatCode ?? "")] as const;
  if (codes[0] && codes[1]) return isSameCompany(codes[0], codes[1]);
  const names = [comparedName(one.name), comparedName(other.name)];
  if (names[0] || names[1]) return names[0] === names[1];
  return bareVatCode(one.vatCode ?? "") === bareVatCode(other.vatCode ?? "");
}

/**
 * `next`, another description of the party `before`, with the better of the two VAT codes: one with a country rather than
 * one without. A code that is known must not get lost, or a third party could pass for this one.
 */
export function withKnownVatCode<Party extends Identity>(before: Identity, next: Party): Party {
  const [known, said] = [parseVatCode(before.vatCode ?? ""), parseVatCode(next.vatCode ?? "")];
  const saysLess = !said || (known?.country !== undefined && said.country === undefined);
  return known && saysLess ? { ...next, vatCode: before.vatCode } : next;
}

/** Case, marks, blanks and punctuation do not matter: "Vzorová Doprava s.r.o." is "VZOROVA DOPRAVA SRO". */
const comparedName = (name = "") => foldName(name).replaceAll(" ", "") || name.trim();

/** The archive's terms for a VAT code. {@link vatCodeSearch} finds them however the code is written. */
export function vatCodeTerms(field: string, code: string): string[] {
  const parsed = parseVatCode(code);
  const values = [
    normalizeNumber(code),
    ...(parsed ? [writtenInFull(parsed)] : []),
    ...(parsed?.country ? [anyCountry(parsed)] : []),
  ];
  return [...new Set(values)].map((value) => `${field}:${value}`);
}

/** The search for {@link vatCodeTerms} of the same company. */
export function vatCodeSearch(field: string, code: string): AnyOf {
  const parsed = parseVatCode(code);
  const values = [normalizeNumber(code), ...(parsed ? [writtenInFull(parsed)] : [])];
  if (parsed) values.push(parsed.country ? vatCodeKey(parsed) : anyCountry(parsed));
  return anyOf(...new Set(values.map((value) => `${field}:${value}`)));
}

const writtenInFull = (code: VatCode) => (code.country ?? "") + vatCodeKey(code);

/** Marks a number whose country is known, for searches that do not name one. */
const anyCountry = (code: VatCode) => `*${vatCodeKey(code)}`;
