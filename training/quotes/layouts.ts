import type { Chance } from "../chance.ts";
import { fields } from "../layouts/fields.ts";
import { House } from "../layouts/house.ts";
import { stack, text } from "../layouts/node.ts";
import { separated, workbook } from "../layouts/rows.ts";
import { encoded } from "../layouts/text.ts";
import { write } from "../layouts/write.ts";
import { mailBytes } from "../set/mail.ts";
import { shortCode, type AskedDay, type Quote, type QuoteWords, type Shortened } from "./quote.ts";

/** Renders the requests of one sender as the bytes of a file. */
export interface QuoteLayout {
  extension: "eml" | "txt" | "pdf" | "xlsx" | "csv";
  weight: number;
  /** Number of requests in one file; one by default. */
  count?: (chance: Chance) => number;
  short?: Shortened;
  set(quotes: Quote[], words: QuoteWords, chance: Chance): Promise<Uint8Array> | Uint8Array;
}

const TRAILER_NOTES = { 2: "frigo", 3: "tautliner", 6: "mega" };

const dotted = (day: string): string => day.split("-").toReversed().join(".");
const clock = (minutes: number): string => `${Math.floor(minutes / 60)}:00`;
const when = ({ day, from, to }: AskedDay): string =>
  from === undefined || to === undefined ? dotted(day) : `${dotted(day)} ${clock(from)}-${clock(to)}`;
const decimal = (figure: number): string => String(figure).replace(".", ",");
const filled = (pattern: string, name: string, value: string): string => pattern.replace(`{${name}}`, value);

/** Formats the load in abbreviated form: "22 t, 33 pallets, 13,6 ldm, tautliner". */
function loadWords({ tonnes, pallets, ldm, full, trailer, temperature }: Quote, words: QuoteWords): string {
  return [
    `${decimal(tonnes)} t`,
    pallets === undefined ? "" : `${pallets} ${words.pallets}`,
    ldm === undefined ? "" : `${decimal(ldm)} ldm`,
    words.trailers[trailer],
    temperature ? `${signed(temperature.min)}/${signed(temperature.max)} °C` : "",
    full === undefined ? "" : full ? words.full : words.part,
  ]
    .filter(Boolean)
    .join(", ");
}

const signed = (degrees: number): string => (degrees > 0 ? `+${degrees}` : String(degrees));

function terms({ price, term }: Quote, words: QuoteWords): string {
  return [
    price === undefined ? "" : filled(words.target, "p", `${price} EUR`),
    term === undefined ? "" : filled(words.term, "n", String(term)),
  ]
    .filter(Boolean)
    .join(", ");
}

const placed = (quote: Quote, at: 0 | 1): string => {
  const { country, postalCode, city } = quote.places[at];
  return `${country} ${postalCode} ${city}`;
};

function signature({ asker }: Quote, words: QuoteWords): string[] {
  return [words.bye, asker.person?.name ?? "", asker.name].filter(Boolean);
}

function mailOf(quote: Quote, words: QuoteWords, body: readonly string[]): Uint8Array {
  const { asker, number, written } = quote;
  return mailBytes({
    from: { name: asker.person?.name ?? asker.name, address: asker.person?.email ?? asker.email },
    to: { name: "Dispatch", address: "dispatch@hauliers.example" },
    subject: [words.title, number].filter(Boolean).join(" "),
    day: written,
    text: [...body, "", ...signature(quote, words)].join("\n"),
  });
}

/** A mail in which each stop, with its place and time, has its own line. */
const mailLines: QuoteLayout = {
  extension: "eml",
  weight: 4,
  set: ([quote], words, chance) => {
    const one = quote as Quote;
    const at = chance.between(0, 1);
    const lines = [
      chance.pick(words.ask),
      "",
      `${words.load[at]}: ${placed(one, 0)}, ${when(one.days[0])}`,
      `${words.unload[at]}: ${placed(one, 1)}, ${when(one.days[1])}`,
      loadWords(one, words),
      terms(one, words),
      one.number ?? "",
    ];
    return mailOf(one, words, lines);
  },
};

