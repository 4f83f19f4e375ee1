import table from "./countries.json" with { type: "json" };

/**
 * Data from which companies, people, plates and phone numbers of a country are generated. `Chance.code` fills the
 * patterns.
 */
export interface Country {
  code: string;
  currency: string;
  /** Formats of VAT numbers; empty if the check digits are unknown. */
  vat: string[];
  /** Printed formats of the VAT number: `#` stands for its next digit, `@` for its next letter. */
  vatPrinted: string[];
  phone: string[];
  mobile: string[];
  tractor: string[];
  trailer: string[];
  /** The letters that plates use, if they do not use all. */
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
  /** Names of streets; `{n}` and `{m}` stand for house numbers. */
  streets: string[];
}

type Entry = Partial<Omit<Country, "code">> & { like?: string };

const entries = table as Record<string, Entry>;

/** Returns a country of the table. Values that its entry lacks are taken from the country that `like` names. */
export function country(code: string): Country {
  const entry = entries[code];
  if (!entry) throw new RangeError(`There is no country ${code} in countries.json.`);
  const { like, ...own } = entry;
  return { ...(like ? country(like) : {}), ...own, code } as Country;
}
