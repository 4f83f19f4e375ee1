import type { Chance } from "../chance.ts";
import { country } from "./countries.ts";
import { phone } from "./phones.ts";
import type { Place, Places } from "./places.ts";
import { vatCode } from "./vat.ts";

export interface Person {
  name: string;
  email?: string;
  phone?: string;
}

/** An invented company at a real place. */
export interface Firm {
  name: string;
  street: string;
  place: Place;
  vat?: string;
  domain: string;
  /** Office phone. */
  phone: string;
  email: string;
  person?: Person;
  /** Whether documents name only the company and the person, without the address. */
  brief?: boolean;
}

export type Trade = "forwarder" | "haulier" | "shipper";

const SPECIAL: Record<string, string> = { ł: "l", ß: "ss", ø: "o", æ: "ae", đ: "d", ı: "i" };
const CYRILLIC = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяыэъё";
const ROMAN = "a b v h g d e ie zh z y i i i k l m n o p r s t u f kh ts ch sh shch _ iu ia y e _ e".split(" ");

export function firm(chance: Chance, places: Places, code: string, trade: Trade): Firm {
  const from = country(code);
  const stem = chance.pick(from.starts) + chance.pick(from.ends);
  const trading = chance.pick(from[trade]);
  const words = from.tradeLast || chance.happens(0.5) ? `${stem} ${trading}` : `${trading} ${stem}`;
  const domain = `${asAscii(chance.happens(0.6) ? stem : `${stem}-${trading}`)}.example`;
  return {
    name: chance.pick(from.forms).replace("{}", words),
    street: street(chance, code),
    place: places.any(chance, code),
    vat: vatCode(chance, from),
    domain,
    phone: phone(chance, from, "phone"),
    email: `${chance.pick(["info", "office", "biuro", "dispo", "transport", "traffic", "sped"])}@${domain}`,
  };
}

export function street(chance: Chance, code: string): string {
  const pattern = chance.pick(country(code).streets);
  return pattern.replace("{n}", String(chance.between(1, 180))).replace("{m}", String(chance.between(2, 29)));
}

/** Generates a person of the company. As on real documents, mail or phone is sometimes missing. */
export function person(chance: Chance, { domain, place }: Firm): Person {
  const from = country(place.country);
  const first = chance.pick(from.first);
  const last = chance.pick(from.last);
  const local = chance.pick([`${first}.${last}`, `${[...first][0]}.${last}`, last, first]);
  return {
    name: `${first} ${last}`,
    email: chance.maybe(0.85, () => `${asAscii(local)}@${domain}`),
    phone: chance.maybe(0.85, () => phone(chance, from, "phone")),
  };
}

export function driver(chance: Chance, code: string): Person {
  const from = country(code);
  return {
    name: `${chance.pick(from.first)} ${chance.pick(from.last)}`,
    phone: chance.maybe(0.85, () => phone(chance, from, "mobile")),
  };
}

/** Transliterates to the letters allowed in a domain or the local part of a mail address. */
export function asAscii(text: string): string {
  const letters = [...text.toLowerCase().normalize("NFC")].map((letter) => {
    const at = CYRILLIC.indexOf(letter);
    return at >= 0 ? ROMAN[at]!.replace("_", "") : (SPECIAL[letter] ?? letter);
  });
  const plain = letters.join("").normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return plain.replaceAll(/[^a-z0-9.]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
}
