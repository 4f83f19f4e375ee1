interface PostalPattern {
  /** Pattern of the code in capitals, without anchors or capturing groups. */
  printed: string;
  /**
   * Number of characters under which the gazetteer lists the code: 4 lists "1012 AB" as "1012". A negative number
   * removes characters at the end. If undefined, the whole code is listed.
   */
  keyLength?: number;
  /** Optional letters before the code: "LV-1010". */
  prefix?: string;
  /** Whether the shape alone identifies the country ("00-000", "EC1M 5RF"). */
  telling?: boolean;
}

const digits = (count: number): PostalPattern => ({ printed: `\\d{${count}}` });

const postalPatterns: Record<string, PostalPattern> = {
  AD: { printed: "AD ?\\d{3}", prefix: "AD", telling: true },
  AL: digits(4),
  AM: digits(4),
  AT: digits(4),
  AZ: digits(4),
  BA: digits(5),
  BE: digits(4),
  BG: digits(4),
  BY: digits(6),
  CA: { printed: "[ABCEGHJ-NPRSTVXY]\\d[A-Z] ?\\d[A-Z]\\d", keyLength: 3, telling: true },
  CH: digits(4),
  CY: digits(4),
  CZ: { printed: "\\d{3} ?\\d{2}" },
  DE: digits(5),
  DK: digits(4),
  EE: digits(5),
  ES: { printed: "(?:0[1-9]|[1-4]\\d|5[0-2])\\d{3}" },
  FI: { printed: "\\d{5}" },
  FO: digits(3),
  FR: { printed: "(?:\\d{2} ?\\d{3})" },
  GB: { printed: "(?:GIR ?0AA|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[ABD-HJLNP-UW-Z]{2})", keyLength: -3, telling: true },
  GE: digits(4),
  GR: { printed: "\\d{3} ?\\d{2}" },
  HR: digits(5),
  HU: digits(4),
  IE: { printed: "(?:D6W|[AC-FHKNPRTV-Y]\\d{2}) ?[\\dAC-FHKNPRTV-Y]{4}", keyLength: 3, telling: true },
  IS: digits(3),
  IT: digits(5),
  KZ: digits(6),
  LI: { printed: "94[89]\\d" },
  LT: { printed: "(?:LT ?-? ?)?\\d{5}", prefix: "LT" },
  LU: { printed: "(?:L ?-? ?)?\\d{4}", prefix: "L" },
  LV: { printed: "(?:LV ?-? ?)?\\d{4}", prefix: "LV" },
  MC: { printed: "980\\d{2}" },
  MD: { printed: "(?:MD ?-? ?)?\\d{4}", prefix: "MD" },
  ME: { printed: "8\\d{4}" },
  MK: digits(4),
  MT: { printed: "[A-Z]{3} ?\\d{4}", keyLength: 3, telling: true },
  MX: digits(5),
  NL: { printed: "[1-9]\\d{3}(?: ?[A-Z]{2})?", keyLength: 4, telling: true },
  NO: digits(4),
  PL: { printed: "\\d{2} ?- ?\\d{3}", telling: true },
  PT: { printed: "\\d{4}(?: ?- ?\\d{3})?", keyLength: 4, telling: true },
  RO: digits(6),
  RS: { printed: "[1-3]\\d{4}" },
  RU: digits(6),
  SE: { printed: "\\d{3} ?\\d{2}" },
  SI: digits(4),
  SK: { printed: "\\d{3} ?\\d{2}" },
  SM: { printed: "4789\\d" },
  TR: digits(5),
  UA: digits(5),
  US: { printed: "\\d{5}(?:-\\d{4})?", keyLength: 5 },
  XK: digits(5),
};

const shapes = [...Map.groupBy(Object.keys(postalPatterns), (country) => postalPatterns[country]!.printed)].map(
  ([printed, countries]) => ({ shape: new RegExp(`^(?:${printed})$`), countries }),
);

/** Returns the countries (alpha-2) whose postal codes have the format of this code. */
export function countriesOfPostalCode(code: string): string[] {
  const printed = code.toUpperCase().trim();
  return shapes.flatMap(({ shape, countries }) => (shape.test(printed) ? countries : []));
}

/** Whether the country's code format is known. */
export function isKnownPostal(country: string): boolean {
  return postalPatterns[country] !== undefined;
}

/**
 * Whether a code, with or without country letters ("D-20095"), fits the format of a country; undefined if the format is
 * unknown.
 */
export function fitsCountry(country: string, code: string): boolean | undefined {
  if (!postalPatterns[country]) return undefined;
  const bare = code.trim().replace(/^[A-Z]{1,3}[ -](?=\d)/u, "");
  return [code, bare].some((printed) => countriesOfPostalCode(printed).includes(country));
}

/** Whether the shape of the code alone identifies the country. Four digits never do. */
export function isDistinctive(country: string, code: string): boolean {
  return postalPatterns[country]?.telling === true && !/^\d{4}$/.test(code.trim());
}

/**
 * Returns the key under which the gazetteer lists a code: "SW1A" for "SW1A 1AA", "1012" for "1012 AB", "1010" for
 * "LV-1010".
 */
export function postalKey(country: string, code: string): string {
  const pattern = postalPatterns[country];
  let bare = code.toUpperCase().replace(/[^A-Z\d]/g, "");
  if (pattern?.prefix && bare.startsWith(pattern.prefix)) bare = bare.slice(pattern.prefix.length);
  const length = pattern?.keyLength;
  if (length === undefined) return bare;
  if (length > 0) return bare.slice(0, length);
  return bare.length > 4 ? bare.slice(0, length) : bare;
}
