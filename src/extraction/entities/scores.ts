/**
 * Scores of the recognisers, 0..1, set by hand: how reliable a match is without its context. The scores of licence
 * plates are in `plates.ts`.
 */
export const scores = {
  /** From this score on, a match lowers the scores of matches of other types on the same characters. */
  strong: 0.8,
  /** Factor for the score of a match on the same characters as a match of another type of at least `strong`. */
  suppressed: 0.3,
  /** Minimum score of an entity that rules out matches of later recognisers on the same characters. */
  occupied: 0.5,
  /**
   * `step`: increment for a place whose country is printed ("Poznań, Poland") and for a range of two dates
   * ("24.11. - 26.11.2026"). `most`: upper bound of the score of a place.
   */
  confirmed: { most: 0.99, step: 0.02 },

  // `unchecked`: the check digit is wrong. Such a container number scores no higher than a reference.
  iban: { checked: 0.98, withoutCountry: 0.8 },
  container: { checked: 0.98, unchecked: 0.35 },
  vin: { checked: 0.97, unchecked: 0.6 },
  unNumber: { prefixed: 0.95, bare: 0.6 },
  incoterm: { withPlace: 0.95, bare: 0.6 },
  /**
   * VAT numbers. National numbers without a prefix have the shape of other numbers; the shorter they are, the lower the
   * score.
   */
  vat: { checked: 0.97, unchecked: 0.5, brazilian: 0.95, hungarian: 0.85, polish: 0.75, national: 0.3 },
  email: 0.98,
  link: 0.95,
  /** Phone numbers without a country prefix are parsed for the document's first country, then for the others. */
  phone: { plus: 0.95, doubleZero: 0.85, firstCountry: 0.4, otherCountry: 0.3 },
  reference: { lettersAndFourDigits: 0.45, fiveDigits: 0.4, threeDigits: 0.35, other: 0.2 },

  /**
   * "850 EUR" (`currencyBehind`) is more common than "EUR 850". Without a currency: "850,00" (`cents`), and "850"
   * (`bare`), which needs a label. `short`: "1.4k" in a short note.
   */
  amount: { currencyBehind: 0.92, currencyBefore: 0.9, cents: 0.45, bare: 0.2, shortWithCurrency: 0.75, short: 0.6 },
  quantity: { unit: 0.9, doubtfulUnit: 0.55, unitFirst: 0.5 },
  temperature: { tolerance: 0.95, range: 0.9, single: 0.8, signedPair: 0.5, beforeReefer: 0.5 },
  dimensions: { unit: 0.95, bare: 0.7 },
  percent: 0.95,

  date: {
    /** "24.11.2026". */
    complete: 0.95,
    /** "24 XI 2026", "25.11-2026". */
    unusual: 0.9,
    twoDigitYear: 0.8,
    behindWeekday: 0.75,
    week: 0.7,
    /** "26-11-24", in a document that writes the year first. */
    shortYearFirst: 0.7,
    /** A date without a year, with spaces between its parts, or with a slash and then a dash ("25/11-2026"). */
    doubtful: 0.6,
    /** "20261124", or "2.12" in a short note. */
    compact: 0.5,
  },
  spelledDate: { withYear: 0.95, yearBefore: 0.8, dayThenMonth: 0.65, monthThenDay: 0.6 },
  /** `day`: "Thursday", "tomorrow"; `vague`: "next week", "ASAP", which name no single day. */
  relativeDate: { day: 0.65, vague: 0.45 },
  time: { window: 0.95, likelyWindow: 0.8, possibleWindow: 0.6, single: 0.85, likelySingle: 0.6, partOfDay: 0.5 },

  /** Companies: short legal forms are also ordinary words; quotation marks set off a name. */
  company: { quoted: 0.92, longForm: 0.9, shortForm: 0.8 },
  street: { streetWord: 0.85, withoutNumber: 0.6, longWithoutNumber: 0.3, nameAndNumber: 0.4 },

  place: {
    /** The gazetteer has the town for this code ("60-001 Poznań"). In `townBeforeCode`, the town is printed first. */
    codeAndTown: 0.98,
    townBeforeCode: 0.95,
    /** Code and town exist, but not as a pair. */
    codeAndOtherTown: 0.86,
    /** The gazetteer lacks the code, but its country is printed. */
    unknownCodeWithCountry: 0.8,
    unknownCode: 0.55,
    otherTownBeforeCode: 0.75,
    townBeforeStreet: 0.8,
    /** A town that is not in the gazetteer, printed before its code. */
    unknownTownWithCountry: 0.8,
    unknownTown: 0.6,
    /** Minimum score of a place that excludes towns without a postal code on the same characters. */
    sure: 0.45,
  },
  /** Base scores, increments and bounds of a postal code without a known town. */
  codeAlone: {
    known: 0.6,
    knownInText: 0.4,
    unknown: 0.1,
    countryWithoutGazetteer: 0.3,
    countryPrinted: 0.2,
    distinctiveShape: 0.1,
    capitalisedWords: 0.05,
    noWords: -0.1,
    least: 0.25,
    most: 0.8,
  },
  /** Preference among the countries of an ambiguous postal code. A matching town makes a larger difference. */
  country: {
    marked: 0.2,
    settlementType: 0.2,
    first: 0.15,
    perRank: 0.02,
    language: 0.05,
    gazetteer: 0.01,
    rare: 0.01,
  },
  /** A town, state and code of North America. `sure`: the gazetteer has the town in this state. */
  northAmerican: { sureWithCode: 0.97, townWithCode: 0.8, wordsWithCode: 0.6, sureWithoutCode: 0.8, withoutCode: 0.3 },
  townAlone: {
    withCountry: 0.8,
    /** "м. Київ": a town after its type. Enough for the address under a heading, too little for a stop of its own. */
    afterSettlementType: 0.38,
    /**
     * "z Wrocławia": a town in a case form. Enough for the start or destination of a journey, too little for an
     * address.
     */
    caseForm: 0.3,
    /** "pod Poznaniem": a town in a case form that only means "near", and is not a start or destination. */
    near: 0.24,
    base: 0.25,
    /** Increments for a town that is alone in its part of the line, and for a large town. */
    apart: 0.2,
    large: 0.1,
  },
  coarsePlace: { distinctArea: 0.85, area: 0.8, countryPair: 0.4, countryName: 0.3 },
  /** Factors for a corrected misread town, with a postal code and without one. */
  misread: { withCode: 0.6, alone: 0.85 },
} as const;
