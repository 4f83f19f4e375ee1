import table from "./countries.json" with { type: "json" };

/** Formats of companies, people, plates and phone numbers of a country. Patterns as in `Chance.code`. */
export interface Country {
  code: string;
  currency: string;
  /** Formats of VAT numbers; empty if the check digits are unknown. */
  vat: string[];
  /** Printed formats of the VAT number: `#` takes its next digit, `@` its next letter. */
  vatPrinted: string[];
  phone: string[];
  mobile: string[];
  tractor: string[];
  trailer: string[];
  /** Letters used on plates, if not all are. */
  letters?: string;
  /** Whether the trade follows the name: "Ashfield Haulage". */
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

/** A country of the table; missing values come from the country it resembles. */
export function country(code: string): Country {
  const entry = entries[code];
  if (!entry) throw new RangeError(`There is no country ${code} in countries.json.`);
  const { like, ...own } = entry;
  return { ...(like ? country(like) : {}), ...own, code } as Country;
}
