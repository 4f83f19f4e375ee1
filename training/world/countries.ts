import table from "./countries.json" with { type: "json" };

/** What companies, people, plates and telephones of a country look like. Patterns are those of `Chance.code`. */
export interface Country {
  code: string;
  currency: string;
  /** Shapes of VAT numbers; empty where the check digits are not known. */
  vat: string[];
  /** Ways the number stands on paper: `#` takes its next digit, `@` its next letter. */
  vatPrinted: string[];
  phone: string[];
  mobile: string[];
  tractor: string[];
  trailer: string[];
  /** The letters plates are made of, where not all are. */
  letters?: string;
  /** The trade always stands behind the name, "Ashfield Haulage". */
  tradeLast?: boolean;
  starts: string[];
  ends: string[];
  forms: string[];
  forwarder: string[];
  haulier: string[];
  shipper: string[];
  first: string[];
  last: string[];
  /** `{n}` and `{m}` are house numbers. */
  streets: string[];
}

type Entry = Partial<Omit<Country, "code">> & { like?: string };

const entries = table as Record<string, Entry>;

/** A country of the table; what it does not say itself is said by the country it is like. */
export function country(code: string): Country {
  const entry = entries[code];
  if (!entry) throw new RangeError(`There is no country ${code} in countries.json.`);
  const { like, ...own } = entry;
  return { ...(like ? country(like) : {}), ...own, code } as Country;
}