/** A mail that states the route and the load in one sentence. */
const mailSentence: QuoteLayout = {
  extension: "eml",
  weight: 4,
  short: { hours: true },
  set: ([quote], words, chance) => {
    const one = quote as Quote;
    const route = filled(filled(words.from, "a", placed(one, 0)), "b", placed(one, 1));
    const body = [
      chance.pick(words.ask),
      `${route}, ${words.load[0]} ${dotted(one.days[0].day)}, ${words.unload[0]} ${dotted(one.days[1].day)}, ${loadWords(one, words)}.`,
      terms(one, words),
      one.number ?? "",
    ];
    return mailOf(one, words, body);
  },
};

/** A request in one abbreviated line, as in a chat. */
const note: QuoteLayout = {
  extension: "txt",
  weight: 4,
  short: { codes: true, hours: true },
  set: ([quote]) => encoded(noteLine(quote as Quote)),
};

function noteLine({ places, days, trailer, temperature, tonnes, pallets, price }: Quote): string {
  const area = (at: 0 | 1) => `${places[at].country} ${shortCode(places[at])}`;
  const day = (at: 0 | 1) => days[at].day.slice(5).split("-").toReversed().join(".");
  return [
    `${area(0)} - ${area(1)}`,
    TRAILER_NOTES[trailer],
    temperature ? `${signed(temperature.min)}/${signed(temperature.max)}` : "",
    `${tonnes}t`,
    pallets === undefined ? "" : `${pallets} pal`,
    `${day(0)}. / ${day(1)}.`,
    price === undefined ? "" : `${price}e`,
  ]
    .filter(Boolean)
    .join(" ");
}

const fieldsOf = (quote: Quote, words: QuoteWords): string[] => [
  quote.number ?? "",
  placed(quote, 0),
  when(quote.days[0]),
  placed(quote, 1),
  when(quote.days[1]),
  [
    words.trailers[quote.trailer],
    quote.temperature && `${signed(quote.temperature.min)}/${signed(quote.temperature.max)} °C`,
  ]
    .filter(Boolean)
    .join(", "),
  `${decimal(quote.tonnes)} t`,
  quote.pallets === undefined ? "" : String(quote.pallets),
  quote.ldm === undefined ? "" : decimal(quote.ldm),
  quote.price === undefined ? "" : `${quote.price} EUR`,
  quote.term === undefined ? "" : filled(words.term, "n", String(quote.term)),
];

/** A form with a label for each field, laid out by the grammar of orders. */
function form(extension: "txt" | "pdf", weight: number): QuoteLayout {
  return {
    extension,
    weight,
    set: ([quote], words, chance) => {
      const { full, asker } = quote!;
      const house = new House(chance, "");
      const values = fieldsOf(quote!, words);
      const items = words.labels.map((label, at) => ({ about: "remarks" as const, label, value: values[at]! }));
      const given = items.filter(({ value }) => value !== "");
      const body = fields(house, house.dice("form"), given);
      const load = full === undefined ? [] : [text(full ? words.full : words.part)];
      const page = { body: stack([text(words.title), body, ...load, text(asker.name)]), foot: [] };
      return write(extension, chance, house, [page]);
    },
  };
}

const rowed = (quotes: Quote[], words: QuoteWords): string[][] => [
  words.labels,
  ...quotes.map((quote) => fieldsOf(quote, words)),
];
const several = (chance: Chance): number => chance.between(2, 4);

/** Layouts of requests by name. The last two have a row for each lane. */
export const quoteLayouts: Record<string, QuoteLayout> = {
  mailLines,
  mailSentence,
  note,
  form: form("txt", 3),
  paper: form("pdf", 2),
  sheet: { extension: "xlsx", weight: 2, count: several, set: (quotes, words) => workbook("1", rowed(quotes, words)) },
  list: {
    extension: "csv",
    weight: 1,
    count: several,
    set: (quotes, words, chance) => encoded(separated(chance, rowed(quotes, words))),
  },
};
