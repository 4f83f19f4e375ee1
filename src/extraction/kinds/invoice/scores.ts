import { cent } from "../checks.ts";

/**
 * Confidences, thresholds and weights of the invoice extractor, set by hand; 0..1 unless stated otherwise. `min` is the
 * score that a candidate needs.
 */
export const scores = {
  /**
   * What makes a document an invoice: minimum confidence of the classifier, and minimum score of an amount.
   * `amountInMail` applies if only the subject of the mail names an invoice.
   */
  recognition: { classified: 0.5, amount: 0.4, amountInMail: 0.8 },
  kind: { selfBilled: 0.75, title: 0.85, untitled: 0.7 },
  /** Structured data in the file, such as FatturaPA or UBL. */
  structuredData: 0.99,

  /** Minimum weight of a label's meaning, by the purpose for which the label is used. */
  label: { field: 0.6, payment: 0.5, besidePaymentDate: 0.4, order: 0.5, totalOfInvoice: 0.8 },

  /**
   * Dates, by the text in which they are found: after their own label ("Due date"), a general label ("Date"), a label
   * of the payment term, in a sentence, on a line about payment, or first on the page.
   */
  date: {
    ownLabel: { min: 0.35 },
    generalLabel: { min: 0.4 },
    paymentTerm: { min: 0.45 },
    inSentence: { min: 0.5, value: 0.7 },
    /** After the invoice's number, and after a town. */
    besideNumber: 0.85,
    behindTown: 0.75,
    /** A sale date that is also the issue date: one label for both ("tax point / date"), or two labels on one line. */
    jointLabel: 0.6,
    twoLabels: 0.7,
    besidePayment: { min: 0.5, value: 0.6 },
    firstOfPage: { min: 0.4, value: 0.55 },
  },
  paymentDays: { betweenDates: 0.85, besidePayment: 0.6 },

  /** The only account, one of several, one broken over two lines, and one with wrong check digits. */
  iban: { only: 0.95, oneOfSeveral: 0.8, overTwoLines: 0.85, failedChecksum: 0.4 },
  exchangeRate: { equation: 0.9, label: 0.85 },
  paymentMethod: { label: 0.9, paidInCashOrByCard: 0.65, transferRequest: 0.6, fromAccount: 0.5 },

  number: {
    afterBrackets: 0.9,
    inSeries: 0.9,
    /** In the row of the title, or after "No." alone: used if no labelled number has at least the score `titled`. */
    inTitle: 0.6,
    titled: 0.4,
    /** Factor for a number after the label of another number, such as "Order no.". */
    otherLabel: 0.55,
    /** Factor for a number of which the words before its label say that it is that of another invoice. */
    ofOtherInvoice: 0.35,
    /**
     * A label such as "No." alone, with a weight below `maxWeight`. At the top of the page, where its position costs
     * less than `maxLoss`, its score is raised to `score`.
     */
    bareLabel: { maxWeight: 0.5, score: 0.4, maxLoss: 0.08 },
    /**
     * The score falls with the distance from the top: by the number of rows above (`rowsPerPage` for each page before)
     * divided by `rows`, but at most by `maxLoss`.
     */
    position: { rowsPerPage: 60, rows: 240, maxLoss: 0.25 },
    confidence: { min: 0.22, added: 0.1, max: 0.97 },
  },
  /** Minimum score of a number at the top of a page that starts another invoice. */
  startOfInvoice: 0.45,
  orderNumber: { inDescription: 0.8, inColumn: 0.8, inText: 0.6, label: { min: 0.42 } },
  /** `named…`: plates after a word for a vehicle. `inDescription`: plates known only by their format. */
  plate: { inColumn: 0.8, namedInText: 0.7, namedInDescription: 0.65, inDescription: 0.55 },
  /** Minimum scores of a plate's format: beside another plate or between commas, and anywhere in a description. */
  plateShape: { apart: { min: 0.28 }, anywhere: { min: 0.36 } },

  totals: {
    /**
     * Reliability of a label for a net, VAT or gross amount. `own`: a label that means only this, such as "Net amount".
     */
    label: { own: 1, amountDue: 0.95, totalPrice: 0.8, vatRate: 0.6, priceAsNet: 0.5 },
    looseLabelFactor: 0.6,
    /**
     * An amount has three scores: as net amount, as VAT and as gross amount. Those that no label supports get this
     * score.
     */
    unlabelled: 0.04,
    amount: 0.4,
    /** Minimum score as gross amount with which an amount is compared to find the largest gross amount. */
    largestGross: 0.2,
    /** Possible VAT, as a share of the net amount. */
    rate: { min: 0.01, max: 0.28 },

    /**
     * Added to the label scores: for net, VAT and gross that add up (`addedUp`), for one amount without tax, if the
     * rate is printed, and in proportion to the size of the gross amount.
     */
    addedUp: 1,
    /** Added if the amount is the sum of a column in the table of lines. */
    columnSum: 0.8,
    untaxed: 0.8,
    printedRate: 0.4,
    relativeSize: 0.5,
    /**
     * Minimum sum of the label scores of net, VAT and gross. Without a printed rate, the VAT alone needs `minOfVat`,
     * because a price, the cash paid and the change also add up.
     */
    labels: { min: 0.5, minWithRate: 0.25, minOfVat: 0.12 },
    /** Minimum label score of an amount without tax, and of a VAT amount of 0. */
    untaxedLabel: 0.3,
    /** Minimum label scores of amounts that do not add up. */
    apart: { gross: { min: 0.35 }, net: { min: 0.55 }, vat: { min: 0.6 } },

    confidence: { addedUp: { base: 0.62, perLabel: 0.3 }, apart: 0.75 },
  },
  currency: { onTotal: 0.92, onEqualAmount: 0.9, label: 0.85, mostFrequent: 0.65 },

  /**
   * Points for assigning roles to table columns: for rows whose numbers agree, as in 2 × 50.00 = 100.00, and for
   * columns whose sums agree with the totals.
   */
  columns: {
    quantityTimesPriceIsNet: 2,
    quantityTimesPriceIsGross: 1,
    rateOfNetIsVat: 2,
    netAndVatIsGross: 2,
    netWithRateIsGross: 1,
    netTotal: 3,
    grossTotal: 3,
    vatTotal: 2,
    /** For each column that gets the likeliest role of its heading. */
    firstRole: 0.05,
    /** The roles that the headings allow are accepted if they have at least this many points. */
    agreed: 2,
    /** Roles that the headings do not allow must exceed the points of the allowed roles by more than this. */
    minGain: 0.9,
  },
  /** Values of a table row: `product` if quantity times price is the amount. */
  tableRow: { product: 0.93, other: 0.75 },
  description: { oneLine: 0.85, severalLines: 0.7, withoutTable: 0.7 },
  unit: { behindQuantity: 0.8, column: 0.85 },
  lineWithoutTable: 0.8,
  vatShare: 0.85,

  /**
   * Headings of seller and buyer: factors for the weight of a label, by its position on the line and in running text.
   */
  heading: {
    standing: { Head: 1, Lead: 0.85, Inline: 0.7, Tail: 0.55, Loose: 0 },
    inProse: 0.4,
    min: 0.4,
    /** From this weight on, a heading is certain, and its party is not guessed from other text. */
    sure: 0.6,
    /** A label such as "To:" above an address. */
    addressee: 0.8,
    /** Minimum score of a street: "Route" in "Route de Semur" is then not the heading of a stop. */
    street: { min: 0.6 },
  },
  party: {
    underHeading: { base: 0.6, perWeight: 0.35 },
    namedAfterHeading: 0.8,
    nameBesideHeading: 0.7,
    consignee: 0.7,
    byLikeness: 0.65,
    letterhead: 0.6,
  },
  partyName: { company: { base: 0.5, perScore: 0.4 }, words: 0.55, letterhead: 0.6 },
  partyEntity: { company: 0.4, letterhead: 0.7, vat: 0.5, contact: 0.3, otherThanName: 0.6 },

  /** Points of an address without a heading, for features that indicate the seller. */
  seller: {
    onOneLine: 1.5,
    inFooter: 1.5,
    besideIban: 1.5,
    besidePhoneOrEmail: 1,
    besideVatCode: 0.4,
    /** Beside a VAT code that the document calls "yours". */
    besideYours: -1.5,
    /** With fewer points, the only address is that of the reader if another company stands above it. */
    ofWriter: 1.2,
    mailDomain: 2,
    printedTwice: 1,
    printedFirst: 0.7,
    atTop: 1,
    ownCompany: -0.6,
  },
  /** Positions on the page, as fractions of its height from the top. */
  page: { top: 0.13, titles: 0.4, footer: 0.8 },
} as const;

/**
 * Largest differences due to rounding: an amount in the currency of the invoice, or a share of the compared amount if
 * that is more.
 */
export const rounding = {
  product: { amount: cent, share: 0.0015 },
  tableRow: { amount: 0.02, share: 0.0015 },
  vatOfRate: { amount: 0.03, share: 0.002 },
  exchanged: { amount: 0, share: 0.002 },
  /** Difference between a total and the sum of the amounts by VAT rate. */
  sharesOfTotal: 0.05,
} as const;

/** Highest VAT rate in Europe, in percent. */
export const maxVatRate = 27;
/** Highest percentage that is taken for a VAT rate. */
export const maxRateInTable = 30;
